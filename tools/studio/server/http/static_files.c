#include "tools/studio/server/http/static_files.h"

#include "core/base/dynlib.h"
#include "core/base/fs.h"

#include <stdlib.h>
#include <string.h>

static const char *page_folder(coif_arena *arena)
{
    const char *folder = getenv("COIF_STUDIO_PAGE");
    return folder != NULL
               ? folder
               : coif_path_join(coif_dynlib_program_folder(arena), "../share/coif/studio", arena);
}

typedef struct page_file {
    const char *path, *file, *type;
} page_file;

static const page_file FILES[] = {
    {"/", "index.html", "text/html; charset=utf-8"},
    {"/studio.js", "studio.js", "text/javascript; charset=utf-8"},
    {"/studio.css", "studio.css", "text/css; charset=utf-8"},
};

coif_status coif_static_files_check(coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "page");
    const char *folder = page_folder(&scratch);
    return coif_path_exists(coif_path_join(folder, "studio.js", &scratch))
               ? COIF_OK
               : coif_fail(error, COIF_ERR_IO,
                           "%s/studio.js does not exist; build the target studio_page, which needs "
                           "node and npm",
                           folder);
}

void coif_static_files_handle(const char *path, coif_reply *reply)
{
    for (size_t i = 0; i < COIF_COUNT_OF(FILES); ++i) {
        if (strcmp(FILES[i].path, path) == 0) {
            char *data;
            size_t size;
            coif_error error = {0};
            const char *file =
                coif_path_join(page_folder(reply->arena), FILES[i].file, reply->arena);
            if (coif_file_load(&data, &size, file, reply->arena, &error) == COIF_OK) {
                *reply = (coif_reply){.status = 200,
                                      .type = FILES[i].type,
                                      .data = data,
                                      .size = size,
                                      .arena = reply->arena};
            }
        }
    }
}
