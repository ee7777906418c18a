// server: the HTTP API over the loopback address, without a browser.
#include "tests/support/studio_client.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

static const char PNG_SIGNATURE[] = "\x89PNG\r\n\x1a\n";

static bool is_png(const response *answer)
{
    return answer->status == 200 && answer->size > 100 &&
           memcmp(answer->body, PNG_SIGNATURE, sizeof PNG_SIGNATURE - 1) == 0;
}

static int raw_status(const coif_server *server, const char *header)
{
    const int connection = connect_to(server);
    send_all(connection, header, strlen(header));
    const response answer = receive(connection, "\r\n\r\n");
    close(connection);
    return answer.status;
}

TEST(requests_without_the_token_are_rejected)
{
    coif_server *server = open_server(write_scene("access.json"));
    const int port = coif_http_port(server->http);
    const char *format = "GET /api/state HTTP/1.1\r\nHost: %s:%d\r\n%s%s\r\n\r\n";
    const char *const cases[][3] = {
        {"127.0.0.1", "X-Coif-Token: ", ""},
        {"evil.example", "X-Coif-Token: ", server->token},
        {"127.0.0.1", "Origin: http://evil.example\r\nX-Coif-Token: ", server->token},
        {"127.0.0.1", "X-Coif-Token: ", server->token}};
    const int statuses[] = {401, 403, 403, 200};
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        CHECK(raw_status(server, coif_arena_print(&arena, format, cases[i][0], port, cases[i][1],
                                                  cases[i][2])) == statuses[i]);
    }
    CHECK(request(server, "GET", "/api/nothing", "").status == 404);
    CHECK(request(server, "DELETE", "/api/state", "").status == 405);
    coif_server_close(server);
}

static void new_layer(const coif_server *server)
{
    CHECK(request(server, "POST", "/api/layers?groom=0&name=density&side=256", "").status == 200);
    CHECK(request(server, "POST", "/api/edit",
                  "{\"edits\": [{\"path\": \"/grooms/0/density\", \"value\": {\"map\": "
                  "\"density\"}}]}")
              .status == 200);
}

static void put_tile(const coif_server *server, const char *stroke, uint16_t column, uint16_t value)
{
    const coif_bytes tile = uniform_tile(column, 0, value);
    const char *path = coif_arena_print(&arena, "/api/tiles?layer=0&stroke=%s", stroke);
    CHECK(request_bytes(server, "PUT", path, tile.data, tile.size).status == 200);
}

// Value of a uniform tile of the first row, from GET /api/tiles: 16 bytes, then records of 8.
static int tile_value(const coif_server *server, int column)
{
    const response answer = request(server, "GET", "/api/tiles?layer=0", "");
    for (size_t at = 16; at + 8 <= answer.size; at += 8) {
        uint16_t words[4];
        memcpy(words, answer.body + at, sizeof words);
        if (words[0] == column && words[1] == 0 && words[2] == 1) {
            return words[3];
        }
    }
    return -1;
}

TEST(strokes_change_texels_and_are_undone_and_redone)
{
    coif_server *server = open_server(write_scene("strokes.json"));
    new_layer(server);
    put_tile(server, "a", 1, 100);
    put_tile(server, "a", 2, 200); // the same stroke
    put_tile(server, "b", 1, 300);
    CHECK(tile_value(server, 1) == 300 && tile_value(server, 2) == 200);
    CHECK_CONTAINS(request(server, "POST", "/api/undo", "").body, "true");
    CHECK(tile_value(server, 1) == 100 && tile_value(server, 2) == 200);
    CHECK_CONTAINS(request(server, "POST", "/api/undo", "").body, "true");
    CHECK(tile_value(server, 1) == 65535 && tile_value(server, 2) == 65535);
    CHECK_CONTAINS(request(server, "POST", "/api/redo", "").body, "true");
    CHECK(tile_value(server, 1) == 100 && tile_value(server, 2) == 200);
    coif_server_close(server);
}

