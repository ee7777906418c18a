// Shadow terminator: a coarse sphere with smooth normals is shaded like a sphere.
#include "render/integrator/interaction.h"
#include "render/integrator/path.h"
#include "tests/support/furnace_scene.h"
#include "tests/support/mesh_shapes.h"

#include <float.h>

static coif_arena arena;

enum { CELLS = 6 };

// A white diffuse sphere under a distant light from +x; the caller closes the accel.
static void make_scene(furnace_scene *made, coif_geometry *shape, coif_mesh *mesh)
{
    static const coif_surface_material material = {
        .surface = {.color = {1.0f, 1.0f, 1.0f}, .roughness = 1.0f}};
    *mesh = shape_sphere((coif_vec3){0.0f, 0.0f, 0.0f}, 1.0f, CELLS, &arena);
    *shape = (coif_geometry){.mesh = mesh, .mesh_steps = 1, .materials = &material};
    furnace_scene_init(made, shape, 1, &arena);
    const float one_minus_cos = 1e-6f;
    made->sky = (coif_light){
        .type = COIF_LIGHT_DISTANT, .normal = {-1.0f, 0.0f, 0.0f}, .one_minus_cos = one_minus_cos};
    const float radiance = 1.0f / (COIF_TWO_PI * one_minus_cos); // irradiance 1
    made->sky.radiance = (coif_vec3){radiance, radiance, radiance};
    made->sky.luminance = radiance;
    made->scene.max_depth = 1;
}

// A random ray along -z to the middle of the sphere, or along +x from its dark side.
static coif_ray random_ray(coif_sampler *sampler, bool from_dark_side)
{
    const coif_vec2 u = coif_sampler_next_2d(sampler);
    const float a = 1.2f * u.x - 0.6f, b = 1.2f * u.y - 0.6f;
    coif_ray ray = {.origin = {a, b, 5.0f}, .direction = {0.0f, 0.0f, -1.0f}, .far = FLT_MAX};
    if (from_dark_side) {
        ray.origin = (coif_vec3){-5.0f, a, b};
        ray.direction = (coif_vec3){1.0f, 0.0f, 0.0f};
    }
    return ray;
}

// Largest difference from the radiance of a sphere, cos(theta) / pi, relative to its maximum, over
// points that face the light.
static double worst_shading(void)
{
    furnace_scene made;
    coif_geometry shape;
    coif_mesh mesh;
    make_scene(&made, &shape, &mesh);
    double worst = 0.0;
    for (uint32_t i = 0; i < 4000; ++i) {
        coif_sampler sampler = coif_sampler_at(4, 0, 0, i);
        const coif_ray ray = random_ray(&sampler, false);
        coif_ray_hit hit;
        CHECK(coif_accel_intersect(made.scene.accel, &ray, &hit));
        const coif_triangle at = coif_triangle_at(&mesh, 1, hit.primitive, 0.0f, NULL);
        const float cosine = coif_triangle_normal(&at, hit.u, hit.v).x;
        if (cosine < 0.0f) {
            continue;
        }
        enum { SAMPLES = 32 }; // weak light is sampled by chance
        double found = 0.0;
        for (uint32_t k = 0; k < SAMPLES; ++k) {
            coif_primary_hit first;
            sampler = coif_sampler_at(5, i, 0, k);
            found += (double)coif_path_trace(&made.scene, ray, &sampler, &first, NULL).y / SAMPLES;
        }
        worst = fmax(worst, fabs(found * 3.141592653589793 - (double)cosine));
    }
    coif_accel_close(made.scene.accel);
    return worst;
}

TEST(coarse_sphere_is_shaded_like_a_sphere)
{
    CHECK_NEAR(worst_shading(), 0.0, 0.02);
}

TEST(sphere_is_dark_where_it_faces_away_from_the_light)
{
    furnace_scene made;
    coif_geometry shape;
    coif_mesh mesh;
    make_scene(&made, &shape, &mesh);
    for (uint32_t i = 0; i < 500; ++i) {
        coif_sampler sampler = coif_sampler_at(6, 0, 0, i);
        const coif_ray ray = random_ray(&sampler, true);
        coif_primary_hit first;
        CHECK(coif_path_trace(&made.scene, ray, &sampler, &first, NULL).y == 0.0f);
    }
    coif_accel_close(made.scene.accel);
}

// Rays start on the side of the hit, at most as far out as the sphere, also seen from within.
TEST(lift_reaches_the_smooth_surface)
{
    furnace_scene made;
    coif_geometry shape;
    coif_mesh mesh;
    make_scene(&made, &shape, &mesh);
    double furthest = 0.0;
    for (uint32_t i = 0; i < 1000; ++i) {
        coif_sampler sampler = coif_sampler_at(8, 0, 0, i);
        coif_ray ray = random_ray(&sampler, false);
        coif_ray_hit hit;
        coif_interaction isect;
        CHECK(coif_accel_intersect(made.scene.accel, &ray, &hit));
        coif_interaction_init(&isect, &made.scene, &ray, &hit, 0);
        const float inside = coif_length(isect.position);
        const float lifted = coif_length(coif_add(isect.position, isect.lift));
        CHECK(lifted >= inside && lifted < 1.03f);
        furthest = fmax(furthest, (double)(lifted - inside));
        // A steep ray starts on the triangle, one along the triangle on the smooth surface.
        const coif_vec3 up = isect.surface_bsdf.geometric_normal;
        coif_vec3 along, other;
        coif_frame_around(up, &along, &other);
        const coif_ray steep = coif_interaction_spawn_ray(&isect, up);
        CHECK_NEAR(coif_length(coif_sub(steep.origin, isect.position)), 0.0, 1e-5);
        if (coif_dot(isect.surface_bsdf.horizon, along) < 0.0f) {
            along = coif_scale(along, -1.0f);
        }
        const coif_ray grazing = coif_interaction_spawn_ray(&isect, along);
        CHECK_NEAR(coif_length(grazing.origin), lifted, 1e-4);
        // The far side, from within: a concave surface has no lift.
        ray.near = hit.distance + 0.01f;
        CHECK(coif_accel_intersect(made.scene.accel, &ray, &hit));
        coif_interaction_init(&isect, &made.scene, &ray, &hit, 0);
        CHECK(coif_length(isect.lift) == 0.0f);
    }
    CHECK(furthest > 0.02);
    coif_accel_close(made.scene.accel);
}
