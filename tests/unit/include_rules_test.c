// rooms: the walls of the house. Reads every source file and compares its #include lines, its calls
// and its name with the picture of rooms and doors in the architecture: who may lean on whom, which
// foreign library comes in where, and what nobody may do.
#include "core/base/fs.h"
#include "tests/support/test.h"

#include <dirent.h>
#include <sys/stat.h>

// Files below a folder may include in quotes what begins with one of these words. The first row
// that fits counts.
typedef struct wall {
    const char *folder;
    const char *may_include[6];
} wall;

static const wall WALLS[] = {
    {"core/", {"core/"}},
    {"plugins/include/", {NULL}},
    {"plugins/wind/", {NULL}},
    {"plugins/density/", {NULL}},
    {"plugins/groom/", {NULL}},
    {"plugins/", {"core/", "plugins/"}},
    {"sim/", {"core/", "plugins/", "sim/"}},
    {"render/", {"core/", "render/"}},
    {"tools/", {"core/", "plugins/", "sim/", "render/", "tools/"}},
    {"tests/", {"core/", "plugins/", "sim/", "render/", "tools/", "tests/"}},
};

// A foreign header and the files that may open it, mostly one.
typedef struct door {
    const char *header; // how its name begins
    const char *file;   // how the file's name begins
} door;

static const door DOORS[] = {
    {"embree", "render/embree/"},
    {"render/embree/embree_internal.h", "render/embree/"},
    {"OpenImageIO/", "core/image/image_oiio.cpp"},
    {"cjson/", "core/json/json.c"},
    {"tinyobj_loader_c.h", "core/mesh/obj.c"},
    {"dlfcn.h", "core/base/dynlib.c"},
    {"zstd.h", "core/pack/pack.c"},
    {"xxhash.h", "core/base/hash64.c"},
    {"microhttpd.h", "tools/studio/"},
};

// Headers of the language and of POSIX, which have no door.
static const char *const PLAIN_HEADERS[] = {
    "arpa/",    "netinet/", "assert.h",    "ctype.h",  "dirent.h",   "errno.h",  "fcntl.h",
    "fenv.h",   "float.h",  "inttypes.h",  "limits.h", "math.h",     "poll.h",   "pthread.h",
    "sched.h",  "signal.h", "spawn.h",     "stdarg.h", "stdbool.h",  "stddef.h", "stdatomic.h",
    "stdint.h", "stdio.h",  "stdlib.h",    "string.h", "strings.h",  "sys/",     "coif/",
    "time.h",   "unistd.h", "immintrin.h", "locale.h", "stdalign.h", "wchar.h",
};

// A call and the files that may make it.
typedef struct privilege {
    const char *call;
    const char *files[4];
} privilege;

static const privilege PRIVILEGES[] = {
    {"malloc", {"core/base/arena.c", "tests/"}},
    {"calloc", {"core/base/arena.c", "tests/"}},
    {"realloc", {"core/base/arena.c", "tests/"}},
    {"aligned_alloc", {"core/base/arena.c", "tests/"}},
    {"posix_memalign", {"core/base/arena.c", "tests/"}},
    {"strdup", {"tests/"}},
    {"free", {"core/base/arena.c", "tests/"}},
    {"exit", {"tools/cli/main.c", "tests/"}},
    {"_exit", {"tools/cli/main.c", "tests/"}},
    {"system", {NULL}},
    {"popen", {NULL}},
};

