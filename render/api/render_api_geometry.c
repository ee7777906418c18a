// render_api_geometry: strands and meshes of <coif/render.h>.
#include "core/base/rng.h"
#include "core/mesh/mesh_normals.h"
#include "render/api/render_api_internal.h"
#include "render/bsdf/dielectric.h"
#include "render/shading/material_params.h"

#include <string.h>

// clang-format off
#define FIELD(name) {#name, offsetof(coif_renderer_strands, name)}
static const param_field HAIR_FIELDS[] = {
    FIELD(color_model), FIELD(eumelanin), FIELD(pheomelanin), FIELD(reflectance),
    FIELD(absorption), FIELD(variation), FIELD(grey_fraction), FIELD(model), FIELD(ior),
    FIELD(longitudinal_roughness), FIELD(azimuthal_roughness), FIELD(cuticle_angle),
    FIELD(medulla_radius), FIELD(medulla_scattering), FIELD(medulla_anisotropy),
    FIELD(medulla_pigment), FIELD(cuticle_layers), FIELD(opacity), FIELD(r_weight),
    FIELD(tt_weight), FIELD(trt_weight), FIELD(residual_weight), FIELD(r_tint), FIELD(tt_tint),
    FIELD(trt_tint), FIELD(residual_tint),
};
#undef FIELD
// clang-format on
static const param_desc HAIR = {&COIF_HAIR_SECTION, HAIR_FIELDS, COIF_COUNT_OF(HAIR_FIELDS)};

static coif_renderer_strands default_strands(void)
{
    coif_hair_params params;
    coif_renderer_strands strands = {.radius = 4e-5f, .step_count = 1};
    coif_render_api_write_defaults(&strands, &HAIR, &params);
    return strands;
}

void coif_renderer_strands_init(coif_renderer_strands *strands, size_t size)
{
    const coif_renderer_strands defaults = default_strands();
    coif_library_write_desc(strands, size, &defaults, sizeof defaults);
}

static coif_status check_strands(const coif_renderer_strands *strands)
{
    const int32_t *first = strands->first_point;
    if (strands->strand_count < 1 || first == NULL || strands->points == NULL) {
        return coif_library_invalid("strand_count, first_point and points must be given");
    }
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        if (first[0] != 0 || first[s + 1] < first[s] + 2 || first[s + 1] > COIF_MAX_POINTS) {
            return coif_library_invalid(
                "first_point must begin with 0 and give every strand 2 points");
        }
    }
    const int64_t points = first[strands->strand_count];
    if (strands->step_count < 1 || strands->step_count > COIF_MAX_MOTION_STEPS) {
        return coif_library_invalid("step_count must be 1 to 17");
    }
    if (!coif_library_all_finite(strands->points, 3 * points * strands->step_count) ||
        (strands->colors != NULL &&
         !coif_library_all_finite(strands->colors, 3 * strands->strand_count))) {
        return coif_library_invalid("points and colors must be finite");
    }
    for (int64_t i = 0; i < (strands->radii != NULL ? points : 1); ++i) {
        const float radius = strands->radii != NULL ? strands->radii[i] : strands->radius;
        if (!(radius >= 0.0f && radius < 1.0f)) {
            return coif_library_invalid("a radius must be 0 to 1 m");
        }
    }
    return COIF_OK;
}

// Points of one step.
static coif_strands strands_of(const coif_renderer_strands *from, int32_t *first, int32_t step,
                               coif_arena *arena)
{
    const int32_t count = first[from->strand_count];
    const float *p = from->points + 3 * (int64_t)step * count;
    coif_strands strands = {.strand_count = from->strand_count,
                            .point_count = count,
                            .first = first,
                            .points = coif_arena_new(arena, count, coif_vec4)};
    for (int64_t i = 0; i < count; ++i) {
        const float radius = from->radii != NULL ? from->radii[i] : from->radius;
        strands.points[i] = (coif_vec4){p[3 * i], p[3 * i + 1], p[3 * i + 2], radius};
    }
    return strands;
}

// A random word per strand, which depends on its number in the scene.
static coif_strand_color *strand_colors(coif_renderer *renderer, const coif_hair_material *material,
                                        const coif_renderer_strands *strands)
{
    enum { RANDOM_COLOR = 300 };
    coif_strand_color *colors =
        coif_arena_new(&renderer->arena, strands->strand_count, coif_strand_color);
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const uint64_t strand = (uint64_t)(renderer->strand_count + s);
        const coif_strand_variation variation = {.random =
                                                     coif_random_word(0, strand, RANDOM_COLOR)};
        colors[s] = coif_hair_material_strand(material, &variation);
        if (strands->colors != NULL) {
            colors[s].root = colors[s].tip = coif_hair_material_absorption_of(
                material, render_api_vec3(strands->colors + 3 * (int64_t)s));
        }
    }
    return colors;
}

