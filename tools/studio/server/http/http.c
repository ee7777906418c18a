#include "tools/studio/server/http/http.h"

#include "tools/studio/server/http/compression.h"
#include "tools/studio/server/http/request_auth.h"
#include "tools/studio/server/http/stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    THREADS = 4,
    EXCHANGES = 96,           // authorised requests at the same time
    CONNECTIONS = 512,        // of all kinds
    SILENT_CONNECTIONS = 256, // of which no request was authorised yet
    HEADER_SECONDS = 20,      // for the header of the first request
    BODY_SECONDS = 120        // without a byte, during authorised requests and between them
};

// A connection from its start to its end. Any program of the machine can connect and stay silent.
typedef struct client {
    bool used, authorised;
    int socket;
    uint64_t number; // in the order of connecting
} client;

// One request from its header to the end of its reply. The body is mapped memory of its announced
// size: it is returned to the system at once, and a failed allocation is not the end of the
// program as it is with an arena.
typedef struct exchange {
    bool used;
    coif_arena arena;
    char *body;
    size_t body_size, received;
    struct coif_http *http;
    coif_request request;
    coif_reply reply;
    bool handled, gzipped;
} exchange;

struct coif_http {
    coif_http_desc desc;
    struct MHD_Daemon *daemon;
    atomic_int port; // requests may arrive before it is known
    coif_stream events, frames;
    pthread_mutex_t lock; // of everything below
    int handling;         // requests on their threads
    bool closing;
    pthread_cond_t idle;
    size_t upload_bytes; // of all bodies
    exchange exchanges[EXCHANGES];
    client clients[CONNECTIONS];
    uint64_t connected; // so far
};

