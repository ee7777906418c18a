// http: HTTP server on the loopback address (libmicrohttpd).
//
// Every request is authorised before it is handled: Host and Origin of this server, and the token
// of the start URL. Request bodies have a size limit each and one together.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_HTTP_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_HTTP_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "tools/studio/server/document/broadcast.h"

typedef struct coif_http coif_http;

typedef struct coif_request {
    const char *method; // "GET", "PUT", "POST", "DELETE"
    const char *path;   // decoded, without the query: "/api/scene"
    const char *body;   // followed by a zero byte
    size_t body_size;
    void *connection; // for coif_request_query
} coif_request;

// Value of a query parameter, NULL when absent.
const char *coif_request_query(const coif_request *request, const char *name);

// Integer query parameter clamped to [low, high]; fallback when absent or not an integer.
int64_t coif_request_number(const coif_request *request, const char *name, int64_t fallback,
                            int64_t low, int64_t high);

typedef struct coif_reply {
    int status;       // 200, 404, ...
    const char *type; // Content-Type
    const void *data; // lives as long as arena
    size_t size;
    const char *file_name; // of a download, or NULL
    coif_arena *arena;
    bool stream, cpu_rendering; // instead of data: the stream of live frames
    bool interactive;           // a user waits for it: it is not compressed
} coif_reply;

typedef struct coif_http_desc {
    int port; // 0: any free port
    const char *token;
    size_t (*body_limit)(const char *method, const char *path); // bytes
    size_t upload_limit; // bytes of all request bodies in memory together
    // Called on a thread per request.
    void (*handle)(void *context, const coif_request *request, coif_reply *reply);
    void (*on_stream)(void *context); // a client of live frames has connected
    void *context;
    coif_broadcast *broadcast; // set before the first request: events and live frames
} coif_http_desc;

coif_status coif_http_open(coif_http **http, const coif_http_desc *desc, coif_arena *arena,
                           coif_error *error);
int coif_http_port(const coif_http *http);

// Rejects new requests and waits for those being handled. Events (GET /api/events) and frames
// (replies with `stream`) are still sent until close.
void coif_http_stop_requests(coif_http *http);
void coif_http_close(coif_http *http);

#endif
