#include "tools/studio/server/live/brush_session.h"

#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/collision/collider.h"
#include "sim/groom/groom_generate.h"
#include "sim/groom/guide_deform.h"
#include "tools/studio/server/live/strand_colors.h"
#include "tools/studio/server/live/strand_packet.h"

#include <string.h>

enum { BLOCK = 64 };

static const uint32_t MAGIC = 0x31726263; // "cbr1"

struct coif_brush_session {
    pthread_mutex_t lock; // before that of the studio
    coif_jobs *jobs;
    uint64_t revision; // of the last change of the strands
    uint32_t id;       // of the strands and their box; 0: none
    // What the strands were generated from.
    int32_t groom, limit;
    uint64_t text_revision, maps, digest;
    coif_arena arena; // of everything below
    coif_scene scene; // without edits
    const coif_node *node;
    const coif_body *body;
    coif_collider collider;
    coif_brush_body brush_body;
    coif_groom base;
    uint8_t *colors;
    coif_strands strands; // the current points
    uint64_t *revisions;  // per strand: of its last change
    uint8_t *flags;       // per strand: of its nearest guide
    coif_vec3 box[2];     // of the packets
    bool outside_box;     // some point has left it

    // Copies of the guides of the document; empty without edits.
    const coif_edited_guides *source;
    coif_arena guides_arena;
    coif_guide_edits guides;
    coif_guide_deform deform;
    uint64_t guides_revision;
    coif_guide_weights *weights; // per strand
    uint8_t *changed;            // per guide: since the last update
    coif_vec4 *scratch;          // 2 * max_points per thread
    int32_t max_points;
};

coif_status coif_brush_session_open(coif_brush_session **session, int threads, coif_arena *arena,
                                    coif_error *error)
{
    *session = coif_arena_new(arena, 1, coif_brush_session);
    pthread_mutex_init(&(*session)->lock, NULL);
    return coif_jobs_open(&(*session)->jobs, threads, arena, error);
}

static void drop_guides(coif_brush_session *session)
{
    if (session->source != NULL) {
        coif_arena_free(&session->guides_arena);
        session->source = NULL;
    }
}

