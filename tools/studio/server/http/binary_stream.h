// streams: answers that go on for as long as somebody listens, one record after the other, each
// behind its size (u32). Whoever has not taken a record yet is not offered the next one, so that
// what arrives is never old.
#ifndef COIF_TOOLS_STUDIO_SERVER_HTTP_BINARY_STREAM_H
#define COIF_TOOLS_STUDIO_SERVER_HTTP_BINARY_STREAM_H

#include "core/base/arena.h"
#include "core/base/strbuf.h"

#include <pthread.h>

struct MHD_Connection;
struct MHD_Response;

enum { COIF_STREAMS = 8 };

// Which version of what changes seldom a listener has, 0 for none: for whoever writes records.
typedef struct coif_binary_stream_known {
    uint64_t colors, body;
} coif_binary_stream_known;

typedef struct coif_binary_stream {
    bool used, asleep, begun;
    bool thrifty; // takes fewer records when time is short
    struct MHD_Connection *connection;
    struct coif_binary_streams *streams;
    coif_arena arena;
    coif_strbuf record; // on its way
    size_t given;
    double last; // when a record was given
    coif_binary_stream_known known;
} coif_binary_stream;

typedef struct coif_binary_streams {
    pthread_mutex_t lock;
    bool closing;
    coif_binary_stream all[COIF_STREAMS];
} coif_binary_streams;

void coif_streams_init(coif_binary_streams *streams);

// The answer to one who listens; NULL when there are too many.
struct MHD_Response *coif_streams_listen(coif_binary_streams *streams,
                                         struct MHD_Connection *connection, bool thrifty);

// Whether anybody would take a record now; thrifty ones only so many seconds after the last.
bool coif_streams_wait(coif_binary_streams *streams, double pause);

typedef void coif_binary_stream_write(void *context, coif_binary_stream_known *known,
                                      coif_strbuf *out);

// A record for everybody who would take one.
void coif_streams_send(coif_binary_streams *streams, double pause, coif_binary_stream_write *write,
                       void *context);

void coif_streams_close(coif_binary_streams *streams);

#endif
