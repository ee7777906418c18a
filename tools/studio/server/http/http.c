#include "tools/studio/server/http/http.h"

#include "tools/studio/server/http/request_auth.h"
#include "tools/studio/server/http/sse.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, CONNECTIONS = 96 };

// One request on its way in, and what is answered.
typedef struct incoming {
    bool used;
    coif_arena arena;
    char *body;
    size_t size, room;
    bool too_large;
    struct coif_http *http;
    coif_request request;
    coif_reply reply;
    bool answered;
} incoming;

struct coif_http {
    coif_http_desc desc;
    struct MHD_Daemon *daemon;
    atomic_int port; // requests may come before it is known
    coif_sse events;
    coif_binary_streams streams;
    pthread_mutex_t lock; // of who uses which request, and of what follows
    int busy;             // answers under way
    bool closing;
    pthread_cond_t idle;
    incoming requests[CONNECTIONS];
};

static const char POLICY[] =
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

static enum MHD_Result send_off(struct MHD_Connection *connection, struct MHD_Response *response,
                                int status)
{
    MHD_add_response_header(response, "Content-Security-Policy", POLICY);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    const enum MHD_Result result = MHD_queue_response(connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, int status, const char *why)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(why), (void *)why, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", "application/json");
    return send_off(connection, response, status);
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// What the page itself is made of holds no secret; whatever speaks of the scene needs the token.
static bool is_open(const char *path)
{
    return strcmp(path, "/studio.js") == 0 || strcmp(path, "/studio.css") == 0 ||
           strcmp(path, "/favicon.ico") == 0;
}

// NULL when the request may pass, else what to say; status is set then.
static const char *find_fault(const coif_http *http, struct MHD_Connection *connection,
                              const char *path, int *status)
{
    *status = MHD_HTTP_FORBIDDEN;
    if (!coif_auth_host(header(connection, "Host"), http->port)) {
        return "{\"error\": \"Host: not this studio\"}";
    }
    if (!coif_auth_origin(header(connection, "Origin"), http->port)) {
        return "{\"error\": \"Origin: another page may not speak to this studio\"}";
    }
    const char *token = header(connection, "X-Coif-Token");
    if (token == NULL) {
        token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token");
    }
    if (!is_open(path) && !coif_auth_token(token, http->desc.token)) {
        *status = MHD_HTTP_UNAUTHORIZED;
        return "{\"error\": \"the token is missing or wrong: open the address that coif studio "
               "printed\"}";
    }
    return NULL;
}

static bool announces_too_much(const coif_http *http, struct MHD_Connection *connection)
{
    const char *length = header(connection, "Content-Length");
    return length != NULL && strtoull(length, NULL, 10) > http->desc.largest_body;
}

static incoming *begin_request(coif_http *http)
{
    incoming *found = NULL;
    pthread_mutex_lock(&http->lock);
    for (int i = 0; i < CONNECTIONS && found == NULL; ++i) {
        if (!http->requests[i].used) {
            found = &http->requests[i];
            *found = (incoming){.used = true, .body = ""};
            coif_arena_init(&found->arena, "request");
        }
    }
    pthread_mutex_unlock(&http->lock);
    return found;
}

static void end_request(void *context, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode why)
{
    coif_http *http = context;
    incoming *in = *state;
    (void)connection, (void)why;
    if (in != NULL) {
        coif_arena_free(&in->arena);
        pthread_mutex_lock(&http->lock);
        in->used = false;
        pthread_mutex_unlock(&http->lock);
        *state = NULL;
    }
}

static void gather(incoming *in, const coif_http *http, const char *data, size_t size)
{
    if (in->too_large || in->size + size > http->desc.largest_body) {
        in->too_large = true;
        return;
    }
    if (in->size + size + 1 > in->room) {
        const size_t room = 2 * (in->size + size) + 4096;
        char *body = coif_arena_new(&in->arena, room, char);
        if (in->size > 0) {
            memcpy(body, in->body, in->size);
        }
        in->body = body;
        in->room = room;
    }
    memcpy(in->body + in->size, data, size);
    in->size += size;
}

static enum MHD_Result listen_to(coif_http *http, struct MHD_Connection *connection)
{
    struct MHD_Response *response = coif_sse_listen(&http->events, connection);
    if (response == NULL) {
        return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                      "{\"error\": \"too many pages are open\"}");
    }
    MHD_add_response_header(response, "Content-Type", "text/event-stream");
    return send_off(connection, response, MHD_HTTP_OK);
}

static enum MHD_Result stream_to(coif_http *http, struct MHD_Connection *connection, bool thrifty)
{
    struct MHD_Response *response = coif_streams_listen(&http->streams, connection, thrifty);
    if (response == NULL) {
        return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                      "{\"error\": \"too many pages look on\"}");
    }
    MHD_add_response_header(response, "Content-Type", "application/octet-stream");
    http->desc.stream(http->desc.context);
    return send_off(connection, response, MHD_HTTP_OK);
}

static enum MHD_Result deliver(struct MHD_Connection *connection, incoming *in)
{
    const coif_reply *reply = &in->reply;
    if (reply->stream) {
        return stream_to(in->http, connection, reply->thrifty);
    }
    // The arena lives until the request is completed, which is after the last byte is sent.
    struct MHD_Response *response =
        MHD_create_response_from_buffer(reply->size, (void *)reply->data, MHD_RESPMEM_PERSISTENT);
    MHD_add_response_header(response, "Content-Type", reply->type);
    if (reply->file != NULL) {
        MHD_add_response_header(
            response, "Content-Disposition",
            coif_arena_print(&in->arena, "attachment; filename=\"%s\"", reply->file));
    }
    return send_off(connection, response, reply->status);
}

