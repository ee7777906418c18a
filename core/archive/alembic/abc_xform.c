// Transforms of the hierarchy of Alembic archives at a time.
#include "core/archive/alembic/abc_reader.h"
#include "core/base/arena.h"
#include "core/base/deterministic_math.h"
#include "core/base/error.h"

#include <math.h>
#include <string.h>

// Types of operations, in the upper four bits of their code.
enum { SCALE, TRANSLATE, ROTATE, MATRIX, ROTATE_X, ROTATE_Y, ROTATE_Z };
enum { MAX_OPERATIONS = 255, MAX_CHANNELS = 4096 };

static uint32_t channel_count(int type)
{
    static const uint32_t counts[] = {3, 3, 4, 16, 1, 1, 1};
    return type >= 0 && type <= ROTATE_Z ? counts[type] : 0;
}

// Rotation by an angle about an axis (Rodrigues).
static coif_transform rotation(coif_vec3d axis, double degrees)
{
    double s, c;
    coif_det_sincos_degrees(degrees, &s, &c);
    const double t = 1.0 - c;
    const coif_vec3d a = coif_vec3d_normalize(axis);
    return (coif_transform){
        {{t * a.x * a.x + c, t * a.x * a.y - s * a.z, t * a.x * a.z + s * a.y, 0.0},
         {t * a.x * a.y + s * a.z, t * a.y * a.y + c, t * a.y * a.z - s * a.x, 0.0},
         {t * a.x * a.z - s * a.y, t * a.y * a.z + s * a.x, t * a.z * a.z + c, 0.0}}};
}

// Matrices are stored for row vectors, translation last.
static coif_transform matrix_of(const double *v)
{
    coif_transform matrix;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) {
            matrix.m[r][c] = v[4 * c + r];
        }
    }
    return matrix;
}

static coif_transform operation(int type, const double *v)
{
    switch (type) {
    case SCALE:
        return (coif_transform){{{v[0], 0, 0, 0}, {0, v[1], 0, 0}, {0, 0, v[2], 0}}};
    case TRANSLATE:
        return (coif_transform){{{1, 0, 0, v[0]}, {0, 1, 0, v[1]}, {0, 0, 1, v[2]}}};
    case ROTATE:
        return rotation((coif_vec3d){v[0], v[1], v[2]}, v[3]);
    case MATRIX:
        return matrix_of(v);
    default:
        return rotation((coif_vec3d){type == ROTATE_X, type == ROTATE_Y, type == ROTATE_Z}, v[0]);
    }
}

// The stack of operations of a transform object: the last operation is applied first.
static coif_status local_transform(coif_transform *local, const coif_abc_query *query,
                                   const coif_abc_property *xform, coif_error *error)
{
    const coif_abc_property *codes_of = coif_abc_find(xform, ".ops");
    const coif_abc_property *values_of = coif_abc_find(xform, ".vals");
    double codes[MAX_OPERATIONS], values[MAX_CHANNELS];
    uint32_t code_count = MAX_OPERATIONS, value_count = MAX_CHANNELS, at = 0;
    *local = COIF_TRANSFORM_IDENTITY;
    if (codes_of == NULL || values_of == NULL) {
        return COIF_OK;
    }
    COIF_TRY(coif_abc_read_doubles(codes, &code_count, query, codes_of, error));
    COIF_TRY(coif_abc_read_doubles(values, &value_count, query, values_of, error));
    for (uint32_t i = 0; i < code_count; ++i) {
        const int type = codes[i] >= 0.0 && codes[i] < 256.0 ? (int)codes[i] >> 4 : -1;
        const uint32_t channels = channel_count(type);
        if (channels == 0 || channels > value_count - at) {
            return coif_abc_fail(query, error,
                                 "operation %u of a transform is of type %d with %u of %u values "
                                 "left",
                                 i, type, value_count - at, value_count);
        }
        const coif_transform next = operation(type, values + at);
        *local = coif_transform_multiply(local, &next);
        at += channels;
    }
    return COIF_OK;
}

static coif_status inherits_parent(bool *inherits, const coif_abc_query *query,
                                   const coif_abc_property *xform, coif_error *error)
{
    coif_abc_values value;
    COIF_TRY(coif_abc_read_values(&value, query, coif_abc_find(xform, ".inherits"), 1,
                                  COIF_ABC_AS_INT, error));
    *inherits = value.count == 0 || value.ints[0] != 0;
    return COIF_OK;
}

