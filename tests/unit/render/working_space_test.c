// Working spaces: ACEScg from its chromaticities, and colours of hair and textures in it.
#include "render/math/working_space.h"

#include "core/image/image.h"
#include "render/shading/hair_params.h"
#include "render/shading/mipmap.h"
#include "tests/support/test.h"

typedef struct matrix {
    double m[3][3];
} matrix;

static matrix product(matrix a, matrix b)
{
    matrix c = {0};
    for (int i = 0; i < 9; ++i) {
        for (int k = 0; k < 3; ++k) {
            c.m[i / 3][i % 3] += a.m[i / 3][k] * b.m[k][i % 3];
        }
    }
    return c;
}

// Inverse by cofactors.
static matrix inverse(matrix a)
{
    matrix c;
    double determinant = 0.0;
    for (int i = 0; i < 9; ++i) {
        const int r = i / 3, s = i % 3;
        c.m[s][r] = a.m[(r + 1) % 3][(s + 1) % 3] * a.m[(r + 2) % 3][(s + 2) % 3] -
                    a.m[(r + 1) % 3][(s + 2) % 3] * a.m[(r + 2) % 3][(s + 1) % 3];
        determinant += r == 0 ? a.m[0][s] * c.m[s][0] : 0.0;
    }
    for (int i = 0; i < 9; ++i) {
        c.m[i / 3][i % 3] /= determinant;
    }
    return c;
}

static void apply(const matrix *a, const double in[3], double out[3])
{
    for (int i = 0; i < 3; ++i) {
        out[i] = a->m[i][0] * in[0] + a->m[i][1] * in[1] + a->m[i][2] * in[2];
    }
}

static void xyz_of(double x, double y, double to[3])
{
    to[0] = x / y;
    to[1] = 1.0;
    to[2] = (1.0 - x - y) / y;
}

// RGB to XYZ from the chromaticities of red, green, blue and white.
static matrix to_xyz(const double xy[8], double white[3])
{
    matrix primaries;
    for (int c = 0; c < 3; ++c) {
        double xyz[3];
        xyz_of(xy[2 * c], xy[2 * c + 1], xyz);
        for (int i = 0; i < 3; ++i) {
            primaries.m[i][c] = xyz[i];
        }
    }
    double scales[3];
    xyz_of(xy[6], xy[7], white);
    const matrix solve = inverse(primaries);
    apply(&solve, white, scales);
    for (int i = 0; i < 9; ++i) {
        primaries.m[i / 3][i % 3] *= scales[i % 3];
    }
    return primaries;
}