TEST(unsaved_strokes_are_restored_from_the_journal)
{
    const char *path = write_scene("recovery.json");
    coif_server *server = open_server(path);
    new_layer(server);
    put_tile(server, "a", 1, 4711);
    coif_server_close(server); // keeps the journal of unsaved changes
    server = open_server(path);
    CHECK(tile_value(server, 1) == 4711);
    CHECK_CONTAINS(request(server, "GET", "/api/state", "").body, "\"restored_steps\": 4");
    CHECK(request(server, "POST", "/api/save", "").status == 200);
    CHECK_CONTAINS(request(server, "GET", "/api/state", "").body, "\"restored_steps\": 0");
    coif_server_close(server);
}

// The file size limit of the process stands in for a full disk.
TEST(saving_on_a_full_disk_keeps_the_old_files)
{
    const char *path = write_scene("full.json");
    const char *map = coif_arena_copy_text(&arena, coif_test_path("maps/full_density.png"));
    coif_server *server = open_server(path);
    new_layer(server);
    CHECK(request(server, "POST", "/api/save", "").status == 200);
    unsigned char texels[8 + 2 * COIF_TILE_TEXELS] = {0};
    for (size_t i = 8; i < sizeof texels; ++i) {
        texels[i] = (unsigned char)(i * i >> 3); // does not compress to the limit
    }
    CHECK(request_bytes(server, "PUT", "/api/tiles?layer=0", texels, sizeof texels).status == 200);
    coif_error error = {0};
    char *before, *after;
    size_t size, size_after;
    CHECK_OK(coif_file_load(&before, &size, map, &arena, &error), error);

    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small = {1024, limit.rlim_max};
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    const response failed = request(server, "POST", "/api/save", "");
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    signal(SIGXFSZ, handler);
    CHECK(failed.status == 500);
    CHECK_CONTAINS(failed.body, "full_density");
    CHECK_OK(coif_file_load(&after, &size_after, map, &arena, &error), error);
    CHECK(size == size_after && memcmp(before, after, size) == 0);

    CHECK(request(server, "POST", "/api/save", "").status == 200);
    CHECK_OK(coif_file_load(&after, &size_after, map, &arena, &error), error);
    CHECK(size != size_after);
    coif_server_close(server);
}

TEST(malformed_requests_are_answered_with_400)
{
    static const struct {
        const char *method, *path, *body, *message;
    } cases[] = {
        {"POST", "/api/render", "", "render"},
        {"POST", "/api/render", "[1]", "expected an object"},
        {"POST", "/api/render", "{\"frame\": 1e300}", "\\\"frame\\\": expected an integer"},
        {"POST", "/api/render", "{\"frame\": 1.5}", "\\\"frame\\\": expected an integer"},
        {"POST", "/api/render", "{\"frame\": \"1\"}", "\\\"frame\\\": expected an integer"},
        {"POST", "/api/render", "{\"crop\": [0, 0, -1e300, 4]}", "\\\"crop\\\""},
        {"POST", "/api/render", "{\"crop\": [0, 0, \"x\", 4]}", "\\\"crop\\\""},
        {"POST", "/api/render", "{\"crop\": [0, 0, 4]}", "array of 4 numbers"},
        {"POST", "/api/render", "{\"final\": 1}", "\\\"final\\\": expected true or false"},
        {"POST", "/api/render", "{\"overrides\": [7]}", "\\\"overrides\\\": expected strings"},
        {"POST", "/api/render", "{\"aovs\": []}", "\\\"aovs\\\": expected a string"},
        {"PUT", "/api/body_drag", "{}", "\\\"translate\\\": expected an array of 3"},
        {"PUT", "/api/body_drag", "{\"translate\": [1, 2, 1e300], \"rotate\": [0, 0, 0]}",
         "\\\"translate\\\": expected numbers"},
        {"POST", "/api/edit", "{\"edits\": 3}", "\\\"edits\\\": expected an array"},
        {"POST", "/api/edit", "{\"edits\": [[1]]}", "element 0 has no \\\"path\\\""},
        {"PUT", "/api/tiles?layer=0", "abc", "malformed tile record"},
        {"PUT", "/api/layers?groom=0&name=x&udims=1001,abc&sizes=1,2", "abc", "udims"},
        {"PUT", "/api/layers?groom=0&name=x&udims=1001,1002&sizes=1,1", "abc", "sizes"},
    };
    coif_server *server = open_server(write_scene("malformed.json"));
    new_layer(server);
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        const response answer = request(server, cases[i].method, cases[i].path, cases[i].body);
        if (answer.status != 400) {
            coif_test_failed(__FILE__, __LINE__, "%s %s %s: status %d", cases[i].method,
                             cases[i].path, cases[i].body, answer.status);
        }
        CHECK_CONTAINS(answer.body, cases[i].message);
    }
    // Well-formed, but not valid.
    CHECK(
        request(server, "POST", "/api/render", "{\"overrides\": [\"image/samples=-1\"]}").status ==
        422);
    CHECK(request(server, "POST", "/api/live?action=jump", "").status == 422);
    CHECK(request(server, "GET", "/api/image?exposure=1x", "").status == 422);
    coif_server_close(server);
}

