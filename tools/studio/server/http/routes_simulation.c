// Strands at rest, strands that move live, strands of a cache.
#include "core/base/jobs.h"
#include "core/hair/child_interpolation.h"
#include "core/json/json.h"
#include "tools/studio/server/document/growth_surface.h"
#include "tools/studio/server/document/scene_snapshot.h"
#include "tools/studio/server/http/routes.h"
#include "tools/studio/server/live/cache_playback.h"
#include "tools/studio/server/live/live_sim.h"
#include "tools/studio/server/live/strand_colors.h"
#include "tools/studio/server/live/strand_packet.h"

#include <string.h>

enum { MOST_STRANDS = 200000 };

// Which groom, and how many strands of it.
typedef struct asked {
    int32_t groom, limit;
} asked;

static asked asked_of(const coif_request *request)
{
    return (asked){(int32_t)coif_request_number(request, "groom", 0, 0, INT32_MAX),
                   (int32_t)coif_request_number(request, "limit", 2000, 1, MOST_STRANDS)};
}

// Thinning out never makes more strands than the groom has.
static coif_status keep_to_groom(asked *what, coif_studio *studio, coif_error *error)
{
    const coif_node *there;
    coif_growth_surface ground;
    pthread_mutex_lock(&studio->lock);
    coif_status status = coif_studio_groom(&there, studio, what->groom, error);
    if (status == COIF_OK) {
        status = coif_growth_surface_of(&ground, studio, there, error);
    }
    const int32_t most = status == COIF_OK ? coif_growth_surface_roots(&ground) : 0;
    if (most > 0 && most < what->limit) {
        what->limit = most;
    }
    pthread_mutex_unlock(&studio->lock);
    return status;
}

// The scene with fewer strands, as it is now.
static coif_status thin_scene(coif_scene *scene, coif_studio *studio, asked *what,
                              coif_arena *arena, coif_error *error)
{
    COIF_TRY(keep_to_groom(what, studio, error));
    const coif_sets sets = coif_strand_limit_overrides(what->groom, what->limit, arena);
    return coif_studio_snapshot(scene, NULL, studio, &sets, arena, error);
}

// Strands at rest on the body as it stands at a frame: none is simulated, so all go with their
// roots.
static coif_status stand(coif_strands *strands, coif_mesh *posed,
                         const coif_groom_generate_desc *desc, const coif_groom *groom,
                         coif_arena *arena, coif_error *error)
{
    coif_strands none;
    COIF_TRY(coif_body_pose(posed, desc->body, desc->frame, arena, error));
    COIF_TRY(coif_groom_simulated(&none, groom, arena, error));
    return coif_interpolate_children(strands, &none, groom, posed, arena, NULL, error);
}

// ?groom=0&limit=2000, as they grow; with &frame=12 as they and the body stand there.
coif_status coif_route_strands(coif_studio *studio, const coif_request *request, coif_reply *reply,
                               coif_error *error)
{
    asked what = asked_of(request);
    const bool stands = coif_request_query(request, "frame") != NULL;
    coif_scene scene;
    COIF_TRY(thin_scene(&scene, studio, &what, reply->arena, error));
    coif_body *bodies;
    int32_t body_count;
    COIF_TRY(coif_bodies_load(&bodies, &body_count, &scene, reply->arena, error));
    const coif_node *node = &coif_node_at(scene.root, "grooms")->children[what.groom];
    coif_groom_params params;
    coif_node_read(node, 0.0, &params);
    const coif_child_params none = {.simulated_fraction = 0.0f};
    const coif_groom_generate_desc desc = {
        .scene = &scene,
        .node = node,
        .body = coif_bodies_find(bodies, body_count, params.body),
        .children = stands ? &none : NULL,
        .frame = (double)coif_request_number(request, "frame", 0, 0, 100000)};
    coif_groom groom;
    COIF_TRY(coif_groom_generate(&groom, &desc, reply->arena, NULL, error));
    coif_strands strands = groom.rest;
    coif_mesh posed;
    if (stands) {
        COIF_TRY(stand(&strands, &posed, &desc, &groom, reply->arena, error));
    }
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    const coif_strand_colors_desc paint = {.scene = &scene,
                                           .node = node,
                                           .groom = &groom,
                                           .body = desc.body,
                                           .frame = (int)desc.frame};
    uint8_t *colors;
    COIF_TRY(coif_strand_colors(&colors, &paint, reply->arena, error));
    const coif_strands_view view = {.strands = &strands,
                                    .colors = colors,
                                    .limit = what.limit,
                                    .frame = (int)desc.frame,
                                    .body = stands ? &posed : NULL,
                                    .rest = &desc.body->rest,
                                    .parts = COIF_VIEW_ALL};
    coif_strands_pack(&out, &view);
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

// ?groom=0&frame=12: three floats per vertex of its body, nothing when that stands as at rest.
coif_status coif_route_pose(coif_studio *studio, const coif_request *request, coif_reply *reply,
                            coif_error *error)
{
    const coif_node *node;
    COIF_TRY(coif_request_groom(&node, studio, request, error));
    coif_groom_params params;
    coif_node_read(node, 0.0, &params);
    const coif_body *body = coif_bodies_find(studio->bodies, studio->body_count, params.body);
    if (body == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "there is no body \"%s\"", params.body);
    }
    coif_mesh posed;
    const double frame = (double)coif_request_number(request, "frame", 1, 0, 100000);
    COIF_TRY(coif_body_pose(&posed, body, frame, reply->arena, error));
    const size_t size = sizeof(coif_vec3) * (size_t)posed.vertex_count;
    const bool moved = memcmp(posed.positions, body->rest.positions, size) != 0;
    coif_reply_bytes(reply, (const char *)posed.positions, moved ? size : 0);
    return COIF_OK;
}

