// Mipmaps, UDIM textures, normal and bump maps.
#include "core/base/fs.h"
#include "core/base/half.h"
#include "core/image/image.h"
#include "render/shading/surface_material.h"
#include "render/shading/tangent_space.h"
#include "tests/support/test.h"

static coif_arena arena;

static const char *save(const char *name, const float *pixels, int32_t width, int32_t height,
                        int32_t channels)
{
    const coif_image_desc desc = {
        .width = width, .height = height, .channel_count = channels, .pixels = pixels};
    const char *path = coif_arena_copy_text(&arena, coif_test_path(name));
    coif_error error = {0};
    CHECK_OK(coif_image_save(path, &desc, &error), error);
    return path;
}

static coif_mipmap load(const char *path, coif_map_kind kind, int32_t max_size)
{
    coif_mipmap mipmap = {0};
    coif_error error = {0};
    CHECK_OK(coif_mipmap_load(&mipmap,
                              &(coif_mipmap_desc){path, kind, max_size, COIF_WORKING_REC709},
                              &arena, &error),
             error);
    return mipmap;
}

TEST(half_floats_keep_eleven_bits)
{
    for (int i = -2000; i < 2000; ++i) {
        const float value = 0.0137f * (float)i * fabsf((float)i);
        const float back = coif_half_to_float(coif_float_to_half(value));
        CHECK_NEAR(back, value, 5e-4 * fabs((double)value) + 3e-8);
    }
    CHECK(coif_half_to_float(coif_float_to_half(1.0f)) == 1.0f);
    CHECK(coif_half_to_float(coif_float_to_half(1e9f)) == 65504.0f);
    CHECK(coif_half_to_float(coif_float_to_half(NAN)) == 0.0f);
    CHECK_NEAR(coif_half_to_float(coif_float_to_half(3e-6f)), 3e-6, 4e-8);
}

// A black and white checkerboard averages to 0.5 in linear light, not in sRGB.
TEST(coarse_mip_levels_are_linear_means)
{
    static float checks[64 * 64 * 3];
    for (int i = 0; i < 64 * 64 * 3; ++i) {
        checks[i] = (i / 3 % 64 + i / 3 / 64) % 2 == 0 ? 1.0f : 0.0f;
    }
    const char *path = save("checks.png", checks, 64, 64, 3);
    const coif_mipmap color = load(path, COIF_MAP_COLOR, 8192);
    CHECK(color.level_count == 7 && color.byte_texels != NULL);
    const coif_vec2 texel = {0.5f / 64.0f, 1.0f - 0.5f / 64.0f};
    CHECK_NEAR(coif_mipmap_at(&color, texel, 0.0f, COIF_WRAP_REPEAT).y, 1.0, 1e-6);
    CHECK_NEAR(coif_mipmap_at(&color, texel, 0.25f, COIF_WRAP_REPEAT).y, 0.5, 3e-3);
    CHECK_NEAR(coif_mipmap_at(&color, texel, 100.0f, COIF_WRAP_REPEAT).y, 0.5, 3e-3);
    // The size limit keeps coarse levels only.
    const coif_mipmap small = load(path, COIF_MAP_COLOR, 16);
    CHECK(small.levels[0].width == 16);
    CHECK_NEAR(coif_mipmap_at(&small, texel, 0.0f, COIF_WRAP_REPEAT).y, 0.5, 3e-3);
}

TEST(colour_maps_are_srgb_decoded_and_data_maps_are_not)
{
    const float pixel[4] = {0.5f, 0.5f, 0.5f, 0.2f};
    const coif_vec2 middle = {0.5f, 0.5f};
    static const char *const names[] = {"grey.png", "grey.tif", "grey.exr"};
    static const double colors[] = {0.2159, 0.2140, 0.5};
    for (int i = 0; i < 3; ++i) {
        const char *path = save(names[i], pixel, 1, 1, 4);
        const coif_mipmap color = load(path, COIF_MAP_COLOR, 64);
        const coif_mipmap number = load(path, COIF_MAP_SCALAR, 64);
        const coif_mipmap alpha = load(path, COIF_MAP_ALPHA, 64);
        CHECK_NEAR(coif_mipmap_at(&color, middle, 0.0f, COIF_WRAP_CLAMP).x, colors[i], 1e-3);
        CHECK_NEAR(coif_mipmap_at(&number, middle, 0.0f, COIF_WRAP_CLAMP).x, 0.5, 3e-3);
        CHECK_NEAR(coif_mipmap_at(&alpha, middle, 0.0f, COIF_WRAP_CLAMP).x, 0.2, 3e-3);
    }
}