// Status of a request of which only the header is sent; -1 while the server waits for the body.
static int announce(int connection, const coif_server *server, const char *path, size_t size)
{
    send_header(connection, server, "PUT", path,
                coif_arena_print(&arena, "Expect: 100-continue\r\nContent-Length: %zu\r\n", size));
    const response answer = receive(connection, "\r\n\r\n");
    return answer.status == 100 ? -1 : answer.status;
}

TEST(uploads_are_limited_one_by_one_and_together)
{
    const size_t mib = 1024 * 1024;
    coif_server *server = open_server(write_scene("uploads.json"));
    const char *import = "/api/layers?groom=0&name=x";
    const struct {
        const char *path;
        size_t size;
    } too_large[] = {{import, 1025 * mib},
                     {"/api/tiles?layer=0", 300 * mib},
                     {"/api/edit", 20 * mib},
                     {"/api/body_drag", mib}};
    for (size_t i = 0; i < COIF_COUNT_OF(too_large); ++i) {
        const int connection = connect_to(server);
        CHECK(announce(connection, server, too_large[i].path, too_large[i].size) == 413);
        close(connection);
    }
    // Two that are allowed each are too much together.
    const int first = connect_to(server), second = connect_to(server);
    CHECK(announce(first, server, import, 800 * mib) == -1);
    CHECK(announce(second, server, import, 800 * mib) == 413);
    close(first);
    close(second);
    // The memory of the closed connection is released soon after.
    int status = 0;
    for (int i = 0; i < 600 && status != -1; ++i) {
        const int third = connect_to(server);
        status = announce(third, server, import, 800 * mib);
        close(third);
        usleep(status == -1 ? 0 : 50000);
    }
    CHECK(status == -1);
    const int chunked = connect_to(server);
    send_header(chunked, server, "PUT", "/api/tiles", "Transfer-Encoding: chunked\r\n");
    CHECK(receive(chunked, "\r\n\r\n").status == 411);
    close(chunked);
    coif_server_close(server);
}

TEST(events_of_any_size_reach_the_page)
{
    coif_server *server = open_server(write_scene("events.json"));
    const int events = open_events(server);
    // Longer than an error can hold, cut in the middle of a character, with quotes to escape.
    coif_error error = {0};
    char *text = coif_arena_new(&arena, 20000, char);
    for (int i = 0; i < 9000; i += 3) {
        memcpy(text + i, "\"\xc3\xa4", 3);
    }
    coif_fail(&error, COIF_ERR_IO, "%s", text);
    coif_studio_report_error(&server->studio, &error);
    const response cut = receive(events, " ...\"}\n\n");
    CHECK_CONTAINS(cut.body, "event: failure");
    CHECK_CONTAINS(cut.body, "\\\"\xc3\xa4\\\"\xc3\xa4");
    CHECK(strstr(cut.body, "\xc3 ...") == NULL && strstr(cut.body, " ...\"}\n\n") != NULL);
    // Beyond the backlog.
    const size_t size = 300000;
    char *large = coif_arena_new(&arena, size + 1, char);
    memset(large, 'x', size);
    const char *json = coif_arena_print(&arena, "\"%s\"", large);
    server->studio.broadcast.event(server->studio.broadcast.context, "large", json);
    const response whole = receive(events, "\"\n\n");
    CHECK(strstr(whole.body, "\"\n\n") != NULL);
    close(events);
    coif_server_close(server);
}

