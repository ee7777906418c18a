#include "tools/studio/server/http/stream.h"

#include "core/base/log.h"

#include <microhttpd.h>
#include <string.h>

// Sent before the newest event to a client whose older ones were dropped.
static const char MISSED[] = "event: missed\ndata: {}\n\n";

// Unsent bytes of events per client; a single event may be larger.
enum { BACKLOG = 64 * 1024 };

void coif_stream_init(coif_stream *stream)
{
    pthread_mutex_init(&stream->lock, NULL);
}

// MHD callback: the connection can accept bytes.
static ssize_t send_bytes(void *context, uint64_t position, char *buffer, size_t capacity)
{
    coif_stream_client *client = context;
    (void)position;
    pthread_mutex_lock(&client->stream->lock);
    const size_t unsent = client->queue.size - client->sent;
    ssize_t result = 0;
    if (client->stream->closing) {
        result = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (unsent == 0) {
        client->suspended = true;
        MHD_suspend_connection(client->connection);
    } else {
        const size_t count = unsent < capacity ? unsent : capacity;
        memcpy(buffer, client->queue.data + client->sent, count);
        client->sent += count;
        result = (ssize_t)count;
    }
    pthread_mutex_unlock(&client->stream->lock);
    return result;
}

// MHD callback: the connection is closed.
static void remove_client(void *context)
{
    coif_stream_client *client = context;
    pthread_mutex_lock(&client->stream->lock);
    coif_arena_free(&client->arena);
    client->used = false;
    pthread_mutex_unlock(&client->stream->lock);
}

static coif_stream_client *add_client(coif_stream *stream, struct MHD_Connection *connection,
                                      const coif_stream_desc *desc)
{
    coif_stream_client *found = NULL;
    pthread_mutex_lock(&stream->lock);
    for (int i = 0; i < COIF_STREAM_CLIENTS && found == NULL && !stream->closing; ++i) {
        if (!stream->clients[i].used) {
            found = &stream->clients[i];
            *found = (coif_stream_client){.used = true,
                                          .connection = connection,
                                          .stream = stream,
                                          .cpu_rendering = desc->cpu_rendering};
            coif_arena_init(&found->arena, "stream");
            coif_strbuf_init(&found->queue, &found->arena);
            coif_strbuf_add(&found->queue, desc->greeting);
        }
    }
    pthread_mutex_unlock(&stream->lock);
    return found;
}

struct MHD_Response *coif_stream_open(coif_stream *stream, struct MHD_Connection *connection,
                                      const coif_stream_desc *desc)
{
    coif_stream_client *client = add_client(stream, connection, desc);
    return client != NULL ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, desc->block_size,
                                                              send_bytes, client, remove_client)
                          : NULL;
}

// The caller holds the lock.
static void resume(coif_stream_client *client)
{
    if (client->suspended) {
        client->suspended = false;
        MHD_resume_connection(client->connection);
    }
}

// End of the event that is partly sent: an event ends with an empty line.
static size_t end_of_sent_event(const coif_strbuf *queue, size_t sent)
{
    size_t end = sent;
    while (end > 0 && end < queue->size &&
           !(end >= 2 && queue->data[end - 1] == '\n' && queue->data[end - 2] == '\n')) {
        ++end;
    }
    return end;
}

static void queue_event(coif_stream_client *client, const char *text, size_t size)
{
    coif_strbuf *queue = &client->queue;
    if (client->sent == queue->size && queue->capacity > BACKLOG) {
        coif_arena_free(&client->arena);
        coif_arena_init(&client->arena, "stream");
        coif_strbuf_init(queue, &client->arena);
        client->sent = 0;
    }
    const size_t queued = queue->size;
    if (queued - client->sent + size > BACKLOG) {
        queue->size = end_of_sent_event(queue, client->sent);
    }
    const bool missed = queue->size < queued;
    // The last two sent bytes say whether an event is partly sent.
    if (client->sent > 2) {
        const size_t dropped = client->sent - 2;
        memmove(queue->data, queue->data + dropped, queue->size - dropped);
        queue->size -= dropped;
        client->sent = 2;
    }
    coif_strbuf_add(queue, missed ? MISSED : "");
    coif_strbuf_add_bytes(queue, text, size);
    resume(client);
}

void coif_stream_event(coif_stream *stream, const char *name, const char *json)
{
    COIF_SCOPED_ARENA(scratch, "event");
    const char *text = coif_arena_print(&scratch, "event: %s\ndata: %s\n\n", name, json);
    const size_t size = strlen(text);
    pthread_mutex_lock(&stream->lock);
    for (int i = 0; i < COIF_STREAM_CLIENTS; ++i) {
        if (stream->clients[i].used) {
            queue_event(&stream->clients[i], text, size);
        }
    }
    pthread_mutex_unlock(&stream->lock);
}

void coif_stream_ping(coif_stream *stream)
{
    static const char comment[] = ":\n\n";
    pthread_mutex_lock(&stream->lock);
    for (int i = 0; i < COIF_STREAM_CLIENTS; ++i) {
        coif_stream_client *client = &stream->clients[i];
        if (client->used && client->suspended) {
            queue_event(client, comment, sizeof comment - 1);
        }
    }
    pthread_mutex_unlock(&stream->lock);
}

// The caller holds the lock.
static bool can_receive(const coif_stream_client *client, double now, double pause)
{
    return client->used && client->sent == client->queue.size &&
           (!client->has_frame || !client->cpu_rendering || now - client->last_frame >= pause);
}

bool coif_stream_has_clients(coif_stream *stream)
{
    bool found = false;
    pthread_mutex_lock(&stream->lock);
    for (int i = 0; i < COIF_STREAM_CLIENTS; ++i) {
        found |= stream->clients[i].used;
    }
    pthread_mutex_unlock(&stream->lock);
    return found;
}

bool coif_stream_frame_wanted(coif_stream *stream, double pause)
{
    const double now = coif_clock_seconds();
    bool wanted = false;
    pthread_mutex_lock(&stream->lock);
    for (int i = 0; i < COIF_STREAM_CLIENTS; ++i) {
        wanted |= can_receive(&stream->clients[i], now, pause);
    }
    pthread_mutex_unlock(&stream->lock);
    return wanted;
}

void coif_stream_frame(coif_stream *stream, double pause, coif_packet_writer *write, void *context)
{
    const double now = coif_clock_seconds();
    pthread_mutex_lock(&stream->lock);
    for (int i = 0; i < COIF_STREAM_CLIENTS; ++i) {
        coif_stream_client *client = &stream->clients[i];
        if (!can_receive(client, now, pause)) {
            continue;
        }
        uint32_t size = 0;
        client->queue.size = client->sent = 0; // the memory is reused
        coif_strbuf_add_bytes(&client->queue, (const char *)&size, sizeof size);
        write(context, &client->versions, &client->queue);
        size = (uint32_t)(client->queue.size - sizeof size);
        memcpy(client->queue.data, &size, sizeof size);
        client->has_frame = true;
        client->last_frame = now;
        resume(client);
    }
    pthread_mutex_unlock(&stream->lock);
}

void coif_stream_close(coif_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    stream->closing = true;
    for (int i = 0; i < COIF_STREAM_CLIENTS; ++i) {
        if (stream->clients[i].used) {
            resume(&stream->clients[i]);
        }
    }
    pthread_mutex_unlock(&stream->lock);
}
