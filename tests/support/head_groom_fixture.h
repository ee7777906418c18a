// A round head with straight hair, for tests of groom modifiers.
#ifndef COIF_TESTS_SUPPORT_HEAD_GROOM_FIXTURE_H
#define COIF_TESTS_SUPPORT_HEAD_GROOM_FIXTURE_H

#include "core/base/rng.h"
#include "core/base/vec.h"
#include "tests/support/plugin_node.h"

#include <coif/deterministic_math.h>

enum { STRANDS = 400, POINTS = 24, TOTAL = STRANDS * POINTS, ROWS = 32 };

static const float HEAD = 0.09f;   // radius of a round head
static const float LENGTH = 0.25f; // of the hair on it
static const float DEGREE = 0.0174532925f;

// A round head with straight hair along its normals, and what a batch needs.
typedef struct test_head {
    int32_t first[STRANDS + 1];
    coif_vec3 normals[STRANDS];
    float x[TOTAL], y[TOTAL], z[TOTAL], radius[TOTAL];
    float before[4][TOTAL];
    float frames[9 * STRANDS], uv[2 * STRANDS];
    uint32_t random[STRANDS];
    int32_t lock[STRANDS], lock_before[STRANDS];
    const float *per_strand[ROWS], *per_point[ROWS];
    coif_strand_view all;
    coif_plugins *plugins;
} test_head;

static coif_arena arena = {.name = "test"};
static test_head head;

static inline void plant(int32_t strand, coif_vec3 normal)
{
    coif_vec3 tangent, bitangent;
    coif_frame_around(normal, &tangent, &bitangent);
    const coif_vec3 frame[3] = {tangent, bitangent, normal};
    memcpy(head.frames + 9 * strand, frame, sizeof frame);
    head.normals[strand] = normal;
    head.random[strand] = coif_random_word(5, (uint64_t)strand, 1);
    for (int k = 0; k < POINTS; ++k) {
        const float reach = HEAD + LENGTH * (float)k / (POINTS - 1);
        const int32_t point = strand * POINTS + k;
        head.x[point] = normal.x * reach;
        head.y[point] = normal.y * reach;
        head.z[point] = normal.z * reach;
        head.radius[point] = 4e-5f;
    }
}

// Roots over the upper half of the head, in an order that is spread evenly (golden angle).
static inline void plant_all(void)
{
    memset(&head, 0, sizeof head);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const float y = coif_random_unit(3, (uint64_t)s, 0);
        const float angle = 2.39996f * (float)s;
        const float around = sqrtf(1.0f - y * y);
        plant(s, (coif_vec3){around * coif_kit_cos(angle), y, around * coif_kit_sin(angle)});
        head.first[s + 1] = (s + 1) * POINTS;
        head.lock[s] = -1;
    }
    coif_error error = {0};
    CHECK_OK(coif_plugins_open(&head.plugins, NULL, &arena, &error), error);
}

static inline coif_groom_batch whole_head(void)
{
    memcpy(head.before[0], head.x, sizeof head.x);
    memcpy(head.before[1], head.y, sizeof head.y);
    memcpy(head.before[2], head.z, sizeof head.z);
    memcpy(head.before[3], head.radius, sizeof head.radius);
    memcpy(head.lock_before, head.lock, sizeof head.lock);
    head.all = (coif_strand_view){.struct_size = sizeof head.all,
                                  .strand_count = STRANDS,
                                  .first = head.first,
                                  .x = head.before[0],
                                  .y = head.before[1],
                                  .z = head.before[2],
                                  .radius = head.before[3],
                                  .root_frame = head.frames,
                                  .random = head.random,
                                  .clump = head.lock_before};
    return (coif_groom_batch){.struct_size = sizeof(coif_groom_batch),
                              .strand_count = STRANDS,
                              .first = head.first,
                              .x = head.x,
                              .y = head.y,
                              .z = head.z,
                              .radius = head.radius,
                              .root_frame = head.frames,
                              .root_uv = head.uv,
                              .random = head.random,
                              .per_strand = head.per_strand,
                              .per_point = head.per_point,
                              .input = &head.all,
                              .clump = head.lock,
                              .input_per_strand = head.per_strand};
}

static inline void apply(const char *id, const plugin_value *values)
{
    const coif_groom_batch batch = whole_head();
    coif_plugin_instance *instance = plugin_instance(head.plugins, id, values, &arena);
    coif_error error = {0};
    CHECK_OK(coif_plugin_instance_prepare(instance, &batch, &error), error);
    CHECK(coif_plugin_eval_groom(instance, &batch));
    for (int32_t s = 0; s < STRANDS; ++s) {
        const int32_t root = head.first[s];
        CHECK(head.x[root] == head.before[0][root] && head.y[root] == head.before[1][root] &&
              head.z[root] == head.before[2][root]);
    }
}

static inline coif_vec3 point_at(int32_t strand, int k)
{
    const int32_t i = head.first[strand] + k;
    return (coif_vec3){head.x[i], head.y[i], head.z[i]};
}

static inline coif_vec3 before_at(int32_t strand, int k)
{
    const int32_t i = head.first[strand] + k;
    return (coif_vec3){head.before[0][i], head.before[1][i], head.before[2][i]};
}

static inline coif_vec3 segment_at(int32_t strand, int k)
{
    return coif_sub(point_at(strand, k + 1), point_at(strand, k));
}

static inline float strand_length(int32_t strand)
{
    float length = 0.0f;
    for (int k = 0; k + 1 < POINTS; ++k) {
        length += coif_length(segment_at(strand, k));
    }
    return length;
}

// The largest relative change of a segment's length by the last modifier.
static inline float length_change(void)
{
    float worst = 0.0f;
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int k = 0; k + 1 < POINTS; ++k) {
            const float was = coif_length(coif_sub(before_at(s, k + 1), before_at(s, k)));
            worst = fmaxf(worst, fabsf(coif_length(segment_at(s, k)) / was - 1.0f));
        }
    }
    return worst;
}

// The sharpest turn between two segments of any strand, in degrees.
static inline float sharpest_turn(void)
{
    float least = 1.0f;
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int k = 0; k + 2 < POINTS; ++k) {
            const coif_vec3 a = coif_normalize(segment_at(s, k));
            const coif_vec3 b = coif_normalize(segment_at(s, k + 1));
            least = fminf(least, coif_dot(a, b));
        }
    }
    return acosf(coif_clamp(least, -1.0f, 1.0f)) / DEGREE;
}

static inline float farthest_move(void)
{
    float farthest = 0.0f;
    for (int32_t s = 0; s < STRANDS; ++s) {
        for (int k = 0; k < POINTS; ++k) {
            farthest = fmaxf(farthest, coif_length(coif_sub(point_at(s, k), before_at(s, k))));
        }
    }
    return farthest;
}

#endif
