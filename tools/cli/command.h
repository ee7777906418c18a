// command: the subcommands of the program and their shared services.
//
// A command checks its options and calls a library. Its status becomes the exit code; main prints
// the error.
#ifndef COIF_TOOLS_CLI_COMMAND_H
#define COIF_TOOLS_CLI_COMMAND_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "core/scene/scene.h"
#include "plugins/host/host.h"
#include "tools/cli/args.h"

// Options of every command, given before or after its name.
typedef struct coif_globals {
    int32_t threads;
    int32_t log;
    int32_t quiet, verbose, stats, help, version;
    int64_t max_memory;
    coif_text_list set;
    const char *plugin_path;
} coif_globals;

extern const coif_param COIF_GLOBAL_OPTIONS[];
extern const uint32_t COIF_GLOBAL_OPTION_COUNT;

// Choices and help of --embree-isa.
extern const char *const COIF_EMBREE_ISAS[];
#define COIF_EMBREE_ISA_HELP                                                                       \
    "instruction set of Embree; images of one instruction set have the same bits"

typedef struct coif_app {
    coif_globals globals;
    coif_arena arena; // freed at exit
    coif_jobs *jobs;
    coif_progress *progress;
    coif_plugins *plugins; // opened by coif_app_open_plugins
} coif_app;

typedef struct coif_command {
    const char *name;
    const char *help;     // one line, without full stop
    const char *more;     // paragraphs of --help, or NULL
    const char *examples; // whole lines, each with its newline
    const coif_param *options;
    uint32_t option_count;
    uint32_t options_size;
    coif_status (*run)(coif_app *app, const void *options, coif_error *error);
} coif_command;

// The options of a command, with the struct they fill.
#define COIF_COMMAND_OPTIONS(type_, table_)                                                        \
    .options = table_, .option_count = COIF_COUNT_OF(table_), .options_size = sizeof(type_)

extern const coif_command COIF_COMMAND_BENCH, COIF_COMMAND_CACHE, COIF_COMMAND_COMPLETION,
    COIF_COMMAND_CONVERT, COIF_COMMAND_DIFF, COIF_COMMAND_EXPORT, COIF_COMMAND_FARM,
    COIF_COMMAND_GROOM, COIF_COMMAND_INFO, COIF_COMMAND_LINT, COIF_COMMAND_MANUAL,
    COIF_COMMAND_PACK, COIF_COMMAND_PLUGINS, COIF_COMMAND_PRESET, COIF_COMMAND_RENDER,
    COIF_COMMAND_RUN, COIF_COMMAND_SCHEMA, COIF_COMMAND_SIM, COIF_COMMAND_STUDIO,
    COIF_COMMAND_UNPACK, COIF_COMMAND_VALIDATE, COIF_COMMAND_VIDEO, COIF_COMMAND_DENOISE;

// NULL-terminated, in the order of --help; defined by main.c.
extern const coif_command *const COIF_COMMANDS[];

// The command of that name; COIF_ERR_ARGUMENT with the nearest name otherwise.
coif_status coif_command_find(const coif_command **command, const char *name, coif_error *error);

// Help of a command: usage, description, options, examples; explain adds global options and exit
// codes.
void coif_command_outline(const coif_command *command, FILE *stream);
void coif_command_explain(const coif_command *command, FILE *stream);
void coif_program_explain(FILE *stream);

// The section tree of scene files.
const coif_section *coif_scene_tree(coif_arena *arena);

// The reference page of scene files in Markdown: every key with type, unit, default, range and
// meaning, from the parameter tables of the sections and of the loaded plugins.
const char *coif_scene_reference(const coif_section *root, const coif_plugins *plugins,
                                 coif_arena *arena);

// "number", "integer", ... for a coif_param type.
const char *coif_param_type_name(int32_t type);

coif_status coif_app_open_plugins(coif_app *app, coif_error *error);

// The path itself or, where a relative path does not exist, the same path below share/coif of the
// installation: scenes/tiny.json is found from every folder.
const char *coif_app_find_file(coif_app *app, const char *path);

// Loads a scene into the arena of the program and applies every --set.
coif_status coif_app_load_scene(coif_scene **scene, coif_app *app, const char *path,
                                coif_error *error);

// Writes text to stdout, or atomically to a file when path is not NULL.
coif_status coif_app_print(const char *text, const char *path, coif_error *error);

void coif_app_close(coif_app *app);

#endif
