// Include rules: module dependencies, third-party wrappers, reserved calls and cycles among units.
//
// Reads every source file of the tree and checks its #include lines, calls and name. A unit is a .c
// or .cpp file with the .h file of the same name.
#include "core/base/array_grow.h"
#include "core/base/fs.h"
#include "core/base/string_table.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <sys/stat.h>

// Files below a folder may include quoted headers with these prefixes. The first matching row
// counts.
typedef struct dependency_rule {
    const char *folder;
    const char *may_include[7];
} dependency_rule;

static const dependency_rule DEPENDENCIES[] = {
    {"core/base/", {"core/base/"}},
    {"core/json/", {"core/base/", "core/json/"}},
    {"core/pack/", {"core/base/", "core/pack/"}},
    {"core/image/", {"core/base/", "core/image/"}},
    {"core/mesh/", {"core/base/", "core/mesh/"}},
    {"core/simd/", {"core/base/", "core/simd/"}},
    {"core/collision/", {"core/base/", "core/mesh/", "core/simd/", "core/collision/"}},
    {"core/archive/", {"core/base/", "core/json/", "core/mesh/", "core/archive/"}},
    {"core/scene/", {"core/base/", "core/json/", "core/scene/"}},
    {"core/body/",
     {"core/base/", "core/archive/", "core/image/", "core/mesh/", "core/scene/", "core/body/"}},
    {"core/hair/",
     {"core/base/", "core/archive/", "core/pack/", "core/mesh/", "core/collision/", "core/hair/"}},
    {"core/api/", {"core/base/", "core/api/"}},
    {"core/", {NULL}},
    {"plugins/include/", {NULL}},
    {"plugins/wind/", {NULL}},
    {"plugins/density/", {NULL}},
    {"plugins/groom/", {NULL}},
    {"plugins/", {"core/", "plugins/"}},
    {"sim/solver/", {"core/base/", "core/simd/", "core/collision/", "sim/solver/"}},
    {"sim/interaction/", {"core/base/", "core/simd/", "sim/solver/", "sim/interaction/"}},
    {"sim/groom/", {"core/", "plugins/host/", "sim/groom/"}},
    {"sim/run/",
     {"core/", "plugins/host/", "sim/solver/", "sim/interaction/", "sim/groom/", "sim/run/"}},
    {"sim/cache/", {"core/", "plugins/host/", "sim/groom/", "sim/run/", "sim/cache/"}},
    {"sim/validation/", {"core/", "sim/solver/", "sim/run/", "sim/validation/"}},
    {"sim/bench/", {"core/", "sim/solver/", "sim/run/", "sim/validation/", "sim/bench/"}},
    {"sim/api/",
     {"core/api/", "core/base/", "core/mesh/", "core/collision/", "sim/solver/", "sim/interaction/",
      "sim/api/"}},
    {"sim/", {NULL}},
    {"render/", {"core/", "render/"}},
    {"tools/preset/", {"core/", "sim/", "tools/preset/"}},
    {"tools/studio/server/document/",
     {"core/", "plugins/", "sim/", "tools/preset/", "tools/studio/server/document/"}},
    {"tools/studio/server/live/",
     {"core/", "sim/", "render/", "tools/studio/server/document/", "tools/studio/server/live/"}},
    {"tools/studio/server/render/",
     {"core/", "sim/", "render/", "tools/studio/server/document/", "tools/studio/server/live/",
      "tools/studio/server/render/"}},
    {"tools/studio/server/http/", {"core/", "render/", "tools/studio/server/"}},
    {"tools/", {"core/", "plugins/", "sim/", "render/", "tools/"}},
    {"tests/", {"core/", "plugins/", "sim/", "render/", "tools/", "tests/"}},
};

// A third-party or private header (prefix of its name) and the only files that may include it.
typedef struct wrapper_rule {
    const char *header;
    const char *file; // prefix
} wrapper_rule;

static const wrapper_rule WRAPPERS[] = {
    {"embree", "render/embree/"},
    {"render/embree/embree_internal.h", "render/embree/"},
    {"OpenImageIO/", "core/image/image_oiio.cpp"},
    {"cjson/", "core/json/json.c"},
    {"tinyobj_loader_c.h", "core/mesh/obj_load.c"},
    {"dlfcn.h", "core/base/dynlib.c"},
    {"zstd.h", "core/pack/pack_codec.c"},
    {"xxhash.h", "core/base/hash64.c"},
    {"microhttpd.h", "tools/studio/server/http/"},
    {"zlib.h", "tools/studio/server/http/"},
};

