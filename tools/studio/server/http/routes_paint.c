// Routes of painting: body mesh, tiles, roots and whole layers. Binary replies are little endian.
#include "tools/studio/server/document/paint_map_create.h"
#include "tools/studio/server/http/routes.h"

#include <stdlib.h>
#include <string.h>

// u32 vertices, triangles, has texture coordinates, 0; then positions (3 floats per vertex),
// indices (3 per triangle), normals (3 floats per corner), texture coordinates (2 per corner), and
// a byte per triangle: 1 on the growth surface of the groom; with ?body=0 of a body, none.
coif_status coif_route_mesh(const coif_services *services, const coif_request *request,
                            coif_reply *reply, coif_error *error)
{
    const coif_studio *studio = services->studio;
    const coif_node *groom;
    coif_growth_surface surface = {.group = INT32_MAX};
    const int64_t body = coif_request_number(request, "body", -1, -1, INT32_MAX);
    if (body >= 0 && body < studio->body_count) {
        surface.mesh = &studio->bodies[body].rest;
    } else {
        COIF_TRY(coif_request_groom(&groom, studio, request, error));
        COIF_TRY(coif_studio_growth_surface(&surface, studio, groom, error));
    }
    const coif_mesh *mesh = surface.mesh;
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    const uint32_t header[4] = {(uint32_t)mesh->vertex_count, (uint32_t)mesh->triangle_count,
                                mesh->uvs != NULL};
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    coif_strbuf_add_bytes(&out, (const char *)header, sizeof header);
    coif_strbuf_add_bytes(&out, (const char *)mesh->positions,
                          sizeof(coif_vec3) * (size_t)mesh->vertex_count);
    coif_strbuf_add_bytes(&out, (const char *)mesh->indices, sizeof(int32_t) * corners);
    coif_strbuf_add_bytes(&out, (const char *)mesh->normals, sizeof(coif_vec3) * corners);
    if (mesh->uvs != NULL) {
        coif_strbuf_add_bytes(&out, (const char *)mesh->uvs, sizeof(coif_vec2) * corners);
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const char grows = coif_growth_surface_contains(&surface, t);
        coif_strbuf_add_bytes(&out, &grows, 1);
    }
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

// ?groom=0&limit=20000: the roots, and how many candidates to send.
static coif_status update_roots(coif_root_preview_state *state, int32_t *count,
                                const coif_services *services, const coif_request *request,
                                coif_error *error)
{
    const int32_t groom = (int32_t)coif_request_number(request, "groom", 0, -1, INT32_MAX);
    COIF_TRY(coif_studio_update_roots(state, services->studio, groom, error));
    const int64_t limit = coif_request_number(request, "limit", 20000, 0, 10000000);
    *count = limit < state->candidates ? (int32_t)limit : state->candidates;
    return COIF_OK;
}

// Id of the selection of candidates that a page displays, 0: the first ones.
static uint32_t selection_of(const coif_request *request)
{
    return (uint32_t)coif_request_number(request, "selection", 0, 0, UINT32_MAX);
}

// Position and normal, 6 floats, of the first candidates; with &selection=ID of a new selection.
coif_status coif_route_candidates(const coif_services *services, const coif_request *request,
                                  coif_reply *reply, coif_error *error)
{
    coif_root_preview_state state;
    int32_t count;
    COIF_TRY(update_roots(&state, &count, services, request, error));
    const uint32_t id = selection_of(request);
    const coif_root_selection *selection =
        id > 0 ? coif_root_preview_select(services->studio->roots, id, count) : NULL;
    count = selection != NULL ? selection->count : count;
    float *out = coif_arena_new(reply->arena, 6 * (int64_t)count + 1, float);
    for (int32_t i = 0; i < count; ++i) {
        const coif_surface_point *point =
            &state.points[selection != NULL ? selection->indices[i] : i];
        memcpy(out + 6 * (int64_t)i, &point->position, 3 * sizeof(float));
        memcpy(out + 6 * (int64_t)i + 3, &point->normal, 3 * sizeof(float));
    }
    coif_reply_bytes(reply, out, 6 * sizeof(float) * (size_t)count);
    return COIF_OK;
}

// u32 growing roots, candidates, evaluated candidates, float area in cm2; then a byte per candidate
// up to the limit, or of the selection: 1 if it grows. None for a selection that was dropped.
coif_status coif_route_roots(const coif_services *services, const coif_request *request,
                             coif_reply *reply, coif_error *error)
{
    coif_root_preview_state state;
    int32_t count;
    COIF_TRY(update_roots(&state, &count, services, request, error));
    const uint32_t header[3] = {(uint32_t)state.count, (uint32_t)state.candidates,
                                (uint32_t)state.evaluated};
    const float area = (float)(1e4 * state.area);
    const uint32_t id = selection_of(request);
    const coif_root_selection *selection = coif_root_preview_selection(services->studio->roots, id);
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    coif_strbuf_add_bytes(&out, (const char *)header, sizeof header);
    coif_strbuf_add_bytes(&out, (const char *)&area, sizeof area);
    if (id == 0) {
        coif_strbuf_add_bytes(&out, (const char *)state.grows, (size_t)count);
    }
    for (int32_t i = 0; selection != NULL && i < selection->count; ++i) {
        coif_strbuf_add_bytes(&out, (const char *)&state.grows[selection->indices[i]], 1);
    }
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

// u32 width and height of the canvas, u64 revision; then the tiles that changed after ?since=.
coif_status coif_route_tiles(const coif_services *services, const coif_request *request,
                             coif_reply *reply, coif_error *error)
{
    coif_paint_map *map;
    COIF_TRY(coif_request_layer(&map, services->studio, request, error));
    const uint64_t since = (uint64_t)coif_request_number(request, "since", 0, 0, INT64_MAX);
    const bool single = map->udim_count == 1;
    const uint32_t size[2] = {
        (uint32_t)(single ? map->width : map->columns * COIF_PAINT_TILE_SIZE),
        (uint32_t)(single ? map->height : map->rows * COIF_PAINT_TILE_SIZE),
    };
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    coif_strbuf_add_bytes(&out, (const char *)size, sizeof size);
    coif_strbuf_add_bytes(&out, (const char *)&map->revision, sizeof map->revision);
    coif_paint_map_pack(map, since, &out);
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

// ?layer=0&size=32: a byte per texel, row by row, of the canvas scaled to a square; of the part of
// it at &left= and &top=, of &width= and &height=, in thousandths.
coif_status coif_route_thumbnail(const coif_services *services, const coif_request *request,
                                 coif_reply *reply, coif_error *error)
{
    coif_paint_map *map;
    COIF_TRY(coif_request_layer(&map, services->studio, request, error));
    const int32_t side = (int32_t)coif_request_number(request, "size", 32, 8, 256);
    const bool single = map->udim_count == 1;
    const double width = single ? map->width : map->columns * COIF_PAINT_TILE_SIZE;
    const double height = single ? map->height : map->rows * COIF_PAINT_TILE_SIZE;
    const int64_t left = coif_request_number(request, "left", 0, 0, 999);
    const int64_t top = coif_request_number(request, "top", 0, 0, 999);
    const int64_t wide = coif_request_number(request, "width", 1000 - left, 1, 1000 - left);
    const int64_t high = coif_request_number(request, "height", 1000 - top, 1, 1000 - top);
    uint8_t *texels = coif_arena_new(reply->arena, side * side, uint8_t);
    coif_tile_texels tile = {.column = -1};
    for (int32_t i = 0; i < side * side; ++i) {
        const double column_at = ((double)(i % side) + 0.5) / side * (double)wide;
        const double row_at = ((double)(i / side) + 0.5) / side * (double)high;
        const int32_t x = (int32_t)(width * ((double)left + column_at) / 1000.0);
        const int32_t y = (int32_t)(height * ((double)top + row_at) / 1000.0);
        const int32_t column = x / COIF_PAINT_TILE_SIZE, row = y / COIF_PAINT_TILE_SIZE;
        if (tile.column != column || tile.row != row) {
            tile.column = column;
            tile.row = row;
            coif_paint_map_read(map, &tile);
        }
        const int32_t inside =
            y % COIF_PAINT_TILE_SIZE * COIF_PAINT_TILE_SIZE + x % COIF_PAINT_TILE_SIZE;
        texels[i] = (uint8_t)(tile.texels[inside] >> 8);
    }
    coif_reply_bytes(reply, texels, (size_t)side * (size_t)side);
    return COIF_OK;
}

// ?layer=0&stroke=ID, with tile records.
coif_status coif_route_paint(const coif_services *services, const coif_request *request,
                             coif_reply *reply, coif_error *error)
{
    coif_paint_map *map;
    COIF_TRY(coif_request_layer(&map, services->studio, request, error));
    const char *stroke = coif_request_query(request, "stroke");
    const coif_bytes tiles = {"tiles", request->body, request->body_size};
    COIF_TRY(coif_studio_paint(services->studio, map, stroke != NULL ? stroke : "", &tiles, error));
    coif_reply_json(reply, coif_arena_print(reply->arena, "{\"revision\": %llu}",
                                            (unsigned long long)map->revision));
    return COIF_OK;
}

// ---- whole layers

static coif_status add_map(const coif_services *services, const coif_new_paint_map *desc,
                           const coif_request *request, coif_reply *reply, coif_error *error)
{
    coif_studio *studio = services->studio;
    COIF_TRY(coif_studio_add_map(studio, desc, error));
    pthread_mutex_lock(&studio->lock);
    const coif_status status = coif_route_state(services, request, reply, error);
    pthread_mutex_unlock(&studio->lock);
    return status;
}

static coif_new_paint_map describe_new(const coif_request *request)
{
    const char *name = coif_request_query(request, "name");
    const char *stroke = coif_request_query(request, "stroke");
    return (coif_new_paint_map){
        .groom = (int32_t)coif_request_number(request, "groom", 0, 0, INT32_MAX),
        .name = name != NULL ? name : "",
        .stroke = stroke != NULL ? stroke : "",
        .size = (int32_t)coif_request_number(request, "side", 1024, COIF_PAINT_MAP_MIN_SIZE,
                                             COIF_PAINT_MAP_MAX_SIZE),
        .value = (uint16_t)coif_request_number(request, "value", 65535, 0, 65535),
    };
}

// ?groom=0&name=length&side=1024&value=65535, or &copy=LAYER.
coif_status coif_route_new_layer(const coif_services *services, const coif_request *request,
                                 coif_reply *reply, coif_error *error)
{
    coif_paint_maps *maps = &services->studio->maps;
    coif_new_paint_map desc = describe_new(request);
    const int64_t copy = coif_request_number(request, "copy", -1, -1, COIF_MAX_PAINT_MAPS);
    // Maps are never removed: one that exists now exists when it is copied.
    pthread_mutex_lock(&services->studio->lock);
    const bool exists =
        copy >= 0 && copy < maps->count && maps->items[copy].read_only_reason == NULL;
    pthread_mutex_unlock(&services->studio->lock);
    if (copy >= 0 && !exists) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "copy=%lld: no such layer", (long long)copy);
    }
    desc.copy = desc.like = exists ? &maps->items[copy] : NULL;
    return add_map(services, &desc, request, reply, error);
}

// ?groom=0&map=1&name=stubble: a layer on top of a map of the scene; &copy=0 of its lowest layer.
coif_status coif_route_new_stack_layer(const coif_services *services, const coif_request *request,
                                       coif_reply *reply, coif_error *error)
{
    coif_studio *studio = services->studio;
    const char *name = coif_request_query(request, "name");
    const char *stroke = coif_request_query(request, "stroke");
    const coif_new_layer desc = {
        .groom = (int32_t)coif_request_number(request, "groom", 0, 0, INT32_MAX),
        .map = (int32_t)coif_request_number(request, "map", -1, -1, INT32_MAX),
        .name = name != NULL ? name : "",
        .stroke = stroke != NULL ? stroke : "",
        .copy = (int32_t)coif_request_number(request, "copy", -1, -1, INT32_MAX)};
    COIF_TRY(coif_studio_add_layer(studio, &desc, error));
    pthread_mutex_lock(&studio->lock);
    const coif_status status = coif_route_state(services, request, reply, error);
    pthread_mutex_unlock(&studio->lock);
    return status;
}

// "1001,1002" -> 1001, 1002; -1 for other text and too many numbers.
static int32_t parse_numbers(int64_t *numbers, int32_t capacity, const char *text)
{
    int32_t count = 0;
    while (text != NULL && *text != '\0') {
        char *end;
        const int64_t number = strtoll(text, &end, 10);
        if (end == text || (*end != ',' && *end != '\0') || count == capacity) {
            return -1;
        }
        numbers[count++] = number;
        text = *end == ',' ? end + 1 : end;
    }
    return count;
}

// Splits the body into parts of the given sizes.
static coif_status split_body(coif_bytes *images, int32_t count, const int64_t *sizes,
                              const coif_request *request, const char *file, coif_error *error)
{
    size_t at = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (sizes[i] < 0 || (uint64_t)sizes[i] > request->body_size - at) {
            return coif_fail(error, COIF_ERR_FORMAT, "sizes: more than the %zu bytes of the body",
                             request->body_size);
        }
        images[i] = (coif_bytes){file, (const char *)request->body + at, (size_t)sizes[i]};
        at += (size_t)sizes[i];
    }
    return at == request->body_size
               ? COIF_OK
               : coif_fail(error, COIF_ERR_FORMAT, "sizes: %zu of the %zu bytes of the body", at,
                           request->body_size);
}

