// Fuzz target: requests to the studio, without sockets: "METHOD PATH?NAME=VALUE&..." and a line
// break, then the body. Every reply has a status; a failed one says why. Requests that open or
// write files outside the folder of the test, or run for long, are left out.
#include "core/base/jobs.h"
#include "tests/fuzz/studio_fuzz.h"
#include "tools/cli/map_callback.h"
#include "tools/studio/server/http/compression.h"
#include "tools/studio/server/http/request_auth.h"
#include "tools/studio/server/http/server_main.h"

enum { QUERIES = 8, REQUESTS_PER_SCENE = 400 };

static struct {
    const char *name, *value;
} queries[QUERIES];
static int query_count;

// Takes the place of the function of libmicrohttpd: queries come from the input.
const char *MHD_lookup_connection_value(void *connection, int kind, const char *name);
const char *MHD_lookup_connection_value(void *connection, int kind, const char *name)
{
    (void)connection, (void)kind;
    for (int i = 0; i < query_count; ++i) {
        if (strcmp(queries[i].name, name) == 0) {
            return queries[i].value;
        }
    }
    return NULL;
}

static coif_server *server;
static int requests;

static void open_scene(void)
{
    static coif_arena server_arena = {.name = "server"}, kept = {.name = "kept"};
    static coif_jobs *jobs;
    static coif_server_desc desc;
    coif_error error = {0};
    if (server != NULL) {
        coif_server_close(server);
        coif_arena_free(&server_arena);
        coif_arena_init(&server_arena, "server");
        coif_arena_free(&arena);
        coif_arena_init(&arena, "test");
    }
    if (plugins == NULL) {
        CHECK_OK(coif_plugins_open(&plugins, NULL, &kept, &error), error);
        CHECK_OK(coif_jobs_open(&jobs, 1, &kept, &error), error);
        desc.studio.tree = coif_scene_tree(&kept);
        desc.studio.plugins = coif_plugins_lookup(plugins);
        desc.studio.eval_map = coif_eval_hair_map;
        desc.studio.jobs = jobs;
        desc.project.folder = coif_arena_copy_text(&kept, coif_test_folder());
    }
    desc.studio.path = fresh_scene();
    server = coif_arena_new(&server_arena, 1, coif_server);
    CHECK_OK(coif_server_open(server, &desc, &server_arena, &error), error);
    const coif_new_paint_map map = {.groom = 0, .name = "density", .size = 128, .value = 65535};
    CHECK_OK(coif_studio_add_map(&server->studio, &map, &error), error);
    const coif_edit edit = {"/grooms/0/density", "{\"map\": \"density\"}"};
    CHECK_OK(coif_studio_edit(&server->studio, &edit, 1, "", &error), error);
    if (coif_test_failures() > 0) {
        abort();
    }
}

static bool is_left_out(const char *method, const char *path)
{
    static const char *const all[] = {"/api/project/open", "/api/project/new", "/api/project/close",
                                      "/api/live",         "/api/render",      NULL};
    bool found = strcmp(path, "/api/image") == 0 && strcmp(method, "POST") == 0;
    for (int i = 0; all[i] != NULL; ++i) {
        found |= strcmp(path, all[i]) == 0;
    }
    return found;
}

