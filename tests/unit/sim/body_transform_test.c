// Body transform between rest and world space: inverse, gradients and bounds.
#include "core/base/deterministic_math.h"
#include "core/base/rng.h"
#define COIF_LANES 4
#include "core/collision/body_transform_query.h"
#include "core/collision/body_transform_simd.h"
#include "tests/support/test.h"

static const float LOW = -0.2f, HIGH = -0.1f;

// Vertices move linearly through a frame, inverse transforms are blended: halfway they differ by
// this.
static const float ASTRAY = 2e-4f;

// A head on a neck that turns and nods by degrees, around a point of the neck.
static coif_height_deform neck(float turn, float nod)
{
    coif_height_deform flex = {.low = LOW, .high = HIGH};
    const coif_vec3 pivot = {0.0f, -0.1f, -0.02f};
    for (int32_t i = 0; i <= COIF_HEIGHT_DEFORM_LEVELS; ++i) {
        const float x = (float)i / COIF_HEIGHT_DEFORM_LEVELS;
        const float fraction = x * x * (3.0f - 2.0f * x) * 0.017453293f;
        const float s = coif_det_sin(turn * fraction), c = coif_det_cos(turn * fraction);
        const float p = coif_det_sin(nod * fraction), q = coif_det_cos(nod * fraction);
        coif_affine *level = &flex.level[i];
        level->linear = (coif_mat3){{{c, s * p, s * q}, {0.0f, q, -p}, {-s, c * p, c * q}}};
        level->translation = coif_sub(pivot, coif_mat3_apply(&level->linear, pivot));
        level->translation.z += 0.01f * fraction;
    }
    return flex;
}

// Around the neck, the head and the shoulders.
static coif_vec3 random_position(uint32_t i)
{
    return coif_vec3_of((coif_random_unit(5, i, 0) - 0.5f) * 0.24f,
                        (coif_random_unit(5, i, 1) - 0.5f) * 0.3f - 0.15f,
                        (coif_random_unit(5, i, 2) - 0.5f) * 0.24f);
}

static coif_body_motion passage;

static void open_passage(void)
{
    const coif_height_deform begin = neck(10.0f, 4.0f), end = neck(13.0f, 6.0f);
    CHECK(coif_body_motion_height_deform(&passage, &begin, &end, coif_vec3_of(0.0f, -0.15f, 0.0f)));
}

static float gone(coif_vec3 a, coif_vec3 b)
{
    return coif_length(coif_sub(a, b));
}

TEST(world_to_rest_and_back_is_the_identity)
{
    open_passage();
    float most = 0.0f;
    for (uint32_t i = 0; i < 4000; ++i) {
        coif_body_transform stance;
        coif_body_transform_at(&stance, &passage, (float)(i % 5) * 0.25f);
        const coif_vec3 position = random_position(i);
        const coif_vec3 rest = coif_to_rest(&stance, position);
        most = fmaxf(most, gone(coif_to_world(&stance, rest), position));
    }
    CHECK(most < ASTRAY);
}

TEST(simd_lanes_equal_the_scalar_transform)
{
    open_passage();
    coif_body_transform stance;
    coif_body_transform_at(&stance, &passage, 0.7f);
    int32_t wrong = 0;
    for (uint32_t i = 0; i < 4000; i += 4) {
        simd_vec3 positions;
        for (int k = 0; k < 4; ++k) {
            const coif_vec3 p = random_position(i + (uint32_t)k);
            positions.x[k] = p.x;
            positions.y[k] = p.y;
            positions.z[k] = p.z;
        }
        const simd_vec3 rest = to_rest_simd(&stance, positions, (coif_simd_mask){-1, -1, -1, -1});
        for (int k = 0; k < 4; ++k) {
            const coif_vec3 one = coif_to_rest(&stance, random_position(i + (uint32_t)k));
            wrong += one.x != rest.x[k] || one.y != rest.y[k] || one.z != rest.z[k];
        }
    }
    CHECK(wrong == 0);
}

