// hairball: hair on a ball, lit and ready for rays: what the renderer is measured on.
//
// Strands leave the upper half of a unit ball along its normal, droop, and are kept out of it.
// Three settings; the same numbers are in tests/bench/cycles_hair.py, which hands them to Blender.
#ifndef COIF_RENDER_BENCH_HAIRBALL_SCENE_H
#define COIF_RENDER_BENCH_HAIRBALL_SCENE_H

#include "render/scene/render_scene.h"

typedef enum coif_hairball_kind {
    COIF_HAIRBALL_DARK = 0,  // dark curls under a square lamp and a grey sky: the reference
    COIF_HAIRBALL_BLOND = 1, // blond waves, the lamp behind them
    COIF_HAIRBALL_FUR = 2    // short white fur under a sky with a sun, given as a picture
} coif_hairball_kind;

extern const char *const COIF_HAIRBALL_NAMES[]; // NULL-terminated

typedef struct coif_hairball_desc {
    coif_hairball_kind kind;
    int32_t strands, points;
    coif_curve_kind curves;
    bool compact;
    int32_t steps;     // above 1: strands move sideways by a few radii while the shutter is open
    int32_t size;      // of the picture, pixels
    int32_t max_depth; // scatterings per path; 0 for as many as it takes
    int threads;
} coif_hairball_desc;

typedef struct coif_hairball {
    coif_bspline_curves curves;
    coif_strands kept; // offsets only
    coif_hair_material fibre;
    coif_mesh scalp;
    coif_surface_material look;
    coif_geometry geometries[2];
    coif_image_texture sky;
    coif_render_scene stage;
    double curves_seconds, build_seconds; // of the processor
} coif_hairball;

// The points of one strand of many.
void coif_hairball_strand(coif_vec4 *points, int32_t strand, const coif_hairball_desc *desc);

// A ball as a grid over longitude and latitude, with smooth normals.
void coif_hairball_scalp(coif_mesh *mesh, float radius, coif_arena *arena);

// The strands alone.
void coif_hairball_strands(coif_strands *strands, const coif_hairball_desc *desc,
                           coif_arena *arena);

// The sky of COIF_HAIRBALL_FUR: latitude and longitude as environment.h has them.
void coif_hairball_sky(coif_image *image, coif_arena *arena);

// Everything; close gives back the ray tracer's part. Given strands are used instead of made ones.
coif_status coif_hairball_open(coif_hairball *ball, const coif_hairball_desc *desc,
                               const coif_strands *given, coif_arena *arena, coif_error *error);
void coif_hairball_close(coif_hairball *ball);

#endif
