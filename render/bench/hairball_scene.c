#include "render/bench/hairball_scene.h"

#include "core/base/arena.h"
#include "core/base/cpu_time.h"
#include "core/base/error.h"
#include "core/base/rng.h"
#include "render/scene/render_scene.h"

#include <math.h>
#include <string.h>

const char *const COIF_HAIRBALL_NAMES[] = {"dark", "blond", "fur", NULL};

// Shape of the strands of a kind.
typedef struct style {
    float length, droop, swing, turns;
    bool waves; // planar
} style;

static const style STYLES[] = {
    [COIF_HAIRBALL_DARK] = {1.1f, 1.6f, 0.035f, 3.5f, false},
    [COIF_HAIRBALL_BLOND] = {1.1f, 1.6f, 0.025f, 2.5f, true},
    [COIF_HAIRBALL_FUR] = {0.3f, 0.8f, 0.0f, 0.0f, false},
};

static float random_unit(int32_t strand, uint32_t dimension)
{
    return coif_random_unit(1, (uint64_t)strand, dimension);
}

void coif_hairball_strand(coif_vec4 *points, int32_t s, const coif_hairball_desc *desc)
{
    const int32_t length = desc->points, count = desc->strands;
    const style *shape = &STYLES[desc->kind];
    const float up = coif_clamp(
        ((float)s + 0.5f + 0.8f * (random_unit(s, 0) - 0.5f)) / (float)count, 0.0f, 1.0f);
    const double golden = 2.399963229728653; // golden angle
    const float phi = (float)fmod(golden * s, 6.283185307179586) +
                      1.6f * (random_unit(s, 1) - 0.5f) / sqrtf((float)count);
    const float r = sqrtf(1.0f - up * up);
    const coif_vec3 n = {r * cosf(phi), up, r * sinf(phi)};
    const coif_vec3 u =
        coif_normalize(r > 1e-6f ? (coif_vec3){n.z, 0.0f, -n.x} : (coif_vec3){1.0f, 0.0f, 0.0f});
    const float step = shape->length * (0.85f + 0.3f * random_unit(s, 2)) / (float)(length - 1);
    const float swing = shape->swing * (0.7f + 0.6f * random_unit(s, 3));
    // Similar phase for neighbours.
    const float phase = 5.0f * n.x - 4.0f * n.z + 3.0f * n.y + 1.2f * (random_unit(s, 4) - 0.5f);
    const float turns = shape->turns * (0.9f + 0.2f * random_unit(s, 5));
    const float lean = 0.3f * random_unit(s, 6) - 0.15f;
    coif_vec3 p = n;
    for (int32_t j = 0; j < length; ++j) {
        const float t = (float)j / (float)(length - 1), droop = fminf(1.0f, shape->droop * t);
        coif_vec3 d = coif_mad(coif_scale(n, 1.0f - droop), lean * t, u);
        d.y -= droop;
        d = coif_normalize(d);
        p = j > 0 ? coif_mad(p, step, d) : p;
        const float away = coif_length(p);
        if (j > 0 && away < 1.02f) {
            p = coif_scale(p, 1.0f + (1.02f - away) * fminf(1.0f, 4.0f * t) / away);
        }
        const float g = swing * fminf(1.0f, 3.0f * t), angle = 6.2831853f * turns * t + phase;
        const coif_vec3 v = coif_cross(d, u);
        const coif_vec3 q =
            coif_mad(coif_mad(p, g * cosf(angle), u), shape->waves ? 0.0f : g * sinf(angle), v);
        points[j] = (coif_vec4){q.x, q.y, q.z, 0.0015f - 0.0011f * t};
    }
}

void coif_hairball_strands(coif_strands *strands, const coif_hairball_desc *desc, coif_arena *arena)
{
    const int32_t count = desc->strands, length = desc->points;
    *strands = (coif_strands){.strand_count = count, .point_count = count * length};
    strands->first = coif_arena_new(arena, count + 1, int32_t);
    strands->points = coif_arena_new(arena, strands->point_count, coif_vec4);
    for (int32_t s = 0; s <= count; ++s) {
        strands->first[s] = s * length;
    }
    for (int32_t s = 0; s < count; ++s) {
        coif_hairball_strand(strands->points + (size_t)s * (size_t)length, s, desc);
    }
}