static void split_queries(char *text)
{
    query_count = 0;
    for (char *piece; query_count < QUERIES && (piece = strsep(&text, "&")) != NULL;) {
        char *value = strchr(piece, '=');
        if (value != NULL) {
            *value++ = '\0';
            queries[query_count].name = piece;
            queries[query_count++].value = value;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (server == NULL || ++requests % REQUESTS_PER_SCENE == 0) {
        open_scene();
    }
    COIF_SCOPED_ARENA(scratch, "fuzz");
    const uint8_t *end = memchr(data, '\n', size);
    const size_t line = end != NULL ? (size_t)(end - data) : size;
    char *method = coif_arena_print(&scratch, "%.*s", (int)line, (const char *)data);
    char *path = strchr(method, ' ');
    if (path == NULL) {
        return 0;
    }
    *path++ = '\0';
    char *query = strchr(path, '?');
    if (query != NULL) {
        *query++ = '\0';
    }
    split_queries(query);
    coif_accepts_gzip(query);
    coif_auth_host(query, 8080);
    coif_auth_origin(query, 8080);
    if (is_left_out(method, path)) {
        return 0;
    }
    const size_t body_size = end != NULL ? size - line - 1 : 0;
    if (body_size > coif_routes_body_limit(method, path)) {
        return 0;
    }
    // Followed by a zero byte, as in the server.
    char *body = malloc(body_size + 1);
    memcpy(body, data + line + (end != NULL), body_size);
    body[body_size] = '\0';
    const coif_request request = {method, path, body, body_size, NULL};
    coif_reply reply = {.status = 404, .type = "text/plain", .data = "", .arena = &scratch};
    coif_routes_handle(&server->services, &request, &reply);
    free(body);
    if (reply.status < 200 || reply.status > 599 || (reply.size > 0 && reply.data == NULL)) {
        abort();
    }
    static volatile unsigned char used;
    for (size_t i = 0; i < reply.size; i += 1 + reply.size / 64) {
        used = ((const unsigned char *)reply.data)[i];
    }
    (void)used;
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const char *const seeds[] = {
        "GET /api/state\n",
        "GET /api/schema\n",
        "GET /api/aovs\n",
        "POST /api/edit\n{\"edits\": [{\"path\": \"/grooms/0/count\", \"value\": 50}], \"stroke\": "
        "\"a\"}",
        "POST /api/edit\n{\"edits\": [{\"path\": \"/camera/fov\", \"value\": {\"keys\": [[1, 20], "
        "[4, 30]]}}]}",
        "POST /api/edit\n{\"edits\": [{\"path\": \"/grooms/0/modifiers\", \"value\": [{\"plugin\": "
        "\"groom.curl\", \"radius\": 0.01}]}]}",
        "POST /api/undo\n",
        "POST /api/redo\n",
        "POST /api/save?force=1\n",
        "GET /api/mesh?body=0&frame=1\n",
        "GET /api/root_candidates?groom=0\n",
        "GET /api/roots?groom=0\n",
        "GET /api/tiles?layer=0&since=0\n",
        "PUT /api/tiles?layer=0&stroke=b\n",
        "POST /api/layers?groom=0&name=second&side=64&value=0.5\n",
        "POST /api/map_layers?groom=0&map=density&name=top\n",
        "GET /api/thumbnail?layer=0&size=32&left=10&top=10&width=500&height=500\n",
        "PUT /api/layers?layer=0&file=a.png&udims=1001&sizes=8\n\x89PNG\r\n\x1a\n",
        "GET /api/layers?layer=0&name=a.png&format=png&udim=0\n",
        "GET /api/strands?groom=0&limit=20&children=1\n",
        "GET /api/brush?groom=0&limit=50&session=1&since=0\n",
        "PUT /api/brush?groom=0&limit=50&stroke=a&mask_layer=0&mask_texel=7\n",
        "PUT /api/brush?groom=0&limit=50&session=3&stroke=b\n",
        "GET /api/pose?frame=3\n",
        "PUT /api/body_drag\n{\"body\": \"ball\", \"translate\": [0, 0.1, 0], \"rotate\": [0, 5, "
        "0]}",
        "GET /api/cache_frame?frame=1\n",
        "GET /api/cache\n",
        "POST /api/cancel\n",
        "GET /api/image?aov=beauty&exposure=1\n",
        "GET /api/project\n",
        "GET /api/project/picture?kind=preset&name=bun\n",
        "GET /api/project/files?folder=.&extensions=json,obj\n",
        "PUT /api/project/mesh?name=a.obj\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "GET /api/project/mesh?path=ball.obj\n",
        "GET /studio.js\n",
        "DELETE /api/state?host=127.0.0.1:8080&origin=http://localhost:8080&gzip;q=0.5, br\n",
    };
    if (index >= (int)COIF_COUNT_OF(seeds)) {
        return 0;
    }
    const size_t size = strlen(seeds[index]);
    if (size + 128 > capacity) {
        return 0;
    }
    memcpy(data, seeds[index], size);
    // Binary bodies.
    const bool tile = strncmp(seeds[index], "PUT /api/tiles", 14) == 0;
    const bool brush = strncmp(seeds[index], "PUT /api/brush", 14) == 0;
    if (tile || brush) {
        const coif_bytes body = tile ? uniform_tile(0, 0, 300) : comb_dab();
        memcpy(data + size, body.data, body.size);
        return size + body.size;
    }
    return size;
}