coif_status coif_renderer_add_strands(coif_renderer *renderer, const coif_renderer_strands *strands)
{
    coif_renderer_strands known = default_strands();
    coif_hair_params hair;
    if (!coif_render_api_begin_add(renderer, &known, sizeof known, strands,
                                   "coif_renderer_strands")) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(check_strands(&known));
    COIF_TRY(coif_render_api_read_params(&hair, &HAIR, &known));
    if (hair.color_model == COIF_HAIR_BY_SURFACE) {
        return coif_library_invalid("color_model \"surface\" needs a scalp; set colors");
    }
    coif_arena *arena = &renderer->arena;
    coif_hair_material *material = coif_arena_new(arena, 1, coif_hair_material);
    coif_hair_material_init(material, &hair, COIF_WORKING_REC709);
    int32_t *first = coif_arena_new(arena, known.strand_count + (int64_t)1, int32_t);
    memcpy(first, known.first_point, sizeof(int32_t) * ((size_t)known.strand_count + 1));
    coif_strands *steps = coif_arena_new(arena, known.step_count, coif_strands);
    coif_arena points; // curves have control points of their own
    coif_arena_init(&points, "strand points");
    for (int32_t step = 0; step < known.step_count; ++step) {
        steps[step] = strands_of(&known, first, step, &points);
    }
    const coif_render_strands added = {.steps = steps,
                                       .step_count = known.step_count,
                                       .material = material,
                                       .colors = strand_colors(renderer, material, &known)};
    const coif_status status =
        coif_render_scene_add_strands(renderer->scene, &added, coif_library_error());
    coif_arena_free(&points);
    for (int32_t step = 0; step < known.step_count; ++step) {
        steps[step].points = NULL;
    }
    renderer->strand_count += known.strand_count;
    return status;
}

// clang-format off
#define FIELD(name) {#name, offsetof(coif_renderer_mesh, name)}
static const param_field SURFACE_FIELDS[] = {
    FIELD(color), FIELD(roughness), FIELD(specular), FIELD(metallic), FIELD(sheen),
    FIELD(subsurface), FIELD(subsurface_radius), FIELD(opacity), FIELD(emission),
    FIELD(shadow_catcher),
};
#undef FIELD
// clang-format on
static const param_desc SURFACE = {&COIF_MATERIAL_SECTION, SURFACE_FIELDS,
                                   COIF_COUNT_OF(SURFACE_FIELDS)};

static coif_renderer_mesh default_mesh(void)
{
    coif_material_params params;
    coif_renderer_mesh mesh = {.step_count = 1};
    coif_render_api_write_defaults(&mesh, &SURFACE, &params);
    mesh.sheen = mesh.subsurface = 0.0f; // of skin
    return mesh;
}

void coif_renderer_mesh_init(coif_renderer_mesh *mesh, size_t size)
{
    const coif_renderer_mesh defaults = default_mesh();
    coif_library_write_desc(mesh, size, &defaults, sizeof defaults);
}

static coif_status check_mesh(const coif_renderer_mesh *mesh)
{
    if (mesh->vertex_count < 3 || mesh->triangle_count < 1 || mesh->positions == NULL ||
        mesh->triangles == NULL) {
        return coif_library_invalid("a mesh needs vertices and triangles");
    }
    for (int64_t i = 0; i < 3 * (int64_t)mesh->triangle_count; ++i) {
        if (mesh->triangles[i] < 0 || mesh->triangles[i] >= mesh->vertex_count) {
            return coif_library_invalid("a triangle has a vertex that does not exist");
        }
    }
    if (mesh->step_count < 1 || mesh->step_count > COIF_MAX_MOTION_STEPS ||
        (mesh->step_count > 1 && mesh->normals != NULL)) {
        return coif_library_invalid("step_count must be 1 to 17, without normals above 1");
    }
    const int64_t count = 3 * (int64_t)mesh->vertex_count;
    return coif_library_all_finite(mesh->positions, count * mesh->step_count) &&
                   (mesh->normals == NULL || coif_library_all_finite(mesh->normals, count))
               ? COIF_OK
               : coif_library_invalid("vertices and normals of a mesh must be finite");
}

