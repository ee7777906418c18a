#include "tools/studio/server/live/brush_session.h"

#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "sim/groom/groom_generate.h"
#include "tools/studio/server/live/brush_strands.h"
#include "tools/studio/server/live/strand_colors.h"

#include <string.h>

coif_status coif_brush_session_open(coif_brush_session **session, int threads, coif_arena *arena,
                                    coif_error *error)
{
    *session = coif_arena_new(arena, 1, coif_brush_session);
    pthread_mutex_init(&(*session)->lock, NULL);
    return coif_jobs_open(&(*session)->jobs, threads, arena, error);
}

static void drop(coif_brush_session *session)
{
    coif_brush_session_drop_guides(session);
    if (session->digest != 0) {
        coif_arena_free(&session->arena);
        session->digest = 0;
    }
}

void coif_brush_session_close(coif_brush_session *session)
{
    drop(session);
    if (session->jobs != NULL) {
        coif_jobs_close(session->jobs);
    }
}

// ---- strands without edits

static coif_status take_scene(coif_brush_session *session, coif_scene *scene,
                              coif_revisions *revisions, coif_studio *studio, coif_arena *arena,
                              coif_error *error)
{
    const char *items[1] = {coif_arena_print(arena, "grooms/%d/edits=\"\"", session->groom)};
    return coif_studio_snapshot(scene, revisions, studio, &(coif_overrides){items, 1}, arena,
                                error);
}

static coif_status generate(coif_brush_session *session, coif_studio *studio, coif_error *error)
{
    coif_body *bodies;
    int32_t body_count;
    coif_arena *arena = &session->arena;
    COIF_TRY(coif_bodies_load(&bodies, &body_count, &session->scene, arena, error));
    const coif_node *grooms = coif_node_at(session->scene.root, "grooms");
    if (session->groom >= grooms->child_count) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "groom=%d: the scene has %d grooms",
                         session->groom, grooms->child_count);
    }
    session->node = &grooms->children[session->groom];
    coif_groom_params params;
    coif_node_read(session->node, 0.0, &params);
    session->body = coif_bodies_find(bodies, body_count, params.body);
    if (session->body == NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "groom \"%s\": no body \"%s\"", params.name,
                         params.body);
    }
    coif_collider_build(&session->collider, &session->body->rest, arena);
    const bool exact = params.file != NULL && params.file[0] != '\0' && !params.file_push_out;
    session->brush_body = (coif_brush_body){.collider = &session->collider,
                                            .clearance = exact ? 0.0f : params.clearance};
    if (coif_sdf_build(&session->sdf, &session->body->rest, &session->collider, arena)) {
        session->brush_body.sdf = &session->sdf;
    }
    session->scalp = (coif_scalp_locator){.mesh = NULL};
    session->seed = params.seed;
    const coif_child_params none = {.simulated_fraction = 0.0f};
    const coif_groom_generate_desc desc = {.scene = &session->scene,
                                           .node = session->node,
                                           .body = session->body,
                                           .children = &none,
                                           .max_strands = session->limit,
                                           .body_collider = &session->collider};
    COIF_TRY(coif_groom_generate(&session->base, &desc, arena, session->jobs, error));
    const coif_strand_colors_desc color_desc = {.scene = &session->scene,
                                                .node = session->node,
                                                .groom = &session->base,
                                                .body = session->body,
                                                .eval_map = studio->eval_map,
                                                .jobs = session->jobs};
    COIF_TRY(coif_strand_colors(&session->colors, &color_desc, arena, error));
    const coif_strands *rest = &session->base.rest;
    session->strands = *rest;
    if (rest->strand_count > session->limit) { // of a file
        session->strands.strand_count = session->limit;
        session->strands.point_count = rest->first[session->limit];
    }
    const int32_t count = session->strands.strand_count;
    session->strands.points = coif_arena_new(arena, session->strands.point_count, coif_vec4);
    memcpy(session->strands.points, rest->points,
           sizeof(coif_vec4) * (size_t)session->strands.point_count);
    session->revisions = coif_arena_new(arena, count + COIF_MAX_GUIDES_OF_GROOM, uint64_t);
    session->flags = coif_arena_new(arena, count + COIF_MAX_GUIDES_OF_GROOM, uint8_t);
    session->pending = coif_arena_new(arena, count, uint8_t);
    session->pending_count = session->next = 0;
    session->max_points = 1;
    for (int32_t s = 0; s < count; ++s) {
        const int32_t points = coif_strands_length(&session->strands, s);
        session->max_points = points > session->max_points ? points : session->max_points;
    }
    session->scratch = coif_arena_new(
        arena, 2 * (int64_t)coif_jobs_threads(session->jobs) * session->max_points, coif_vec4);
    coif_brush_session_set_box(session);
    return COIF_OK;
}