// Headers of C, POSIX and the plugin interface.
static const char *const SYSTEM_HEADERS[] = {
    "arpa/",    "netinet/", "assert.h",    "ctype.h",  "dirent.h",   "errno.h",  "fcntl.h",
    "fenv.h",   "float.h",  "inttypes.h",  "limits.h", "math.h",     "poll.h",   "pthread.h",
    "sched.h",  "signal.h", "spawn.h",     "stdarg.h", "stdbool.h",  "stddef.h", "stdatomic.h",
    "stdint.h", "stdio.h",  "stdlib.h",    "string.h", "strings.h",  "sys/",     "coif/",
    "time.h",   "unistd.h", "immintrin.h", "locale.h", "stdalign.h", "wchar.h",
};

// A function and the files that may call it. The asset generators manage their own memory.
typedef struct call_rule {
    const char *function;
    const char *files[4];
} call_rule;

static const call_rule CALLS[] = {
    {"malloc", {"core/base/arena.c", "tests/", "tools/assets/"}},
    {"calloc", {"core/base/arena.c", "tests/", "tools/assets/"}},
    {"realloc", {"core/base/arena.c", "tests/", "tools/assets/"}},
    {"aligned_alloc", {"core/base/arena.c", "tests/", "tools/assets/"}},
    {"posix_memalign", {"core/base/arena.c", "tests/", "tools/assets/"}},
    {"strdup", {"tests/"}},
    {"free", {"core/base/arena.c", "tests/", "tools/assets/"}},
    {"exit", {"tools/cli/main.c", "tests/", "tools/assets/"}},
    {"_exit", {"tools/cli/main.c", "tests/"}},
    {"system", {NULL}},
    {"popen", {NULL}},
};

// Functions of the C library whose last bits depend on its version and on the processor. Caches,
// images and what is reported of them use core/base/deterministic_math.h instead.
static const char *const INEXACT[] = {
    "sin",   "cos",   "tan",   "asin", "acos", "atan",   "atan2",  "sinh",   "cosh",  "tanh",
    "asinh", "acosh", "atanh", "exp",  "exp2", "expm1",  "log",    "log2",   "log10", "log1p",
    "pow",   "cbrt",  "hypot", "erf",  "erfc", "tgamma", "lgamma", "sincos",
};
static const char *const EXACT_FOLDERS[] = {"core/", "plugins/", "sim/", "render/",
                                            "tools/preset/"};
static const char *const MEASURING_FOLDERS[] = {"sim/validation/", "sim/bench/", "render/bench/"};

static const char *const VAGUE_NAMES[] = {"manager", "util", "helper", "misc"};

static bool has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool has_any_prefix(const char *text, const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < count && prefixes[i] != NULL; ++i) {
        if (has_prefix(text, prefixes[i])) {
            return true;
        }
    }
    return false;
}

static bool is_cpp(const char *file)
{
    const size_t length = strlen(file);
    return length > 4 && strcmp(file + length - 4, ".cpp") == 0;
}

// Why a file may not include a header; NULL when it may.
static const char *include_error(const char *file, const char *header, bool quoted)
{
    for (size_t i = 0; i < COIF_COUNT_OF(WRAPPERS); ++i) {
        if (has_prefix(header, WRAPPERS[i].header)) {
            return has_prefix(file, WRAPPERS[i].file) ? NULL
                                                      : "belongs to the wrapper of a library";
        }
    }
    if (!quoted) {
        return is_cpp(file) || has_any_prefix(header, SYSTEM_HEADERS, COIF_COUNT_OF(SYSTEM_HEADERS))
                   ? NULL
                   : "is a third-party header without a wrapper";
    }
    for (size_t i = 0; i < COIF_COUNT_OF(DEPENDENCIES); ++i) {
        const dependency_rule *rule = &DEPENDENCIES[i];
        if (has_prefix(file, rule->folder)) {
            return has_any_prefix(header, rule->may_include, COIF_COUNT_OF(rule->may_include))
                       ? NULL
                       : "is not a dependency of this module, or not relative to the source root";
        }
    }
    return "is included by a file outside all modules";
}