static coif_status read_material(coif_surface_material *material, const coif_renderer_mesh *mesh,
                                 coif_arena *arena)
{
    coif_material_params params;
    COIF_TRY(coif_render_api_read_params(&params, &SURFACE, mesh));
    if (!(mesh->ior <= 4.0f)) {
        return coif_library_invalid("ior must be at most 4");
    }
    *material = (coif_surface_material){
        .surface = {.color = render_api_vec3(mesh->color),
                    .roughness = mesh->roughness,
                    .specular = mesh->specular,
                    .metallic = mesh->metallic,
                    .sheen = mesh->sheen,
                    .subsurface = mesh->subsurface,
                    .subsurface_radius = render_api_vec3(mesh->subsurface_radius)},
        .normal_strength = 1.0f,
        .transparency = 1.0f - mesh->opacity,
        .emission = render_api_vec3(mesh->emission),
        .is_shadow_catcher = mesh->shadow_catcher != 0};
    if (mesh->ior > 1.0f) {
        float *albedo = coif_arena_new(arena, COIF_DIELECTRIC_ALBEDO_COUNT, float);
        coif_dielectric_albedo_init(albedo, mesh->ior);
        material->surface.kind = COIF_SURFACE_DIELECTRIC;
        material->surface.eta = mesh->ior;
        material->surface.dielectric_albedo = albedo;
    }
    return COIF_OK;
}

// Indices, groups and materials are shared by all steps.
static void fill_mesh(coif_mesh *mesh, const coif_renderer_mesh *from, int32_t step,
                      coif_arena *arena)
{
    const int64_t corners = 3 * (int64_t)from->triangle_count;
    mesh->positions = coif_arena_new(arena, from->vertex_count, coif_vec3);
    mesh->normals = coif_arena_new(arena, corners, coif_vec3);
    memcpy(mesh->positions, from->positions + 3 * (int64_t)step * from->vertex_count,
           sizeof(coif_vec3) * (size_t)from->vertex_count);
    if (from->normals == NULL) {
        COIF_SCOPED_ARENA(scratch, "normals");
        coif_mesh_make_normals(mesh->normals, mesh, mesh->positions, NULL, &scratch);
    }
    for (int64_t i = 0; from->normals != NULL && i < corners; ++i) {
        mesh->normals[i] =
            coif_normalize(render_api_vec3(from->normals + 3 * (int64_t)from->triangles[i]));
    }
}

static coif_mesh *copy_mesh(const coif_renderer_mesh *from, coif_arena *arena)
{
    const int64_t triangles = from->triangle_count;
    coif_mesh mesh = {.vertex_count = from->vertex_count,
                      .triangle_count = from->triangle_count,
                      .indices = coif_arena_new(arena, 3 * triangles, int32_t),
                      .groups = coif_arena_new(arena, triangles, int32_t),
                      .materials = coif_arena_new(arena, triangles, int32_t),
                      .corners = coif_arena_new(arena, 3 * triangles, int32_t),
                      .crease = 60.0f};
    memcpy(mesh.indices, from->triangles, 3 * sizeof(int32_t) * (size_t)triangles);
    for (int64_t t = 0; t < triangles; ++t) {
        mesh.materials[t] = -1;
    }
    coif_mesh *steps = coif_arena_new(arena, from->step_count, coif_mesh);
    for (int32_t step = 0; step < from->step_count; ++step) {
        steps[step] = mesh;
        fill_mesh(&steps[step], from, step, arena);
    }
    return steps;
}

coif_status coif_renderer_add_mesh(coif_renderer *renderer, const coif_renderer_mesh *mesh)
{
    coif_renderer_mesh known = default_mesh();
    if (!coif_render_api_begin_add(renderer, &known, sizeof known, mesh, "coif_renderer_mesh")) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(check_mesh(&known));
    coif_surface_material *material = coif_arena_new(&renderer->arena, 1, coif_surface_material);
    COIF_TRY(read_material(material, &known, &renderer->arena));
    const coif_render_mesh added = {.steps = copy_mesh(&known, &renderer->arena),
                                    .step_count = known.step_count,
                                    .materials = material};
    COIF_TRY(coif_render_scene_add_mesh(renderer->scene, &added, coif_library_error()));
    return material->is_shadow_catcher
               ? coif_render_api_select_aovs(renderer, true, coif_library_error())
               : COIF_OK;
}