coif_status coif_abc_transform_at(coif_transform *to_world, const coif_abc_query *query,
                                  double time, coif_error *error)
{
    coif_abc_query at = *query;
    bool inherits = true;
    at.time = time;
    *to_world = COIF_TRANSFORM_IDENTITY;
    for (at.node = query->node->parent; at.node != NULL && inherits; at.node = at.node->parent) {
        if (at.node->schema == COIF_ABC_XFORM) {
            coif_transform local;
            COIF_TRY(local_transform(&local, &at, at.node->properties, error));
            COIF_TRY(inherits_parent(&inherits, &at, at.node->properties, error));
            *to_world = coif_transform_multiply(&local, to_world);
        }
    }
    *to_world = coif_transform_multiply(&query->units, to_world);
    for (int i = 0; i < 12; ++i) {
        if (!isfinite(to_world->m[i / 4][i % 4])) {
            return coif_abc_fail(query, error, "transform at %g s is not finite", time);
        }
    }
    return COIF_OK;
}

static bool is_moving(const coif_abc_node *node)
{
    for (const coif_abc_node *at = node->parent; at != NULL; at = at->parent) {
        if (coif_abc_is_animated(coif_abc_find(at->properties, ".vals"))) {
            return true;
        }
    }
    return false;
}

static const double RATE_STEP =
    1e-3; // seconds of the difference that gives the rate of a transform

// Derivative of the transform by a difference within the samples of the object: velocity of points
// that rest in the space of the node.
static coif_status transform_rate(coif_transform *rate, const coif_abc_query *query,
                                  coif_error *error)
{
    coif_transform before, after;
    *rate = (coif_transform){{{0}}};
    const double begin = fmax(query->time - RATE_STEP, query->first_time);
    const double end = fmin(query->time + RATE_STEP, query->last_time);
    if (!is_moving(query->node) || !(end > begin)) {
        return COIF_OK;
    }
    COIF_TRY(coif_abc_transform_at(&before, query, begin, error));
    COIF_TRY(coif_abc_transform_at(&after, query, end, error));
    for (int i = 0; i < 12; ++i) {
        rate->m[i / 4][i % 4] = (after.m[i / 4][i % 4] - before.m[i / 4][i % 4]) / (end - begin);
    }
    return COIF_OK;
}

static coif_vec3 vector_at(const coif_abc_values *values, int64_t i)
{
    return (coif_vec3){values->floats[3 * i], values->floats[3 * i + 1], values->floats[3 * i + 2]};
}

coif_status coif_abc_read_velocities(coif_vec3 **velocities, const coif_abc_query *query,
                                     const coif_abc_values *points, coif_error *error)
{
    coif_abc_values own;
    coif_transform rate;
    *velocities = NULL;
    COIF_TRY(coif_abc_read_interpolated(
        &own, query, coif_abc_find(query->node->properties, ".velocities"), 3, error));
    if (own.count == 0) {
        return COIF_OK;
    }
    if (own.count != points->count) {
        return coif_abc_fail(query, error, "%lld velocities of %lld points", (long long)own.count,
                             (long long)points->count);
    }
    COIF_TRY(transform_rate(&rate, query, error));
    *velocities = coif_arena_new(query->arena, own.count, coif_vec3);
    for (int64_t i = 0; i < own.count; ++i) {
        (*velocities)[i] = coif_add(coif_transform_vector(&query->to_world, vector_at(&own, i)),
                                    coif_transform_point(&rate, vector_at(points, i)));
    }
    return COIF_OK;
}

coif_status coif_abc_world_points(coif_vec3 **world, const coif_abc_query *query,
                                  const coif_abc_values *points, coif_error *error)
{
    *world = coif_arena_new(query->arena, points->count, coif_vec3);
    for (int64_t i = 0; i < points->count; ++i) {
        const coif_vec3 p = coif_transform_point(&query->to_world, vector_at(points, i));
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
            return coif_abc_fail(query, error, "point %lld at %g s is not finite", (long long)i,
                                 query->time);
        }
        (*world)[i] = p;
    }
    return COIF_OK;
}
