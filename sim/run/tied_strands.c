#include "sim/run/tied_strands.h"

#include "core/base/arena.h"
#include "sim/run/constraint_params.h"

#include <math.h>
#include <string.h>

// A strand counts as tied when it crosses the plane of the ring within this many radii.
static const float REACH = 2.0f;

typedef struct ring_plane {
    coif_vec3 centre, axis;
    float radius; // m; 0: of the strands at rest
} ring_plane;

static bool read_ring(ring_plane *ring, const coif_node *node, double frame)
{
    coif_constraint_params params;
    coif_node_read(node, frame, &params);
    const float *p = params.position, *a = params.axis;
    *ring = (ring_plane){.centre = coif_vec3_of(p[0], p[1], p[2]),
                         .axis = coif_normalize(coif_vec3_of(a[0], a[1], a[2])),
                         .radius = params.radius};
    return params.type == COIF_CONSTRAINT_TIE && params.enabled &&
           params.target != COIF_CONSTRAINT_FREE;
}

// Fraction of the length of a strand at its crossing of the plane nearest to the centre, and the
// distance there; 0: none.
static float crossing_of(const coif_strands *rest, int32_t strand, const ring_plane *ring,
                         float *nearest)
{
    float length = 0.0f, at = 0.0f;
    *nearest = ring->radius > 0.0f ? REACH * ring->radius : INFINITY;
    for (int32_t i = rest->first[strand]; i + 1 < rest->first[strand + 1]; ++i) {
        const coif_vec3 a = coif_sub(coif_vec4_xyz(rest->points[i]), ring->centre);
        const coif_vec3 b = coif_sub(coif_vec4_xyz(rest->points[i + 1]), ring->centre);
        const float before = coif_dot(a, ring->axis), after = coif_dot(b, ring->axis);
        const float segment = coif_length(coif_sub(b, a));
        if ((before < 0.0f) != (after < 0.0f)) {
            const float t = before / (before - after);
            const float distance = coif_length(coif_lerp(a, b, t));
            if (distance < *nearest) {
                *nearest = distance;
                at = length + t * segment;
            }
        }
        length += segment;
    }
    return at < length ? at / length : 0.0f;
}

static void find_tied(coif_groom *groom, ring_plane *ring)
{
    float largest = 0.0f;
    for (int32_t s = 0; s < groom->rest.strand_count; ++s) {
        float distance;
        const float fraction = crossing_of(&groom->rest, s, ring, &distance);
        if (groom->tie_fraction[s] == 0.0f && fraction > 0.0f) {
            groom->tie_fraction[s] = fraction;
            largest = fmaxf(largest, distance);
        }
    }
    ring->radius = ring->radius > 0.0f ? ring->radius : largest;
}

void coif_groom_find_ties(coif_groom *groom, const coif_node *node, double frame, coif_arena *arena)
{
    const coif_node *list = coif_node_find(node, COIF_CONSTRAINTS_SECTION.name);
    for (int32_t c = 0; list != NULL && c < list->child_count; ++c) {
        ring_plane ring;
        if (!read_ring(&ring, &list->children[c], frame) ||
            groom->tie_count >= groom->rest.strand_count) {
            continue;
        }
        if (groom->ties == NULL) {
            groom->ties = coif_arena_new(arena, COIF_TIE_FLOATS * list->child_count, float);
            groom->tie_fraction = coif_arena_new(arena, groom->rest.strand_count, float);
        }
        find_tied(groom, &ring);
        const float values[COIF_TIE_FLOATS] = {ring.centre.x, ring.centre.y, ring.centre.z,
                                               ring.axis.x,   ring.axis.y,   ring.axis.z,
                                               ring.radius};
        memcpy(groom->ties + COIF_TIE_FLOATS * groom->tie_count++, values, sizeof values);
    }
}