TEST(wrap_modes_apply_beyond_the_edge)
{
    const float row[4] = {0.0f, 0.2f, 0.6f, 1.0f};
    const coif_mipmap p = load(save("row.exr", row, 4, 1, 1), COIF_MAP_SCALAR, 64);
    const coif_vec2 first = {0.125f, 0.5f}, after = {1.125f, 0.5f}, before = {-0.125f, 0.5f};
    CHECK_NEAR(coif_mipmap_at(&p, first, 0.0f, COIF_WRAP_REPEAT).x, 0.0, 1e-3);
    CHECK_NEAR(coif_mipmap_at(&p, after, 0.0f, COIF_WRAP_REPEAT).x, 0.0, 1e-3);
    CHECK_NEAR(coif_mipmap_at(&p, before, 0.0f, COIF_WRAP_REPEAT).x, 1.0, 1e-3);
    CHECK_NEAR(coif_mipmap_at(&p, after, 0.0f, COIF_WRAP_CLAMP).x, 1.0, 1e-3);
    CHECK_NEAR(coif_mipmap_at(&p, before, 0.0f, COIF_WRAP_CLAMP).x, 0.0, 1e-3);
    CHECK_NEAR(coif_mipmap_at(&p, after, 0.0f, COIF_WRAP_MIRROR).x, 1.0, 1e-3);
    CHECK_NEAR(coif_mipmap_at(&p, before, 0.0f, COIF_WRAP_MIRROR).x, 0.0, 1e-3);
    const coif_vec2 wild = {3e9f, NAN};
    CHECK(isfinite(coif_mipmap_at(&p, wild, 0.0f, COIF_WRAP_REPEAT).x));
}

