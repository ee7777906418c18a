// host: plugin registry and module loading.
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

static void warn_rejected(const char *origin, const coif_reject_reason *why)
{
    coif_log(COIF_LOG_WARNING, "%s: plugin rejected: %s", origin, why->text);
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

// Registers the valid plugins of a list and returns their number.
static int32_t register_list(coif_plugins *plugins, const coif_plugin_list *list,
                             const char *origin)
{
    coif_reject_reason why;
    if (!coif_plugin_list_validate(list, &why)) {
        warn_rejected(origin, &why);
        return 0;
    }
    int32_t registered = 0;
    for (uint32_t i = 0; i < list->count; ++i) {
        coif_plugin plugin;
        if (!coif_plugin_validate(&plugin, list->plugins[i], plugins->arena, &why)) {
            warn_rejected(origin, &why);
            continue;
        }
        const entry *other = find_entry(plugins, plugin.id);
        if (other != NULL) {
            coif_log(COIF_LOG_WARNING, "%s: plugin rejected: %s is already registered (%s)", origin,
                     plugin.id, other->origin);
            continue;
        }
        entry *one = coif_arena_new(plugins->arena, 1, entry);
        *one = (entry){.plugin = plugin, .origin = origin};
        *plugins->last = one;
        plugins->last = &one->next;
        ++plugins->count;
        ++registered;
    }
    return registered;
}

static void load_module(coif_plugins *plugins, const char *path)
{
    coif_dynlib library;
    coif_error error = {0};
    // Constructors of the library run while it is loaded.
    coif_crash_handler_enter(path);
    const coif_status status = coif_dynlib_open(&library, path, &error);
    coif_crash_handler_leave();
    if (status != COIF_OK) {
        coif_log(COIF_LOG_WARNING, "%s; plugin rejected", error.text);
        return;
    }
    const coif_plugin_entry_function function =
        (coif_plugin_entry_function)(intptr_t)coif_dynlib_find(&library, "coif_plugin_entry");
    // Reading the tables may crash as well: their pointers are not trusted.
    coif_crash_handler_enter(path);
    int32_t registered = 0;
    if (function == NULL) {
        const coif_reject_reason why = {"no function coif_plugin_entry"};
        warn_rejected(path, &why);
    } else {
        registered = register_list(plugins, function(COIF_PLUGIN_ABI), path);
    }
    coif_crash_handler_leave();
    if (registered > 0) {
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

// Names of the modules in a folder, sorted so that which of two plugins with one id wins does not
// depend on the file system; NULL-terminated.
static char **list_modules(DIR *folder, coif_arena *arena)
{
    size_t count = 0, capacity = 16;
    char **names = coif_arena_new(arena, capacity, char *);
    const struct dirent *file;
    while ((file = readdir(folder)) != NULL) {
        if (file->d_name[0] == '.' || !coif_path_has_extension(file->d_name, "so")) {
            continue;
        }
        if (count + 1 == capacity) {
            char **more = coif_arena_new(arena, 2 * capacity, char *);
            memcpy(more, names, capacity * sizeof *names);
            names = more;
            capacity *= 2;
        }
        names[count++] = coif_arena_copy_text(arena, file->d_name);
    }
    qsort(names, count, sizeof *names, compare_names);
    return names;
}

static void load_folder(coif_plugins *plugins, const char *path, bool required)
{
    DIR *folder = opendir(path);
    if (folder == NULL) {
        if (required) {
            coif_log(COIF_LOG_WARNING, "%s: plugin folder not found", path);
        }
        return;
    }
    char **names = list_modules(folder, plugins->arena);
    closedir(folder);
    for (; *names != NULL; ++names) {
        load_module(plugins, coif_path_join(path, *names, plugins->arena));
    }
}

// Empty entries are skipped: they would mean the current directory.
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
        register_list(opened, COIF_BUILTIN_ENTRIES[i](COIF_PLUGIN_ABI), "built in");
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