// 40 MB for a client that does not read: more than socket buffers hold.
TEST(a_slow_page_gets_complete_events_and_the_newest)
{
    enum { EVENTS = 2000, SIZE = 20000 };
    coif_server *server = open_server(write_scene("slow.json"));
    const int events = open_events(server);
    char *padding = coif_arena_new(&arena, SIZE + 1, char);
    memset(padding, 'x', SIZE);
    coif_arena scratch;
    for (int i = 1; i <= EVENTS; ++i) {
        coif_arena_init(&scratch, "event");
        const char *json = coif_arena_print(&scratch, "[%d, \"%s\"]", i, padding);
        server->studio.broadcast.event(server->studio.broadcast.context, "test", json);
        coif_arena_free(&scratch);
    }
    const char *newest = coif_arena_print(&arena, "[%d, \"%s\"]\n\n", EVENTS, padding);
    const response answer = receive(events, newest);
    int count = 0, last = 0;
    bool told = false; // of missed events, since the last one
    for (const char *event = strstr(answer.body, "event: "); event != NULL;) {
        const char *end = strstr(event, "\n\n");
        const bool missed = strncmp(event, "event: missed\n", 14) == 0;
        if (!missed) {
            const int id = atoi(event + strlen("event: test\ndata: ["));
            CHECK(end != NULL && (size_t)(end - event) > SIZE && end[-1] == ']' && id > last);
            CHECK(told == (id > last + 1));
            last = id;
            ++count;
        }
        told = missed;
        event = end != NULL ? strstr(end, "event: ") : NULL;
        CHECK(event == NULL || event == end + 2);
    }
    CHECK(count < EVENTS && last == EVENTS);
    close(events);
    coif_server_close(server);
}

static int count_files(const char *folder, const char *part)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    int count = 0;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        count += strstr(entry->d_name, part) != NULL;
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return count;
}

// Starts a render and waits for its last event.
static void render(const coif_server *server, const char *body)
{
    const int events = open_events(server);
    CHECK(request(server, "POST", "/api/render", body).status == 200);
    CHECK_CONTAINS(receive(events, "\"done\"").body, "\"done\"");
    close(events);
}

TEST(a_preview_stays_in_memory)
{
    coif_server *server = open_server(write_scene("preview.json"));
    CHECK(request(server, "GET", "/api/image", "").status == 422);
    render(server, "{\"overrides\": [\"image/width=32\", \"image/height=24\", "
                   "\"image/samples=1\"], \"frame\": 1}");
    const response image = request(server, "GET", "/api/image", "");
    CHECK(is_png(&image));
    CHECK((unsigned char)image.body[19] == 32 && (unsigned char)image.body[23] == 24);
    const response bright = request(server, "GET", "/api/image?exposure=3", "");
    CHECK(is_png(&bright));
    CHECK(bright.size != image.size || memcmp(bright.body, image.body, image.size) != 0);
    CHECK(count_files(server->temp.folder, ".png") == 0);
    // A region, and the image it is a part of.
    render(server, "{\"overrides\": [\"image/width=32\", \"image/height=24\", "
                   "\"image/samples=1\"], \"crop\": [4, 4, 8, 6]}");
    const response region = request(server, "GET", "/api/image", "");
    CHECK(is_png(&region) && (unsigned char)region.body[19] == 8);
    const response full = request(server, "GET", "/api/image?exposure=0&which=current", "");
    CHECK(is_png(&full) && (unsigned char)full.body[19] == 32);
    coif_server_close(server);
}