// Blanks comments and string contents, so that only code is left. Keeps line breaks.
static void blank_comments_and_strings(char *text)
{
    char end = '\0'; // of the current comment or string: newline, *, a quote
    for (char *c = text; *c != '\0'; ++c) {
        if (end == '\0') {
            if (c[0] == '/' && (c[1] == '/' || c[1] == '*')) {
                end = c[1] == '/' ? '\n' : '*';
                *c++ = ' ';
                *c = ' ';
            } else if (*c == '"' || *c == '\'') {
                end = *c;
            }
        } else if (end == '*' && c[0] == '*' && c[1] == '/') {
            *c++ = ' ';
            *c = ' ';
            end = '\0';
        } else if (end != '*' && *c == end) {
            end = '\0';
        } else if (*c == '\\' && end != '*' && end != '\n' && c[1] != '\0') {
            *c++ = ' ';
            *c = ' ';
        } else if (*c != '\n') {
            *c = ' ';
        }
    }
}

static bool is_identifier_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Whether blanked code calls a function: the whole identifier, an opening parenthesis, no member.
static bool calls(const char *code, const char *function)
{
    const size_t length = strlen(function);
    for (const char *at = strstr(code, function); at != NULL; at = strstr(at + 1, function)) {
        const char before = at == code ? ' ' : at[-1];
        if (!is_identifier_char(before) && before != '.' && before != '>' && at[length] == '(') {
            return true;
        }
    }
    return false;
}

// Units and the include edges between them.
typedef struct include_graph {
    coif_string_table units;
    int32_t (*edges)[2]; // from, to
    size_t edge_count, edge_capacity;
    int32_t *first, *targets; // edges grouped by unit
    coif_arena arena;
} include_graph;

static int32_t unit_of(include_graph *graph, const char *file)
{
    const char *dot = strrchr(file, '.');
    return coif_string_table_intern(&graph->units, file, (size_t)(dot - file), &graph->arena);
}

static void add_edge(include_graph *graph, const char *file, const char *header)
{
    graph->edges = coif_array_grow(graph->edges, graph->edge_count, 1, &graph->edge_capacity,
                                   sizeof *graph->edges, &graph->arena);
    graph->edges[graph->edge_count][0] = unit_of(graph, file);
    graph->edges[graph->edge_count++][1] = unit_of(graph, header);
}

static void group_edges(include_graph *graph)
{
    const int32_t units = graph->units.count;
    graph->first = coif_arena_new(&graph->arena, units + 2, int32_t);
    graph->targets = coif_arena_new(&graph->arena, graph->edge_count, int32_t);
    for (size_t e = 0; e < graph->edge_count; ++e) {
        ++graph->first[graph->edges[e][0] + 2];
    }
    for (int32_t u = 0; u < units; ++u) {
        graph->first[u + 2] += graph->first[u + 1];
    }
    for (size_t e = 0; e < graph->edge_count; ++e) {
        graph->targets[graph->first[graph->edges[e][0] + 1]++] = graph->edges[e][1];
    }
}

// Breadth-first search from the includes of a unit back to the unit; previous[u] is the unit before
// u on a shortest path. Returns whether there is a cycle.
static bool find_cycle(const include_graph *graph, int32_t unit, int32_t *previous, int32_t *queue)
{
    int32_t head = 0, tail = 0;
    for (int32_t u = 0; u < graph->units.count; ++u) {
        previous[u] = -1;
    }
    for (int32_t at = unit;; at = queue[head++]) {
        for (int32_t i = graph->first[at]; i < graph->first[at + 1]; ++i) {
            const int32_t to = graph->targets[i];
            if (to != at && previous[to] < 0) {
                previous[to] = at;
                queue[tail++] = to;
            }
        }
        if (previous[unit] >= 0) {
            return true;
        }
        if (head == tail) {
            return false;
        }
    }
}

// "a -> b -> a", reversed from the search.
static void print_cycle(char *text, size_t size, const include_graph *graph, int32_t unit,
                        const int32_t *previous)
{
    snprintf(text, size, "%s", graph->units.names[unit]);
    for (int32_t u = previous[unit];; u = previous[u]) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, " <- %s", graph->units.names[u]);
        if (u == unit) {
            return;
        }
    }
}

static void check_cycles(include_graph *graph)
{
    group_edges(graph);
    int32_t *previous = coif_arena_new(&graph->arena, graph->units.count, int32_t);
    int32_t *queue = coif_arena_new(&graph->arena, graph->units.count, int32_t);
    for (int32_t u = 0; u < graph->units.count; ++u) {
        const char *name = graph->units.names[u];
        if (find_cycle(graph, u, previous, queue)) {
            char text[4000];
            print_cycle(text, sizeof text, graph, u, previous);
            coif_test_failed(name, 0, "include cycle: %s", text);
        }
    }
}

