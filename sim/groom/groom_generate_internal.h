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

typedef struct coif_growing {
    const coif_grow_desc *desc;
    coif_groom_params params;
    coif_maps maps;
    coif_scalp scalp;        // with a file or guides
    coif_guides guides;      // count 0: none
    const coif_groom *roots; // whose roots these strands have; NULL: they get their own
    const int32_t *counts;   // per strand: points it is to have; NULL: what modifiers ask for
    bool counting;           // only numbers of points are asked for
    bool thin;               // strands of a file that says nothing of their thickness
    coif_arena *scratch;
    coif_jobs *jobs;
} coif_growing;

static inline coif_row_place coif_growing_row(const coif_growing *all, const char *name)
{
    const coif_values *values = &all->desc->node->values;
    const coif_value *value = coif_values_find(values, name);
    COIF_ASSERT(value != NULL);
    return (coif_row_place){all->desc->node, values, (uint32_t)(value - values->values), 0};
}

static inline float coif_growing_value(const coif_varying *varying, int32_t strand, int32_t point)
{
    return varying->per_point != NULL    ? varying->per_point[point]
           : varying->per_strand != NULL ? varying->per_strand[strand]
                                         : varying->constant;
}

// Where the groom is in the scene, for messages.
static inline const char *coif_growing_place(const coif_growing *all)
{
    return coif_arena_print(all->scratch, "%s: %s", all->desc->scene->path, all->desc->node->path);
}

// Whether a path is given.
static inline bool coif_growing_named(const char *path)
{
    return path != NULL && path[0] != '\0';
}

// grow_roots.c: where strands begin, with those of a file as they are, the others without points.
coif_status coif_grow_roots(coif_groom *groom, coif_growing *all, coif_arena *arena,
                            coif_error *error);

// grow_straight.c: strands along the normal, points evenly spaced.
coif_status coif_grow_straight(coif_growth *growth, const coif_growing *all,
                               const coif_grow_tools *tools, coif_error *error);
// The radius of every point, as the groom says it.
coif_status coif_grow_thicken(coif_growth *growth, const coif_growing *all,
                              const coif_grow_tools *tools, coif_error *error);

// grow_follow.c: guides of a file, with the regions of the scalp they are on where those are
// painted; then which strands belong together, and what guides make of them.
coif_status coif_grow_load_guides(coif_growing *all, coif_error *error);
coif_status coif_grow_follow(coif_growth *growth, coif_growing *all, const coif_grow_tools *tools,
                             coif_error *error);

// grow_keys.c: frames at which something about the growth of a groom has a key, ascending and at
// most so many of them.
int32_t coif_grow_keys(double *frames, int32_t most, const coif_node *groom);

#endif
