// Curves of Alembic archives, with the attributes of Unreal's groom schema.
#include "core/archive/alembic/abc_reader.h"
#include "core/archive/spline_ends.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"

#include <string.h>

// Values of curveBasisAndType: type, periodicity, basis.
enum { TYPE_CUBIC, TYPE_LINEAR, TYPE_VARIABLE_ORDER };
enum { BASIS_NONE, BASIS_BEZIER, BASIS_BSPLINE, BASIS_CATMULL_ROM };

// NURBS: all curves of order 2, which are lines, or all of order 4.
static coif_status read_order(coif_archive_curves *curves, const coif_abc_query *query,
                              coif_error *error)
{
    coif_abc_values orders;
    COIF_TRY(coif_abc_read_values(&orders, query, coif_abc_find(query->node->properties, ".orders"),
                                  1, COIF_ABC_AS_INT, error));
    const int32_t order = orders.count > 0 ? orders.ints[0] : 0;
    bool uniform = order == 2 || order == 4;
    for (int64_t i = 0; i < orders.count; ++i) {
        uniform = uniform && orders.ints[i] == order;
    }
    if (!uniform) {
        return coif_abc_fail(query, error,
                             "NURBS curves of order %d or of several orders are not read; export "
                             "linear, B-spline or Bezier curves",
                             order);
    }
    curves->basis = order == 2 ? COIF_BASIS_LINEAR : COIF_BASIS_BSPLINE;
    return COIF_OK;
}

static coif_status read_basis(coif_archive_curves *curves, const coif_abc_query *query,
                              coif_error *error)
{
    coif_abc_values codes;
    COIF_TRY(coif_abc_read_values(&codes, query,
                                  coif_abc_find(query->node->properties, "curveBasisAndType"), 1,
                                  COIF_ABC_AS_INT, error));
    curves->basis = COIF_BASIS_LINEAR;
    if (codes.count < 3) {
        return COIF_OK;
    }
    curves->periodic = codes.ints[1] != 0;
    // Alembic has no attribute for it; programs write hair from its first control point.
    curves->pinned = !curves->periodic;
    if (codes.ints[0] == TYPE_VARIABLE_ORDER) {
        return read_order(curves, query, error);
    }
    if (codes.ints[0] != TYPE_CUBIC || codes.ints[2] == BASIS_NONE) {
        return COIF_OK;
    }
    if (codes.ints[2] > BASIS_CATMULL_ROM) {
        return coif_abc_fail(query, error,
                             "cubic curves of basis %d are not read; export linear, B-spline, "
                             "Catmull-Rom or Bezier curves",
                             codes.ints[2]);
    }
    curves->basis = codes.ints[2] == BASIS_BEZIER    ? COIF_BASIS_BEZIER
                    : codes.ints[2] == BASIS_BSPLINE ? COIF_BASIS_BSPLINE
                                                     : COIF_BASIS_CATMULL_ROM;
    return COIF_OK;
}

static coif_status read_counts(coif_archive_curves *curves, const coif_abc_query *query,
                               coif_error *error)
{
    coif_abc_values counts;
    COIF_TRY(coif_abc_read_values(&counts, query,
                                  coif_abc_find(query->node->properties, "nVertices"), 1,
                                  COIF_ABC_AS_INT, error));
    int64_t sum = 0;
    for (int64_t i = 0; i < counts.count; ++i) {
        if (counts.ints[i] < 1) {
            return coif_abc_fail(query, error, "curve %lld has %d points", (long long)i,
                                 counts.ints[i]);
        }
        sum += counts.ints[i];
    }
    if (sum != curves->point_count) {
        return coif_abc_fail(query, error, "%d points, but the curves have %lld",
                             curves->point_count, (long long)sum);
    }
    curves->counts = counts.ints;
    curves->curve_count = (int32_t)counts.count;
    return COIF_OK;
}