// Rec. 709 to AP1 with the adaptation of Bradford.
static matrix rec709_to_ap1(void)
{
    static const matrix bradford = {
        {{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};
    double d65[3], d60[3], from[3], to[3];
    const matrix rec709 =
        to_xyz((const double[]){0.64, 0.33, 0.3, 0.6, 0.15, 0.06, 0.3127, 0.329}, d65);
    const matrix ap1 =
        to_xyz((const double[]){0.713, 0.293, 0.165, 0.83, 0.128, 0.044, 0.32168, 0.33767}, d60);
    apply(&bradford, d65, from);
    apply(&bradford, d60, to);
    matrix scale = {0};
    for (int i = 0; i < 3; ++i) {
        scale.m[i][i] = to[i] / from[i];
    }
    return product(inverse(ap1),
                   product(inverse(bradford), product(scale, product(bradford, rec709))));
}

TEST(acescg_follows_from_its_chromaticities)
{
    const matrix expected = rec709_to_ap1();
    for (int c = 0; c < 3; ++c) {
        const coif_vec3 unit = {c == 0, c == 1, c == 2};
        const coif_vec3 wide = coif_working_from_rec709(COIF_WORKING_ACESCG, unit);
        const coif_vec3 back = coif_working_to_rec709(COIF_WORKING_ACESCG, wide);
        CHECK_NEAR(wide.x, expected.m[0][c], 1e-6);
        CHECK_NEAR(wide.y, expected.m[1][c], 1e-6);
        CHECK_NEAR(wide.z, expected.m[2][c], 1e-6);
        CHECK_NEAR(back.x, unit.x, 1e-6);
        CHECK_NEAR(back.y, unit.y, 1e-6);
        CHECK_NEAR(back.z, unit.z, 1e-6);
    }
    const coif_vec3 white =
        coif_working_from_rec709(COIF_WORKING_ACESCG, (coif_vec3){1.0f, 1.0f, 1.0f});
    CHECK_NEAR(white.x, 1.0, 1e-6);
    CHECK_NEAR(white.y, 1.0, 1e-6);
    CHECK_NEAR(white.z, 1.0, 1e-6);
}

static coif_hair_params hair_of(coif_hair_color_by model)
{
    return (coif_hair_params){.color_model = model,
                              .reflectance = {0.7f, 0.2f, 0.1f},
                              .ior = 1.55f,
                              .longitudinal_roughness = 0.3f,
                              .azimuthal_roughness = 0.3f,
                              COIF_HAIR_OPAQUE};
}

TEST(hair_has_its_reflectance_in_acescg)
{
    const coif_hair_params params = hair_of(COIF_HAIR_BY_REFLECTANCE);
    coif_hair_material material;
    coif_hair_material_init(&material, &params, COIF_WORKING_ACESCG);
    const coif_vec3 color = coif_hair_material_color_of(&material, material.default_color.root);
    const coif_vec3 expected = coif_working_from_rec709(
        COIF_WORKING_ACESCG,
        (coif_vec3){params.reflectance[0], params.reflectance[1], params.reflectance[2]});
    CHECK_NEAR(color.x, expected.x, 1e-4);
    CHECK_NEAR(color.y, expected.y, 1e-4);
    CHECK_NEAR(color.z, expected.z, 1e-4);
}

TEST(black_hair_stays_black_in_acescg)
{
    coif_hair_params params = hair_of(COIF_HAIR_BY_MELANIN);
    params.eumelanin = 8.0f;
    coif_hair_material rec709, acescg;
    coif_hair_material_init(&rec709, &params, COIF_WORKING_REC709);
    coif_hair_material_init(&acescg, &params, COIF_WORKING_ACESCG);
    const coif_vec3 a = rec709.default_color.root, b = acescg.default_color.root;
    CHECK(b.x > 0.9f * a.x && b.y > 0.8f * a.y && b.z > 0.4f * a.z);
    CHECK(b.x <= 1.3f * a.x && b.y <= 1.3f * a.y && b.z <= 1.3f * a.z);
}

TEST(tints_of_lobes_are_converted)
{
    coif_hair_params params = hair_of(COIF_HAIR_BY_REFLECTANCE);
    params.tt_tint[1] = params.tt_tint[2] = 0.0f;
    const coif_hair_bsdf_params hair = coif_hair_bsdf_params_of(&params, COIF_WORKING_ACESCG);
    CHECK_NEAR(hair.gain[1].x, 0.613097, 1e-5);
    CHECK_NEAR(hair.gain[1].y, 0.070194, 1e-5);
    CHECK_NEAR(hair.gain[1].z, 0.020616, 1e-5);
    CHECK_NEAR(hair.gain[0].x, 1.0, 1e-5);
}

TEST(textures_of_colours_are_converted_and_others_are_not)
{
    COIF_SCOPED_ARENA(arena, "test");
    coif_error error = {0};
    static const float pixels[3 * 4] = {1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f,
                                        1.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f};
    const char *path = coif_test_path("red.png");
    const coif_image_desc image = {
        .width = 2, .height = 2, .channel_count = 3, .pixels = pixels, .srgb = true};
    CHECK_OK(coif_image_save(path, &image, &error), error);
    for (int kind = COIF_MAP_COLOR; kind <= COIF_MAP_VECTOR; ++kind) {
        coif_mipmap mipmap;
        const coif_mipmap_desc desc = {path, (coif_map_kind)kind, 64, COIF_WORKING_ACESCG};
        CHECK_OK(coif_mipmap_load(&mipmap, &desc, &arena, &error), error);
        const coif_vec3 color =
            coif_mipmap_at(&mipmap, (coif_vec2){0.5f, 0.5f}, 0.0f, COIF_WRAP_CLAMP);
        const bool converted = kind == COIF_MAP_COLOR;
        CHECK_NEAR(color.x, converted ? 0.613097 : 1.0, 5e-4);
        CHECK_NEAR(color.y, converted ? 0.070194 : kind == COIF_MAP_SCALAR ? 1.0 : 0.0, 5e-4);
        CHECK_NEAR(mipmap.mean[0], converted ? 0.613097 : 1.0, 5e-4);
    }
}