static const char *const VAGUE_NAMES[] = {"manager", "util", "helper", "misc"};

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool begins_with_any(const char *text, const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < count && prefixes[i] != NULL; ++i) {
        if (begins(text, prefixes[i])) {
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
static const char *include_fault(const char *file, const char *header, bool quoted)
{
    for (size_t i = 0; i < COIF_COUNT_OF(DOORS); ++i) {
        if (begins(header, DOORS[i].header)) {
            return begins(file, DOORS[i].file) ? NULL : "comes in through another door";
        }
    }
    if (!quoted) {
        return is_cpp(file) || begins_with_any(header, PLAIN_HEADERS, COIF_COUNT_OF(PLAIN_HEADERS))
                   ? NULL
                   : "is foreign and has no door";
    }
    for (size_t i = 0; i < COIF_COUNT_OF(WALLS); ++i) {
        if (begins(file, WALLS[i].folder)) {
            return begins_with_any(header, WALLS[i].may_include,
                                   COIF_COUNT_OF(WALLS[i].may_include))
                       ? NULL
                       : "is behind a wall, or not written from the root of the tree";
        }
    }
    return "is included by a file outside every room";
}

// Blanks comments and the text of strings, so that what is left is code. Lines stay lines, and
// #include "..." keeps its name because its line is looked at before.
static void blank_words(char *text)
{
    char until = '\0'; // what ends the present stretch: newline, *, a quote
    for (char *c = text; *c != '\0'; ++c) {
        if (until == '\0') {
            if (c[0] == '/' && (c[1] == '/' || c[1] == '*')) {
                until = c[1] == '/' ? '\n' : '*';
                *c++ = ' ';
                *c = ' ';
            } else if (*c == '"' || *c == '\'') {
                until = *c;
            }
        } else if (until == '*' && c[0] == '*' && c[1] == '/') {
            *c++ = ' ';
            *c = ' ';
            until = '\0';
        } else if (until != '*' && *c == until) {
            until = '\0';
        } else if (*c == '\\' && until != '*' && until != '\n' && c[1] != '\0') {
            *c++ = ' ';
            *c = ' ';
        } else if (*c != '\n') {
            *c = ' ';
        }
    }
}

static bool is_name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Whether blanked code calls a function: its whole name, then a bracket, and no member access.
static bool calls(const char *code, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(code, name); at != NULL; at = strstr(at + 1, name)) {
        const char before = at == code ? ' ' : at[-1];
        if (!is_name_letter(before) && before != '.' && before != '>' && at[length] == '(') {
            return true;
        }
    }
    return false;
}

static void check_includes(const char *file, const char *text)
{
    for (const char *line = text; line != NULL && *line != '\0';) {
        char header[256], close = '\0';
        const char *quote = strpbrk(line, "<\"\n");
        if (begins(line, "#include") && quote != NULL && *quote != '\n' &&
            sscanf(quote + 1, "%255[^>\"\n]%c", header, &close) == 2) {
            const char *fault = include_fault(file, header, *quote == '"');
            if (fault != NULL) {
                coif_test_failed(file, 0, "%s %s", header, fault);
            }
            if (fault == NULL && *quote == '"' && strchr(header, '/') != NULL &&
                !coif_path_exists(coif_test_source(header))) {
                coif_test_failed(file, 0, "%s is not in the tree", header);
            }
        }
        line = strchr(line, '\n');
        line += line != NULL;
    }
}

static void check_calls(const char *file, const char *code)
{
    for (size_t i = 0; i < COIF_COUNT_OF(PRIVILEGES); ++i) {
        const privilege *row = &PRIVILEGES[i];
        if (calls(code, row->call) &&
            !begins_with_any(file, row->files, COIF_COUNT_OF(row->files))) {
            coif_test_failed(file, 0, "calls %s(), which is not for this file", row->call);
        }
    }
}

static void check_name(const char *file)
{
    for (size_t i = 0; i < COIF_COUNT_OF(VAGUE_NAMES); ++i) {
        if (strstr(file, VAGUE_NAMES[i]) != NULL) {
            coif_test_failed(file, 0, "has '%s' in its name, which says nothing", VAGUE_NAMES[i]);
        }
    }
}

static void check_source(const char *file)
{
    coif_arena arena;
    coif_error error = {0};
    char *text;
    size_t size;
    coif_arena_init(&arena, "include rules test");
    CHECK_OK(coif_file_load(&text, &size, coif_test_source(file), &arena, &error), error);
    if (error.status == COIF_OK) {
        check_name(file);
        check_includes(file, text);
        // Written in two halves, or this file would find itself.
        if (strstr(text, "TO"
                         "DO") != NULL ||
            strstr(text, "FIX"
                         "ME") != NULL) {
            coif_test_failed(file, 0, "promises something for later");
        }
        blank_words(text);
        check_calls(file, text);
    }
    coif_arena_free(&arena);
}

// Calls check_source for every C and C++ file below a folder; returns how many there were.
static int walk(const char *folder)
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
        const char *dot = strrchr(entry->d_name, '.');
        if (S_ISDIR(status.st_mode)) {
            count += walk(file);
        } else if (dot != NULL &&
                   (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0 || strcmp(dot, ".cpp") == 0)) {
            check_source(file);
            ++count;
        }
    }
    closedir(directory);
    return count;
}

static void every_file_keeps_to_its_room(void)
{
    static const char *const rooms[] = {"core", "plugins", "sim", "render", "tools", "tests"};
    for (size_t i = 0; i < COIF_COUNT_OF(rooms); ++i) {
        CHECK(walk(rooms[i]) > 0);
    }
}

static void walls_are_found(void)
{
    CHECK(include_fault("render/integrator/path.c", "sim/solver/solver.h", true) != NULL);
    CHECK(include_fault("sim/solver/solver.c", "render/driver/render_frames.h", true) != NULL);
    CHECK(include_fault("core/mesh/mesh.c", "sim/solver/simd/simd.h", true) != NULL);
    CHECK(include_fault("core/mesh/mesh.c", "mesh.h", true) != NULL);
    CHECK(include_fault("plugins/wind/gust.c", "core/base/rng.h", true) != NULL);
    CHECK(include_fault("plugins/host/host.c", "core/scene/scene.h", true) == NULL);
    CHECK(include_fault("plugins/wind/gust.c", "coif/plugin.h", false) == NULL);
    CHECK(include_fault("tools/cli/main.c", "tests/support/test.h", true) != NULL);
}

static void doors_are_found(void)
{
    CHECK(include_fault("render/integrator/path.c", "embree3/rtcore.h", false) != NULL);
    CHECK(include_fault("render/embree/embree_internal.h", "embree3/rtcore.h", false) == NULL);
    CHECK(include_fault("render/integrator/path.c", "render/embree/embree_internal.h", true) !=
          NULL);
    CHECK(include_fault("core/scene/scene.c", "cjson/cJSON.h", false) != NULL);
    CHECK(include_fault("core/scene/scene.c", "curl/curl.h", false) != NULL);
    CHECK(include_fault("core/mesh/mesh.c", "tinyobj_loader_c.h", true) != NULL);
}

static void calls_are_found_in_code_only(void)
{
    char text[] = "a = malloc(4); // free(a)\n\"exit(1)\" x_exit(2); list.free(a); /* system(b) */";
    blank_words(text);
    CHECK(calls(text, "malloc"));
    CHECK(!calls(text, "free"));
    CHECK(!calls(text, "exit"));
    CHECK(!calls(text, "system"));
}

TEST_MAIN(TEST(every_file_keeps_to_its_room), TEST(walls_are_found), TEST(doors_are_found),
          TEST(calls_are_found_in_code_only))