// Values per curve at the ends of segments ("varying").
static int32_t varying_count(const coif_archive_curves *curves, int32_t points)
{
    const int32_t linear = curves->periodic ? points : points - 1;
    int32_t segments = linear;
    if (curves->basis == COIF_BASIS_BEZIER) {
        segments = curves->periodic ? points / 3 : (points - 1) / 3;
    } else if (curves->basis != COIF_BASIS_LINEAR) {
        segments = curves->periodic ? points : points - 3;
    }
    return segments > 0 ? segments + !curves->periodic : 1;
}

// Parameter of a control point among the varying values of its curve.
static float varying_parameter(const coif_archive_curves *curves, int32_t point, int32_t count)
{
    const float at = curves->basis == COIF_BASIS_BEZIER   ? (float)point / 3.0f
                     : curves->basis == COIF_BASIS_LINEAR ? (float)point
                     : curves->periodic                   ? (float)point
                                                          : (float)(point - 1);
    return coif_clamp(at, 0.0f, (float)(count > 1 ? count - 1 : 0));
}

typedef struct scope_counts {
    int64_t of[5];
} scope_counts;

static scope_counts count_scopes(const coif_archive_curves *curves)
{
    scope_counts counts = {{1, curves->curve_count, 0, curves->point_count, curves->point_count}};
    for (int32_t c = 0; c < curves->curve_count; ++c) {
        counts.of[COIF_ABC_VARYING] += varying_count(curves, curves->counts[c]);
    }
    return counts;
}