TEST(udim_tiles_cover_their_unit_squares)
{
    const float red[3] = {1.0f, 0.0f, 0.0f}, green[3] = {0.0f, 1.0f, 0.0f};
    save("skin.1001.png", red, 1, 1, 3);
    save("skin.1012.png", green, 1, 1, 3);
    coif_texture_cache textures = {.arena = &arena};
    const coif_texture *texture, *again;
    coif_error error = {0};
    const char *path = coif_arena_copy_text(&arena, coif_test_path("skin.<UDIM>.png"));
    CHECK_OK(coif_texture_load(&texture, &textures, path, COIF_MAP_COLOR, &error), error);
    CHECK_OK(coif_texture_load(&again, &textures, path, COIF_MAP_COLOR, &error), error);
    CHECK(texture == again);
    coif_vec3 value;
    CHECK(coif_texture_at(texture, (coif_vec2){0.5f, 0.5f}, 0.0f, COIF_WRAP_REPEAT, &value));
    CHECK_NEAR(value.x, 1.0, 1e-3);
    CHECK(coif_texture_at(texture, (coif_vec2){1.5f, 1.5f}, 0.0f, COIF_WRAP_REPEAT, &value));
    CHECK_NEAR(value.y, 1.0, 1e-3);
    CHECK(!coif_texture_at(texture, (coif_vec2){2.5f, 0.5f}, 0.0f, COIF_WRAP_REPEAT, &value));
    CHECK(!coif_texture_at(texture, (coif_vec2){-0.5f, 0.5f}, 0.0f, COIF_WRAP_REPEAT, &value));
    path = coif_arena_copy_text(&arena, coif_test_path("none.<UDIM>.png"));
    CHECK(coif_texture_load(&texture, &textures, path, COIF_MAP_COLOR, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "none.<UDIM>.png: no tile from 1001");
}

// A triangle at z = 0 with u along x and v along y, two uv units per metre.
static const coif_vec3 CORNERS[3] = {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};

static coif_mesh make_triangle(void)
{
    static coif_vec2 uvs[3] = {{0.0f, 0.0f}, {2.0f, 0.0f}, {0.0f, 2.0f}};
    static int32_t indices[3] = {0, 1, 2};
    return (coif_mesh){.vertex_count = 3,
                       .triangle_count = 1,
                       .positions = (coif_vec3 *)CORNERS,
                       .indices = indices,
                       .uvs = uvs};
}

static coif_surface_material painted(coif_material_map map, const char *path, coif_map_kind kind)
{
    coif_texture_cache textures = {.arena = &arena};
    coif_error error = {0};
    coif_surface_material material = {.has_maps = true, .normal_strength = 1.0f};
    CHECK_OK(coif_texture_load(&material.maps[map], &textures, path, kind, &error), error);
    return material;
}

TEST(normal_maps_tilt_along_tangent_and_bitangent)
{
    const float slant[3] = {0.8f, 0.5f, 0.9f}, rise[3] = {0.5f, 0.8f, 0.9f};
    const coif_mesh mesh = make_triangle();
    const coif_surface_coord coord = {0, 0.3f, 0.3f, 0.0f};
    const coif_vec3 up = {0.0f, 0.0f, 1.0f};
    coif_surface_material material =
        painted(COIF_MATERIAL_MAP_NORMAL, save("slant.exr", slant, 1, 1, 3), COIF_MAP_VECTOR);
    coif_vec3 n = coif_material_normal(&material, &mesh, &coord, CORNERS, NULL, up);
    CHECK_NEAR(n.x, 0.6, 2e-3);
    CHECK_NEAR(n.y, 0.0, 2e-3);
    CHECK_NEAR(n.z, 0.8, 2e-3);
    material = painted(COIF_MATERIAL_MAP_NORMAL, save("rise.exr", rise, 1, 1, 3), COIF_MAP_VECTOR);
    CHECK_NEAR(coif_material_normal(&material, &mesh, &coord, CORNERS, NULL, up).y, 0.6, 2e-3);
    material.flip_green = true;
    CHECK_NEAR(coif_material_normal(&material, &mesh, &coord, CORNERS, NULL, up).y, -0.6, 2e-3);
    material.normal_strength = 0.0f;
    CHECK_NEAR(coif_material_normal(&material, &mesh, &coord, CORNERS, NULL, up).z, 1.0, 1e-6);
}

// A saddle of 8 x 8 quads with u and v along x and z, u being curved, so that du differs between
// the two triangles of a quad.
enum { SIDE = 8 };

static coif_mesh make_saddle(void)
{
    coif_mesh mesh = {.vertex_count = (SIDE + 1) * (SIDE + 1), .triangle_count = 2 * SIDE * SIDE};
    mesh.positions = coif_arena_new(&arena, mesh.vertex_count, coif_vec3);
    mesh.indices = coif_arena_new(&arena, 3 * mesh.triangle_count, int32_t);
    mesh.normals = coif_arena_new(&arena, 3 * mesh.triangle_count, coif_vec3);
    mesh.uvs = coif_arena_new(&arena, 3 * mesh.triangle_count, coif_vec2);
    for (int i = 0; i < mesh.vertex_count; ++i) {
        const float x = (float)(i % (SIDE + 1)) / SIDE, z = (float)(i / (SIDE + 1)) / SIDE;
        mesh.positions[i] = (coif_vec3){x, x * z, z};
    }
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const int a = i / SIDE * (SIDE + 1) + i % SIDE;
        const int corners[6] = {a, a + SIDE + 1, a + 1, a + 1, a + SIDE + 1, a + SIDE + 2};
        for (int k = 0; k < 6; ++k) {
            const coif_vec3 p = mesh.positions[corners[k]];
            mesh.indices[6 * i + k] = corners[k];
            mesh.normals[6 * i + k] = coif_normalize((coif_vec3){-p.z, 1.0f, -p.x});
            mesh.uvs[6 * i + k] = (coif_vec2){p.x + 0.3f * p.z * p.z, -p.z};
        }
    }
    return mesh;
}

// The normal-mapped normal at barycentric coordinates.
static coif_vec3 bent(const coif_surface_material *material, const coif_mesh *mesh,
                      const coif_vec3 *tangents, int32_t triangle, float b1, float b2)
{
    coif_vec3 p[3], t[3], normal = {0.0f, 0.0f, 0.0f};
    const float weights[3] = {1.0f - b1 - b2, b1, b2};
    for (int k = 0; k < 3; ++k) {
        p[k] = mesh->positions[mesh->indices[3 * triangle + k]];
        normal = coif_mad(normal, weights[k], mesh->normals[3 * triangle + k]);
    }
    const coif_surface_coord coord = {triangle, b1, b2, 0.0f};
    if (tangents != NULL) {
        coif_tangents_at(t, tangents, mesh, 1, triangle, 0.0f, NULL);
    }
    return coif_material_normal(material, mesh, &coord, p, tangents != NULL ? t : NULL,
                                coif_normalize(normal));
}

// Largest discontinuity of the mapped normal across the diagonals of the quads.
static double worst_step(const coif_surface_material *material, const coif_mesh *mesh,
                         const coif_vec3 *tangents)
{
    double worst = 0.0;
    for (int i = 0; i < 2 * SIDE * SIDE; i += 2) {
        // Corners 2 and 3 of one triangle are corners 2 and 1 of the other.
        const coif_vec3 here = bent(material, mesh, tangents, i, 0.4f, 0.6f);
        const coif_vec3 there = bent(material, mesh, tangents, i + 1, 0.4f, 0.0f);
        worst = fmax(worst, (double)coif_length(coif_sub(here, there)));
    }
    return worst;
}

