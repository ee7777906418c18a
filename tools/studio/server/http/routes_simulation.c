// Routes of strands: rest pose, live simulation, cache playback.
#include "core/hair/child_interpolation.h"
#include "tools/studio/server/http/routes.h"
#include "tools/studio/server/live/strand_colors.h"
#include "tools/studio/server/live/strand_packet.h"

#include <math.h>
#include <string.h>

enum { MAX_STRANDS = 200000, MAX_FRAME = 100000 };

// ?groom=0&limit=2000
typedef struct strand_query {
    int32_t groom, limit;
    int32_t strands; // of the groom where its density is 1
} strand_query;

static strand_query read_query(const coif_request *request)
{
    return (strand_query){.groom = (int32_t)coif_request_number(request, "groom", 0, 0, INT32_MAX),
                          .limit =
                              (int32_t)coif_request_number(request, "limit", 2000, 1, MAX_STRANDS)};
}

// Clamps the limit to the number of strands of the groom.
static coif_status clamp_limit(strand_query *query, coif_studio *studio, coif_error *error)
{
    const coif_node *groom;
    coif_growth_surface surface;
    pthread_mutex_lock(&studio->lock);
    coif_status status = coif_studio_groom(&groom, studio, query->groom, error);
    if (status == COIF_OK) {
        status = coif_studio_growth_surface(&surface, studio, groom, error);
    }
    const int32_t strands = status == COIF_OK ? coif_growth_surface_max_roots(&surface) : 0;
    if (strands > 0 && strands < query->limit) {
        query->limit = strands;
    }
    query->strands = strands > query->limit ? strands : query->limit;
    pthread_mutex_unlock(&studio->lock);
    return status;
}

// The current scene with at most limit growing strands.
static coif_status take_scene(coif_scene *scene, coif_studio *studio, strand_query *query,
                              coif_arena *arena, coif_error *error)
{
    COIF_TRY(clamp_limit(query, studio, error));
    pthread_mutex_lock(&studio->lock);
    const double candidates =
        query->limit * coif_root_preview_ratio(studio->roots, query->groom) + 0.5;
    pthread_mutex_unlock(&studio->lock);
    const coif_overrides overrides = coif_strand_limit_overrides(
        query->groom, (int32_t)fmin(candidates, (double)query->strands), arena);
    return coif_studio_snapshot(scene, NULL, studio, &overrides, arena, error);
}

// Rest shape on the posed body: no strand is simulated, all follow their roots.
static coif_status pose_strands(coif_strands *strands, coif_mesh *posed,
                                const coif_groom_generate_desc *desc, const coif_groom *groom,
                                coif_arena *arena, coif_error *error)
{
    coif_strands none;
    COIF_TRY(coif_body_pose(posed, desc->body, desc->frame, arena, error));
    COIF_TRY(coif_groom_simulated(&none, groom, arena, error));
    return coif_interpolate_children(strands, &none, groom, posed, arena, NULL, error);
}