void coif_hairball_scalp(coif_mesh *mesh, float radius, coif_arena *arena)
{
    enum { ACROSS = 128, DOWN = 64 };
    *mesh = (coif_mesh){.vertex_count = ACROSS * (DOWN + 1), .triangle_count = 2 * ACROSS * DOWN};
    mesh->positions = coif_arena_new(arena, mesh->vertex_count, coif_vec3);
    mesh->indices = coif_arena_new(arena, 3 * mesh->triangle_count, int32_t);
    mesh->normals = coif_arena_new(arena, 3 * mesh->triangle_count, coif_vec3);
    for (int i = 0; i < mesh->vertex_count; ++i) {
        const float theta = 3.14159265f * (float)(i / ACROSS) / DOWN;
        const float phi = 6.2831853f * (float)(i % ACROSS) / ACROSS;
        mesh->positions[i] = coif_scale(
            (coif_vec3){sinf(theta) * cosf(phi), cosf(theta), sinf(theta) * sinf(phi)}, radius);
    }
    for (int i = 0; i < ACROSS * DOWN; ++i) {
        const int a = i, b = i / ACROSS * ACROSS + (i + 1) % ACROSS;
        const int corners[6] = {a, b, a + ACROSS, b, b + ACROSS, a + ACROSS};
        for (int k = 0; k < 6; ++k) {
            mesh->indices[6 * i + k] = corners[k];
            mesh->normals[6 * i + k] = coif_normalize(mesh->positions[corners[k]]);
        }
    }
}

void coif_hairball_sky(coif_image *image, coif_arena *arena)
{
    enum { WIDTH = 512, HEIGHT = 256 };
    static const coif_vec3 zenith = {0.25f, 0.4f, 0.8f}, horizon = {0.9f, 0.9f, 0.9f};
    static const coif_vec3 ground = {0.2f, 0.18f, 0.15f}, light = {1.0f, 0.85f, 0.6f};
    const coif_vec3 sun = coif_normalize((coif_vec3){0.6f, 0.6f, 0.5f});
    *image = (coif_image){.width = WIDTH,
                          .height = HEIGHT,
                          .channel_count = 3,
                          .full_width = WIDTH,
                          .full_height = HEIGHT};
    image->pixels = coif_arena_new(arena, 3 * WIDTH * HEIGHT, float);
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        const float theta = 3.14159265f * ((float)(i / WIDTH) + 0.5f) / HEIGHT;
        const float phi = 6.2831853f * (((float)(i % WIDTH) + 0.5f) / WIDTH - 0.5f);
        const coif_vec3 d = {sinf(theta) * sinf(phi), cosf(theta), -sinf(theta) * cosf(phi)};
        coif_vec3 c = d.y > 0.0f ? coif_lerp(horizon, zenith, sqrtf(d.y)) : ground;
        // A sun disk of 3 degrees with a soft edge.
        const float away = 57.29578f * acosf(coif_clamp(coif_dot(d, sun), -1.0f, 1.0f));
        c = coif_mad(c, 700.0f * coif_clamp(3.5f - away, 0.0f, 1.0f), light);
        memcpy(image->pixels + 3 * i, &c, sizeof c);
    }
}

static coif_light square_light(coif_vec3 position, coif_vec3 to, float side, float radiance)
{
    coif_light light = {.type = COIF_LIGHT_RECTANGLE,
                        .position = position,
                        .normal = coif_normalize(coif_sub(to, position)),
                        .half_width = 0.5f * side,
                        .half_height = 0.5f * side,
                        .area = side * side,
                        .radiance = {radiance, radiance, radiance},
                        .luminance = radiance};
    light.u = coif_normalize(coif_cross((coif_vec3){0.0f, 1.0f, 0.0f}, light.normal));
    light.v = coif_cross(light.normal, light.u);
    return light;
}

static void add_lights(coif_hairball *ball, coif_hairball_kind kind, coif_arena *arena)
{
    const coif_vec3 target = {0.0f, 0.3f, 0.0f};
    if (kind != COIF_HAIRBALL_FUR) {
        const bool dark = kind == COIF_HAIRBALL_DARK;
        const coif_light key =
            square_light(dark ? (coif_vec3){3.0f, 4.0f, 3.0f} : (coif_vec3){-1.5f, 3.0f, -4.0f},
                         target, 1.2f, 120.0f);
        coif_render_scene_add_light(ball->scene, &key);
    }
    coif_light sky = {.type = COIF_LIGHT_ENVIRONMENT, .visible = true};
    const float grey = kind == COIF_HAIRBALL_DARK    ? 0.4f
                       : kind == COIF_HAIRBALL_BLOND ? 0.1f
                                                     : 1.0f;
    coif_hairball_sky(&ball->sky.image, arena);
    coif_environment_init(&sky.environment, (coif_vec3){grey, grey, grey},
                          kind == COIF_HAIRBALL_FUR ? &ball->sky : NULL, 0.0f, arena);
    coif_render_scene_add_light(ball->scene, &sky);
}

