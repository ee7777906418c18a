// render_api: <coif/render.h> as an adapter of render/render.h.
#include "core/api/library_internal.h"
#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "core/mesh/mesh_normals.h"
#include "render/bsdf/dielectric.h"
#include "render/render.h"
#include "render/shading/material_params.h"

#include <coif/render.h>

#include <math.h>
#include <string.h>

struct coif_renderer {
    coif_renderer_desc desc; // without pointers
    coif_arena arena;
    coif_jobs *jobs;
    coif_aovs aovs;
    coif_render_scene *scene;
    coif_render_session *session; // NULL: before commit
    int32_t samples;              // per pixel, rendered so far
    int32_t strand_count;         // added so far
    bool has_camera;
};

// The AOVs that need more than one frame or names.
static const coif_aov_kind UNSUPPORTED[] = {COIF_AOV_FORWARD, COIF_AOV_BACKWARD,
                                            COIF_AOV_CRYPTO_OBJECT, COIF_AOV_CRYPTO_CLUMP};

static coif_vec3 vec3_of(const float values[3])
{
    return (coif_vec3){values[0], values[1], values[2]};
}

// A field of a description that is a parameter of a scene section, under the same name. Choices are
// names in descriptions and indices in parameter structs.
typedef struct param_field {
    const char *name;
    size_t offset;
} param_field;

// A kind of description: its section, and its fields that are parameters.
typedef struct param_desc {
    const coif_section *section;
    const param_field *fields;
    size_t field_count;
} param_desc;

static const coif_param *find_row(const coif_section *section, const char *name)
{
    const coif_param *row = section->params;
    while (strcmp(row->name, name) != 0) {
        ++row;
    }
    return row;
}

static size_t size_of(const coif_param *row)
{
    const bool three = row->type == COIF_PARAM_VEC3 || row->type == COIF_PARAM_COLOR;
    return three ? 3 * sizeof(float) : sizeof(float); // integers are as large
}

// Sets a parameter struct to the defaults of its section.
static void read_defaults(const coif_section *section, void *params)
{
    coif_arena arena;
    coif_arena_init(&arena, "defaults");
    coif_values values;
    coif_values_init(&values, section->params, section->param_count, &arena);
    coif_values_at(&values, 0.0, params);
    coif_arena_free(&arena);
}

// Sets the parameters of a description to their defaults.
static void write_defaults(void *desc, const param_desc *kind, void *params)
{
    read_defaults(kind->section, params);
    for (size_t i = 0; i < kind->field_count; ++i) {
        const coif_param *row = find_row(kind->section, kind->fields[i].name);
        const char *from = (const char *)params + row->offset;
        char *to = (char *)desc + kind->fields[i].offset;
        if (row->type == COIF_PARAM_CHOICE) {
            int32_t index;
            memcpy(&index, from, sizeof index);
            memcpy(to, &row->choices[index], sizeof row->choices[index]);
        } else {
            memcpy(to, from, size_of(row));
        }
    }
}

static coif_status check_range(const coif_param *row, const float *values, size_t count)
{
    const bool bounded = row->low != row->high;
    for (size_t k = 0; k < count; ++k) {
        if (!isfinite(values[k]) ||
            (bounded && !(values[k] >= (float)row->low && values[k] <= (float)row->high))) {
            return coif_fail(coif_library_error(), COIF_ERR_ARGUMENT, "%s is %g; expected %g to %g",
                             row->name, (double)values[k], bounded ? row->low : -INFINITY,
                             bounded ? row->high : INFINITY);
        }
    }
    return COIF_OK;
}

// Fills a parameter struct from a description; what it does not have is at its default.
static coif_status read_params(void *params, const param_desc *kind, const void *desc)
{
    read_defaults(kind->section, params);
    for (size_t i = 0; i < kind->field_count; ++i) {
        const coif_param *row = find_row(kind->section, kind->fields[i].name);
        const char *from = (const char *)desc + kind->fields[i].offset;
        char *to = (char *)params + row->offset;
        if (row->type == COIF_PARAM_CHOICE) {
            const char *name;
            memcpy(&name, from, sizeof name);
            const int32_t index = coif_library_find_name(row->choices, name, row->name);
            if (index < 0) {
                return COIF_ERR_ARGUMENT;
            }
            memcpy(to, &index, sizeof index);
            continue;
        }
        memcpy(to, from, size_of(row));
        if (row->type != COIF_PARAM_INT && row->type != COIF_PARAM_BOOL) {
            float values[3];
            memcpy(values, from, size_of(row));
            COIF_TRY(check_range(row, values, size_of(row) / sizeof(float)));
        }
    }
    return COIF_OK;
}

