#include "tools/studio/server/http/sse.h"

#include <microhttpd.h>
#include <stdio.h>
#include <string.h>

void coif_sse_init(coif_sse *events)
{
    pthread_mutex_init(&events->lock, NULL);
}

// Called by the server's thread when the connection can take bytes.
static ssize_t give(void *context, uint64_t place, char *buffer, size_t room)
{
    coif_listener *listener = context;
    coif_sse *events = listener->events;
    (void)place;
    pthread_mutex_lock(&events->lock);
    ssize_t given;
    if (events->closing) {
        given = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (listener->size == 0) {
        listener->asleep = true;
        MHD_suspend_connection(listener->connection);
        given = 0;
    } else {
        const size_t count = listener->size < room ? listener->size : room;
        memcpy(buffer, listener->queue, count);
        memmove(listener->queue, listener->queue + count, listener->size - count);
        listener->size -= count;
        given = (ssize_t)count;
    }
    pthread_mutex_unlock(&events->lock);
    return given;
}

static void forget(void *context)
{
    coif_listener *listener = context;
    pthread_mutex_lock(&listener->events->lock);
    listener->used = false;
    pthread_mutex_unlock(&listener->events->lock);
}

static coif_listener *free_listener(coif_sse *events, struct MHD_Connection *connection)
{
    coif_listener *found = NULL;
    pthread_mutex_lock(&events->lock);
    for (int i = 0; i < COIF_LISTENERS && found == NULL; ++i) {
        if (!events->listeners[i].used) {
            found = &events->listeners[i];
            // A first line at once tells the page that it is connected.
            *found = (coif_listener){.used = true, .connection = connection, .events = events};
            found->size = (size_t)snprintf(found->queue, sizeof found->queue, ": coif\n\n");
        }
    }
    pthread_mutex_unlock(&events->lock);
    return found;
}

// Wakes a listener that has something to hear. The caller holds the lock.
static void wake(coif_listener *listener)
{
    if (listener->asleep) {
        listener->asleep = false;
        MHD_resume_connection(listener->connection);
    }
}

// A page that was closed is only found out when somebody speaks to it.
static void speak_to_all(coif_sse *events)
{
    static const char nothing[] = ":\n\n";
    pthread_mutex_lock(&events->lock);
    for (int i = 0; i < COIF_LISTENERS; ++i) {
        coif_listener *listener = &events->listeners[i];
        if (listener->used && listener->asleep) {
            memcpy(listener->queue + listener->size, nothing, sizeof nothing - 1);
            listener->size += sizeof nothing - 1;
            wake(listener);
        }
    }
    pthread_mutex_unlock(&events->lock);
}

struct MHD_Response *coif_sse_listen(coif_sse *events, struct MHD_Connection *connection)
{
    speak_to_all(events);
    coif_listener *listener = free_listener(events, connection);
    return listener != NULL
               ? MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, give, listener, forget)
               : NULL;
}

void coif_sse_send(coif_sse *events, const char *event, const char *data)
{
    char text[4096];
    const int length = snprintf(text, sizeof text, "event: %s\ndata: %s\n\n", event, data);
    if (length < 0 || (size_t)length >= sizeof text) {
        return;
    }
    pthread_mutex_lock(&events->lock);
    for (int i = 0; i < COIF_LISTENERS; ++i) {
        coif_listener *listener = &events->listeners[i];
        if (!listener->used) {
            continue;
        }
        // Every event tells how things are now, so a full queue is emptied for the newest. The
        // blank lines end what may have been cut off.
        if (listener->size + (size_t)length + 2 > sizeof listener->queue) {
            listener->size = 0;
            listener->queue[listener->size++] = '\n';
            listener->queue[listener->size++] = '\n';
        }
        memcpy(listener->queue + listener->size, text, (size_t)length);
        listener->size += (size_t)length;
        wake(listener);
    }
    pthread_mutex_unlock(&events->lock);
}

void coif_sse_close(coif_sse *events)
{
    pthread_mutex_lock(&events->lock);
    events->closing = true;
    for (int i = 0; i < COIF_LISTENERS; ++i) {
        if (events->listeners[i].used) {
            wake(&events->listeners[i]);
        }
    }
    pthread_mutex_unlock(&events->lock);
}