static const char CONTENT_POLICY[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' "
    "blob: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const char *coif_request_query(const coif_request *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

int64_t coif_request_number(const coif_request *request, const char *name, int64_t fallback,
                            int64_t low, int64_t high)
{
    const char *text = coif_request_query(request, name);
    char *end;
    const long long number = text != NULL ? strtoll(text, &end, 10) : 0;
    if (text == NULL || end == text || *end != '\0') {
        return fallback;
    }
    return number < low ? low : number > high ? high : number;
}

static enum MHD_Result queue_response(struct MHD_Connection *connection,
                                      struct MHD_Response *response, int status)
{
    MHD_add_response_header(response, "Content-Security-Policy", CONTENT_POLICY);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    const enum MHD_Result result = MHD_queue_response(connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return result;
}

// Message: without characters that JSON escapes.
static enum MHD_Result reject(struct MHD_Connection *connection, int status, const char *message)
{
    char text[256];
    const int length = snprintf(text, sizeof text, "{\"error\": \"%s\"}", message);
    struct MHD_Response *response =
        MHD_create_response_from_buffer((size_t)length, text, MHD_RESPMEM_MUST_COPY);
    MHD_add_response_header(response, "Content-Type", "application/json");
    return queue_response(connection, response, status);
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// The script and style of the page contain no secret.
static bool is_public(const char *path)
{
    return strcmp(path, "/studio.js") == 0 || strcmp(path, "/studio.css") == 0 ||
           strcmp(path, "/favicon.ico") == 0;
}

// NULL when the request is authorised, else the error and its status.
static const char *authorise(const coif_http *http, struct MHD_Connection *connection,
                             const char *path, int *status)
{
    *status = MHD_HTTP_FORBIDDEN;
    if (!coif_auth_host(header(connection, "Host"), http->port)) {
        return "the Host header does not name this server";
    }
    if (!coif_auth_origin(header(connection, "Origin"), http->port)) {
        return "requests from other origins are not allowed";
    }
    const char *token = header(connection, "X-Coif-Token");
    if (token == NULL) {
        token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
    }
    if (!is_public(path) && !coif_auth_token(token, http->desc.token)) {
        *status = MHD_HTTP_UNAUTHORIZED;
        return "missing or wrong token: open the URL that coif studio printed";
    }
    return NULL;
}

// ---- request bodies

static bool reserve_upload(coif_http *http, size_t size)
{
    pthread_mutex_lock(&http->lock);
    const bool fits = size <= http->desc.upload_limit - http->upload_bytes &&
                      coif_memory_account("uploads", (int64_t)size);
    http->upload_bytes += fits ? size : 0;
    pthread_mutex_unlock(&http->lock);
    return fits;
}

static void release_upload(coif_http *http, size_t size)
{
    pthread_mutex_lock(&http->lock);
    http->upload_bytes -= size;
    coif_memory_account("uploads", -(int64_t)size);
    pthread_mutex_unlock(&http->lock);
}

static bool map_body(exchange *now, size_t size)
{
    if (!reserve_upload(now->http, size)) {
        return false;
    }
    void *memory = mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        release_upload(now->http, size);
        return false;
    }
    now->body = memory;
    now->body_size = size;
    return true;
}

static void unmap_body(exchange *now)
{
    if (now->body_size > 0) {
        munmap(now->body, now->body_size + 1);
        release_upload(now->http, now->body_size);
        now->body_size = 0;
    }
}

// ---- connections

// Room for the connection that comes: ends the oldest silent one when there are too many.
static void limit_silent(coif_http *http)
{
    const client *oldest = NULL;
    int silent = 0;
    for (int i = 0; i < CONNECTIONS; ++i) {
        const client *each = &http->clients[i];
        if (each->used && !each->authorised) {
            ++silent;
            oldest = oldest == NULL || each->number < oldest->number ? each : oldest;
        }
    }
    if (silent > SILENT_CONNECTIONS) {
        shutdown(oldest->socket, SHUT_RDWR); // the server's thread closes it
    }
}

static void on_connection(void *context, struct MHD_Connection *connection, void **state,
                          enum MHD_ConnectionNotificationCode event)
{
    coif_http *http = context;
    pthread_mutex_lock(&http->lock);
    if (event == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*state != NULL) {
            ((client *)*state)->used = false;
        }
    } else {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        for (int i = 0; info != NULL && i < CONNECTIONS && *state == NULL; ++i) {
            client *each = &http->clients[i];
            if (!each->used) {
                *each =
                    (client){.used = true, .socket = info->connect_fd, .number = http->connected++};
                *state = each;
            }
        }
        limit_silent(http);
    }
    pthread_mutex_unlock(&http->lock);
}

// Seconds: 0 for a reply that lasts.
static void set_timeout(struct MHD_Connection *connection, unsigned seconds)
{
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

static void mark_authorised(coif_http *http, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    client *from = info != NULL ? info->socket_context : NULL;
    if (from != NULL) {
        pthread_mutex_lock(&http->lock);
        from->authorised = true;
        pthread_mutex_unlock(&http->lock);
    }
    set_timeout(connection, BODY_SECONDS);
}

static exchange *begin_exchange(coif_http *http)
{
    exchange *found = NULL;
    pthread_mutex_lock(&http->lock);
    for (int i = 0; i < EXCHANGES && found == NULL; ++i) {
        if (!http->exchanges[i].used) {
            found = &http->exchanges[i];
            *found = (exchange){.used = true, .body = "", .http = http};
            coif_arena_init(&found->arena, "request");
        }
    }
    pthread_mutex_unlock(&http->lock);
    return found;
}

static void end_exchange(void *context, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode why)
{
    coif_http *http = context;
    exchange *now = *state;
    (void)connection, (void)why;
    if (now != NULL) {
        unmap_body(now);
        coif_arena_free(&now->arena);
        pthread_mutex_lock(&http->lock);
        now->used = false;
        pthread_mutex_unlock(&http->lock);
        *state = NULL;
    }
}

// Called with the header of a request.
static enum MHD_Result accept_header(coif_http *http, struct MHD_Connection *connection,
                                     const char *path, const char *method, void **state)
{
    int status;
    const char *fault = authorise(http, connection, path, &status);
    if (fault != NULL) {
        return reject(connection, status, fault);
    }
    if (!is_public(path)) {
        mark_authorised(http, connection);
    }
    const char *length = header(connection, "Content-Length");
    if (length == NULL && header(connection, "Transfer-Encoding") != NULL) {
        return reject(connection, MHD_HTTP_LENGTH_REQUIRED, "Content-Length is required");
    }
    const size_t size = length != NULL ? strtoull(length, NULL, 10) : 0;
    const size_t limit = http->desc.body_limit(method, path);
    if (size > limit) {
        char text[128];
        snprintf(text, sizeof text, "request body of %zu bytes; at most %zu are accepted here",
                 size, limit);
        return reject(connection, MHD_HTTP_CONTENT_TOO_LARGE, text);
    }
    exchange *now = begin_exchange(http);
    if (now == NULL) {
        return reject(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "too many requests");
    }
    *state = now;
    return size == 0 || map_body(now, size)
               ? MHD_YES
               : reject(connection, MHD_HTTP_CONTENT_TOO_LARGE,
                        "too many large uploads at the same time: try again later");
}

static void receive(exchange *now, const char *data, size_t size)
{
    const size_t space = now->body_size - now->received;
    const size_t count = size < space ? size : space;
    memcpy(now->body + now->received, data, count);
    now->received += count;
}

// ---- replies

static enum MHD_Result open_stream(coif_http *http, struct MHD_Connection *connection,
                                   const exchange *now)
{
    const bool events = !now->reply.stream;
    const coif_stream_desc desc = {.greeting = events ? ": coif\n\n" : "",
                                   .block_size = events ? 4096 : 256 * 1024,
                                   .cpu_rendering = now->reply.cpu_rendering};
    if (events) {
        coif_stream_ping(&http->events);
    }
    struct MHD_Response *response =
        coif_stream_open(events ? &http->events : &http->frames, connection, &desc);
    if (response == NULL) {
        return reject(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "too many pages are open");
    }
    set_timeout(connection, 0);
    MHD_add_response_header(response, "Content-Type",
                            events ? "text/event-stream" : "application/octet-stream");
    if (!events) {
        http->desc.on_stream(http->desc.context);
    }
    return queue_response(connection, response, MHD_HTTP_OK);
}

static enum MHD_Result send_reply(struct MHD_Connection *connection, exchange *now)
{
    const coif_reply *reply = &now->reply;
    if (reply->stream) {
        return open_stream(now->http, connection, now);
    }
    unmap_body(now); // a slow download does not keep the upload
    // The arena is freed when the exchange ends, after the last byte is sent.
    struct MHD_Response *response =
        MHD_create_response_from_buffer(reply->size, (void *)reply->data, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", reply->type);
    if (now->gzipped) {
        MHD_add_response_header(response, "Content-Encoding", "gzip");
    }
    if (reply->file_name != NULL) {
        MHD_add_response_header(
            response, "Content-Disposition",
            coif_arena_print(&now->arena, "attachment; filename=\"%s\"", reply->file_name));
    }
    return queue_response(connection, response, reply->status);
}

static void compress_reply(exchange *now)
{
    coif_reply *reply = &now->reply;
    size_t size;
    if (reply->stream || reply->interactive || reply->file_name != NULL ||
        !coif_is_compressible(reply->type, reply->size) ||
        !coif_accepts_gzip(header(now->request.connection, "Accept-Encoding"))) {
        return;
    }
    const void *data = coif_gzip(reply->data, reply->size, &size, &now->arena);
    if (data != NULL) {
        reply->data = data;
        reply->size = size;
        now->gzipped = true;
    }
}

static void *handle_on_thread(void *context)
{
    exchange *now = context;
    coif_http *http = now->http;
    http->desc.handle(http->desc.context, &now->request, &now->reply);
    compress_reply(now);
    now->handled = true;
    MHD_resume_connection(now->request.connection);
    pthread_mutex_lock(&http->lock);
    if (--http->handling == 0) {
        pthread_cond_signal(&http->idle);
    }
    pthread_mutex_unlock(&http->lock);
    return NULL;
}

// Each request has its own thread while its connection is suspended: MHD's threads serve many
// connections each, and a long request would block the others of its thread.
static enum MHD_Result handle(coif_http *http, struct MHD_Connection *connection, const char *path,
                              const char *method, exchange *now)
{
    if (strcmp(path, "/api/events") == 0 && strcmp(method, "GET") == 0) {
        return open_stream(http, connection, now);
    }
    now->request = (coif_request){coif_arena_copy_text(&now->arena, method),
                                  coif_arena_copy_text(&now->arena, path), now->body, now->received,
                                  connection};
    now->reply = (coif_reply){.status = 404, .type = "application/json", .arena = &now->arena};
    now->reply.data = "{\"error\": \"no such path\"}";
    now->reply.size = strlen(now->reply.data);
    pthread_mutex_lock(&http->lock);
    const bool closing = http->closing;
    http->handling += !closing;
    pthread_mutex_unlock(&http->lock);
    if (closing) {
        return reject(connection, MHD_HTTP_SERVICE_UNAVAILABLE, "the studio is closing");
    }
    MHD_suspend_connection(connection);
    pthread_t thread;
    if (pthread_create(&thread, NULL, handle_on_thread, now) == 0) {
        pthread_detach(thread);
    } else {
        handle_on_thread(now);
    }
    return MHD_YES;
}

// MHD callback: first with the header of a request, then with parts of its body, then without data,
// and once more after the suspended connection was resumed.
static enum MHD_Result on_request(void *context, struct MHD_Connection *connection,
                                  const char *path, const char *method, const char *version,
                                  const char *data, size_t *size, void **state)
{
    coif_http *http = context;
    exchange *now = *state;
    (void)version;
    if (now == NULL) {
        return accept_header(http, connection, path, method, state);
    }
    if (*size > 0) {
        receive(now, data, *size);
        *size = 0;
        return MHD_YES;
    }
    return now->handled ? send_reply(connection, now) : handle(http, connection, path, method, now);
}

// ---- server

static void send_event(void *context, const char *name, const char *json)
{
    coif_http *http = context;
    coif_stream_event(&http->events, name, json);
}

static bool is_frame_wanted(void *context, double pause)
{
    coif_http *http = context;
    return coif_stream_frame_wanted(&http->frames, pause);
}

static bool has_frame_clients(void *context)
{
    coif_http *http = context;
    return coif_stream_has_clients(&http->frames);
}

static void send_frame(void *context, double pause, coif_packet_writer *write, void *write_context)
{
    coif_http *http = context;
    coif_stream_frame(&http->frames, pause, write, write_context);
}

coif_status coif_http_open(coif_http **opened, const coif_http_desc *desc, coif_arena *arena,
                           coif_error *error)
{
    coif_http *http = coif_arena_new(arena, 1, coif_http);
    http->desc = *desc;
    http->port = desc->port;
    pthread_mutex_init(&http->lock, NULL);
    pthread_cond_init(&http->idle, NULL);
    coif_stream_init(&http->events);
    coif_stream_init(&http->frames);
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)desc->port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    coif_broadcast *broadcast = desc->broadcast;
    broadcast->context = http;
    broadcast->event = send_event;
    broadcast->frame_wanted = is_frame_wanted;
    broadcast->has_frame_clients = has_frame_clients;
    broadcast->frame = send_frame;
    broadcast->connected = true;
    http->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, NULL, NULL,
        on_request, http, MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)&address,
        MHD_OPTION_THREAD_POOL_SIZE, (unsigned)THREADS, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)HEADER_SECONDS,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, http, MHD_OPTION_NOTIFY_COMPLETED,
        end_exchange, http, MHD_OPTION_END);
    if (http->daemon == NULL) {
        return coif_fail(error, COIF_ERR_IO, "port %d of 127.0.0.1 cannot be opened: %s",
                         desc->port, strerror(errno));
    }
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (info != NULL) {
        http->port = info->port;
    }
    *opened = http;
    return COIF_OK;
}

int coif_http_port(const coif_http *http)
{
    return http->port;
}

void coif_http_stop_requests(coif_http *http)
{
    pthread_mutex_lock(&http->lock);
    http->closing = true;
    while (http->handling > 0) {
        pthread_cond_wait(&http->idle, &http->lock);
    }
    pthread_mutex_unlock(&http->lock);
}

void coif_http_close(coif_http *http)
{
    coif_http_stop_requests(http);
    coif_stream_close(&http->events);
    coif_stream_close(&http->frames);
    MHD_stop_daemon(http->daemon);
}
