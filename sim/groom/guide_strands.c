#include "sim/groom/guide_strands.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/rng.h"

#include <string.h>

enum { RANDOM_GUIDE = 102 }; // dimension of the random words

// Roots of drawn guides are on the surface but for rounding, unless the body has changed, m.
static const float ON_SURFACE = 1e-5f;

void coif_groom_set_root(coif_groom *groom, int32_t strand, const coif_mesh *mesh, int32_t triangle,
                         const float *weights)
{
    const coif_surface_point at = coif_mesh_at(mesh, triangle, weights[0], weights[1]);
    const coif_mat3 frame = coif_mesh_frame(mesh, triangle, weights[0], weights[1]);
    groom->root_triangle[strand] = triangle;
    memcpy(groom->root_barycentric + 2 * (int64_t)strand, weights, 2 * sizeof(float));
    memcpy(groom->root_frame + 9 * (int64_t)strand, &frame, 9 * sizeof(float));
    groom->rest.root_uv[2 * (int64_t)strand] = at.uv.x;
    groom->rest.root_uv[2 * (int64_t)strand + 1] = at.uv.y;
}

int32_t *coif_guide_strands_list(int32_t *count, const coif_guide_edits *edits, coif_arena *arena)
{
    int32_t *guides = coif_arena_new(arena, edits->edited.strand_count, int32_t);
    *count = 0;
    for (int32_t g = 0; g < edits->edited.strand_count; ++g) {
        if (coif_guide_is_strand(edits->flags[g])) {
            guides[(*count)++] = g;
        }
    }
    return guides;
}

coif_status coif_guide_strands_groom(coif_groom *groom, const coif_guide_edits *edits,
                                     const int32_t *guides, int32_t count,
                                     const coif_scalp_locator *scalp, int32_t seed,
                                     coif_arena *arena, coif_error *error)
{
    int32_t *lengths = coif_arena_new(arena, count, int32_t);
    for (int32_t s = 0; s < count; ++s) {
        lengths[s] = coif_strands_length(&edits->edited, guides[s]);
    }
    COIF_TRY(coif_groom_init(groom, lengths, count, arena, error));
    for (int32_t s = 0; s < count; ++s) {
        const int32_t g = guides[s];
        coif_vec4 *points = groom->rest.points + groom->rest.first[s];
        memcpy(points, edits->edited.points + edits->edited.first[g],
               sizeof *points * (size_t)lengths[s]);
        coif_scalp_location at;
        if (!coif_scalp_locator_closest(&at, scalp, coif_vec4_xyz(points[0]))) {
            return coif_fail(error, COIF_ERR_SCENE, "drawn guide %d: no surface for its root", g);
        }
        coif_groom_set_root(groom, s, scalp->mesh, at.triangle, at.weights);
        groom->random[s] = coif_random_word((uint64_t)seed, (uint64_t)g, RANDOM_GUIDE);
        if (at.distance > ON_SURFACE) {
            const coif_vec3 root =
                coif_mesh_at(scalp->mesh, at.triangle, at.weights[0], at.weights[1]).position;
            const coif_vec3 offset = coif_sub(root, coif_vec4_xyz(points[0]));
            for (int32_t k = 0; k < lengths[s]; ++k) {
                const coif_vec3 p = coif_add(coif_vec4_xyz(points[k]), offset);
                points[k] = (coif_vec4){p.x, p.y, p.z, points[k].w};
            }
        }
    }
    return COIF_OK;
}

static coif_vec3 root_of(const coif_groom *groom, int32_t strand)
{
    return coif_vec4_xyz(groom->rest.points[groom->rest.first[strand]]);
}

static int32_t nearest_strand(const coif_groom *groom, int32_t count, coif_vec3 root)
{
    int32_t nearest = 0;
    float least = 3e38f;
    for (int32_t s = 0; s < count; ++s) {
        const coif_vec3 to = coif_sub(root_of(groom, s), root);
        const float distance2 = coif_dot(to, to);
        if (distance2 < least) {
            least = distance2;
            nearest = s;
        }
    }
    return nearest;
}

// Attributes that come from the nearest of the first strands.
static void copy_nearest(coif_groom *groom, int32_t count)
{
    coif_strands *rest = &groom->rest;
    if (count == 0 || (groom->region == NULL && rest->colors == NULL)) {
        return;
    }
    for (int32_t s = count; s < rest->strand_count; ++s) {
        const int32_t nearest = nearest_strand(groom, count, root_of(groom, s));
        if (groom->region != NULL) {
            groom->region[s] = groom->region[nearest];
        }
        for (int32_t i = rest->first[s]; rest->colors != NULL && i < rest->first[s + 1]; ++i) {
            rest->colors[i] = rest->colors[rest->first[nearest]];
        }
    }
}

coif_status coif_groom_append(coif_groom *groom, const coif_groom *added, coif_arena *arena,
                              coif_error *error)
{
    const coif_groom from = *groom;
    const int32_t before = from.rest.strand_count, more = added->rest.strand_count;
    const int32_t points = from.rest.point_count;
    COIF_SCOPED_ARENA(scratch, "lengths");
    int32_t *lengths = coif_arena_new(&scratch, before + more, int32_t);
    for (int32_t s = 0; s < before + more; ++s) {
        lengths[s] = s < before ? coif_strands_length(&from.rest, s)
                                : coif_strands_length(&added->rest, s - before);
    }
    COIF_TRY(coif_groom_init(groom, lengths, before + more, arena, error));
    groom->metadata = from.metadata;
    groom->mesh_digest = from.mesh_digest;
    if (from.region != NULL) {
        groom->region = coif_arena_new(arena, before + more, int32_t);
        memcpy(groom->region, from.region, sizeof(int32_t) * (size_t)before);
    }
    if (from.clump != NULL) {
        groom->clump = coif_arena_new(arena, before + more, int32_t);
        memcpy(groom->clump, from.clump, sizeof(int32_t) * (size_t)before);
        memset(groom->clump + before, 0xff, sizeof(int32_t) * (size_t)more); // -1
    }
    if (from.rest.colors != NULL) {
        groom->rest.colors = coif_arena_new(arena, groom->rest.point_count, coif_vec3);
        memcpy(groom->rest.colors, from.rest.colors, sizeof(coif_vec3) * (size_t)points);
    }
    const coif_groom *parts[2] = {&from, added};
    for (int32_t i = 0, s = 0, p = 0; i < 2; ++i) {
        const coif_groom *part = parts[i];
        const size_t strands = (size_t)part->rest.strand_count;
        memcpy(groom->rest.points + p, part->rest.points,
               sizeof(coif_vec4) * (size_t)part->rest.point_count);
        memcpy(groom->rest.root_uv + 2 * s, part->rest.root_uv, 2 * strands * sizeof(float));
        memcpy(groom->root_triangle + s, part->root_triangle, strands * sizeof(int32_t));
        memcpy(groom->root_barycentric + 2 * s, part->root_barycentric,
               2 * strands * sizeof(float));
        memcpy(groom->root_frame + 9 * (int64_t)s, part->root_frame, 9 * strands * sizeof(float));
        memcpy(groom->random + s, part->random, strands * sizeof(uint32_t));
        s += part->rest.strand_count;
        p += part->rest.point_count;
    }
    copy_nearest(groom, before);
    return COIF_OK;
}