// UDIM numbers and file sizes of an import; count 0: one file.
static coif_status read_udims(int32_t *numbers, int64_t *sizes, int32_t *count,
                              const coif_request *request, coif_error *error)
{
    int64_t udims[COIF_MAX_UDIMS];
    *count = parse_numbers(udims, COIF_MAX_UDIMS, coif_request_query(request, "udims"));
    if (*count < 0 ||
        (*count > 0 &&
         parse_numbers(sizes, COIF_MAX_UDIMS, coif_request_query(request, "sizes")) != *count)) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "udims, sizes: expected lists of as many numbers, at most %d",
                         COIF_MAX_UDIMS);
    }
    for (int32_t i = 0; i < *count; ++i) {
        if (udims[i] < 1001 || udims[i] > 1999 || (i > 0 && udims[i] <= udims[i - 1])) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "udims: expected ascending numbers from 1001 to 1999");
        }
        numbers[i] = (int32_t)udims[i];
    }
    return COIF_OK;
}

// ?groom=0&name=length&file=painted.exr, with the bytes of the file; for UDIM tiles also
// &udims=1001,1002&sizes=8000,9000, ascending, with the bytes of all files.
coif_status coif_route_import_layer(const coif_services *services, const coif_request *request,
                                    coif_reply *reply, coif_error *error)
{
    const char *file = coif_request_query(request, "file");
    int64_t sizes[COIF_MAX_UDIMS] = {(int64_t)request->body_size};
    int32_t numbers[COIF_MAX_UDIMS], count;
    coif_bytes images[COIF_MAX_UDIMS];
    COIF_TRY(read_udims(numbers, sizes, &count, request, error));
    COIF_TRY(split_body(images, count > 0 ? count : 1, sizes, request,
                        file != NULL ? file : "image.png", error));
    coif_new_paint_map desc = describe_new(request);
    desc.images = images;
    desc.image_count = count > 0 ? count : 1;
    desc.numbers = count > 0 ? numbers : NULL;
    return add_map(services, &desc, request, reply, error);
}

