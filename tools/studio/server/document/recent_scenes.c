#include "tools/studio/server/document/recent_scenes.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/json/json.h"
#include "core/json/json_writer.h"

#include <stdlib.h>
#include <string.h>

const char *coif_recent_scenes_file(coif_arena *arena)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state != NULL && state[0] == '/') {
        return coif_arena_print(arena, "%s/coif/recent_scenes.json", state);
    }
    return home != NULL && home[0] == '/'
               ? coif_arena_print(arena, "%s/.local/state/coif/recent_scenes.json", home)
               : NULL;
}

int32_t coif_recent_scenes_load(const char *paths[COIF_MAX_RECENT_SCENES], const char *file,
                                coif_arena *arena)
{
    char *text;
    size_t size;
    coif_json *list;
    coif_error error = {0};
    if (file == NULL || coif_file_load(&text, &size, file, arena, &error) != COIF_OK ||
        coif_json_parse(&list, file, text, size, arena, &error) != COIF_OK ||
        list->kind != COIF_JSON_ARRAY) {
        return 0;
    }
    int32_t count = 0;
    for (const coif_json *each = list->child; each != NULL && count < COIF_MAX_RECENT_SCENES;
         each = each->next) {
        if (each->kind == COIF_JSON_STRING && each->text[0] == '/' &&
            coif_path_exists(each->text)) {
            paths[count++] = each->text;
        }
    }
    return count;
}

static coif_status add(const char *file, const char *scene, coif_arena *arena, coif_error *error)
{
    const char *paths[COIF_MAX_RECENT_SCENES];
    const int32_t count = coif_recent_scenes_load(paths, file, arena);
    const char *real = coif_path_real(scene, arena);
    coif_json_writer out;
    coif_json_writer_init(&out, arena);
    coif_write_open(&out, NULL, "[");
    coif_write_text(&out, NULL, real);
    for (int32_t i = 0, written = 1; i < count && written < COIF_MAX_RECENT_SCENES; ++i) {
        if (strcmp(paths[i], real) != 0) {
            coif_write_text(&out, NULL, paths[i]);
            ++written;
        }
    }
    coif_write_close(&out, "]");
    COIF_TRY(coif_path_make_directory(coif_path_folder(file, arena), error));
    return coif_file_save(file, out.text.data, out.text.size, error);
}

void coif_recent_scenes_add(const char *file, const char *scene)
{
    COIF_SCOPED_ARENA(scratch, "recent scenes");
    coif_error error = {0};
    if (add(file, scene, &scratch, &error) != COIF_OK) {
        coif_log(COIF_LOG_DETAIL, "%s", error.text);
    }
}