// ?groom=0&limit=2000: the rest pose; with &frame=12 posed with the body at that frame.
coif_status coif_route_strands(const coif_services *services, const coif_request *request,
                               coif_reply *reply, coif_error *error)
{
    strand_query query = read_query(request);
    const bool pose = coif_request_query(request, "frame") != NULL;
    coif_scene scene;
    COIF_TRY(take_scene(&scene, services->studio, &query, reply->arena, error));
    coif_body *bodies;
    int32_t body_count;
    COIF_TRY(coif_bodies_load(&bodies, &body_count, &scene, reply->arena, error));
    const coif_node *node = &coif_node_at(scene.root, "grooms")->children[query.groom];
    coif_groom_params params;
    coif_node_read(node, 0.0, &params);
    const coif_child_params none = {.simulated_fraction = 0.0f};
    const coif_groom_generate_desc desc = {
        .scene = &scene,
        .node = node,
        .body = coif_bodies_find(bodies, body_count, params.body),
        .children = pose ? &none : NULL,
        .frame = (double)coif_request_number(request, "frame", 0, 0, MAX_FRAME)};
    coif_groom groom;
    COIF_TRY(coif_groom_generate(&groom, &desc, reply->arena, NULL, error));
    coif_strands strands = groom.rest;
    coif_mesh posed;
    if (pose) {
        COIF_TRY(pose_strands(&strands, &posed, &desc, &groom, reply->arena, error));
    }
    const coif_strand_colors_desc color_desc = {.scene = &scene,
                                                .node = node,
                                                .groom = &groom,
                                                .body = desc.body,
                                                .eval_map = services->studio->eval_map,
                                                .frame = (int)desc.frame};
    uint8_t *colors;
    COIF_TRY(coif_strand_colors(&colors, &color_desc, reply->arena, error));
    const coif_strand_packet packet = {.strands = &strands,
                                       .colors = colors,
                                       .limit = query.limit,
                                       .frame = (int)desc.frame,
                                       .body = pose ? &posed : NULL,
                                       .rest = &desc.body->rest,
                                       .parts = COIF_PACKET_ALL};
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    coif_strand_packet_write(&out, &packet);
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

// ?groom=0&frame=12: three floats per vertex of its body; empty in the rest pose.
coif_status coif_route_pose(const coif_services *services, const coif_request *request,
                            coif_reply *reply, coif_error *error)
{
    const coif_studio *studio = services->studio;
    const coif_node *node;
    coif_growth_surface surface;
    COIF_TRY(coif_request_groom(&node, studio, request, error));
    COIF_TRY(coif_studio_growth_surface(&surface, studio, node, error));
    coif_mesh posed;
    const double frame = (double)coif_request_number(request, "frame", 1, 0, MAX_FRAME);
    COIF_TRY(coif_body_pose(&posed, surface.body, frame, reply->arena, error));
    const size_t size = sizeof(coif_vec3) * (size_t)posed.vertex_count;
    const bool moved = memcmp(posed.positions, surface.mesh->positions, size) != 0;
    coif_reply_bytes(reply, (const char *)posed.positions, moved ? size : 0);
    return COIF_OK;
}

// ?action=play, pause, step, reset, stop, record, record_stop or record_cancel; &exact=1: all
// substeps of the scene; &solve_percent=60: percentage of strands that are simulated, the others
// are interpolated; &loop_first=10&loop_last=20: frames that playing repeats.
coif_status coif_route_live(const coif_services *services, const coif_request *request,
                            coif_reply *reply, coif_error *error)
{
    static const char *const actions[] = {"play", "pause",  "step",        "reset",
                                          "stop", "record", "record_stop", "record_cancel"};
    const char *action = coif_request_query(request, "action");
    strand_query query = read_query(request);
    COIF_TRY(clamp_limit(&query, services->studio, error));
    for (size_t i = 0; action != NULL && i < COIF_COUNT_OF(actions); ++i) {
        if (strcmp(action, actions[i]) == 0) {
            const coif_live_sim_command command = {
                .action = (coif_live_sim_action)i,
                .groom = query.groom,
                .strand_limit = query.limit,
                .exact = coif_request_number(request, "exact", 0, 0, 1) > 0,
                .solve_fraction =
                    0.01f * (float)coif_request_number(request, "solve_percent", 100, 1, 100),
                .loop_first = (int32_t)coif_request_number(request, "loop_first", 0, 0, MAX_FRAME),
                .loop_last = (int32_t)coif_request_number(request, "loop_last", 0, 0, MAX_FRAME)};
            coif_live_sim_command_send(services->live, &command);
            coif_reply_json(reply, "{\"done\": true}");
            return COIF_OK;
        }
    }
    return coif_fail(error, COIF_ERR_ARGUMENT,
                     "action=%s: expected play, pause, step, reset, stop, record, record_stop or "
                     "record_cancel",
                     action != NULL ? action : "");
}

// {"translate": [x, y, z], "rotate": [x, y, z]}: metres and degrees.
coif_status coif_route_body_drag(const coif_services *services, const coif_request *request,
                                 coif_reply *reply, coif_error *error)
{
    coif_json *body;
    float translate[3] = {0}, rotate[3] = {0};
    COIF_TRY(coif_request_object(&body, request, "body drag", reply->arena, error));
    COIF_TRY(coif_json_read_floats(translate, 3, body, "translate", 1e6, error));
    COIF_TRY(coif_json_read_floats(rotate, 3, body, "rotate", 1e6, error));
    coif_live_sim_set_body_drag(services->live, translate, rotate);
    coif_reply_json(reply, "{\"done\": true}");
    return COIF_OK;
}

// The current frame; with ?stream=1 all following frames too, with &cpu_rendering=1 for a page that
// renders on the CPU.
coif_status coif_route_live_frame(const coif_services *services, const coif_request *request,
                                  coif_reply *reply, coif_error *error)
{
    (void)error;
    if (coif_request_query(request, "stream") != NULL) {
        reply->stream = true;
        reply->cpu_rendering = coif_request_number(request, "cpu_rendering", 0, 0, 1) > 0;
        return COIF_OK;
    }
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    coif_live_sim_read(&out, services->live);
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

// ?groom=0&frame=12&limit=2000
coif_status coif_route_cache_frame(const coif_services *services, const coif_request *request,
                                   coif_reply *reply, coif_error *error)
{
    const strand_query strands = read_query(request);
    const coif_cache_frame_query query = {
        strands.groom, strands.limit, (int)coif_request_number(request, "frame", 1, 0, MAX_FRAME)};
    coif_strbuf out;
    coif_strbuf_init(&out, reply->arena);
    COIF_TRY(coif_cache_playback_read(&out, services->playback, services->studio, &query, error));
    coif_reply_bytes(reply, out.data, out.size);
    return COIF_OK;
}

coif_status coif_route_cache(const coif_services *services, const coif_request *request,
                             coif_reply *reply, coif_error *error)
{
    const char *json;
    COIF_TRY(coif_cache_playback_list(&json, services->studio, read_query(request).groom,
                                      reply->arena, error));
    coif_reply_json(reply, json);
    return COIF_OK;
}