TEST(a_final_render_writes_files)
{
    coif_server *server = open_server(write_scene("final.json"));
    CHECK(request(server, "GET", "/api/image?format=exr", "").status == 422);
    render(server, "{\"overrides\": [\"image/width=32\", \"image/height=24\", "
                   "\"image/samples=2\"], \"final\": true, \"aovs\": \"N\"}");
    const response exr = request(server, "GET", "/api/image?format=exr", "");
    CHECK(exr.status == 200 && memcmp(exr.body, "\x76\x2f\x31\x01", 4) == 0);
    const response normal = request(server, "GET", "/api/image?aov=N", "");
    CHECK(is_png(&normal));
    const response missing = request(server, "GET", "/api/image?aov=nothing", "");
    CHECK(missing.status == 422);
    CHECK_CONTAINS(missing.body, "its channels");
    const response saved = request(server, "POST", "/api/image?name=renders/a.png", "");
    CHECK(saved.status == 200 && coif_path_exists(coif_test_path("renders/a.png")));
    CHECK_CONTAINS(request(server, "POST", "/api/image?name=renders/a.png", "").body, "a_2.png");
    CHECK(request(server, "POST", "/api/image?name=../a.png", "").status == 422);
    coif_server_close(server);
}

TEST(live_frames_are_streamed_while_the_scene_is_edited)
{
    coif_server *server = open_server(write_scene("live.json"));
    const int stream = open_stream(server, "/api/live?stream=1"), events = open_events(server);
    CHECK(request(server, "POST", "/api/live?action=play&groom=0&limit=200", "").status == 200);
    receive(stream, "cst3");
    CHECK_CONTAINS(receive(events, "event: frame").body, "event: frame");
    CHECK(request(server, "POST", "/api/edit",
                  "{\"edits\": [{\"path\": \"/sim\", \"value\": {\"substeps\": 3}}]}")
              .status == 200);
    CHECK(request(server, "PUT", "/api/body_drag",
                  "{\"translate\": [0.1, 0, 0], \"rotate\": [0, 5, 0]}")
              .status == 200);
    CHECK(request(server, "POST", "/api/live?action=play&groom=0&limit=100", "").status == 200);
    const response frame = request(server, "GET", "/api/live", "");
    CHECK(frame.status == 200 && frame.size > 44 && memcmp(frame.body, "cst3", 4) == 0);
    render(server, "{\"overrides\": [\"image/width=16\", \"image/height=16\", "
                   "\"image/samples=1\"], \"live\": true}");
    CHECK(request(server, "POST", "/api/live?action=stop", "").status == 200);
    close(stream);
    close(events);
    coif_server_close(server);
}

typedef struct client_thread {
    pthread_t thread;
    const coif_server *server;
    int index, failures;
} client_thread;

// Status of a request; the reply is dropped. Uses no shared memory of the tests.
static int status_of(const coif_server *server, const char *method, const char *path,
                     const void *body, size_t size)
{
    char text[1024];
    const int length =
        snprintf(text, sizeof text,
                 "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Coif-Token: %s\r\nConnection: "
                 "close\r\nContent-Length: %zu\r\n\r\n",
                 method, path, coif_http_port(server->http), server->token, size);
    const int connection = connect_to(server);
    send_all(connection, text, (size_t)length);
    send_all(connection, body, size);
    size_t received = 0;
    for (ssize_t count = 1; count > 0;) {
        char data[4096];
        count = read(connection, data, sizeof data);
        for (ssize_t i = 0; i < count && received + (size_t)i < 15; ++i) {
            text[received + (size_t)i] = data[i];
        }
        received += count > 0 ? (size_t)count : 0;
    }
    close(connection);
    text[15] = '\0';
    return received > 15 ? atoi(text + 9) : 0;
}