static coif_status check_export_format(const char *format, coif_error *error)
{
    static const char *const formats[] = {"png", "exr", "tif"};
    for (size_t i = 0; i < COIF_COUNT_OF(formats); ++i) {
        if (strcmp(format, formats[i]) == 0) {
            return COIF_OK;
        }
    }
    return coif_fail(error, COIF_ERR_ARGUMENT, "format=%s: expected png, exr or tif", format);
}

static coif_status copy_layer(coif_paint_map *copy, coif_studio *studio,
                              const coif_request *request, coif_arena *arena, coif_error *error)
{
    coif_paint_map *map;
    pthread_mutex_lock(&studio->lock);
    const coif_status status = coif_request_layer(&map, studio, request, error);
    if (status == COIF_OK) {
        coif_paint_map_copy(copy, map, arena);
    }
    pthread_mutex_unlock(&studio->lock);
    return status;
}

// ?layer=0&format=png, exr or tif; &udim=1002 for one of several UDIM tiles; &name= of the file,
// else that of the map.
coif_status coif_route_export_layer(const coif_services *services, const coif_request *request,
                                    coif_reply *reply, coif_error *error)
{
    const char *format = coif_request_query(request, "format");
    format = format != NULL ? format : "png";
    COIF_TRY(check_export_format(format, error));
    coif_paint_map map;
    COIF_TRY(copy_layer(&map, services->studio, request, reply->arena, error));
    const int64_t number = coif_request_number(request, "udim", 0, 0, INT32_MAX);
    const coif_udim_tile *udim = NULL;
    for (int32_t i = 0; i < map.udim_count; ++i) {
        udim = map.udims[i].number == number ? &map.udims[i] : udim;
    }
    if (udim == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "udim=%lld: the layer has no such UDIM tile",
                         (long long)number);
    }
    const char *name = coif_path_name(map.path);
    const char *wanted = coif_request_query(request, "name");
    const char *stem = wanted != NULL
                           ? coif_paint_map_file_stem(wanted, reply->arena)
                           : coif_arena_print(reply->arena, "%.*s", (int)strcspn(name, "."), name);
    const char *file = number > 0
                           ? coif_arena_print(reply->arena, "%s.%d.%s", stem, (int)number, format)
                           : coif_arena_print(reply->arena, "%s.%s", stem, format);
    char *data;
    size_t size;
    COIF_TRY(coif_paint_map_encode(&data, &size, &map, udim, file, reply->arena, error));
    coif_reply_bytes(reply, data, size);
    reply->file_name = file;
    return COIF_OK;
}
