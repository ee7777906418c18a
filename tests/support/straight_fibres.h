// A scene of straight parallel fibres with one light.
#ifndef COIF_TESTS_SUPPORT_STRAIGHT_FIBRES_H
#define COIF_TESTS_SUPPORT_STRAIGHT_FIBRES_H

#include "core/base/arena.h"
#include "render/integrator/path.h"
#include "tests/support/test.h"

// Straight strands along y from root (low) to tip, with these centres in the plane y = 0.
static inline void straight_strands(coif_strands *strands, const coif_vec2 *centers, int32_t count,
                                    float radius, coif_arena *arena)
{
    enum { LENGTH = 5 };
    *strands = (coif_strands){.strand_count = count, .point_count = count * LENGTH};
    strands->first = coif_arena_new(arena, count + 1, int32_t);
    strands->points = coif_arena_new(arena, strands->point_count, coif_vec4);
    for (int32_t s = 0; s <= count; ++s) {
        strands->first[s] = s * LENGTH;
    }
    for (int32_t i = 0; i < strands->point_count; ++i) {
        const coif_vec2 at = centers[i / LENGTH];
        strands->points[i] = (coif_vec4){at.x, 0.02f * (float)(i % LENGTH) - 0.04f, at.y, radius};
    }
}

typedef struct fibre_scene {
    coif_render_scene scene;
    coif_strands strands;
    coif_bspline_curves curves;
    coif_hair_material material;
    coif_geometry geometry;
    coif_light light;
} fibre_scene;

static inline void fibre_scene_init(fibre_scene *fibres, const coif_vec2 *centers, int32_t count,
                                    float radius, coif_curve_kind kind,
                                    const coif_hair_params *hair, coif_arena *arena)
{
    coif_error error = {0};
    *fibres = (fibre_scene){0};
    straight_strands(&fibres->strands, centers, count, radius, arena);
    CHECK_OK(coif_bspline_curves_init(&fibres->curves, &fibres->strands, kind, arena, NULL, &error),
             error);
    coif_hair_material_init(&fibres->material, hair, COIF_WORKING_REC709);
    coif_hair_opacity_fill(&fibres->curves, &fibres->strands, NULL, NULL, hair, arena);
    fibres->scene.has_transparency = coif_bspline_curves_are_transparent(&fibres->curves);
    fibres->geometry = (coif_geometry){
        .curves = &fibres->curves, .strands = &fibres->strands, .hair_material = &fibres->material};
    fibres->scene.geometries = &fibres->geometry;
    fibres->scene.geometry_count = 1;
    fibres->scene.lights = (coif_lights){.lights = &fibres->light, .count = 1};
    const coif_accel_desc desc = {.isa = "sse4.2", .threads = 1};
    CHECK_OK(coif_accel_open(&fibres->scene.accel, &desc, arena, &error), error);
    CHECK_OK(coif_accel_add_curves(fibres->scene.accel, &fibres->curves, &error), error);
    CHECK_OK(coif_accel_build(fibres->scene.accel, NULL, &error), error);
}

#endif
