// What painting needs: the body's mesh, the tiles of layers, the roots that grow.
//
// Replies are little endian, as every machine that coif runs on is.
#include "tools/studio/server/document/growth_surface.h"
#include "tools/studio/server/document/paint_maps.h"
#include "tools/studio/server/document/root_preview.h"
#include "tools/studio/server/http/routes.h"

#include <string.h>

// u32 vertices, triangles, whether there are texture coordinates, 0; then positions (3 floats per
// vertex), indices (3 per triangle), normals (3 floats per corner), texture coordinates (2 per
// corner), a byte per triangle: 1 where the groom's hair may grow.
coif_status coif_route_mesh(coif_studio *studio, const coif_request *request, coif_reply *reply,
                            coif_error *error)
{
    const coif_node *groom;
    coif_growth_surface ground;
    COIF_TRY(coif_request_groom(&groom, studio, request, error));
    COIF_TRY(coif_growth_surface_of(&ground, studio, groom, error));
    const coif_mesh *mesh = ground.mesh;
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    const uint32_t head[4] = {(uint32_t)mesh->vertex_count, (uint32_t)mesh->triangle_count,
                              mesh->uvs != NULL};
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    coif_strbuf_add_bytes(&out, (const char *)head, sizeof head);
    coif_strbuf_add_bytes(&out, (const char *)mesh->positions,
                          sizeof(coif_vec3) * (size_t)mesh->vertex_count);
    coif_strbuf_add_bytes(&out, (const char *)mesh->indices, sizeof(int32_t) * corners);
    coif_strbuf_add_bytes(&out, (const char *)mesh->normals, sizeof(coif_vec3) * corners);
    if (mesh->uvs != NULL) {
        coif_strbuf_add_bytes(&out, (const char *)mesh->uvs, sizeof(coif_vec2) * corners);
    }
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const char here = coif_growth_surface_has(&ground, t);
        coif_strbuf_add_bytes(&out, &here, 1);
    }
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

static int32_t asked_limit(const coif_request *request, const coif_roots_state *state)
{
    const int64_t limit = coif_request_number(request, "limit", 20000, 0, 10000000);
    return limit < state->candidates ? (int32_t)limit : state->candidates;
}

// Place and normal, 6 floats, of the first candidates.
coif_status coif_route_candidates(coif_studio *studio, const coif_request *request,
                                  coif_reply *reply, coif_error *error)
{
    coif_roots_state state;
    const int32_t groom = (int32_t)coif_request_number(request, "groom", 0, -1, INT32_MAX);
    COIF_TRY(coif_roots_view_update(&state, studio, groom, error));
    const int32_t count = asked_limit(request, &state);
    float *out = coif_arena_new(reply->arena, 6 * (int64_t)count + 1, float);
    for (int32_t i = 0; i < count; ++i) {
        memcpy(out + 6 * (int64_t)i, &state.points[i].position, 3 * sizeof(float));
        memcpy(out + 6 * (int64_t)i + 3, &state.points[i].normal, 3 * sizeof(float));
    }
    coif_reply_bytes(reply, out, 6 * sizeof(float) * (size_t)count);
    return COIF_OK;
}

// u32 roots that grow in all, candidates in all, candidates asked anew, float area in cm2; then a
// byte per candidate up to the limit.
coif_status coif_route_roots(coif_studio *studio, const coif_request *request, coif_reply *reply,
                             coif_error *error)
{
    coif_roots_state state;
    const int32_t groom = (int32_t)coif_request_number(request, "groom", 0, -1, INT32_MAX);
    COIF_TRY(coif_roots_view_update(&state, studio, groom, error));
    const int32_t count = asked_limit(request, &state);
    const uint32_t head[3] = {(uint32_t)state.count, (uint32_t)state.candidates,
                              (uint32_t)state.asked};
    const float area = (float)(1e4 * state.area);
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    coif_strbuf_add_bytes(&out, (const char *)head, sizeof head);
    coif_strbuf_add_bytes(&out, (const char *)&area, sizeof area);
    coif_strbuf_add_bytes(&out, (const char *)state.grows, (size_t)count);
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

// u32 width and height of the sheet, u64 revision; then the tiles that changed after ?since=.
coif_status coif_route_tiles(coif_studio *studio, const coif_request *request, coif_reply *reply,
                             coif_error *error)
{
    coif_paint_map *layer;
    COIF_TRY(coif_request_layer(&layer, studio, request, error));
    const uint64_t since = (uint64_t)coif_request_number(request, "since", 0, 0, INT64_MAX);
    const bool one = layer->square_count == 1;
    const uint32_t size[2] = {
        (uint32_t)(one ? layer->width : layer->columns * COIF_TILE_SIDE),
        (uint32_t)(one ? layer->height : layer->rows * COIF_TILE_SIDE),
    };
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    coif_strbuf_add_bytes(&out, (const char *)size, sizeof size);
    coif_strbuf_add_bytes(&out, (const char *)&layer->revision, sizeof layer->revision);
    coif_paint_map_pack(layer, since, &out);
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

coif_status coif_route_paint(coif_studio *studio, const coif_request *request, coif_reply *reply,
                             coif_error *error)
{
    coif_paint_map *layer;
    COIF_TRY(coif_request_layer(&layer, studio, request, error));
    const char *stroke = coif_request_query(request, "stroke");
    const coif_bytes tiles = {"tiles", request->body, request->body_size};
    COIF_TRY(coif_studio_paint(studio, layer, stroke != NULL ? stroke : "", &tiles, error));
    coif_reply_json(reply, coif_arena_print(reply->arena, "{\"revision\": %llu}",
                                            (unsigned long long)layer->revision));
    return COIF_OK;
}