// ?action=play, pause, step, reset or stop, with &exact=1 in as many substeps as the scene says,
// with &solve_percent=60 only so many of a hundred strands are solved and the others follow.
coif_status coif_route_live(coif_studio *studio, const coif_request *request, coif_reply *reply,
                            coif_error *error)
{
    static const char *const orders[] = {"play", "pause", "step", "reset", "stop"};
    const char *order = coif_request_query(request, "action");
    asked what = asked_of(request);
    COIF_TRY(keep_to_groom(&what, studio, error));
    for (size_t i = 0; order != NULL && i < COIF_COUNT_OF(orders); ++i) {
        if (strcmp(order, orders[i]) == 0) {
            const coif_live_sim_command command = {
                .order = (coif_live_sim_order)i,
                .groom = what.groom,
                .limit = what.limit,
                .exact = coif_request_number(request, "exact", 0, 0, 1) > 0,
                .share = 0.01f * (float)coif_request_number(request, "solve_percent", 100, 1, 100)};
            coif_live_sim_do(studio->motion, &command);
            coif_reply_json(reply, "{\"done\": true}");
            return COIF_OK;
        }
    }
    return coif_fail(error, COIF_ERR_ARGUMENT, "action=%s: play, pause, step, reset or stop",
                     order != NULL ? order : "");
}

static bool read_three(float out[3], const coif_json *object, const char *key)
{
    const coif_json *list = coif_json_find(object, key);
    for (int32_t i = 0; i < 3; ++i) {
        const coif_json *number = list != NULL ? coif_json_element(list, i) : NULL;
        if (number == NULL || number->kind != COIF_JSON_NUMBER) {
            return false;
        }
        out[i] = (float)number->number;
    }
    return true;
}

// {"translate": [x, y, z], "rotate": [x, y, z]}: metres and degrees.
coif_status coif_route_grab(coif_studio *studio, const coif_request *request, coif_reply *reply,
                            coif_error *error)
{
    coif_json *root;
    float translate[3], rotate[3];
    COIF_TRY(coif_json_parse(&root, "body drag", request->body, request->body_size, reply->arena,
                             error));
    if (!read_three(translate, root, "translate") || !read_three(rotate, root, "rotate")) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "body drag: translate and rotate, three numbers each");
    }
    coif_live_sim_grab(studio->motion, translate, rotate);
    coif_reply_json(reply, "{\"done\": true}");
    return COIF_OK;
}

// The newest frame; with ?stream=1 it and whatever comes after it, with &cpu_rendering=1 for a page
// that draws with the processors that solve.
coif_status coif_route_live_strands(coif_studio *studio, const coif_request *request,
                                    coif_reply *reply, coif_error *error)
{
    (void)error;
    if (coif_request_query(request, "stream") != NULL) {
        reply->stream = true;
        reply->thrifty = coif_request_number(request, "cpu_rendering", 0, 0, 1) > 0;
        return COIF_OK;
    }
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    coif_live_sim_read(&out, studio->motion);
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

// ?groom=0&frame=12&limit=2000
coif_status coif_route_cached(coif_studio *studio, const coif_request *request, coif_reply *reply,
                              coif_error *error)
{
    const asked what = asked_of(request);
    const coif_playback_wish wish = {what.groom, what.limit,
                                     (int)coif_request_number(request, "frame", 1, 0, 100000)};
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    COIF_TRY(coif_playback_read(&out, studio, &wish, error));
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

coif_status coif_route_frames(coif_studio *studio, const coif_request *request, coif_reply *reply,
                              coif_error *error)
{
    const char *json;
    COIF_TRY(coif_playback_list(&json, studio, asked_of(request).groom, reply->arena, error));
    coif_reply_json(reply, json);
    return COIF_OK;
}