static void check_include(include_graph *graph, const char *file, const char *header, bool quoted)
{
    const char *fault = include_error(file, header, quoted);
    if (fault != NULL) {
        coif_test_failed(file, 0, "%s %s", header, fault);
    } else if (quoted && strchr(header, '/') != NULL) {
        if (!coif_path_exists(coif_test_source(header))) {
            coif_test_failed(file, 0, "%s does not exist", header);
        } else if (!has_prefix(file, "tests/")) {
            add_edge(graph, file, header);
        }
    } else if (has_prefix(header, "coif/") && !has_prefix(file, "tests/")) {
        char path[300];
        snprintf(path, sizeof path, "plugins/include/%s", header);
        add_edge(graph, file, path);
    }
}

static void check_includes(include_graph *graph, const char *file, const char *text)
{
    for (const char *line = text; line != NULL && *line != '\0';) {
        char header[256], close = '\0';
        const char *quote = strpbrk(line, "<\"\n");
        if (has_prefix(line, "#include") && quote != NULL && *quote != '\n' &&
            sscanf(quote + 1, "%255[^>\"\n]%c", header, &close) == 2) {
            check_include(graph, file, header, *quote == '"');
        }
        line = strchr(line, '\n');
        line += line != NULL;
    }
}

static void check_calls(const char *file, const char *code)
{
    for (size_t i = 0; i < COIF_COUNT_OF(CALLS); ++i) {
        const call_rule *rule = &CALLS[i];
        if (calls(code, rule->function) &&
            !has_any_prefix(file, rule->files, COIF_COUNT_OF(rule->files))) {
            coif_test_failed(file, 0, "must not call %s()", rule->function);
        }
    }
}

static bool calls_inexact(const char *code, const char *function)
{
    char single[16];
    snprintf(single, sizeof single, "%sf", function);
    return calls(code, function) || calls(code, single);
}

static void check_determinism(const char *file, const char *code)
{
    if (!has_any_prefix(file, EXACT_FOLDERS, COIF_COUNT_OF(EXACT_FOLDERS)) ||
        has_any_prefix(file, MEASURING_FOLDERS, COIF_COUNT_OF(MEASURING_FOLDERS))) {
        return;
    }
    for (size_t i = 0; i < COIF_COUNT_OF(INEXACT); ++i) {
        if (calls_inexact(code, INEXACT[i])) {
            coif_test_failed(file, 0, "must not call %s() of the C library", INEXACT[i]);
        }
    }
}

static void check_name(const char *file)
{
    for (size_t i = 0; i < COIF_COUNT_OF(VAGUE_NAMES); ++i) {
        if (strstr(file, VAGUE_NAMES[i]) != NULL) {
            coif_test_failed(file, 0, "has the vague word '%s' in its name", VAGUE_NAMES[i]);
        }
    }
}

static void check_source(include_graph *graph, const char *file)
{
    coif_error error = {0};
    char *text;
    size_t size;
    COIF_SCOPED_ARENA(arena, "include rules test");
    CHECK_OK(coif_file_load(&text, &size, coif_test_source(file), &arena, &error), error);
    if (error.status == COIF_OK) {
        check_name(file);
        check_includes(graph, file, text);
        // Split, or this file would find itself.
        if (strstr(text, "TO"
                         "DO") != NULL ||
            strstr(text, "FIX"
                         "ME") != NULL) {
            coif_test_failed(file, 0, "contains a note about unfinished work");
        }
        blank_comments_and_strings(text);
        check_calls(file, text);
        check_determinism(file, text);
    }
}

static bool is_source(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL &&
           (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0 || strcmp(dot, ".cpp") == 0);
}

// Checks every C and C++ file below a folder; returns their number.
static int check_folder(include_graph *graph, const char *folder)
{
    DIR *directory = opendir(coif_test_source(folder));
    if (directory == NULL) {
        return 0;
    }
    int count = 0;
    const struct dirent *entry;
    while ((entry = readdir(directory)) != NULL) {
        char file[1024];
        struct stat status;
        snprintf(file, sizeof file, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(coif_test_source(file), &status) != 0) {
            continue;
        }
        if (S_ISDIR(status.st_mode)) {
            count += check_folder(graph, file);
        } else if (is_source(entry->d_name)) {
            check_source(graph, file);
            ++count;
        }
    }
    closedir(directory);
    return count;
}

