// growing: a groom on its way from roots to rest strands; what the files of grow share.
#ifndef COIF_SIM_GROOM_GROOM_GENERATE_INTERNAL_H
#define COIF_SIM_GROOM_GROOM_GENERATE_INTERNAL_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "sim/groom/groom_generate.h"
#include "sim/groom/guide_curves.h"
#include "sim/groom/modifiers.h"

// Dimensions of the random words of a strand.
enum { COIF_RANDOM_STRAND = 100, COIF_RANDOM_LENGTH = 101 };

typedef struct coif_generate_ctx {
    const coif_groom_generate_desc *desc;
    coif_groom_params params;
    coif_maps maps;
    coif_scalp_locator scalp; // with a file or guides
    coif_guides guides;       // count 0: none
    const coif_groom *roots;  // whose roots these strands have; NULL: they get their own
    const int32_t *counts;    // per strand: points it is to have; NULL: what modifiers ask for
    bool counting;            // only numbers of points are asked for
    bool thin;                // strands of a file that says nothing of their thickness
    coif_arena *scratch;
    coif_jobs *jobs;
} coif_generate_ctx;

static inline coif_param_ref coif_generate_ctx_param(const coif_generate_ctx *all, const char *name)
{
    const coif_values *values = &all->desc->node->values;
    const coif_value *value = coif_values_find(values, name);
    COIF_ASSERT(value != NULL);
    return (coif_param_ref){all->desc->node, values, (uint32_t)(value - values->values), 0};
}

static inline float coif_generate_ctx_value(const coif_param_values *varying, int32_t strand,
                                            int32_t point)
{
    return varying->per_point != NULL    ? varying->per_point[point]
           : varying->per_strand != NULL ? varying->per_strand[strand]
                                         : varying->constant;
}

// Where the groom is in the scene, for messages.
static inline const char *coif_generate_ctx_param_ref(const coif_generate_ctx *all)
{
    return coif_arena_print(all->scratch, "%s: %s", all->desc->scene->path, all->desc->node->path);
}

// Whether a path is given.
static inline bool coif_generate_ctx_named(const char *path)
{
    return path != NULL && path[0] != '\0';
}

// grow_roots.c: where strands begin, with those of a file as they are, the others without points.
coif_status coif_groom_place_roots(coif_groom *groom, coif_generate_ctx *all, coif_arena *arena,
                                   coif_error *error);

// grow_straight.c: strands along the normal, points evenly spaced.
coif_status coif_grow_straight(coif_strand_buffer *growth, const coif_generate_ctx *all,
                               const coif_generate_services *tools, coif_error *error);
// The radius of every point, as the groom says it.
coif_status coif_groom_set_radii(coif_strand_buffer *growth, const coif_generate_ctx *all,
                                 const coif_generate_services *tools, coif_error *error);

// grow_follow.c: guides of a file, with the regions of the scalp they are on where those are
// painted; then which strands belong together, and what guides make of them.
coif_status coif_groom_load_guides(coif_generate_ctx *all, coif_error *error);
coif_status coif_groom_apply_guides(coif_strand_buffer *growth, coif_generate_ctx *all,
                                    const coif_generate_services *tools, coif_error *error);

// grow_keys.c: frames at which something about the growth of a groom has a key, ascending and at
// most so many of them.
int32_t coif_groom_keyframe_times(double *frames, int32_t most, const coif_node *groom);

#endif
