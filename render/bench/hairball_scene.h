// hairball_scene: hair on a ball, lit and committed: the scene of the render benchmark.
//
// Strands leave the upper half of a unit ball along its normal, droop, and stay outside of it.
// Three settings; tests/bench/cycles_hair.py gives the same numbers to Blender.
#ifndef COIF_RENDER_BENCH_HAIRBALL_SCENE_H
#define COIF_RENDER_BENCH_HAIRBALL_SCENE_H

#include "render/render.h"

typedef enum coif_hairball_kind {
    COIF_HAIRBALL_DARK = 0,  // dark curls, area light and grey environment: the reference
    COIF_HAIRBALL_BLOND = 1, // blond waves, back-lit
    COIF_HAIRBALL_FUR = 2    // short white fur, HDR environment with a sun
} coif_hairball_kind;

extern const char *const COIF_HAIRBALL_NAMES[]; // NULL-terminated

typedef struct coif_hairball_desc {
    coif_hairball_kind kind;
    int32_t strands, points;
    coif_curve_kind curves;
    bool compact;
    int32_t steps;       // motion steps; above 1: strands move sideways by a few radii
    int32_t size;        // of the image, pixels
    int32_t max_depth;   // scattering events per path; 0: unlimited
    bool hair_filtering; // see render.h
    int threads;
} coif_hairball_desc;

typedef struct coif_hairball {
    coif_bspline_curves curves;
    coif_strands topology; // no points
    coif_hair_material hair_material;
    coif_mesh scalp;
    coif_surface_material scalp_material;
    coif_image_texture sky;
    coif_render_scene *scene;
    double curves_seconds, build_seconds; // CPU time
} coif_hairball;

// The points of one strand of many.
void coif_hairball_strand(coif_vec4 *points, int32_t strand, const coif_hairball_desc *desc);

// A sphere as a longitude-latitude grid, with smooth normals.
void coif_hairball_scalp(coif_mesh *mesh, float radius, coif_arena *arena);

// All strands.
void coif_hairball_strands(coif_strands *strands, const coif_hairball_desc *desc,
                           coif_arena *arena);

// The environment of COIF_HAIRBALL_FUR, in the latitude-longitude layout of environment.h.
void coif_hairball_sky(coif_image *image, coif_arena *arena);

// Builds the scene, from given strands if not NULL. Close also after a failure.
coif_status coif_hairball_open(coif_hairball *ball, const coif_hairball_desc *desc,
                               const coif_strands *given, coif_arena *arena, coif_error *error);
void coif_hairball_close(coif_hairball *ball);

#endif