static coif_camera make_camera(int32_t size)
{
    coif_camera camera = {.origin = {0.0f, 1.2f, 6.0f}};
    camera.forward = coif_normalize(coif_sub((coif_vec3){0.0f, 0.1f, 0.0f}, camera.origin));
    camera.right = coif_normalize(coif_cross(camera.forward, (coif_vec3){0.0f, 1.0f, 0.0f}));
    camera.up = coif_cross(camera.right, camera.forward);
    camera.half_height = camera.half_width = tanf(16.0f * 3.14159265f / 180.0f);
    camera.pixel_angle = 2.0f * camera.half_height / (float)size;
    return camera;
}

static void make_hair_material(coif_hair_material *material, coif_hairball_kind kind)
{
    static const float melanin[] = {
        [COIF_HAIRBALL_DARK] = 1.3f, [COIF_HAIRBALL_BLOND] = 0.25f, [COIF_HAIRBALL_FUR] = 0.005f};
    const coif_hair_params hair = {.color_model = COIF_HAIR_BY_MELANIN,
                                   .eumelanin = melanin[kind],
                                   .ior = 1.55f,
                                   .longitudinal_roughness = 0.3f,
                                   .azimuthal_roughness = 0.3f,
                                   .cuticle_angle = 2.0f,
                                   COIF_HAIR_OPAQUE};
    coif_hair_material_init(material, &hair, COIF_WORKING_REC709);
}

// Strands are freed when the curves are made.
static coif_status make_curves(coif_hairball *ball, const coif_hairball_desc *desc,
                               const coif_strands *given, coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "strands");
    coif_strands strands;
    if (given != NULL) {
        strands = *given;
    } else {
        coif_hairball_strands(&strands, desc, &scratch);
    }
    const double start = coif_cpu_seconds();
    const int32_t steps = desc->steps > 1 ? desc->steps : 1;
    coif_status status =
        coif_bspline_curves_alloc(&ball->curves, &strands, desc->curves, steps, arena, error);
    for (int32_t step = 0; status == COIF_OK && step < steps; ++step) {
        coif_bspline_curves_fill(&ball->curves, step, &strands, NULL);
        for (int32_t i = 0; i < strands.point_count && steps > 1; ++i) {
            strands.points[i].x += 0.01f / (float)steps;
        }
    }
    ball->topology =
        (coif_strands){.strand_count = strands.strand_count, .point_count = strands.point_count};
    ball->topology.first = coif_arena_new(arena, strands.strand_count + 1, int32_t);
    memcpy(ball->topology.first, strands.first,
           sizeof(int32_t) * ((size_t)strands.strand_count + 1));
    ball->curves_seconds = coif_cpu_seconds() - start;
    return status;
}

coif_status coif_hairball_open(coif_hairball *ball, const coif_hairball_desc *desc,
                               const coif_strands *given, coif_arena *arena, coif_error *error)
{
    *ball = (coif_hairball){0};
    COIF_TRY(make_curves(ball, desc, given, arena, error));
    make_hair_material(&ball->hair_material, desc->kind);
    coif_hairball_scalp(&ball->scalp, 0.995f, arena);
    ball->scalp_material =
        (coif_surface_material){.surface = {.color = {0.35f, 0.25f, 0.2f}, .roughness = 1.0f}};
    const coif_render_scene_desc scene = {.isa = "auto",
                                          .threads = desc->threads,
                                          .compact = desc->compact,
                                          .max_depth = desc->max_depth,
                                          .hair_filtering = desc->hair_filtering};
    const double start = coif_cpu_seconds();
    COIF_TRY(coif_render_scene_create(&ball->scene, &scene, arena, error));
    const coif_geometry hair = {
        .curves = &ball->curves, .strands = &ball->topology, .hair_material = &ball->hair_material};
    COIF_TRY(coif_render_scene_add_geometry(ball->scene, &hair, error));
    COIF_TRY(coif_render_scene_add_mesh(
        ball->scene, &(coif_render_mesh){.steps = &ball->scalp, .materials = &ball->scalp_material},
        error));
    ball->build_seconds = coif_cpu_seconds() - start;
    const coif_camera camera = make_camera(desc->size);
    coif_render_scene_set_camera(ball->scene, &camera, 1);
    add_lights(ball, desc->kind, arena);
    COIF_TRY(coif_render_scene_commit(ball->scene, NULL, error));
    ball->build_seconds += ball->scene->bvh_build_seconds;
    return COIF_OK;
}

void coif_hairball_close(coif_hairball *ball)
{
    coif_render_scene_destroy(ball->scene);
}