TEST(every_file_obeys_the_include_rules)
{
    static const char *const folders[] = {"core", "plugins", "sim", "render", "tools", "tests"};
    include_graph graph = {.edge_count = 0};
    coif_arena_init(&graph.arena, "include graph");
    for (size_t i = 0; i < COIF_COUNT_OF(folders); ++i) {
        CHECK(check_folder(&graph, folders[i]) > 0);
    }
    check_cycles(&graph);
    coif_arena_free(&graph.arena);
}

TEST(cycles_are_found)
{
    include_graph graph = {.edge_count = 0};
    coif_arena_init(&graph.arena, "include graph");
    add_edge(&graph, "a.c", "a.h");
    add_edge(&graph, "a.c", "b.h");
    add_edge(&graph, "b.h", "c.h");
    add_edge(&graph, "c.c", "a.h");
    add_edge(&graph, "d.c", "a.h");
    group_edges(&graph);
    int32_t previous[8], queue[8];
    char text[100];
    CHECK(graph.units.count == 4);
    CHECK(find_cycle(&graph, 0, previous, queue));
    print_cycle(text, sizeof text, &graph, 0, previous);
    CHECK_TEXT(text, "a <- c <- b <- a");
    CHECK(find_cycle(&graph, 2, previous, queue));
    CHECK(!find_cycle(&graph, 3, previous, queue));
    coif_arena_free(&graph.arena);
}

TEST(forbidden_dependencies_are_found)
{
    CHECK(include_error("render/integrator/path.c", "sim/solver/solver.h", true) != NULL);
    CHECK(include_error("sim/solver/solver.c", "render/session/render.h", true) != NULL);
    CHECK(include_error("core/mesh/mesh.c", "core/collision/bvh.h", true) != NULL);
    CHECK(include_error("sim/solver/solver_step.c", "core/scene/scene.h", true) != NULL);
    CHECK(include_error("sim/solver/solver_step.c", "sim/run/sim_params.h", true) != NULL);
    CHECK(include_error("sim/groom/modifiers.c", "sim/solver/solver.h", true) != NULL);
    CHECK(include_error("core/mesh/mesh.c", "core/hair/strands.h", true) != NULL);
    CHECK(include_error("core/hair/groom.c", "core/mesh/mesh.h", true) == NULL);
    CHECK(include_error("core/mesh/mesh.c", "mesh.h", true) != NULL);
    CHECK(include_error("plugins/wind/gust.c", "core/base/rng.h", true) != NULL);
    CHECK(include_error("plugins/host/host.c", "core/scene/scene.h", true) == NULL);
    CHECK(include_error("plugins/wind/gust.c", "coif/plugin.h", false) == NULL);
    CHECK(include_error("tools/cli/main.c", "tests/support/test.h", true) != NULL);
}

TEST(third_party_headers_belong_to_their_wrapper)
{
    CHECK(include_error("render/integrator/path.c", "embree3/rtcore.h", false) != NULL);
    CHECK(include_error("render/embree/embree_internal.h", "embree3/rtcore.h", false) == NULL);
    CHECK(include_error("render/scene/geometry.c", "embree4/rtcore.h", false) != NULL);
    CHECK(include_error("render/embree/embree_internal.h", "embree4/rtcore.h", false) == NULL);
    CHECK(include_error("render/integrator/path.c", "render/embree/embree_internal.h", true) !=
          NULL);
    CHECK(include_error("core/scene/scene.c", "cjson/cJSON.h", false) != NULL);
    CHECK(include_error("core/scene/scene.c", "curl/curl.h", false) != NULL);
    CHECK(include_error("core/mesh/mesh.c", "tinyobj_loader_c.h", true) != NULL);
}

TEST(calls_are_found_in_code_only)
{
    char text[] = "a = malloc(4); // free(a)\n\"exit(1)\" x_exit(2); list.free(a); /* system(b) */";
    blank_comments_and_strings(text);
    CHECK(calls(text, "malloc"));
    CHECK(!calls(text, "free"));
    CHECK(!calls(text, "exit"));
    CHECK(!calls(text, "system"));
    CHECK(calls_inexact("y = atan2f(a, b);", "atan2") && calls_inexact("exp(x)", "exp"));
    CHECK(!calls_inexact("coif_det_exp(x); floorf(y)", "exp"));
}
