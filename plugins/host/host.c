#include "plugins/host/host.h"

#include "core/base/arena.h"
#include "core/base/dynlib.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "plugins/host/builtin.h"
#include "plugins/host/crash_handler.h"
#include "plugins/host/plugin_validate.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    coif_plugin plugin;
    const char *origin;
    struct entry *next;
} entry;

typedef struct module {
    coif_dynlib library;
    struct module *next;
} module;

struct coif_plugins {
    coif_arena *arena;
    entry *first, **last;
    int32_t count;
    module *modules;
};

static void warn(const char *origin, const coif_reject_reason *why)
{
    coif_log(COIF_LOG_WARNING, "%s: plugin left out: %s", origin, why->text);
}

static const entry *find_entry(const coif_plugins *plugins, const char *id)
{
    for (const entry *one = plugins->first; one != NULL; one = one->next) {
        if (strcmp(one->plugin.id, id) == 0) {
            return one;
        }
    }
    return NULL;
}

// Takes in what a list offers and is fit. Returns how many plugins that were.
static int32_t take_list(coif_plugins *plugins, const coif_plugin_list *list, const char *origin)
{
    coif_reject_reason why;
    if (!coif_plugin_list_validate(list, &why)) {
        warn(origin, &why);
        return 0;
    }
    int32_t taken = 0;
    for (uint32_t i = 0; i < list->count; ++i) {
        coif_plugin plugin;
        if (!coif_plugin_validate(&plugin, list->plugins[i], &why)) {
            warn(origin, &why);
            continue;
        }
        const entry *other = find_entry(plugins, plugin.id);
        if (other != NULL) {
            coif_log(COIF_LOG_WARNING, "%s: plugin left out: %s is already there (%s)", origin,
                     plugin.id, other->origin);
            continue;
        }
        entry *one = coif_arena_new(plugins->arena, 1, entry);
        *one = (entry){.plugin = plugin, .origin = origin};
        *plugins->last = one;
        plugins->last = &one->next;
        ++plugins->count;
        ++taken;
    }
    return taken;
}

static void load_module(coif_plugins *plugins, const char *path)
{
    coif_dynlib library;
    coif_error error = {0};
    // A library may run code of its own as soon as it is loaded.
    coif_crash_handler_enter(path);
    const coif_status status = coif_dynlib_open(&library, path, &error);
    coif_crash_handler_leave();
    if (status != COIF_OK) {
        coif_log(COIF_LOG_WARNING, "%s; plugin left out", error.text);
        return;
    }
    const coif_plugin_entry_function function =
        (coif_plugin_entry_function)(intptr_t)coif_dynlib_find(&library, "coif_plugin_entry");
    // Tables are read while the guard is up: their pointers may be anything.
    coif_crash_handler_enter(path);
    int32_t taken = 0;
    if (function == NULL) {
        const coif_reject_reason why = {"it has no function coif_plugin_entry"};
        warn(path, &why);
    } else {
        taken = take_list(plugins, function(COIF_PLUGIN_ABI), path);
    }
    coif_crash_handler_leave();
    if (taken > 0) {
        module *kept = coif_arena_new(plugins->arena, 1, module);
        *kept = (module){.library = library, .next = plugins->modules};
        plugins->modules = kept;
        return;
    }
    coif_dynlib_close(&library);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// The names of the modules in a folder, NULL at the end; in the order of names, so that "the first
// one stays" means the same on every machine.
static char **list_modules(DIR *folder, coif_arena *arena)
{
    size_t count = 0, room = 16;
    char **names = coif_arena_new(arena, room, char *);
    const struct dirent *file;
    while ((file = readdir(folder)) != NULL) {
        if (file->d_name[0] == '.' || !coif_path_has_extension(file->d_name, "so")) {
            continue;
        }
        if (count + 1 == room) {
            char **more = coif_arena_new(arena, 2 * room, char *);
            memcpy(more, names, room * sizeof *names);
            names = more;
            room *= 2;
        }
        names[count++] = coif_arena_copy_text(arena, file->d_name);
    }
    qsort(names, count, sizeof *names, compare_names);
    return names;
}

static void load_folder(coif_plugins *plugins, const char *path, bool wanted)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        if (wanted) {
            coif_log(COIF_LOG_WARNING, "%s: no folder of plugins", path);
        }
        return;
    }
    char **names = list_modules(folder, plugins->arena);
    closedir(folder);
    for (; *names != NULL; ++names) {
        load_module(plugins, coif_path_join(path, *names, plugins->arena));
    }
}

// Empty parts are passed over: they would mean the current directory.
static void load_path(coif_plugins *plugins, const char *path)
{
    if (path == NULL) {
        return;
    }
    char *folders = coif_arena_copy_text(plugins->arena, path);
    char *rest = NULL;
    for (char *folder = strtok_r(folders, ":", &rest); folder != NULL;
         folder = strtok_r(NULL, ":", &rest)) {
        load_folder(plugins, folder, true);
    }
}

coif_status coif_plugins_open(coif_plugins **plugins, const char *path, coif_arena *arena,
                              coif_error *error)
{
    (void)error;
    coif_plugins *opened = coif_arena_new(arena, 1, coif_plugins);
    opened->arena = arena;
    opened->last = &opened->first;
    for (int i = 0; COIF_BUILTIN_ENTRIES[i] != NULL; ++i) {
        take_list(opened, COIF_BUILTIN_ENTRIES[i](COIF_PLUGIN_ABI), "built in");
    }
    load_path(opened, path);
    load_path(opened, getenv("COIF_PLUGIN_PATH"));
    load_folder(opened, coif_path_join(coif_dynlib_program_folder(arena), "../lib/coif", arena),
                false);
    *plugins = opened;
    return COIF_OK;
}

void coif_plugins_close(coif_plugins *plugins)
{
    for (module *one = plugins->modules; one != NULL; one = one->next) {
        coif_dynlib_close(&one->library);
    }
    plugins->modules = NULL;
}

int32_t coif_plugins_count(const coif_plugins *plugins)
{
    return plugins->count;
}

static const entry *entry_at(const coif_plugins *plugins, int32_t index)
{
    const entry *one = index < 0 ? NULL : plugins->first;
    while (one != NULL && index-- > 0) {
        one = one->next;
    }
    return one;
}

const coif_plugin *coif_plugins_at(const coif_plugins *plugins, int32_t index)
{
    const entry *one = entry_at(plugins, index);
    return one != NULL ? &one->plugin : NULL;
}

const coif_plugin *coif_plugins_find(const coif_plugins *plugins, const char *id)
{
    const entry *one = find_entry(plugins, id);
    return one != NULL ? &one->plugin : NULL;
}

const char *coif_plugins_origin(const coif_plugins *plugins, int32_t index)
{
    const entry *one = entry_at(plugins, index);
    return one != NULL ? one->origin : NULL;
}

static const coif_plugin *lookup_at(void *data, int32_t index)
{
    return coif_plugins_at(data, index);
}

coif_plugin_lookup coif_plugins_lookup(coif_plugins *plugins)
{
    return (coif_plugin_lookup){plugins, lookup_at};
}
