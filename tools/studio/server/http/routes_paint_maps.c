// Layers as a whole: made, brought, taken away as files.
#include "tools/studio/server/document/paint_map_io.h"
#include "tools/studio/server/document/paint_maps.h"
#include "tools/studio/server/http/routes.h"

#include <stdlib.h>
#include <string.h>

static coif_status answer(coif_studio *studio, const coif_request *request, coif_reply *reply,
                          coif_error *error)
{
    pthread_mutex_lock(&studio->lock);
    const coif_status status = coif_route_state(studio, request, reply, error);
    pthread_mutex_unlock(&studio->lock);
    return status;
}

// ?groom=0&name=length&side=1024&value=65535, or &copy=LAYER.
coif_status coif_route_new_layer(coif_studio *studio, const coif_request *request,
                                 coif_reply *reply, coif_error *error)
{
    const char *name = coif_request_query(request, "name");
    coif_new_layer desc = {
        .groom = (int32_t)coif_request_number(request, "groom", 0, 0, INT32_MAX),
        .name = name != NULL ? name : "",
        .side =
            (int32_t)coif_request_number(request, "side", 1024, COIF_LAYER_LEAST, COIF_LAYER_MOST),
        .value = (uint16_t)coif_request_number(request, "value", 65535, 0, 65535),
    };
    // Layers never go away: one that was found is still there later.
    const int64_t copy = coif_request_number(request, "copy", -1, -1, COIF_MOST_LAYERS);
    pthread_mutex_lock(&studio->lock);
    const bool there =
        copy >= 0 && copy < studio->layer_count && studio->layers[copy].refusal == NULL;
    pthread_mutex_unlock(&studio->lock);
    if (copy >= 0 && !there) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "copy=%lld: no such layer", (long long)copy);
    }
    desc.copy = there ? &studio->layers[copy] : NULL;
    COIF_TRY(coif_paint_maps_add(studio, &desc, error));
    return answer(studio, request, reply, error);
}

// "1001,1002" -> 1001, 1002; how many there are.
static int32_t read_numbers(int64_t *numbers, int32_t most, const char *text)
{
    int32_t count = 0;
    while (text != NULL && *text != '\0' && count < most) {
        char *end;
        numbers[count++] = strtoll(text, &end, 10);
        text = *end == ',' ? end + 1 : "";
    }
    return count;
}

// The body in pieces of the given sizes; they must be all of it.
static coif_status split(coif_bytes *pictures, int32_t count, const int64_t *sizes,
                         const coif_request *request, const char *file, coif_error *error)
{
    size_t at = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (sizes[i] < 0 || (uint64_t)sizes[i] > request->body_size - at) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "sizes: more than the %zu bytes that came",
                             request->body_size);
        }
        pictures[i] = (coif_bytes){file, (const char *)request->body + at, (size_t)sizes[i]};
        at += (size_t)sizes[i];
    }
    return at == request->body_size
               ? COIF_OK
               : coif_fail(error, COIF_ERR_ARGUMENT, "sizes: %zu bytes of %zu are of no file",
                           request->body_size - at, request->body_size);
}

// ?groom=0&name=length&file=painted.exr, with the file's bytes; for files of several squares also
// &squares=1001,1002&sizes=8000,9000, in rising order, with the bytes of all of them.
coif_status coif_route_import_layer(coif_studio *studio, const coif_request *request,
                                    coif_reply *reply, coif_error *error)
{
    const char *name = coif_request_query(request, "name");
    const char *file = coif_request_query(request, "file");
    file = file != NULL ? file : "picture.png";
    int64_t wanted[COIF_LAYER_SQUARES], sizes[COIF_LAYER_SQUARES] = {(int64_t)request->body_size};
    int32_t numbers[COIF_LAYER_SQUARES];
    const int32_t count =
        read_numbers(wanted, COIF_LAYER_SQUARES, coif_request_query(request, "udims"));
    if (count > 0 &&
        read_numbers(sizes, COIF_LAYER_SQUARES, coif_request_query(request, "sizes")) != count) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "sizes: as many as udims");
    }
    for (int32_t i = 0; i < count; ++i) {
        if (wanted[i] < 1001 || wanted[i] > 1999 || (i > 0 && wanted[i] <= wanted[i - 1])) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "udims: rising from 1001 to 1999");
        }
        numbers[i] = (int32_t)wanted[i];
    }
    coif_bytes pictures[COIF_LAYER_SQUARES];
    COIF_TRY(split(pictures, count > 0 ? count : 1, sizes, request, file, error));
    const coif_new_layer desc = {
        .groom = (int32_t)coif_request_number(request, "groom", 0, 0, INT32_MAX),
        .name = name != NULL ? name : "",
        .pictures = pictures,
        .picture_count = count > 0 ? count : 1,
        .numbers = count > 0 ? numbers : NULL,
    };
    COIF_TRY(coif_paint_maps_add(studio, &desc, error));
    return answer(studio, request, reply, error);
}

// A layer as it is now, in arena.
static coif_status take_layer(coif_paint_map *copy, coif_studio *studio,
                              const coif_request *request, coif_arena *arena, coif_error *error)
{
    pthread_mutex_lock(&studio->lock);
    coif_paint_map *layer;
    const coif_status status = coif_request_layer(&layer, studio, request, error);
    if (status == COIF_OK) {
        coif_paint_map_copy(copy, layer, arena);
    }
    pthread_mutex_unlock(&studio->lock);
    return status;
}

// ?layer=0&format=png, exr or tif; &square=1002 for one of several.
coif_status coif_route_export_layer(coif_studio *studio, const coif_request *request,
                                    coif_reply *reply, coif_error *error)
{
    static const char *const formats[] = {"png", "exr", "tif"};
    const char *format = coif_request_query(request, "format");
    format = format != NULL ? format : "png";
    bool known = false;
    for (size_t i = 0; i < COIF_COUNT_OF(formats); ++i) {
        known = known || strcmp(format, formats[i]) == 0;
    }
    if (!known) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "format=%s: png, exr or tif", format);
    }
    coif_paint_map layer;
    COIF_TRY(take_layer(&layer, studio, request, reply->arena, error));
    const int64_t number = coif_request_number(request, "udim", 0, 0, INT32_MAX);
    const coif_udim_tile *square = NULL;
    for (int32_t i = 0; i < layer.square_count; ++i) {
        square = layer.squares[i].number == number ? &layer.squares[i] : square;
    }
    if (square == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "square=%lld: the layer has none such",
                         (long long)number);
    }
    const char *name = coif_path_name(layer.path);
    const char *stem = coif_arena_print(reply->arena, "%.*s", (int)strcspn(name, "."), name);
    const char *file = number > 0
                           ? coif_arena_print(reply->arena, "%s.%d.%s", stem, (int)number, format)
                           : coif_arena_print(reply->arena, "%s.%s", stem, format);
    char *data;
    size_t size;
    COIF_TRY(coif_paint_map_encode(&data, &size, &layer, square, file, reply->arena, error));
    coif_reply_bytes(reply, data, size);
    reply->file = file;
    return COIF_OK;
}
