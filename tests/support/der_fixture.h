// A block of rods of given shapes, stepped by the kernels alone.
#ifndef COIF_TESTS_SUPPORT_DER_FIXTURE_H
#define COIF_TESTS_SUPPORT_DER_FIXTURE_H

#include "sim/solver/methods/der/der.h"
#include "sim/solver/simd_dispatch.h"
#include "tests/support/test.h"

typedef struct rods {
    coif_strand_block block;
    coif_solver_scratch work;
    const coif_kernels *kernels;
    const coif_der_kernels *rod_kernels;
    coif_substep step;
} rods;

static const coif_strand_material HAIR = {.youngs_modulus = 3.9e9f,
                                          .poisson_ratio = 0.4f,
                                          .density = 1320.0f,
                                          .radius = 40e-6f,
                                          .stiffness = 1.0f,
                                          .clamped = true};

// Bending stiffness, N m2, and weight, N/m.
static inline double bending_of(const coif_strand_material *material)
{
    return material->stiffness * material->youngs_modulus * M_PI * pow(material->radius, 4.0) / 4.0;
}

static inline double weight_of(const coif_strand_material *material)
{
    return material->density * M_PI * pow(material->radius, 2.0) * 9.81;
}

// Where point k of the strand in a lane is at rest.
typedef coif_vec3 (*rods_shape)(int32_t lane, int32_t k, const void *context);

typedef struct rods_desc {
    int32_t length;
    const char *kernel;
    rods_shape shape;
    const void *context;
    const coif_strand_material *materials; // one per lane, or one for all
    bool one_material;
} rods_desc;

static inline void rods_open(rods *r, const rods_desc *desc, coif_arena *arena)
{
    coif_error error = {0};
    *r = (rods){
        .step = {
            .h = 1.0f / 240, .end = 1.0f, .gravity = {0, -9.81f, 0}, .velocity_retention = 1.0f}};
    CHECK_OK(coif_kernels_find(&r->kernels, desc->kernel, &error), error);
    const int32_t lanes = r->kernels->lanes;
    coif_strand_block *block = &r->block;
    r->rod_kernels = r->kernels->der;
    coif_strand_block_init(block, desc->length, lanes, arena);
    coif_solver_scratch_init(&r->work, desc->length, lanes, arena);
    r->work.method_rows =
        coif_arena_new(arena, (int64_t)COIF_DER_SCRATCH_ROWS * desc->length * lanes, float);
    coif_strand_block_add_method_rows(block, COIF_DER_STATE_ROWS, COIF_DER_ROWS, COIF_DER_LANE_ROWS,
                                      arena);
    for (int32_t lane = 0; lane < lanes; ++lane) {
        const coif_strand_material *material = &desc->materials[desc->one_material ? 0 : lane];
        for (int i = 3; i < COIF_ROOT_ROWS; i += 4) {
            block->root_begin[i * lanes + lane] = block->root_end[i * lanes + lane] = 1.0f;
        }
        block->mass_scale[lane] = 1.0f;
        coif_vec3 p = desc->shape(lane, 0, desc->context);
        for (int32_t k = 0; k < desc->length; ++k) {
            const int32_t at = k * lanes + lane;
            block->pos.x[at] = block->rest_local.x[at] = p.x;
            block->pos.y[at] = block->rest_local.y[at] = p.y;
            block->pos.z[at] = block->rest_local.z[at] = p.z;
            block->inv_mass[at] = k == 0 || k + 1 == desc->length ? 2.0f : 1.0f;
            if (k + 1 < desc->length) {
                const coif_vec3 next = desc->shape(lane, k + 1, desc->context);
                block->rest_length[at] = coif_length(coif_sub(next, p));
                p = next;
            }
        }
        block->inv_mass[lane] = material->clamped ? 0.0f : 2.0f;
        coif_der_fill(block, lane, material);
    }
    r->rod_kernels->precompute_rest(block, &r->work);
    r->rod_kernels->reset_to_rest(block);
}

static inline void rods_step(rods *r, int32_t steps)
{
    for (int32_t i = 0; i < steps; ++i) {
        r->kernels->update_targets(&r->block, &r->work, &r->step);
        r->kernels->predict(&r->block, &r->work, &r->step);
        r->rod_kernels->step(&r->block, &r->work, &r->step);
        r->kernels->integrate_velocity(&r->block, &r->work, &r->step, true);
    }
}

static inline coif_vec3 rods_at(const rods *r, int32_t lane, int32_t k)
{
    const int32_t at = k * r->block.lanes + lane;
    return coif_vec3_of(r->block.pos.x[at], r->block.pos.y[at], r->block.pos.z[at]);
}

static inline coif_vec3 rods_velocity(const rods *r, int32_t lane, int32_t k)
{
    const int32_t at = k * r->block.lanes + lane;
    return coif_vec3_of(r->block.vel.x[at], r->block.vel.y[at], r->block.vel.z[at]);
}

static inline coif_vec3 rods_tip(const rods *r, int32_t lane)
{
    return rods_at(r, lane, r->block.length - 1);
}

// The largest error of a segment's length, as a fraction of it; infinite if a point is not finite.
static inline double rods_stretch(const rods *r)
{
    double worst = 0.0;
    for (int32_t lane = 0; lane < r->block.lanes; ++lane) {
        for (int32_t k = 0; k + 1 < r->block.length; ++k) {
            const coif_vec3 d = coif_sub(rods_at(r, lane, k + 1), rods_at(r, lane, k));
            const double rest = r->block.rest_length[k * r->block.lanes + lane];
            const double length = sqrt((double)d.x * d.x + (double)d.y * d.y + (double)d.z * d.z);
            worst = isfinite(length) ? fmax(worst, fabs(length - rest) / (rest + 1e-9)) : INFINITY;
        }
    }
    return worst;
}

// The number in a column of the first row of tests/data/reference/NAME whose columns begin like
// key.
static inline double rods_oracle(const char *name, const double *key, int count, int column)
{
    char path[256];
    char line[1024];
    snprintf(path, sizeof path, "tests/data/reference/%s", name);
    FILE *file = fopen(coif_test_source(path), "r");
    CHECK(file != NULL);
    double found = NAN;
    while (file != NULL && isnan(found) && fgets(line, sizeof line, file) != NULL) {
        double row[10] = {0};
        const char *at = line;
        for (int i = 0, used = 0; i < 10 && sscanf(at, "%lf%n", &row[i], &used) == 1; ++i) {
            at += used + (at[used] == ',');
        }
        bool same = line[0] >= '0' && line[0] <= '9';
        for (int i = 0; i < count; ++i) {
            same = same && fabs(row[i] - key[i]) <= 1e-6 * fabs(key[i]);
        }
        found = same ? row[column] : found;
    }
    if (file != NULL) {
        fclose(file);
    }
    CHECK(!isnan(found));
    return found;
}

static inline double rods_speed(const rods *r)
{
    double most = 0.0;
    for (int32_t i = 0; i < r->block.length * r->block.lanes; ++i) {
        const coif_vec3 v = {r->block.vel.x[i], r->block.vel.y[i], r->block.vel.z[i]};
        most = fmax(most, coif_length(v));
    }
    return most;
}

#endif