static void *paint_and_read(void *context)
{
    static const char render[] =
        "{\"overrides\": [\"image/width=8\", \"image/height=8\", \"image/samples=1\"]}";
    static const char edit[] = "{\"edits\": [{\"path\": \"/grooms/0/seed\", \"value\": 7}]}";
    static const struct {
        const char *method, *path, *body;
    } requests[] = {
        {"GET", "/api/roots", ""},         {"POST", "/api/undo", ""},
        {"GET", "/api/tiles?layer=0", ""}, {"POST", "/api/redo", ""},
        {"GET", "/api/state", ""},         {"POST", "/api/save", ""},
        {"POST", "/api/edit", edit},       {"POST", "/api/render", render},
        {"GET", "/api/live", ""},          {"POST", "/api/live?action=play&limit=50", ""},
        {"POST", "/api/cancel", ""},       {"GET", "/api/strands?limit=50", ""},
    };
    client_thread *client = context;
    for (int i = 0; i < 24; ++i) {
        const uint16_t tile[4] = {(uint16_t)client->index, (uint16_t)(i % 4), 1, (uint16_t)i};
        const size_t k = (size_t)(i * 5 + client->index) % COIF_COUNT_OF(requests);
        client->failures += status_of(client->server, "PUT", "/api/tiles?layer=0&stroke=s", tile,
                                      sizeof tile) != 200;
        client->failures += status_of(client->server, requests[k].method, requests[k].path,
                                      requests[k].body, strlen(requests[k].body)) != 200;
    }
    return NULL;
}

TEST(concurrent_requests_succeed)
{
    coif_server *server = open_server(write_scene("concurrent.json"));
    const int stream = open_stream(server, "/api/live?stream=1"), events = open_events(server);
    new_layer(server);
    client_thread clients[4];
    for (int i = 0; i < 4; ++i) {
        clients[i] = (client_thread){.server = server, .index = i};
        CHECK(pthread_create(&clients[i].thread, NULL, paint_and_read, &clients[i]) == 0);
    }
    for (int i = 0; i < 4; ++i) {
        pthread_join(clients[i].thread, NULL);
        CHECK(clients[i].failures == 0);
    }
    CHECK(request(server, "POST", "/api/save", "").status == 200);
    close(stream);
    close(events);
    coif_server_close(server);
}

static bool is_open(int connection)
{
    struct pollfd state = {.fd = connection, .events = POLLRDHUP};
    return poll(&state, 1, 0) == 0;
}

// Other programs of the machine may connect. The oldest silent connections give way, so that nobody
// waits until they time out.
TEST(silent_connections_do_not_keep_authorised_requests_out)
{
    enum { SILENT = 400 };
    coif_server *server = open_server(write_scene("silent.json"));
    const int events = open_events(server);
    int connections[SILENT];
    for (int i = 0; i < SILENT; ++i) {
        connections[i] = connect_to(server);
        if (i % 2 == 1) {
            static const char half[] = "GET /api/state HTTP/1.1\r\nHost: 127";
            send_all(connections[i], half, sizeof half - 1);
        }
    }
    CHECK(request(server, "GET", "/api/state", "").status == 200);
    CHECK(!is_open(connections[0]) && is_open(connections[SILENT - 1]));
    CHECK(is_open(events));
    for (int i = 0; i < SILENT; ++i) {
        close(connections[i]);
    }
    close(events);
    coif_server_close(server);
}

static int live_frame(const coif_server *server)
{
    int32_t groom;
    int frame = 0;
    coif_error error = {0};
    CHECK_OK(coif_live_sim_current(server->services.live, &groom, &frame, &error), error);
    return frame;
}

// Whether the frame stays the same for two seconds, or changes, within two minutes.
static bool wait_for_frames(const coif_server *server, bool advance)
{
    for (int i = 0; i < 60; ++i) {
        const int before = live_frame(server);
        usleep(2000000);
        if ((live_frame(server) != before) == advance) {
            return true;
        }
    }
    return false;
}

TEST(the_live_simulation_pauses_without_clients)
{
    coif_server *server = open_server(write_scene("unwatched.json"));
    int stream = open_stream(server, "/api/live?stream=1");
    CHECK(request(server, "POST", "/api/live?action=play&groom=0&limit=100", "").status == 200);
    receive(stream, "cst3");
    CHECK(wait_for_frames(server, true));
    close(stream);
    CHECK(wait_for_frames(server, false));
    stream = open_stream(server, "/api/live?stream=1");
    CHECK(wait_for_frames(server, true));
    close(stream);
    coif_server_close(server);
}