static const coif_renderer_desc DEFAULTS = {
    .width = 960, .height = 960, .background = {0.035f, 0.037f, 0.042f}, .aovs = ""};

void coif_renderer_desc_init(coif_renderer_desc *desc, size_t size)
{
    coif_library_write_desc(desc, size, &DEFAULTS, sizeof DEFAULTS);
}

static coif_status check_desc(const coif_renderer_desc *desc)
{
    if (desc->width < 1 || desc->height < 1 || desc->width > 65536 || desc->height > 65536) {
        return coif_library_invalid("width and height must be 1 to 65536");
    }
    if (desc->threads < 0 || desc->threads > 1024 || desc->seed < 0 || desc->max_depth < 0) {
        return coif_library_invalid("threads, seed and max_depth must not be negative");
    }
    if (!coif_library_all_finite(desc->background, 3) || !(desc->clamp_indirect >= 0.0f) ||
        !(desc->adaptive_threshold >= 0.0f)) {
        return coif_library_invalid(
            "background must be finite, clamp_indirect and adaptive_threshold positive");
    }
    return COIF_OK;
}

// Shadow catchers are known after all meshes, so AOVs are selected twice: here to check the names.
static coif_status select_aovs(coif_renderer *renderer, const char *names, bool shadow_catcher,
                               coif_error *error)
{
    static const char *const groups[] = {"other"};
    const coif_aovs_desc desc = {.names = names != NULL ? names : "",
                                 .light_groups = groups,
                                 .light_group_count = 1,
                                 .adaptive = renderer->desc.adaptive_threshold > 0.0f,
                                 .denoise = renderer->desc.denoise != 0,
                                 .has_shadow_catcher = shadow_catcher};
    if (coif_aovs_select(&renderer->aovs, &desc, &renderer->arena, error) != COIF_OK) {
        return error->status = COIF_ERR_ARGUMENT;
    }
    for (size_t i = 0; i < COIF_COUNT_OF(UNSUPPORTED); ++i) {
        if (renderer->aovs.offset[UNSUPPORTED[i]] >= 0) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "motion vectors and Cryptomattes need more than one frame and names");
        }
    }
    return COIF_OK;
}

static coif_status open_renderer(coif_renderer *renderer, coif_error *error)
{
    const coif_renderer_desc *desc = &renderer->desc;
    COIF_TRY(select_aovs(renderer, desc->aovs, false, error));
    COIF_TRY(coif_jobs_open(&renderer->jobs, desc->threads, &renderer->arena, error));
    const coif_render_scene_desc scene = {.jobs = renderer->jobs,
                                          .background = vec3_of(desc->background),
                                          .transparent = desc->transparent != 0,
                                          .max_depth = desc->max_depth,
                                          .clamp_indirect = desc->clamp_indirect};
    return coif_render_scene_create(&renderer->scene, &scene, &renderer->arena, error);
}

coif_status coif_renderer_create(coif_renderer **renderer, const coif_renderer_desc *desc)
{
    coif_renderer_desc known = DEFAULTS;
    if (!coif_library_read_desc(&known, sizeof known, desc, "coif_renderer_desc")) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(check_desc(&known));
    coif_arena arena;
    coif_arena_init(&arena, "renderer");
    coif_renderer *made = coif_arena_new(&arena, 1, coif_renderer);
    coif_arena_move(&made->arena, &arena);
    made->desc = known;
    made->desc.aovs = coif_arena_copy_text(&made->arena, known.aovs != NULL ? known.aovs : "");
    const coif_status status = open_renderer(made, coif_library_error());
    if (status != COIF_OK) {
        coif_renderer_destroy(made);
        return status;
    }
    *renderer = made;
    return COIF_OK;
}