// Against finite differences: the gradient of n . rest(x) at a world position.
TEST(slopes_are_those_of_the_world)
{
    open_passage();
    coif_body_transform stance;
    coif_body_transform_at(&stance, &passage, 0.5f);
    const float h = 1e-3f;
    float most = 0.0f;
    for (uint32_t i = 0; i < 2000; ++i) {
        const coif_vec3 position = random_position(i);
        const coif_vec3 n = coif_normalize(random_position(i + 10000));
        const coif_vec3 rest = coif_to_rest(&stance, position);
        // Where pieces join at a level the gradient is discontinuous.
        if (fabsf(rest.y - LOW) < 2.0f * h || fabsf(rest.y - HIGH) < 2.0f * h) {
            continue;
        }
        const coif_vec3 slope = coif_gradient_to_world(&stance, position, rest, n);
        const coif_vec3 axes[3] = {{h, 0, 0}, {0, h, 0}, {0, 0, h}};
        float difference[3];
        for (int a = 0; a < 3; ++a) {
            const coif_vec3 up = coif_to_rest(&stance, coif_add(position, axes[a]));
            const coif_vec3 down = coif_to_rest(&stance, coif_sub(position, axes[a]));
            difference[a] = coif_dot(n, coif_sub(up, down)) / (2.0f * h);
        }
        most = fmaxf(most, gone(slope, coif_vec3_of(difference[0], difference[1], difference[2])));
    }
    CHECK(most < 0.04f);
}

// Displacements and distances in rest space are within their bounds.
TEST(bounds_hold)
{
    open_passage();
    coif_body_transform begin;
    coif_body_transform_at(&begin, &passage, 0.25f);
    coif_body_transform end;
    coif_body_transform_at(&end, &passage, 0.5f);
    int32_t wrong = 0;
    for (uint32_t i = 0; i < 4000; ++i) {
        const coif_vec3 to = random_position(i);
        const coif_vec3 from = coif_mad(to, 0.02f, random_position(i + 10000));
        const coif_vec3 rest_to = coif_to_rest(&end, to);
        const coif_vec3 rest_from = coif_to_rest(&begin, from);
        const float distance = gone(to, from);
        const float rest_distance = gone(rest_to, rest_from);
        const coif_vec3 low =
            coif_vec3_of(fminf(to.x, from.x), fminf(to.y, from.y), fminf(to.z, from.z));
        const coif_vec3 high =
            coif_vec3_of(fmaxf(to.x, from.x), fmaxf(to.y, from.y), fmaxf(to.z, from.z));
        wrong +=
            rest_distance > coif_body_motion_max_displacement(&passage, low, high, distance, 0.25f);
        const simd_vec3 p = {coif_simd_all(rest_to.x), coif_simd_all(rest_to.y),
                             coif_simd_all(rest_to.z)};
        const deform_bounds position = deform_bounds_at(&passage, p);
        wrong += rest_distance >
                 max_displacement_simd(&passage, &position, coif_simd_all(distance), 0.25f)[0];
        const float apart = gone(rest_to, coif_to_rest(&end, from));
        wrong += distance <
                 min_world_distance_simd(&passage, &position, coif_simd_all(apart))[0] - ASTRAY;
    }
    CHECK(wrong == 0);
}

TEST(folded_texture_coordinates_are_reported)
{
    const coif_height_deform upright = neck(0.0f, 0.0f), bent = neck(0.0f, 80.0f);
    CHECK(coif_body_motion_height_deform(&passage, &upright, &bent,
                                         coif_vec3_of(0.0f, -0.15f, 0.0f)));
    CHECK(fabsf(coif_body_motion_vertical_compression(&passage, 0, coif_vec3_of(0, -0.15f, 0.1f)) -
                1.0f) < 1e-3f);
    CHECK(coif_body_motion_vertical_compression(&passage, 1, coif_vec3_of(0, -0.15f, 0.1f)) <
          0.25f);
}