static void drop(coif_brush_session *session)
{
    drop_guides(session);
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

static void set_box(coif_brush_session *session)
{
    const coif_strands *strands = &session->strands;
    coif_vec3 low = strands->point_count > 0 ? coif_vec4_xyz(strands->points[0]) : (coif_vec3){0};
    coif_vec3 high = low;
    for (int32_t i = 1; i < strands->point_count; ++i) {
        const coif_vec4 p = strands->points[i];
        low = (coif_vec3){p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y,
                          p.z < low.z ? p.z : low.z};
        high = (coif_vec3){p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y,
                           p.z > high.z ? p.z : high.z};
    }
    const coif_vec3 size = coif_sub(high, low);
    const float margin = 0.25f * coif_length(size) + 0.01f;
    session->box[0] = coif_vec3_of(low.x - margin, low.y - margin, low.z - margin);
    session->box[1] = coif_vec3_of(high.x + margin, high.y + margin, high.z + margin);
    session->outside_box = false;
    ++session->id;
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
    session->brush_body = (coif_brush_body){&session->collider, exact ? 0.0f : params.clearance};
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
    session->revisions = coif_arena_new(arena, count, uint64_t);
    session->flags = coif_arena_new(arena, count, uint8_t);
    session->max_points = 1;
    for (int32_t s = 0; s < count; ++s) {
        const int32_t points = coif_strands_length(&session->strands, s);
        session->max_points = points > session->max_points ? points : session->max_points;
    }
    session->scratch = coif_arena_new(
        arena, 2 * (int64_t)coif_jobs_threads(session->jobs) * session->max_points, coif_vec4);
    set_box(session);
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

// ---- edits

static void bind_strands(coif_brush_session *session)
{
    coif_guide_deform_init(&session->deform, &session->guides, &session->guides_arena);
    const int32_t count = session->strands.strand_count;
    session->weights = coif_arena_new(&session->guides_arena, count, coif_guide_weights);
    session->changed =
        coif_arena_new(&session->guides_arena, session->guides.edited.strand_count, uint8_t);
    for (int32_t s = 0; s < count; ++s) {
        const float *normal = session->base.root_frame + 9 * (int64_t)s + 6;
        coif_guide_deform_bind(
            &session->weights[s], &session->deform,
            coif_vec4_xyz(session->base.rest.points[session->base.rest.first[s]]),
            coif_vec3_of(normal[0], normal[1], normal[2]));
    }
}

static void copy_guide(coif_brush_session *session, const coif_edited_guides *from, int32_t guide)
{
    const coif_guide_edits *source = &from->guides;
    coif_guide_edits *to = &session->guides;
    const int32_t first = source->edited.first[guide];
    const size_t bytes = sizeof(coif_vec4) * (size_t)coif_strands_length(&source->edited, guide);
    memcpy(to->edited.points + first, source->edited.points + first, bytes);
    memcpy(to->rest + first, source->rest + first, bytes);
    to->kept[guide] = source->kept[guide];
    to->flags[guide] = source->flags[guide];
}

// Copies the guides that have changed; with the studio's lock. False: nothing has changed.
static bool copy_changed(coif_brush_session *session, coif_studio *studio)
{
    const coif_node *node;
    const coif_edited_guides *source =
        coif_studio_groom(&node, studio, session->groom, NULL) == COIF_OK
            ? coif_studio_edited_guides(studio, node)
            : NULL;
    if (source != session->source) {
        drop_guides(session);
        if (source != NULL) {
            coif_arena_init(&session->guides_arena, "brush guides");
            coif_guide_edits_copy(&session->guides, &source->guides, &session->guides_arena);
            session->source = source;
            session->guides_revision = source->revision;
            bind_strands(session);
            memset(session->changed, 1, (size_t)session->guides.edited.strand_count);
        }
        return true;
    }
    if (source == NULL || source->revision == session->guides_revision) {
        return false;
    }
    for (int32_t g = 0; g < source->guides.edited.strand_count; ++g) {
        session->changed[g] = source->revisions[g] > session->guides_revision;
        if (session->changed[g]) {
            copy_guide(session, source, g);
            coif_guide_deform_update(&session->deform, g);
        }
    }
    session->guides_revision = source->revision;
    return true;
}

typedef struct deform_ctx {
    coif_brush_session *session;
    uint8_t *outside; // per thread: a point has left the box
} deform_ctx;

static bool follows_changed(const coif_brush_session *session, int32_t strand)
{
    const coif_guide_weights *weights = &session->weights[strand];
    for (int32_t i = 0; i < COIF_NEAREST_GUIDES && weights->guide[i] >= 0; ++i) {
        if (session->changed[weights->guide[i]]) {
            return true;
        }
    }
    return false;
}

static bool is_outside(const coif_brush_session *session, coif_vec4 p)
{
    const coif_vec3 *box = session->box;
    return p.x < box[0].x || p.y < box[0].y || p.z < box[0].z || p.x > box[1].x || p.y > box[1].y ||
           p.z > box[1].z;
}

// Strands and their revisions change only where they differ.
static void deform_strand(coif_brush_session *session, int32_t s, coif_vec4 *moved,
                          uint8_t *outside)
{
    const int32_t first = session->strands.first[s];
    const int32_t count = coif_strands_length(&session->strands, s);
    coif_vec4 *points = session->strands.points + first;
    const coif_vec4 *before = session->base.rest.points + first;
    uint8_t flags = 0;
    if (session->source == NULL) {
        memcpy(moved, before, sizeof *moved * (size_t)count);
    } else {
        flags = session->guides.flags[session->weights[s].guide[0]];
        coif_guide_deform_strand(moved, before, count, &session->deform, &session->weights[s],
                                 &session->brush_body, moved + session->max_points);
    }
    for (int32_t k = 1; k < count; ++k) {
        moved[k] = flags & COIF_GUIDE_DELETED ? moved[0] : moved[k];
        *outside |= is_outside(session, moved[k]);
    }
    if (flags != session->flags[s] || memcmp(points, moved, sizeof *moved * (size_t)count) != 0) {
        memcpy(points, moved, sizeof *moved * (size_t)count);
        session->flags[s] = flags;
        session->revisions[s] = session->revision;
    }
}

static void deform_block(void *context, int64_t begin, int64_t end, int worker)
{
    const deform_ctx *ctx = context;
    coif_brush_session *session = ctx->session;
    for (int32_t s = (int32_t)begin; s < (int32_t)end; ++s) {
        if (session->source == NULL || follows_changed(session, s)) {
            deform_strand(session, s, session->scratch + 2 * (int64_t)worker * session->max_points,
                          &ctx->outside[worker]);
        }
    }
}

static void update_edits(coif_brush_session *session, coif_studio *studio)
{
    pthread_mutex_lock(&studio->lock);
    const bool changed = copy_changed(session, studio);
    session->revision = changed ? studio->revision : session->revision;
    pthread_mutex_unlock(&studio->lock);
    if (!changed) {
        return;
    }
    COIF_SCOPED_ARENA(scratch, "brush");
    const int threads = coif_jobs_threads(session->jobs);
    deform_ctx ctx = {session, coif_arena_new(&scratch, threads, uint8_t)};
    coif_parallel_for(session->jobs, session->strands.strand_count, BLOCK, deform_block, &ctx);
    for (int i = 0; i < threads; ++i) {
        session->outside_box |= ctx.outside[i] != 0;
    }
}

// ---- packets

static void add_flags(coif_strbuf *out, const coif_brush_session *session, const int32_t *indices,
                      int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        coif_strbuf_add_bytes(out, (const char *)&session->flags[indices != NULL ? indices[i] : i],
                              1);
    }
    coif_strbuf_add_bytes(out, "\0\0\0", (size_t)((4 - count % 4) % 4));
}

static void write_packet(coif_strbuf *out, coif_brush_session *session,
                         const coif_brush_query *query)
{
    const uint64_t revision = session->revision;
    if (session->outside_box) {
        set_box(session);
    }
    const bool all = query->session != session->id;
    const int32_t strands = session->strands.strand_count;
    COIF_SCOPED_ARENA(scratch, "packet");
    int32_t *indices = coif_arena_new(&scratch, strands, int32_t);
    int32_t count = 0;
    for (int32_t s = 0; s < strands; ++s) {
        if (all || session->revisions[s] > query->since) {
            indices[count++] = s;
        }
    }
    const uint32_t header[8] = {
        MAGIC,
        session->id,
        (uint32_t)revision,
        (uint32_t)(revision >> 32),
        all,
        (uint32_t)count,
        session->source != NULL ? (uint32_t)session->guides.edited.strand_count : 0,
        0};
    coif_strbuf_add_bytes(out, (const char *)header, sizeof header);
    if (all) {
        add_flags(out, session, NULL, count);
        const coif_strand_packet packet = {.strands = &session->strands,
                                           .colors = session->colors,
                                           .limit = strands,
                                           .box = session->box,
                                           .parts = COIF_PACKET_ALL};
        coif_strand_packet_write(out, &packet);
        return;
    }
    coif_strbuf_add_bytes(out, (const char *)indices, sizeof *indices * (size_t)count);
    add_flags(out, session, indices, count);
    for (int32_t i = 0; i < count; ++i) {
        const coif_strands one = {.strand_count = 1,
                                  .point_count = coif_strands_length(&session->strands, indices[i]),
                                  .points =
                                      session->strands.points + session->strands.first[indices[i]]};
        coif_strand_packet_write_points(out, &one, session->box);
    }
}

static coif_status update(coif_brush_session *session, coif_studio *studio,
                          const coif_brush_query *query, coif_error *error)
{
    COIF_TRY(update_strands(session, studio, query, error));
    update_edits(session, studio);
    return COIF_OK;
}

coif_status coif_brush_session_read(coif_strbuf *out, coif_brush_session *session,
                                    coif_studio *studio, const coif_brush_query *query,
                                    coif_error *error)
{
    pthread_mutex_lock(&session->lock);
    const coif_status status = update(session, studio, query, error);
    if (status == COIF_OK) {
        write_packet(out, session, query);
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
    pthread_mutex_lock(&studio->lock);
    const coif_status status =
        coif_studio_add_guides(studio, session->groom, request->stroke, &groom, error);
    pthread_mutex_unlock(&studio->lock);
    return status;
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
    COIF_TRY(update(session, studio, query, error));
    if (session->source == NULL) {
        COIF_TRY(add_guides(session, studio, request, error));
        COIF_TRY(update(session, studio, query, error));
    }
    pthread_mutex_lock(&studio->lock);
    const coif_status status = brush(session, studio, request, error);
    pthread_mutex_unlock(&studio->lock);
    COIF_TRY(status);
    update_edits(session, studio);
    return COIF_OK;
}

coif_status coif_brush_session_apply(coif_strbuf *out, coif_brush_session *session,
                                     coif_studio *studio, const coif_brush_query *query,
                                     const coif_brush_request *request, coif_error *error)
{
    pthread_mutex_lock(&session->lock);
    const coif_status status = apply(session, studio, query, request, error);
    if (status == COIF_OK) {
        write_packet(out, session, query);
    }
    pthread_mutex_unlock(&session->lock);
    return status;
}