void coif_renderer_destroy(coif_renderer *renderer)
{
    if (renderer == NULL) {
        return;
    }
    coif_render_session_destroy(renderer->session);
    coif_render_scene_destroy(renderer->scene);
    if (renderer->jobs != NULL) {
        coif_jobs_close(renderer->jobs);
    }
    coif_arena arena;
    coif_arena_move(&arena, &renderer->arena);
    coif_arena_free(&arena);
}

// Reads a description for a scene that is not yet committed.
static bool begin_add(coif_renderer *renderer, void *to, size_t size, const void *desc,
                      const char *name)
{
    if (renderer == NULL || renderer->session != NULL) {
        coif_library_invalid(renderer == NULL ? "renderer is NULL" : "the scene is committed");
        return false;
    }
    return coif_library_read_desc(to, size, desc, name);
}

// clang-format off
#define FIELD(name) {#name, offsetof(coif_renderer_strands, name)}
static const param_field HAIR_FIELDS[] = {
    FIELD(color_model), FIELD(eumelanin), FIELD(pheomelanin), FIELD(reflectance),
    FIELD(absorption), FIELD(variation), FIELD(grey_fraction), FIELD(model), FIELD(ior),
    FIELD(longitudinal_roughness), FIELD(azimuthal_roughness), FIELD(cuticle_angle),
    FIELD(medulla_radius), FIELD(medulla_scattering), FIELD(medulla_anisotropy),
    FIELD(medulla_pigment), FIELD(cuticle_layers),
};
#undef FIELD
// clang-format on
static const param_desc HAIR = {&COIF_HAIR_SECTION, HAIR_FIELDS, COIF_COUNT_OF(HAIR_FIELDS)};

static coif_renderer_strands default_strands(void)
{
    coif_hair_params params;
    coif_renderer_strands strands = {.radius = 4e-5f, .step_count = 1};
    write_defaults(&strands, &HAIR, &params);
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
                material, vec3_of(strands->colors + 3 * (int64_t)s));
        }
    }
    return colors;
}

