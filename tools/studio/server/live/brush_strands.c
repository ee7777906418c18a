#include "tools/studio/server/live/brush_strands.h"

#include "core/base/bounds.h"
#include "core/base/jobs.h"
#include "tools/studio/server/live/strand_colors.h"

#include <string.h>

enum { BLOCK = 64 };

// Points that are deformed per request: strands are in an order in which each part of them is
// evenly distributed, so a large brush moves some strands everywhere and the rest with the requests
// that follow.
enum { POINTS_PER_REQUEST = 90000 };

void coif_brush_session_drop_guides(coif_brush_session *session)
{
    if (session->source != NULL) {
        coif_arena_free(&session->guides_arena);
        session->source = NULL;
        session->drawn.rest = (coif_strands){.strand_count = 0};
    }
}

static void add_points(coif_bounds *bounds, const coif_strands *strands)
{
    for (int32_t i = 0; i < strands->point_count; ++i) {
        coif_bounds_add(bounds, coif_vec4_xyz(strands->points[i]));
    }
}

void coif_brush_session_set_box(coif_brush_session *session)
{
    coif_bounds bounds = coif_bounds_empty();
    add_points(&bounds, &session->strands);
    add_points(&bounds, &session->drawn.rest);
    if (!(bounds.low.x <= bounds.high.x)) { // no strands
        coif_bounds_add(&bounds, (coif_vec3){0});
    }
    const coif_vec3 size = coif_sub(bounds.high, bounds.low);
    const float margin = 0.25f * coif_length(size) + 0.01f;
    const coif_vec3 out = coif_vec3_of(margin, margin, margin);
    session->box[0] = coif_sub(bounds.low, out);
    session->box[1] = coif_add(bounds.high, out);
    session->outside_box = false;
    ++session->id;
}

// ---- guides

// A guide that was added, or acts now and did not, or the reverse.
static bool is_near_toggled(const coif_brush_session *session, coif_vec3 root, float reach2)
{
    for (int32_t i = 0; i < session->toggled_count; ++i) {
        const int32_t first = session->guides.edited.first[session->toggled[i]];
        const coif_vec3 to = coif_sub(coif_vec4_xyz(session->guides.rest[first]), root);
        if (coif_dot(to, to) <= reach2) {
            return true;
        }
    }
    return false;
}

// Binds strands to other guides; those whose weights have changed are deformed again.
static void bind_block(void *context, int64_t begin, int64_t end, int worker)
{
    coif_brush_session *session = context;
    const coif_groom *base = &session->base;
    (void)worker;
    for (int64_t s = begin; s < end; ++s) {
        const float *normal = base->root_frame + 9 * s + 6;
        const coif_vec3 root = coif_vec4_xyz(base->rest.points[base->rest.first[s]]);
        const bool bound = session->weights[s].reach2 > 0.0f;
        if (bound && !is_near_toggled(session, root, session->weights[s].reach2)) {
            continue;
        }
        coif_guide_weights weights;
        coif_guide_deform_bind(&weights, &session->deform, root,
                               coif_vec3_of(normal[0], normal[1], normal[2]));
        session->pending[s] |= memcmp(&weights, &session->weights[s], sizeof weights) != 0;
        session->weights[s] = weights;
    }
}

static void list_drawn_guides(coif_brush_session *session)
{
    const coif_guide_edits *guides = &session->guides;
    const int32_t all = guides->edited.strand_count;
    session->drawn_guides = coif_arena_new(&session->guides_arena, all, int32_t);
    session->drawn = (coif_groom){.rest = {.strand_count = 0}};
    for (int32_t g = 0; g < all; ++g) {
        if (guides->flags[g] & COIF_GUIDE_ADDED) {
            session->drawn_guides[session->drawn.rest.strand_count++] = g;
        }
    }
}

