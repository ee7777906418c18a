#include "tools/studio/server/http/binary_stream.h"

#include "core/base/log.h"

#include <microhttpd.h>
#include <string.h>

enum { PIECE = 256 * 1024 };

void coif_streams_init(coif_binary_streams *streams)
{
    pthread_mutex_init(&streams->lock, NULL);
}

// Called by the server's thread when the connection can take bytes.
static ssize_t give(void *context, uint64_t place, char *buffer, size_t room)
{
    coif_binary_stream *stream = context;
    (void)place;
    pthread_mutex_lock(&stream->streams->lock);
    ssize_t given = 0;
    if (stream->streams->closing) {
        given = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (stream->given == stream->record.size) {
        stream->asleep = true;
        MHD_suspend_connection(stream->connection);
    } else {
        const size_t left = stream->record.size - stream->given;
        const size_t count = left < room ? left : room;
        memcpy(buffer, stream->record.data + stream->given, count);
        stream->given += count;
        given = (ssize_t)count;
    }
    pthread_mutex_unlock(&stream->streams->lock);
    return given;
}

static void forget(void *context)
{
    coif_binary_stream *stream = context;
    pthread_mutex_lock(&stream->streams->lock);
    coif_arena_free(&stream->arena);
    stream->used = false;
    pthread_mutex_unlock(&stream->streams->lock);
}

static coif_binary_stream *free_stream(coif_binary_streams *streams,
                                       struct MHD_Connection *connection, bool thrifty)
{
    coif_binary_stream *found = NULL;
    pthread_mutex_lock(&streams->lock);
    for (int i = 0; i < COIF_STREAMS && found == NULL && !streams->closing; ++i) {
        if (!streams->all[i].used) {
            found = &streams->all[i];
            *found = (coif_binary_stream){
                .used = true, .thrifty = thrifty, .connection = connection, .streams = streams};
            coif_arena_init(&found->arena, "stream");
            coif_strbuf_init(&found->record, &found->arena);
        }
    }
    pthread_mutex_unlock(&streams->lock);
    return found;
}

struct MHD_Response *coif_streams_listen(coif_binary_streams *streams,
                                         struct MHD_Connection *connection, bool thrifty)
{
    coif_binary_stream *stream = free_stream(streams, connection, thrifty);
    return stream != NULL
               ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, PIECE, give, stream, forget)
               : NULL;
}

// The caller holds the lock.
static bool waits(const coif_binary_stream *stream, double now, double pause)
{
    return stream->used && stream->given == stream->record.size &&
           (!stream->begun || !stream->thrifty || now - stream->last >= pause);
}

bool coif_streams_wait(coif_binary_streams *streams, double pause)
{
    const double now = coif_clock_seconds();
    bool found = false;
    pthread_mutex_lock(&streams->lock);
    for (int i = 0; i < COIF_STREAMS; ++i) {
        found |= waits(&streams->all[i], now, pause);
    }
    pthread_mutex_unlock(&streams->lock);
    return found;
}

// Wakes one that has something to take. The caller holds the lock.
static void wake(coif_binary_stream *stream)
{
    if (stream->asleep) {
        stream->asleep = false;
        MHD_resume_connection(stream->connection);
    }
}

void coif_streams_send(coif_binary_streams *streams, double pause, coif_binary_stream_write *write,
                       void *context)
{
    const double now = coif_clock_seconds();
    pthread_mutex_lock(&streams->lock);
    for (int i = 0; i < COIF_STREAMS; ++i) {
        coif_binary_stream *stream = &streams->all[i];
        if (!waits(stream, now, pause)) {
            continue;
        }
        uint32_t size = 0;
        stream->record.size = 0; // its memory is used again
        coif_strbuf_add_bytes(&stream->record, (const char *)&size, sizeof size);
        write(context, &stream->known, &stream->record);
        size = (uint32_t)(stream->record.size - sizeof size);
        memcpy(stream->record.data, &size, sizeof size);
        stream->given = 0;
        stream->begun = true;
        stream->last = now;
        wake(stream);
    }
    pthread_mutex_unlock(&streams->lock);
}

void coif_streams_close(coif_binary_streams *streams)
{
    pthread_mutex_lock(&streams->lock);
    streams->closing = true;
    for (int i = 0; i < COIF_STREAMS; ++i) {
        if (streams->all[i].used) {
            wake(&streams->all[i]);
        }
    }
    pthread_mutex_unlock(&streams->lock);
}
