// groom_generate_internal: context shared by the stages of groom generation.
#ifndef COIF_SIM_GROOM_GROOM_GENERATE_INTERNAL_H
#define COIF_SIM_GROOM_GROOM_GENERATE_INTERNAL_H

#include "core/base/arena.h"
#include "core/base/error.h"
#include "sim/groom/groom_params.h"
#include "sim/groom/guide_curves.h"
#include "sim/groom/guide_deform.h"
#include "sim/groom/modifiers.h"

// Dimensions of the random words of a strand.
enum { COIF_RANDOM_STRAND = 100, COIF_RANDOM_LENGTH = 101 };

typedef struct coif_generate_ctx {
    const coif_groom_generate_desc *desc;
    coif_groom_params params;
    coif_maps maps;
    coif_scalp_locator scalp; // only with a file, guides or drawn strands
    coif_guides guides;       // count 0: none
    coif_guide_deform *edits; // NULL: none
    const int32_t *drawn;     // guides of the edits that are strands of the groom, after all others
    int32_t drawn_count;
    const coif_groom *roots; // roots are copied from this groom; NULL: scattered
    const int32_t *counts;   // points per strand; NULL: the number that modifiers need
    bool count_only;         // only point counts are needed
    bool needs_radius;       // strands come from a file without radii
    coif_arena *scratch;
    coif_jobs *jobs;
} coif_generate_ctx;

static inline coif_param_ref coif_generate_ctx_param(const coif_generate_ctx *ctx, const char *name)
{
    const coif_values *values = &ctx->desc->node->values;
    const coif_value *value = coif_values_find(values, name);
    COIF_ASSERT(value != NULL);
    return (coif_param_ref){ctx->desc->node, values, (uint32_t)(value - values->values), 0};
}

// Values of a parameter of the groom, which is constant where it has neither map nor ramp.
static inline coif_status coif_generate_ctx_eval(coif_param_values *values,
                                                 const coif_generate_ctx *ctx, const char *name,
                                                 float constant, const coif_strand_buffer *buffer,
                                                 const coif_generate_services *services,
                                                 coif_error *error)
{
    const coif_param_ref param = coif_generate_ctx_param(ctx, name);
    *values = (coif_param_values){.constant = constant};
    return coif_param_values_eval(values, &param, buffer, services, error);
}

// Path of the groom in the scene, for messages.
static inline const char *coif_generate_ctx_path(const coif_generate_ctx *ctx)
{
    return coif_arena_print(ctx->scratch, "%s: %s", ctx->desc->scene->path, ctx->desc->node->path);
}

// Whether a path parameter is set.
static inline bool coif_is_set(const char *path)
{
    return path != NULL && path[0] != '\0';
}

// root_sources.c: roots of the strands, scattered or from a file (then with points).
coif_status coif_groom_place_roots(coif_groom *groom, coif_generate_ctx *ctx, coif_arena *arena,
                                   coif_error *error);

// Import of the strand file of the groom, or of its guides.
coif_hair_import coif_generate_ctx_import(const coif_generate_ctx *ctx, bool guides);

// grow_strands.c: loads guide curves and assigns regions to them.
coif_status coif_groom_load_guides(coif_generate_ctx *ctx, coif_error *error);

// Straight strands along the normal with evenly spaced points; their radii alone; strands that are
// interpolated from guides, with regions.
coif_status coif_grow_straight(coif_strand_buffer *buffer, const coif_generate_ctx *ctx,
                               const coif_generate_services *services, coif_error *error);
coif_status coif_groom_set_radii(coif_strand_buffer *buffer, const coif_generate_ctx *ctx,
                                 const coif_generate_services *services, coif_error *error);
coif_status coif_groom_apply_guides(coif_strand_buffer *buffer, const coif_generate_ctx *ctx,
                                    const coif_generate_services *services, coif_error *error);

#endif
