// Transform operations. USD multiplies row vectors from the right: the last operation of the order
// comes first; here matrices apply to column vectors.
#include "core/archive/usd/usd_xform.h"

#include "core/base/arena.h"
#include "core/base/deterministic_math.h"
#include "core/base/error.h"

#include <math.h>
#include <string.h>

// Cramer's rule; false for a singular matrix.
static bool invert(coif_transform *a)
{
    const double scale = 1.0 / coif_transform_determinant(a);
    if (!isfinite(scale)) {
        return false;
    }
    coif_transform inverse;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 3; ++c) {
            const int r1 = (c + 1) % 3, r2 = (c + 2) % 3, c1 = (r + 1) % 3, c2 = (r + 2) % 3;
            inverse.m[r][c] = scale * (a->m[r1][c1] * a->m[r2][c2] - a->m[r1][c2] * a->m[r2][c1]);
        }
    }
    for (int r = 0; r < 3; ++r) {
        inverse.m[r][3] = -(inverse.m[r][0] * a->m[0][3] + inverse.m[r][1] * a->m[1][3] +
                            inverse.m[r][2] * a->m[2][3]);
    }
    *a = inverse;
    return true;
}

static coif_transform rotation_about(int axis, double degrees)
{
    coif_transform rotation = COIF_TRANSFORM_IDENTITY;
    double s, c;
    coif_det_sincos_degrees(degrees, &s, &c);
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    rotation.m[a][a] = rotation.m[b][b] = c;
    rotation.m[a][b] = -s;
    rotation.m[b][a] = s;
    return rotation;
}

// Order "ZXY" rotates about z first.
static coif_transform rotation_of(const char *order, const double *degrees)
{
    coif_transform rotation = COIF_TRANSFORM_IDENTITY;
    for (int i = 0; order[i] >= 'X' && order[i] <= 'Z'; ++i) {
        const int axis = order[i] - 'X';
        const coif_transform next = rotation_about(axis, degrees[axis]);
        rotation = coif_transform_multiply(&next, &rotation);
    }
    return rotation;
}

// Real part first.
static coif_transform rotation_of_quaternion(const double q[4])
{
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0.0)) {
        return COIF_TRANSFORM_IDENTITY;
    }
    const double w = q[0] / length, x = q[1] / length, y = q[2] / length, z = q[3] / length;
    return (coif_transform){
        {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 0},
         {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 0},
         {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), 0}}};
}

// "rotateXYZ" of "xformOp:rotateXYZ:pivot" starts with prefix.
static bool is_kind(const char *kind, const char *prefix)
{
    return strncmp(kind, prefix, strlen(prefix)) == 0;
}

// Numbers of an operation: all three for a single axis, too, others being `other`.
static coif_status read_operation(const coif_usd_query *query, const char *name, const char *kind,
                                  coif_transform *matrix)
{
    const size_t length = strcspn(kind, ":");
    const char last = length > 0 ? kind[length - 1] : '\0';
    const bool single = last >= 'X' && last <= 'Z' && (length < 9 || !is_kind(kind, "rotate"));
    const int32_t components = is_kind(kind, "transform") ? 16
                               : is_kind(kind, "orient")  ? 4
                               : single                   ? 1
                                                          : 3;
    coif_usd_value value;
    COIF_TRY(coif_usd_get(query, name, COIF_USD_DOUBLE, components, &value));
    *matrix = COIF_TRANSFORM_IDENTITY;
    if (value.data == NULL || value.count != 1) {
        return COIF_OK;
    }
    const double *n = value.data;
    for (int i = 0; i < components; ++i) {
        if (!isfinite(n[i])) {
            return coif_usd_fail(query, name, "a number is not finite");
        }
    }
    double v[3] = {0.0, 0.0, 0.0};
    if (is_kind(kind, "scale")) {
        v[0] = v[1] = v[2] = 1.0;
    }
    for (int i = 0; components <= 3 && i < components; ++i) {
        v[single ? last - 'X' : i] = n[i];
    }
    if (is_kind(kind, "transform")) {
        for (int i = 0; i < 12; ++i) {
            matrix->m[i % 3][i / 3] = n[4 * (i / 3) + i % 3];
        }
    } else if (is_kind(kind, "orient")) {
        *matrix = rotation_of_quaternion(n);
    } else if (is_kind(kind, "translate") || is_kind(kind, "scale")) {
        for (int i = 0; i < 3; ++i) {
            matrix->m[i][kind[0] == 's' ? i : 3] = v[i];
        }
    } else if (is_kind(kind, "rotate")) {
        *matrix = rotation_of(kind + 6, v);
    } else {
        return coif_usd_fail(query, name, "unknown transform operation");
    }
    return COIF_OK;
}

static const char RESET[] = "!resetXformStack!", INVERSE[] = "!invert!", OPERATION[] = "xformOp:";

// The product of the operations of one prim; reset: ancestors do not count.
static coif_status local_matrix(const coif_usd_query *query, coif_transform *local, bool *reset)
{
    coif_usd_value order;
    *local = COIF_TRANSFORM_IDENTITY;
    COIF_TRY(coif_usd_get(query, "xformOpOrder", COIF_USD_TEXT, 1, &order));
    for (int64_t i = 0; order.data != NULL && i < order.count; ++i) {
        const char *name = ((const char *const *)order.data)[i];
        if (strcmp(name, RESET) == 0) {
            *reset = true;
            *local = COIF_TRANSFORM_IDENTITY;
            continue;
        }
        const bool inverse = is_kind(name, INVERSE);
        name += inverse ? strlen(INVERSE) : 0;
        if (!is_kind(name, OPERATION)) {
            return coif_usd_fail(query, "xformOpOrder", "unknown transform operation '%.60s'",
                                 name);
        }
        coif_transform matrix;
        COIF_TRY(read_operation(query, name, name + strlen(OPERATION), &matrix));
        if (inverse && !invert(&matrix)) {
            return coif_usd_fail(query, name, "the operation has no inverse");
        }
        *local = coif_transform_multiply(local, &matrix);
    }
    return COIF_OK;
}

coif_status coif_usd_world_matrix(const coif_usd_query *query, coif_transform *world)
{
    const coif_arena_mark mark = coif_arena_mark_here(query->arena);
    coif_status status = COIF_OK;
    bool reset = false;
    *world = COIF_TRANSFORM_IDENTITY;
    for (int32_t prim = query->prim; prim >= 0 && !reset && status == COIF_OK;
         prim = query->layer->prims[prim].parent) {
        coif_usd_query own = *query;
        own.prim = prim;
        coif_transform local;
        status = local_matrix(&own, &local, &reset);
        *world = coif_transform_multiply(&local, world);
    }
    coif_arena_rewind(query->arena, mark);
    return status;
}

void coif_usd_each_xform(const coif_usd_layer *layer, int32_t prim,
                         void (*add)(void *context, const coif_usd_attribute *attribute),
                         void *context)
{
    for (; prim >= 0; prim = layer->prims[prim].parent) {
        for (int32_t a = layer->prims[prim].first_attribute; a >= 0;
             a = layer->attributes[a].next) {
            const coif_usd_attribute *attribute = &layer->attributes[a];
            if (attribute->sample_count > 0 && is_kind(attribute->name, "xformOp")) {
                add(context, attribute);
            }
        }
    }
}