TEST(normal_mapped_normals_are_continuous_across_edges)
{
    const float slant[3] = {0.8f, 0.6f, 0.9f};
    const coif_mesh mesh = make_saddle();
    const coif_surface_material material =
        painted(COIF_MATERIAL_MAP_NORMAL, save("slant.exr", slant, 1, 1, 3), COIF_MAP_VECTOR);
    const coif_vec3 *tangents = coif_tangents_init(&mesh, 1, &arena);
    CHECK(worst_step(&material, &mesh, NULL) > 0.02);
    CHECK_NEAR(worst_step(&material, &mesh, tangents), 0.0, 1e-6);
    for (int i = 0; i < 3 * mesh.triangle_count; ++i) {
        CHECK_NEAR(coif_length(tangents[i]), 1.0, 1e-5);
        CHECK_NEAR(coif_dot(tangents[i], mesh.normals[i]), 0.0, 1e-5);
    }
    // In the interior they are analytic: P = (u - 0.3 v^2, (u - 0.3 v^2) w, w).
    const int32_t middle = 6 * (SIDE / 2 * SIDE + SIDE / 2);
    const coif_vec3 along = coif_normalize((coif_vec3){1.0f, 0.5f, 0.0f});
    CHECK(coif_dot(tangents[middle], along) > 0.999f);
}

// Mirrored UVs keep their handedness, and a seam its two tangents.
TEST(tangents_are_not_shared_across_mirrored_or_split_uv)
{
    coif_mesh mesh = make_saddle();
    for (int i = 0; i < mesh.triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            const float x = mesh.positions[mesh.indices[3 * i + k]].x;
            const bool left = i / 2 % SIDE < SIDE / 2;
            mesh.uvs[3 * i + k].x = left ? 0.5f - x : x - 0.5f;
        }
    }
    const coif_vec3 *tangents = coif_tangents_init(&mesh, 1, &arena);
    for (int i = 0; i < 3 * mesh.triangle_count; ++i) {
        const bool left = i / 6 % SIDE < SIDE / 2;
        CHECK(left ? tangents[i].x < -0.7f : tangents[i].x > 0.7f);
    }
}

// Height rises by 0.1 m from u = 0 to 1, which is half a metre.
TEST(bump_maps_tilt_normals_by_the_height_gradient)
{
    float ramp[64];
    for (int i = 0; i < 64; ++i) {
        ramp[i] = ((float)i + 0.5f) / 64.0f;
    }
    const coif_mesh mesh = make_triangle();
    coif_surface_material material =
        painted(COIF_MATERIAL_MAP_BUMP, save("ramp.exr", ramp, 64, 1, 1), COIF_MAP_SCALAR);
    material.bump_height = 0.1f;
    const coif_surface_coord coord = {0, 0.25f, 0.2f, 0.0f};
    const coif_vec3 n =
        coif_material_normal(&material, &mesh, &coord, CORNERS, NULL, (coif_vec3){0, 0, 1.0f});
    CHECK_NEAR(n.x / n.z, -0.2, 4e-3);
    CHECK_NEAR(n.y, 0.0, 1e-4);
}

// A footprint of half a metre covers the whole texture: its mean.
TEST(wide_footprints_read_coarse_mip_levels)
{
    float row[64];
    for (int i = 0; i < 64; ++i) {
        row[i] = i % 2 == 0 ? 1.0f : 0.0f;
    }
    const coif_mesh mesh = make_triangle();
    coif_surface_material material =
        painted(COIF_MATERIAL_MAP_COLOR, save("fine.exr", row, 64, 1, 1), COIF_MAP_COLOR);
    material.surface.color = (coif_vec3){1.0f, 1.0f, 1.0f};
    coif_surface_coord coord = {0, 0.25f / 64.0f, 0.2f, 0.0f};
    CHECK_NEAR(coif_material_eval(&material, &mesh, &coord).color.x, 1.0, 1e-3);
    coord.width = 0.5f;
    CHECK_NEAR(coif_material_eval(&material, &mesh, &coord).color.x, 0.5, 1e-3);
    coord.width = 0.5f / 32.0f;
    CHECK_NEAR(coif_material_eval(&material, &mesh, &coord).color.x, 0.5, 1e-3);
}