static void *find_answer(void *context)
{
    incoming *in = context;
    coif_http *http = in->http;
    http->desc.answer(http->desc.context, &in->request, &in->reply);
    in->answered = true;
    MHD_resume_connection(in->request.connection);
    pthread_mutex_lock(&http->lock);
    if (--http->busy == 0) {
        pthread_cond_signal(&http->idle);
    }
    pthread_mutex_unlock(&http->lock);
    return NULL;
}

// On a thread of its own while the connection sleeps: a server's thread has many connections, and
// what takes long must not hold up those that happen to share it.
static enum MHD_Result ask(coif_http *http, struct MHD_Connection *connection, incoming *in)
{
    pthread_mutex_lock(&http->lock);
    const bool closing = http->closing;
    http->busy += !closing;
    pthread_mutex_unlock(&http->lock);
    if (closing) {
        return refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                      "{\"error\": \"the studio is closing\"}");
    }
    MHD_suspend_connection(connection);
    pthread_t thread;
    if (pthread_create(&thread, NULL, find_answer, in) == 0) {
        pthread_detach(thread);
    } else {
        find_answer(in);
    }
    return MHD_YES;
}

static enum MHD_Result answer(coif_http *http, struct MHD_Connection *connection, const char *path,
                              const char *method, incoming *in)
{
    if (strcmp(path, "/api/events") == 0 && strcmp(method, "GET") == 0) {
        return listen_to(http, connection);
    }
    in->http = http;
    in->request =
        (coif_request){coif_arena_copy_text(&in->arena, method),
                       coif_arena_copy_text(&in->arena, path), in->body, in->size, connection};
    in->reply = (coif_reply){.status = 404, .type = "application/json", .arena = &in->arena};
    in->reply.data = "{\"error\": \"there is nothing here\"}";
    in->reply.size = strlen(in->reply.data);
    return ask(http, connection, in);
}

// Called first with the head of a request, then with pieces of its body, then once more, and at
// last when its answer is there.
static enum MHD_Result meet(void *context, struct MHD_Connection *connection, const char *path,
                            const char *method, const char *version, const char *data, size_t *size,
                            void **state)
{
    coif_http *http = context;
    (void)version;
    incoming *in = *state;
    if (in == NULL) {
        int status;
        const char *fault = find_fault(http, connection, path, &status);
        if (fault != NULL) {
            return refuse(connection, status, fault);
        }
        if (announces_too_much(http, connection)) {
            return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE,
                          "{\"error\": \"the body is too large\"}");
        }
        *state = begin_request(http);
        return *state != NULL ? MHD_YES
                              : refuse(connection, MHD_HTTP_SERVICE_UNAVAILABLE,
                                       "{\"error\": \"too many requests at once\"}");
    }
    if (*size > 0) {
        gather(in, http, data, *size);
        *size = 0;
        return MHD_YES;
    }
    if (in->too_large) {
        return refuse(connection, MHD_HTTP_CONTENT_TOO_LARGE,
                      "{\"error\": \"the body is too large\"}");
    }
    return in->answered ? deliver(connection, in) : answer(http, connection, path, method, in);
}

coif_status coif_http_open(coif_http **opened, const coif_http_desc *desc, coif_arena *arena,
                           coif_error *error)
{
    coif_http *http = coif_arena_new(arena, 1, coif_http);
    http->desc = *desc;
    http->port = desc->port;
    pthread_mutex_init(&http->lock, NULL);
    pthread_cond_init(&http->idle, NULL);
    coif_sse_init(&http->events);
    coif_streams_init(&http->streams);
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)desc->port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    // Whoever answers may want to send an event at once.
    *opened = http;
    http->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, NULL, NULL, meet,
        http, MHD_OPTION_SOCK_ADDR, (const struct sockaddr *)&address, MHD_OPTION_THREAD_POOL_SIZE,
        (unsigned)THREADS, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_NOTIFY_COMPLETED, end_request, http, MHD_OPTION_END);
    if (http->daemon == NULL) {
        *opened = NULL;
        return coif_fail(error, COIF_ERR_IO, "port %d of 127.0.0.1 cannot be opened: %s",
                         desc->port, strerror(errno));
    }
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_BIND_PORT);
    if (info != NULL) {
        http->port = info->port;
    }
    return COIF_OK;
}

int coif_http_port(const coif_http *http)
{
    return http->port;
}

void coif_http_refuse(coif_http *http)
{
    pthread_mutex_lock(&http->lock);
    http->closing = true;
    while (http->busy > 0) {
        pthread_cond_wait(&http->idle, &http->lock);
    }
    pthread_mutex_unlock(&http->lock);
}

void coif_http_close(coif_http *http)
{
    coif_http_refuse(http);
    coif_sse_close(&http->events);
    coif_streams_close(&http->streams);
    MHD_stop_daemon(http->daemon);
}

void coif_http_send(coif_http *http, const char *event, const char *data)
{
    coif_sse_send(&http->events, event, data);
}

bool coif_http_waits(coif_http *http, double pause)
{
    return coif_streams_wait(&http->streams, pause);
}

void coif_http_stream(coif_http *http, double pause, coif_binary_stream_write *write, void *context)
{
    coif_streams_send(&http->streams, pause, write, context);
}