// Strands of the drawn guides with their colours.
static coif_status make_drawn(coif_brush_session *session, const coif_studio *studio,
                              coif_error *error)
{
    const int32_t count = session->drawn.rest.strand_count;
    coif_arena *arena = &session->guides_arena;
    if (count == 0) {
        return COIF_OK;
    }
    if (session->scalp.mesh == NULL) {
        coif_groom_params params;
        coif_node_read(session->node, 0.0, &params);
        coif_scalp_locator_open(&session->scalp, &session->body->rest, params.group,
                                &session->arena);
    }
    COIF_TRY(coif_guide_strands_groom(&session->drawn, &session->guides, session->drawn_guides,
                                      count, &session->scalp, session->seed, arena, error));
    const coif_strand_colors_desc desc = {.scene = &session->scene,
                                          .node = session->node,
                                          .groom = &session->drawn,
                                          .body = session->body,
                                          .eval_map = studio->eval_map,
                                          .jobs = session->jobs};
    return coif_strand_colors(&session->drawn_colors, &desc, arena, error);
}

// Copies all guides to an arena of the session; the weights stay until the strands are bound to
// them.
static void copy_all(coif_brush_session *session, const coif_edited_guides *source,
                     coif_arena *arena)
{
    const int32_t count = session->strands.strand_count;
    coif_guide_edits_copy(&session->guides, &source->guides, arena);
    coif_guide_weights *weights = coif_arena_new(arena, count, coif_guide_weights);
    if (session->source == source) {
        memcpy(weights, session->weights, sizeof *weights * (size_t)count);
    }
    coif_brush_session_drop_guides(session);
    coif_arena_move(&session->guides_arena, arena);
    session->weights = weights;
    session->source = source;
    coif_guide_deform_init(&session->deform, &session->guides, &session->guides_arena);
    session->changed =
        coif_arena_new(&session->guides_arena, session->guides.edited.strand_count, uint8_t);
    list_drawn_guides(session);
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

// Guides of one of both that do not act in the other; their number.
static int32_t list_toggled(int32_t *toggled, const coif_guide_edits *before,
                            const coif_guide_edits *after)
{
    const int32_t old = before->edited.strand_count;
    int32_t count = 0;
    for (int32_t g = 0; g < after->edited.strand_count; ++g) {
        if (g >= old || coif_guide_acts(before->flags[g]) != coif_guide_acts(after->flags[g])) {
            toggled[count++] = g;
        }
    }
    return count;
}

typedef enum guide_change { UNCHANGED, SHAPES, TOPOLOGY, REMOVED } guide_change;

// Copies the guides that have changed; with the studio's lock.
static guide_change copy_changed(coif_brush_session *session, coif_studio *studio)
{
    const coif_node *node;
    const coif_edited_guides *source =
        coif_studio_groom(&node, studio, session->groom, NULL) == COIF_OK
            ? coif_studio_edited_guides(studio, node)
            : NULL;
    const bool other = session->source != source;
    if (source == NULL) {
        coif_brush_session_drop_guides(session);
        return other ? REMOVED : UNCHANGED;
    }
    const uint64_t since = session->guides_revision;
    if (!other && source->revision == since) {
        return UNCHANGED;
    }
    coif_arena arena;
    coif_arena_init(&arena, "brush guides");
    session->toggled = coif_arena_new(&arena, source->guides.edited.strand_count, int32_t);
    session->toggled_count =
        other ? 0 : list_toggled(session->toggled, &session->guides, &source->guides);
    const bool topology = other || session->toggled_count > 0;
    if (topology) {
        copy_all(session, source, &arena);
    } else {
        coif_arena_free(&arena);
    }
    for (int32_t g = 0; g < source->guides.edited.strand_count; ++g) {
        session->changed[g] = other || source->revisions[g] > since;
        if (session->changed[g] && !topology) {
            copy_guide(session, source, g);
            coif_guide_deform_update(&session->deform, g);
        }
    }
    session->guides_revision = source->revision;
    return topology ? TOPOLOGY : SHAPES;
}

// ---- strands

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

static void find_pending(coif_brush_session *session)
{
    session->pending_count = 0;
    for (int32_t s = 0; s < session->strands.strand_count; ++s) {
        session->pending[s] |= session->source == NULL || follows_changed(session, s);
        session->pending_count += session->pending[s];
    }
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
    if (session->source == NULL || session->weights[s].guide[0] < 0) {
        memcpy(moved, before, sizeof *moved * (size_t)count);
    } else {
        const int32_t nearest = session->weights[s].guide[0];
        flags = session->guides.flags[nearest] & (COIF_GUIDE_DELETED | COIF_GUIDE_PINNED);
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

typedef struct deform_ctx {
    coif_brush_session *session;
    const int32_t *strands;
    uint8_t *outside; // per thread: a point has left the box
} deform_ctx;

static void deform_block(void *context, int64_t begin, int64_t end, int worker)
{
    const deform_ctx *ctx = context;
    coif_brush_session *session = ctx->session;
    for (int64_t i = begin; i < end; ++i) {
        deform_strand(session, ctx->strands[i],
                      session->scratch + 2 * (int64_t)worker * session->max_points,
                      &ctx->outside[worker]);
    }
}

static void deform_pending(coif_brush_session *session, bool all)
{
    COIF_SCOPED_ARENA(scratch, "brush");
    const int32_t count = session->strands.strand_count;
    const int threads = coif_jobs_threads(session->jobs);
    int32_t *strands = coif_arena_new(&scratch, session->pending_count, int32_t);
    int32_t taken = 0, s = session->next < count ? session->next : 0;
    int64_t points = 0;
    for (int32_t i = 0; i < count && (all || points < POINTS_PER_REQUEST); ++i) {
        if (session->pending[s]) {
            session->pending[s] = 0;
            strands[taken++] = s;
            points += coif_strands_length(&session->strands, s);
        }
        s = s + 1 < count ? s + 1 : 0;
    }
    session->next = s;
    session->pending_count -= taken;
    deform_ctx ctx = {session, strands, coif_arena_new(&scratch, threads, uint8_t)};
    coif_parallel_for(session->jobs, taken, BLOCK, deform_block, &ctx);
    for (int i = 0; i < threads; ++i) {
        session->outside_box |= ctx.outside[i] != 0;
    }
}

static void update_drawn(coif_brush_session *session)
{
    for (int32_t i = 0; i < session->drawn.rest.strand_count; ++i) {
        const int32_t guide = session->drawn_guides[i];
        const coif_strands *edited = &session->guides.edited, *rest = &session->drawn.rest;
        const int32_t at = session->strands.strand_count + i;
        const uint8_t flags = session->guides.flags[guide];
        coif_vec4 *points = rest->points + rest->first[i];
        const int32_t count = coif_strands_length(rest, i);
        memcpy(points, edited->points + edited->first[guide], sizeof *points * (size_t)count);
        for (int32_t k = 1; k < count; ++k) {
            points[k] = flags & COIF_GUIDE_DELETED ? points[0] : points[k];
            session->outside_box |= is_outside(session, points[k]);
        }
        if (session->changed[guide]) {
            session->revisions[at] = session->revision;
        }
        session->flags[at] = flags;
    }
}

coif_status coif_brush_session_follow(coif_brush_session *session, coif_studio *studio, bool all,
                                      coif_error *error)
{
    const int32_t drawn = session->drawn.rest.strand_count;
    pthread_mutex_lock(&studio->lock);
    const guide_change change = copy_changed(session, studio);
    pthread_mutex_unlock(&studio->lock);
    if (change == TOPOLOGY) {
        coif_parallel_for(session->jobs, session->strands.strand_count, BLOCK, bind_block, session);
        COIF_TRY(make_drawn(session, studio, error));
    }
    if (change != UNCHANGED || session->pending_count > 0) {
        ++session->revision;
    }
    if (change != UNCHANGED) {
        find_pending(session);
        update_drawn(session);
        session->id += drawn != session->drawn.rest.strand_count; // packets have other strands
    }
    if (session->pending_count > 0) {
        deform_pending(session, all);
    }
    return COIF_OK;
}