// The parameter of a name of the object, or of the nearest transform above it that has one.
static const coif_abc_property *find_attribute(const coif_abc_query *query, const char *name)
{
    for (const coif_abc_node *at = query->node; at != NULL; at = at->parent) {
        const coif_abc_property *found =
            coif_abc_find(coif_abc_find(at->properties, ".arbGeomParams"), name);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

// Floats of a parameter per point; NULL without the parameter.
static float *expand_to_points(const coif_abc_param *param, uint32_t extent,
                               const coif_archive_curves *curves, coif_arena *arena)
{
    if (param->values.count == 0) {
        return NULL;
    }
    const float *from = param->values.floats;
    float *to = coif_arena_new(arena, (size_t)extent * (size_t)curves->point_count, float);
    int64_t point = 0, varying = 0;
    for (int32_t c = 0; c < curves->curve_count; ++c) {
        const int32_t count = varying_count(curves, curves->counts[c]);
        for (int32_t i = 0; i < curves->counts[c]; ++i, ++point) {
            int64_t first = param->scope == COIF_ABC_CONSTANT_SCOPE ? 0
                            : param->scope == COIF_ABC_UNIFORM      ? c
                                                                    : point;
            int64_t second = first;
            float weight = 0.0f;
            if (param->scope == COIF_ABC_VARYING) {
                const float at = varying_parameter(curves, i, count);
                first = varying + (int64_t)at;
                second = (int64_t)at + 1 < count ? first + 1 : first;
                weight = at - floorf(at);
            }
            for (uint32_t k = 0; k < extent; ++k) {
                const float a = from[extent * first + k];
                to[extent * point + k] = a + weight * (from[extent * second + k] - a);
            }
        }
        varying += count;
    }
    return to;
}

// Numbers of a parameter per curve, those of its first point for finer scopes; NULL without the
// parameter. Ints are copied as they are.
static void *expand_to_curves(const coif_abc_param *param, uint32_t extent,
                              const coif_archive_curves *curves, coif_arena *arena)
{
    if (param->values.count == 0) {
        return NULL;
    }
    int32_t *to = coif_arena_new(arena, (size_t)extent * (size_t)curves->curve_count, int32_t);
    int64_t point = 0, varying = 0;
    for (int32_t c = 0; c < curves->curve_count; ++c) {
        const int64_t element = param->scope == COIF_ABC_CONSTANT_SCOPE ? 0
                                : param->scope == COIF_ABC_UNIFORM      ? c
                                : param->scope == COIF_ABC_VARYING      ? varying
                                                                        : point;
        memcpy(to + (int64_t)extent * c, param->values.ints + extent * element,
               extent * sizeof *to);
        point += curves->counts[c];
        varying += varying_count(curves, curves->counts[c]);
    }
    return to;
}

// A parameter per curve, of an attribute or, for uv, of the schema.
static coif_status read_per_curve(void *result, const coif_abc_query *query,
                                  const coif_abc_property *property, uint32_t extent,
                                  coif_abc_number number, const coif_archive_curves *curves,
                                  coif_error *error)
{
    coif_abc_param param;
    const scope_counts counts = count_scopes(curves);
    COIF_TRY(coif_abc_read_param(&param, query, property, extent, number, counts.of, error));
    void *expanded = expand_to_curves(&param, extent, curves, query->arena);
    memcpy(result, &expanded, sizeof expanded);
    return COIF_OK;
}

static coif_status read_per_point(float **result, const coif_abc_query *query,
                                  const coif_abc_property *property, uint32_t extent,
                                  const coif_archive_curves *curves, coif_error *error)
{
    coif_abc_param param;
    const scope_counts counts = count_scopes(curves);
    COIF_TRY(
        coif_abc_read_param(&param, query, property, extent, COIF_ABC_AS_FLOAT, counts.of, error));
    *result = expand_to_points(&param, extent, curves, query->arena);
    return COIF_OK;
}

// The first attribute that exists.
static const coif_abc_property *find_any(const coif_abc_query *query, const char *const *names,
                                         size_t count)
{
    const coif_abc_property *found = NULL;
    for (size_t i = 0; i < count && found == NULL; ++i) {
        found = find_attribute(query, names[i]);
    }
    return found;
}

static coif_status read_widths(coif_archive_curves *curves, const coif_abc_query *query,
                               coif_error *error)
{
    const coif_abc_property *own = find_attribute(query, "groom_width");
    const float scale = (float)coif_transform_scale(&query->to_world);
    COIF_TRY(read_per_point(&curves->widths, query,
                            own != NULL ? own : coif_abc_find(query->node->properties, "width"), 1,
                            curves, error));
    for (int32_t i = 0; curves->widths != NULL && i < curves->point_count; ++i) {
        curves->widths[i] *= scale;
        if (!(curves->widths[i] >= 0.0f) || !isfinite(curves->widths[i])) {
            return coif_abc_fail(query, error, "width %g of point %d", (double)curves->widths[i],
                                 i);
        }
    }
    return COIF_OK;
}

// Text per curve of a parameter: constant or uniform, with or without indices.
static coif_status read_texts(const char ***result, const coif_abc_query *query,
                              const coif_abc_property *property, int32_t curve_count,
                              coif_error *error)
{
    const bool indexed = property != NULL && property->compound;
    const coif_abc_property *stored = indexed ? coif_abc_find(property, ".vals") : property;
    coif_abc_values indices = {0};
    coif_bytes text;
    *result = NULL;
    if (stored == NULL || stored->compound || stored->type != COIF_ABC_STRING) {
        return COIF_OK;
    }
    COIF_TRY(coif_abc_read_bytes(&text, query, stored, error));
    COIF_TRY(coif_abc_read_values(&indices, query,
                                  indexed ? coif_abc_find(property, ".indices") : NULL, 1,
                                  COIF_ABC_AS_INT, error));
    const char *const begin = text.data, *const end = begin + text.size;
    int64_t count = 0;
    for (const char *at = begin; at < end; at += strlen(at) + 1) {
        ++count;
    }
    const char **texts = coif_arena_new(query->arena, count, const char *);
    count = 0;
    for (const char *at = begin; at < end; at += strlen(at) + 1) {
        texts[count++] = at;
    }
    const int64_t values = indexed ? indices.count : count;
    if (values != 1 && values != curve_count) {
        return COIF_OK;
    }
    *result = coif_arena_new(query->arena, curve_count, const char *);
    for (int32_t c = 0; c < curve_count; ++c) {
        const int64_t at = values == 1 ? 0 : c, index = indexed ? indices.ints[at] : at;
        if (index < 0 || index >= count) {
            return coif_abc_fail(query, error, "%s: index %lld is %lld, but there are %lld values",
                                 property->name, (long long)at, (long long)index, (long long)count);
        }
        (*result)[c] = texts[index];
    }
    return COIF_OK;
}

static coif_status read_attributes(coif_archive_curves *curves, const coif_abc_query *query,
                                   coif_error *error)
{
    static const char *const color_names[] = {"groom_color", "Cd", "Cs", "color", "rgb"};
    const coif_abc_property *uv = find_attribute(query, "groom_root_uv");
    float *colors;
    COIF_TRY(read_widths(curves, query, error));
    COIF_TRY(read_per_point(&colors, query,
                            find_any(query, color_names, COIF_COUNT_OF(color_names)), 3, curves,
                            error));
    curves->colors = (coif_vec3 *)(void *)colors;
    COIF_TRY(read_per_curve(&curves->uv, query,
                            uv != NULL ? uv : coif_abc_find(query->node->properties, "uv"), 2,
                            COIF_ABC_AS_FLOAT, curves, error));
    COIF_TRY(read_texts(&curves->group_names, query, find_attribute(query, "groom_group_name"),
                        curves->curve_count, error));
    COIF_TRY(read_per_curve(&curves->guide_weights, query,
                            find_attribute(query, "groom_guide_weights"), 3, COIF_ABC_AS_FLOAT,
                            curves, error));
    const struct {
        const char *name;
        uint32_t extent;
        int32_t **values;
    } ints[] = {{"groom_id", 1, &curves->ids},
                {"groom_group_id", 1, &curves->group_ids},
                {"groom_guide", 1, &curves->guide},
                {"groom_closest_guides", 3, &curves->closest_guides}};
    for (size_t i = 0; i < COIF_COUNT_OF(ints); ++i) {
        COIF_TRY(read_per_curve(ints[i].values, query, find_attribute(query, ints[i].name),
                                ints[i].extent, COIF_ABC_AS_INT, curves, error));
    }
    return COIF_OK;
}

static bool is_same(coif_vec3 a, coif_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Whether all curves repeat their end points, as programs do whose splines are not pinned.
static bool repeats_ends(const coif_archive_curves *curves)
{
    const coif_vec3 *p = curves->points;
    for (int32_t c = 0; c < curves->curve_count; p += curves->counts[c++]) {
        const int32_t last = curves->counts[c] - 1;
        if (last < 3 || !is_same(p[0], p[1]) || !is_same(p[last], p[last - 1])) {
            return false;
        }
    }
    return curves->curve_count > 0;
}

coif_status coif_abc_read_curves(void *result, const coif_abc_query *query, coif_error *error)
{
    coif_archive_curves *curves = result;
    coif_abc_values points;
    *curves = (coif_archive_curves){.basis = COIF_BASIS_LINEAR};
    COIF_TRY(coif_abc_read_interpolated(&points, query, coif_abc_find(query->node->properties, "P"),
                                        3, error));
    curves->point_count = (int32_t)points.count;
    COIF_TRY(read_basis(curves, query, error));
    COIF_TRY(read_counts(curves, query, error));
    COIF_TRY(coif_abc_world_points(&curves->points, query, &points, error));
    COIF_TRY(coif_abc_read_velocities(&curves->velocities, query, &points, error));
    COIF_TRY(read_attributes(curves, query, error));
    if (find_attribute(query, COIF_ABC_PINNED) != NULL) {
        coif_curves_remove_ends(curves);
    } else if (repeats_ends(curves)) {
        curves->pinned = false;
    }
    return COIF_OK;
}