coif_status coif_renderer_add_strands(coif_renderer *renderer, const coif_renderer_strands *strands)
{
    coif_renderer_strands known = default_strands();
    coif_hair_params hair;
    if (!begin_add(renderer, &known, sizeof known, strands, "coif_renderer_strands")) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(check_strands(&known));
    COIF_TRY(read_params(&hair, &HAIR, &known));
    if (hair.color_model == COIF_HAIR_BY_SURFACE) {
        return coif_library_invalid("color_model \"surface\" needs a scalp; set colors");
    }
    coif_arena *arena = &renderer->arena;
    coif_hair_material *material = coif_arena_new(arena, 1, coif_hair_material);
    coif_hair_material_init(material, &hair);
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
    write_defaults(&mesh, &SURFACE, &params);
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
    COIF_TRY(read_params(&params, &SURFACE, mesh));
    if (!(mesh->ior <= 4.0f)) {
        return coif_library_invalid("ior must be at most 4");
    }
    *material =
        (coif_surface_material){.surface = {.color = vec3_of(mesh->color),
                                            .roughness = mesh->roughness,
                                            .specular = mesh->specular,
                                            .metallic = mesh->metallic,
                                            .sheen = mesh->sheen,
                                            .subsurface = mesh->subsurface,
                                            .subsurface_radius = vec3_of(mesh->subsurface_radius)},
                                .normal_strength = 1.0f,
                                .transparency = 1.0f - mesh->opacity,
                                .emission = vec3_of(mesh->emission),
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
        coif_arena scratch;
        coif_arena_init(&scratch, "normals");
        coif_mesh_make_normals(mesh->normals, mesh, mesh->positions, NULL, &scratch);
        coif_arena_free(&scratch);
    }
    for (int64_t i = 0; from->normals != NULL && i < corners; ++i) {
        mesh->normals[i] = coif_normalize(vec3_of(from->normals + 3 * (int64_t)from->triangles[i]));
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
    if (!begin_add(renderer, &known, sizeof known, mesh, "coif_renderer_mesh")) {
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
               ? select_aovs(renderer, renderer->desc.aovs, true, coif_library_error())
               : COIF_OK;
}

// clang-format off
#define FIELD(name) {#name, offsetof(coif_renderer_light, name)}
static const param_field LIGHT_FIELDS[] = {
    FIELD(type), FIELD(position), FIELD(look_at), FIELD(width), FIELD(height), FIELD(radius),
    FIELD(angular_diameter), FIELD(source_radius), FIELD(cone_angle), FIELD(penumbra),
    FIELD(elevation), FIELD(azimuth), FIELD(turbidity), FIELD(sun_intensity),
    FIELD(ground_albedo), FIELD(color), FIELD(intensity), FIELD(rotation), FIELD(visible),
};
#undef FIELD
// clang-format on
static const param_desc LIGHT = {&COIF_LIGHTS_SECTION, LIGHT_FIELDS, COIF_COUNT_OF(LIGHT_FIELDS)};

static coif_renderer_light default_light(void)
{
    coif_light_params params;
    coif_renderer_light light = {0};
    write_defaults(&light, &LIGHT, &params);
    return light;
}

void coif_renderer_light_init(coif_renderer_light *light, size_t size)
{
    const coif_renderer_light defaults = default_light();
    coif_library_write_desc(light, size, &defaults, sizeof defaults);
}

static coif_status read_light(coif_light_params *params, const coif_renderer_light *light)
{
    COIF_TRY(read_params(params, &LIGHT, light));
    const bool directed = params->type == COIF_LIGHT_RECTANGLE || params->type == COIF_LIGHT_DISK ||
                          params->type == COIF_LIGHT_DISTANT || params->type == COIF_LIGHT_SPOT;
    return directed && memcmp(light->position, light->look_at, sizeof light->position) == 0
               ? coif_library_invalid("look_at of a light equals its position")
               : COIF_OK;
}

static coif_status copy_image(const coif_image_texture **texture, const coif_renderer_light *light,
                              coif_arena *arena)
{
    *texture = NULL;
    if (light->image == NULL) {
        return COIF_OK;
    }
    if (light->image_width < 1 || light->image_height < 1 || light->image_width > 65536 ||
        light->image_height > 65536) {
        return coif_library_invalid("image_width and image_height must be 1 to 65536");
    }
    const int64_t count = 3 * (int64_t)light->image_width * light->image_height;
    for (int64_t i = 0; i < count; ++i) {
        if (!(light->image[i] >= 0.0f && isfinite(light->image[i]))) {
            return coif_library_invalid("pixels of an environment must be finite and not negative");
        }
    }
    coif_image_texture *made = coif_arena_new(arena, 1, coif_image_texture);
    made->image = (coif_image){.width = light->image_width,
                               .height = light->image_height,
                               .channel_count = 3,
                               .pixels = coif_arena_new(arena, count, float),
                               .full_width = light->image_width,
                               .full_height = light->image_height};
    memcpy(made->image.pixels, light->image, sizeof(float) * (size_t)count);
    *texture = made;
    return COIF_OK;
}

coif_status coif_renderer_add_light(coif_renderer *renderer, const coif_renderer_light *light)
{
    coif_renderer_light known = default_light();
    coif_light_params params;
    const coif_image_texture *texture;
    if (!begin_add(renderer, &known, sizeof known, light, "coif_renderer_light")) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(read_light(&params, &known));
    COIF_TRY(copy_image(&texture, &known, &renderer->arena));
    coif_light lights[2] = {0};
    const int32_t count = coif_lights_of(lights, &params, texture, &renderer->arena);
    for (int32_t i = 0; i < count; ++i) {
        coif_render_scene_add_light(renderer->scene, &lights[i]);
    }
    return COIF_OK;
}

// clang-format off
#define FIELD(name) {#name, offsetof(coif_renderer_camera, name)}
static const param_field CAMERA_FIELDS[] = {
    FIELD(position), FIELD(look_at), FIELD(up), FIELD(fov), FIELD(ortho_height), FIELD(f_stop),
    FIELD(film_height), FIELD(focus_distance), FIELD(aperture_blades), FIELD(aperture_rotation),
};
#undef FIELD
// clang-format on
static const param_desc CAMERA = {&COIF_CAMERA_SECTION, CAMERA_FIELDS,
                                  COIF_COUNT_OF(CAMERA_FIELDS)};

static coif_renderer_camera default_camera(void)
{
    coif_camera_params params;
    coif_renderer_camera camera = {0};
    write_defaults(&camera, &CAMERA, &params);
    return camera;
}

void coif_renderer_camera_init(coif_renderer_camera *camera, size_t size)
{
    const coif_renderer_camera defaults = default_camera();
    coif_library_write_desc(camera, size, &defaults, sizeof defaults);
}

static coif_status read_camera(coif_camera_params *params, const coif_renderer_camera *camera)
{
    COIF_TRY(read_params(params, &CAMERA, camera));
    params->projection = camera->ortho_height > 0.0f ? COIF_ORTHOGRAPHIC : COIF_PERSPECTIVE;
    const bool is_defined =
        memcmp(camera->position, camera->look_at, sizeof camera->position) != 0 &&
        coif_length(vec3_of(camera->up)) > 0.0f;
    return is_defined ? COIF_OK : coif_library_invalid("the camera has no direction");
}

coif_status coif_renderer_set_camera(coif_renderer *renderer, const coif_renderer_camera *camera)
{
    coif_renderer_camera known = default_camera();
    coif_camera_params params;
    if (renderer == NULL) {
        return coif_library_invalid("renderer is NULL");
    }
    if (!coif_library_read_desc(&known, sizeof known, camera, "coif_renderer_camera")) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(read_camera(&params, &known));
    const coif_bounds nothing = {.low = {0.0f, 0.0f, 0.0f}};
    const coif_camera step =
        coif_camera_of(&params, renderer->desc.width, renderer->desc.height, &nothing);
    coif_render_scene_set_camera(renderer->scene, &step, 1);
    renderer->has_camera = true;
    renderer->samples = 0;
    if (renderer->session != NULL) {
        coif_film_clear(coif_render_session_film(renderer->session));
    }
    return COIF_OK;
}

coif_status coif_renderer_commit(coif_renderer *renderer)
{
    if (renderer == NULL || renderer->session != NULL || !renderer->has_camera) {
        return coif_library_invalid("commit needs a camera, once");
    }
    coif_error *error = coif_library_error();
    COIF_TRY(coif_render_scene_commit(renderer->scene, NULL, error));
    const coif_renderer_desc *desc = &renderer->desc;
    const coif_render_session_desc session = {
        .scene = renderer->scene,
        .width = desc->width,
        .height = desc->height,
        .sampling = {.seed = desc->seed,
                     .adaptive_threshold = desc->adaptive_threshold,
                     .adaptive_min_samples = 16},
        .splat = true,
        .aovs = &renderer->aovs,
        .jobs = renderer->jobs};
    return coif_render_session_create(&renderer->session, &session, &renderer->arena, error);
}

coif_status coif_renderer_render(coif_renderer *renderer, int32_t samples,
                                 coif_renderer_progress progress, void *context)
{
    if (renderer == NULL || renderer->session == NULL || samples < 1 || samples > 1048576) {
        return coif_library_invalid("render needs a committed scene and 1 to 1048576 samples");
    }
    while (renderer->samples < samples) {
        const int32_t next = progress != NULL ? renderer->samples + 1 : samples;
        COIF_TRY(coif_render_session_render(renderer->session, &(coif_render_pass){.samples = next},
                                            coif_library_error()));
        renderer->samples = next;
        if (progress != NULL && progress(context, next, samples) != 0) {
            return coif_fail(coif_library_error(), COIF_ERR_CANCELLED, "rendering was cancelled");
        }
    }
    return COIF_OK;
}

coif_status coif_renderer_denoise(coif_renderer *renderer)
{
    if (renderer == NULL || renderer->session == NULL || renderer->samples < 16) {
        return coif_library_invalid("denoise needs at least 16 samples per pixel");
    }
    return coif_render_session_denoise(renderer->session, coif_library_error());
}

int32_t coif_renderer_channels(const coif_renderer *renderer, const char *aov)
{
    const coif_aov *found =
        renderer != NULL && aov != NULL ? coif_aovs_find(&renderer->aovs, aov) : NULL;
    return found != NULL ? found->channel_count : 0;
}

coif_status coif_renderer_read(const coif_renderer *renderer, const char *aov, float *pixels)
{
    if (renderer == NULL || renderer->session == NULL || aov == NULL || pixels == NULL) {
        return coif_library_invalid("read needs a committed scene, an AOV and pixels");
    }
    return coif_render_session_read(renderer->session, aov, (coif_rect){0}, pixels,
                                    coif_library_error());
}