// Generates the strands again when what they depend on has changed.
static coif_status update_strands(coif_brush_session *session, coif_studio *studio,
                                  const coif_brush_query *query, coif_error *error)
{
    static const char *const ignored[] = {"camera", "lights", "image", "sim", NULL};
    pthread_mutex_lock(&studio->lock);
    uint64_t maps = coif_hash64("", 0);
    for (int32_t i = 0; i < studio->maps.count; ++i) {
        maps = coif_hash64_extend(maps, &studio->maps.items[i].revision, sizeof(uint64_t));
    }
    const uint64_t text = studio->text_revision;
    pthread_mutex_unlock(&studio->lock);
    const bool same =
        session->digest != 0 && session->groom == query->groom && session->limit == query->limit;
    if (same && session->text_revision == text && session->maps == maps) {
        return COIF_OK;
    }
    session->groom = query->groom;
    session->limit = query->limit;
    coif_arena arena;
    coif_arena_init(&arena, "brush session");
    coif_scene scene;
    coif_revisions revisions;
    coif_status status = take_scene(session, &scene, &revisions, studio, &arena, error);
    if (status != COIF_OK) {
        coif_arena_free(&arena);
        return status;
    }
    const uint64_t digest = coif_node_digest(scene.root, ignored);
    if (same && digest == session->digest && revisions.maps == session->maps) {
        coif_arena_free(&arena); // the change does not concern the strands
        session->text_revision = revisions.text;
        return COIF_OK;
    }
    drop(session);
    coif_arena_move(&session->arena, &arena);
    session->scene = scene;
    session->text_revision = revisions.text;
    session->maps = revisions.maps;
    session->digest = digest != 0 ? digest : 1;
    status = generate(session, studio, error);
    if (status != COIF_OK) {
        drop(session);
    }
    return status;
}

// A client without these strands gets them complete.
static coif_status update(coif_brush_session *session, coif_studio *studio,
                          const coif_brush_query *query, coif_error *error)
{
    COIF_TRY(update_strands(session, studio, query, error));
    return coif_brush_session_follow(session, studio, query->session != session->id, error);
}

coif_status coif_brush_session_read(coif_strbuf *out, coif_brush_session *session,
                                    coif_studio *studio, const coif_brush_query *query,
                                    coif_error *error)
{
    pthread_mutex_lock(&session->lock);
    const coif_status status = update(session, studio, query, error);
    if (status == COIF_OK) {
        coif_brush_session_write(out, session, query->session, query->since);
    }
    pthread_mutex_unlock(&session->lock);
    return status;
}

// ---- strokes

// The first strands of the groom, as many as there are guides; of a file all of them.
static coif_status add_guides(coif_brush_session *session, coif_studio *studio,
                              const coif_brush_request *request, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "guides");
    const coif_child_params none = {.simulated_fraction = 0.0f};
    const coif_groom_generate_desc desc = {.scene = &session->scene,
                                           .node = session->node,
                                           .body = session->body,
                                           .children = &none,
                                           .max_strands = COIF_MAX_EDIT_GUIDES,
                                           .body_collider = &session->collider};
    coif_groom groom;
    COIF_TRY(coif_groom_generate(&groom, &desc, &scratch, session->jobs, error));
    uint32_t tool = 0;
    memcpy(&tool, request->dabs, request->size < sizeof tool ? 0 : sizeof tool);
    if (groom.rest.strand_count == 0 && tool != COIF_BRUSH_DRAW) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "no hair grows here yet: draw guides, or raise the density or the number "
                         "of strands");
    }
    pthread_mutex_lock(&studio->lock);
    const coif_status status =
        coif_studio_add_guides(studio, session->groom, request->stroke, &groom, error);
    pthread_mutex_unlock(&studio->lock);
    return status;
}

static bool has_guides(const coif_brush_session *session, coif_studio *studio)
{
    const coif_node *node;
    pthread_mutex_lock(&studio->lock);
    const bool found = coif_studio_groom(&node, studio, session->groom, NULL) == COIF_OK &&
                       coif_studio_edited_guides(studio, node) != NULL;
    pthread_mutex_unlock(&studio->lock);
    return found;
}

static coif_status brush(coif_brush_session *session, coif_studio *studio,
                         const coif_brush_request *request, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "mask");
    coif_hair_stroke part = {request->dabs, request->size, NULL};
    const coif_node *node;
    COIF_TRY(coif_studio_groom(&node, studio, session->groom, error));
    const coif_edited_guides *edited = coif_studio_edited_guides(studio, node);
    if (request->mask_layer >= studio->maps.count) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "mask_layer=%d: the scene has %d layers",
                         request->mask_layer, studio->maps.count);
    }
    if (request->mask_layer >= 0 && edited != NULL) {
        part.mask = coif_edited_guides_mask(edited, &studio->maps.items[request->mask_layer],
                                            request->mask_texel, &scratch);
    }
    return coif_studio_brush(studio, session->groom, request->stroke, &part, error);
}

static coif_status apply(coif_brush_session *session, coif_studio *studio,
                         const coif_brush_query *query, const coif_brush_request *request,
                         coif_error *error)
{
    COIF_TRY(update_strands(session, studio, query, error));
    if (!has_guides(session, studio)) {
        COIF_TRY(add_guides(session, studio, request, error));
        COIF_TRY(update_strands(session, studio, query, error));
    }
    pthread_mutex_lock(&studio->lock);
    const coif_status status = brush(session, studio, request, error);
    pthread_mutex_unlock(&studio->lock);
    COIF_TRY(status);
    return coif_brush_session_follow(session, studio, query->session != session->id, error);
}

coif_status coif_brush_session_apply(coif_strbuf *out, coif_brush_session *session,
                                     coif_studio *studio, const coif_brush_query *query,
                                     const coif_brush_request *request, coif_error *error)
{
    pthread_mutex_lock(&session->lock);
    const coif_status status = apply(session, studio, query, request, error);
    if (status == COIF_OK) {
        coif_brush_session_write(out, session, query->session, query->since);
    }
    pthread_mutex_unlock(&session->lock);
    return status;
}
