// Hair BSDF parameters that vary per strand (scalp maps) and along the strand (ramps).
//
// Lobes are computed once per groom while its parameters are constant. Only grooms with a map or a
// ramp on such a parameter compute lobes at every hit.
#ifndef COIF_RENDER_SHADING_HAIR_VARYING_PARAMS_H
#define COIF_RENDER_SHADING_HAIR_VARYING_PARAMS_H

#include "render/geometry/bspline_curves.h"
#include "render/shading/hair_params.h"
#include "render/shading/strand_color.h"

typedef struct coif_varying_param {
    uint32_t offset; // of the field in coif_hair_params
    int32_t width;   // number of components
    float low, high;
    const float *values;    // width per strand; NULL: constant
    const coif_value *ramp; // NULL: none
} coif_varying_param;

typedef struct coif_hair_varying_params {
    int32_t count;
    bool ramped; // some parameter has a ramp along the strand
    coif_varying_param *rows;
} coif_hair_varying_params;

// Whether a field of coif_hair_params is a BSDF parameter; the others determine colour.
bool coif_hair_param_is_optical(uint32_t offset);

// The varying parameters of the groom's "hair"; NULL when there are none.
const coif_hair_varying_params *coif_hair_varying_params_of(const coif_node *hair,
                                                            const coif_hair_maps *maps,
                                                            coif_arena *arena);

// Parameters of a strand at a position from root (0) to tip (1), and their lobes.
coif_hair_params coif_hair_varying_params_eval(const coif_hair_varying_params *varying,
                                               const coif_hair_material *material, int32_t strand,
                                               float position);
coif_hair_lobes coif_hair_varying_lobes(const coif_hair_varying_params *varying,
                                        const coif_hair_material *material, int32_t strand,
                                        float position);

// Opacity of all control points of the strands' curves; none where hair is opaque. Hair: the node,
// for its ramp; NULL: none.
void coif_hair_opacity_fill(coif_bspline_curves *curves, const coif_strands *strands,
                            const coif_node *hair, const coif_hair_maps *maps,
                            const coif_hair_params *params, coif_arena *arena);

// Axis ratio of the cross section per strand; NULL: round fibres.
const float *coif_hair_section_ratios(const coif_hair_maps *maps, const coif_hair_params *params,
                                      int32_t strand_count, coif_arena *arena);

// Strand colour with ramps along the strand, such as grey roots or faded dye at the tips. Colours
// are computed once per strand (strand_color.h) while colour parameters are constant or mapped;
// only grooms with a ramp on such a parameter compute colour at every hit.
typedef struct coif_strand_color_ramp {
    const coif_hair_maps *maps; // NULL: none
    int32_t count;
    coif_varying_param *rows; // parameters with a ramp
    const coif_strand_variation *variations;
} coif_strand_color_ramp;

// The colour ramps of the groom's "hair"; NULL when there are none. Maps must outlive it.
const coif_strand_color_ramp *coif_strand_color_ramp_of(const coif_hair_material *material,
                                                        const coif_strand_color_desc *desc,
                                                        coif_arena *arena);

// Absorption per radius of a strand at a position from root (0) to tip (1).
coif_vec3 coif_strand_color_ramp_at(const coif_strand_color_ramp *ramp,
                                    const coif_hair_material *material, int32_t strand,
                                    float position);

#endif
