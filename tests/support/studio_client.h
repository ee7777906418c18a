// studio_client: a studio server in this process and requests to it over the loopback address.
#ifndef COIF_TESTS_SUPPORT_STUDIO_CLIENT_H
#define COIF_TESTS_SUPPORT_STUDIO_CLIENT_H

#include "core/base/jobs.h"
#include "tests/support/studio_scene.h"
#include "tools/cli/map_callback.h"
#include "tools/studio/server/http/server_main.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static inline coif_server *open_server(const char *path)
{
    static coif_jobs *jobs;
    coif_error error = {0};
    if (plugins == NULL) {
        CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
    }
    if (jobs == NULL) {
        CHECK_OK(coif_jobs_open(&jobs, 2, &arena, &error), error);
    }
    coif_server_desc *desc = coif_arena_new(&arena, 1, coif_server_desc);
    *desc = (coif_server_desc){.studio = {.path = path,
                                          .tree = coif_scene_tree(&arena),
                                          .plugins = coif_plugins_lookup(plugins),
                                          .eval_map = coif_eval_hair_map,
                                          .jobs = jobs},
                               .project = {.folder = "."}};
    coif_server *server = coif_arena_new(&arena, 1, coif_server);
    CHECK_OK(coif_server_open(server, desc, &arena, &error), error);
    return server;
}

static inline int connect_to(const coif_server *server)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)coif_http_port(server->http)),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(connect(socket_, (const struct sockaddr *)&address, sizeof address) == 0);
    return socket_;
}

static inline void send_all(int to, const void *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        const ssize_t sent = send(to, (const char *)data + at, size - at, MSG_NOSIGNAL);
        if (sent <= 0) {
            return; // rejected before the end of the body
        }
        at += (size_t)sent;
    }
}

// Sends a header with the token and the given header lines, each ending in \r\n.
static inline void send_header(int to, const coif_server *server, const char *method,
                               const char *path, const char *lines)
{
    const char *text = coif_arena_print(
        &arena, "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nX-Coif-Token: %s\r\n%s\r\n", method, path,
        coif_http_port(server->http), server->token, lines);
    send_all(to, text, strlen(text));
}

typedef struct response {
    int status;
    const char *body; // followed by a zero byte
    size_t size;
} response;

// Reads until the connection is closed, `until` has been received or 60 s without a byte.
static inline response receive(int from, const char *until)
{
    coif_strbuf text;
    coif_strbuf_init(&text, &arena);
    for (;;) {
        char data[65536];
        struct pollfd wait = {.fd = from, .events = POLLIN};
        const ssize_t size = poll(&wait, 1, 60000) > 0 ? read(from, data, sizeof data) : 0;
        if (size <= 0) {
            break;
        }
        coif_strbuf_add_bytes(&text, data, (size_t)size);
        if (until != NULL && memmem(text.data, text.size, until, strlen(until)) != NULL) {
            break;
        }
    }
    // A stream continues without a header.
    const bool has_header = strncmp(text.data, "HTTP/", 5) == 0;
    const char *end = has_header ? strstr(text.data, "\r\n\r\n") : NULL;
    const char *body = end != NULL ? end + 4 : text.data;
    return (response){.status = has_header ? atoi(text.data + 9) : 0,
                      .body = body,
                      .size = text.size - (size_t)(body - text.data)};
}

static inline response request_bytes(const coif_server *server, const char *method,
                                     const char *path, const void *body, size_t size)
{
    const int connection = connect_to(server);
    send_header(connection, server, method, path,
                coif_arena_print(&arena, "Connection: close\r\nContent-Length: %zu\r\n", size));
    send_all(connection, body, size);
    const response answer = receive(connection, NULL);
    close(connection);
    return answer;
}

static inline response request(const coif_server *server, const char *method, const char *path,
                               const char *body)
{
    return request_bytes(server, method, path, body, strlen(body));
}

// Opens a reply that never ends. HTTP/1.0: bytes are not split into chunks.
static inline int open_stream(const coif_server *server, const char *path)
{
    const int connection = connect_to(server);
    const char *text = coif_arena_print(
        &arena, "GET %s HTTP/1.0\r\nHost: 127.0.0.1:%d\r\nX-Coif-Token: %s\r\n\r\n", path,
        coif_http_port(server->http), server->token);
    send_all(connection, text, strlen(text));
    receive(connection, "\r\n\r\n");
    return connection;
}

static inline int open_events(const coif_server *server)
{
    return open_stream(server, "/api/events");
}

#endif
