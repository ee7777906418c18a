// USD BasisCurves.
#include "core/archive/usd/usd_archive.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"

#include <string.h>

// Curves with what is needed to assign values to them.
typedef struct curve_domain {
    const coif_usd_query *query;
    const coif_archive_curves *curves;
    const int32_t *first; // first point of each curve, and the number of points
    const char *wrap;
    int64_t varying_count; // values of "varying": one per end of a segment
} curve_domain;

static int32_t maximum(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

// Number of varying values of a curve.
static int32_t varying_of(const curve_domain *domain, int32_t points)
{
    const coif_curve_basis basis = domain->curves->basis;
    const bool pinned = strcmp(domain->wrap, "pinned") == 0;
    if (basis == COIF_BASIS_BEZIER) {
        return domain->curves->periodic ? maximum(points / 3, 1) : maximum((points - 1) / 3, 0) + 1;
    }
    return basis == COIF_BASIS_LINEAR || domain->curves->periodic || pinned ? points
           : points < 4                                                     ? points
                                                                            : points - 2;
}

static void warn_of_count(const curve_domain *domain, const char *name, int64_t count)
{
    coif_log(COIF_LOG_WARNING,
             "%s: %s.%s: %lld values for %d curves of %d points; the attribute is ignored",
             domain->query->layer->bytes.name,
             domain->query->layer->prims[domain->query->prim].path, name, (long long)count,
             domain->curves->curve_count, domain->curves->point_count);
}

enum { PER_POINT, PER_CURVE, PER_SEGMENT_END, PER_OBJECT, UNKNOWN };

static int domain_of(const curve_domain *domain, const coif_usd_primvar *primvar)
{
    static const char *const names[] = {"vertex", "uniform", "varying", "constant"};
    const int64_t counts[] = {domain->curves->point_count, domain->curves->curve_count,
                              domain->varying_count, 1};
    for (int i = 0; i < UNKNOWN; ++i) {
        if (strcmp(primvar->interpolation, names[i]) == 0 && primvar->count == counts[i]) {
            return i;
        }
    }
    // Some exporters name the wrong interpolation; the number of values tells the right one.
    for (int i = 0; i < UNKNOWN; ++i) {
        if (primvar->count == counts[i]) {
            return i;
        }
    }
    return UNKNOWN;
}

// Position of point i of a curve among its varying values.
static float varying_position(const curve_domain *domain, int32_t i, int32_t points, int32_t values)
{
    const float position = domain->curves->basis == COIF_BASIS_BEZIER ? (float)i / 3.0f
                           : values < points                          ? (float)(i - 1)
                                                                      : (float)i;
    const float last = (float)(values - 1);
    return position < 0.0f ? 0.0f : position > last ? last : position;
}

// Values per point, NULL for a wrong number of values.
static float *per_point(const curve_domain *domain, const char *name,
                        const coif_usd_primvar *primvar)
{
    const int n = primvar->components, kind = domain_of(domain, primvar);
    if (kind == PER_POINT) {
        return primvar->values;
    }
    if (kind == UNKNOWN) {
        warn_of_count(domain, name, primvar->count);
        return NULL;
    }
    float *values =
        coif_arena_new(domain->query->arena, (size_t)domain->curves->point_count * n, float);
    const float *from = primvar->values;
    for (int32_t c = 0; c < domain->curves->curve_count; ++c) {
        const int32_t points = domain->curves->counts[c];
        const int32_t ends = varying_of(domain, points);
        for (int32_t i = 0; i < points; ++i) {
            float *to = values + ((int64_t)domain->first[c] + i) * n;
            const float position =
                kind == PER_SEGMENT_END ? varying_position(domain, i, points, ends) : 0.0f;
            const int32_t low = (int32_t)position, high = low + 1 < ends ? low + 1 : low;
            const float t = position - (float)low;
            for (int k = 0; k < n; ++k) {
                const float a = from[low * n + k];
                to[k] = kind == PER_SEGMENT_END && t > 0.0f ? a + t * (from[high * n + k] - a) : a;
            }
        }
        from += kind == PER_SEGMENT_END ? (int64_t)ends * n : kind == PER_CURVE ? n : 0;
    }
    return values;
}

// Values per curve: those at the root of attributes that vary along the curve.
static float *per_curve(const curve_domain *domain, const char *name,
                        const coif_usd_primvar *primvar)
{
    const int n = primvar->components;
    if (domain_of(domain, primvar) == PER_CURVE) {
        return primvar->values;
    }
    const float *points = per_point(domain, name, primvar);
    float *values = NULL;
    if (points != NULL) {
        values =
            coif_arena_new(domain->query->arena, (size_t)domain->curves->curve_count * n, float);
        for (int32_t c = 0; c < domain->curves->curve_count; ++c) {
            memcpy(values + (int64_t)c * n, points + (int64_t)domain->first[c] * n,
                   (size_t)n * sizeof(float));
        }
    }
    return values;
}

// Integers per curve: one or several per curve, or constant.
static coif_status integers_per_curve(const curve_domain *domain, const char *name,
                                      int32_t components, int32_t **values)
{
    coif_usd_value value;
    *values = NULL;
    COIF_TRY(coif_usd_get(domain->query, name, COIF_USD_INT, components, &value));
    if (value.data == NULL || value.count == domain->curves->curve_count) {
        *values = value.data;
        return COIF_OK;
    }
    if (value.count != 1) {
        warn_of_count(domain, name, value.count);
        return COIF_OK;
    }
    *values = coif_arena_new(domain->query->arena,
                             (size_t)domain->curves->curve_count * (size_t)components, int32_t);
    for (int32_t i = 0; i < domain->curves->curve_count * components; ++i) {
        (*values)[i] = ((const int32_t *)value.data)[i % components];
    }
    return COIF_OK;
}

// Text per curve of a primvar: constant or uniform, with or without indices.
static coif_status texts_per_curve(const curve_domain *domain, const char *name,
                                   const char ***result)
{
    const coif_usd_query *query = domain->query;
    const int32_t curve_count = domain->curves->curve_count;
    coif_usd_value value;
    int32_t *indices, index_count;
    *result = NULL;
    const char *index_name = coif_arena_print(query->arena, "%s:indices", name);
    COIF_TRY(coif_usd_get(query, name, COIF_USD_TEXT, 1, &value));
    COIF_TRY(coif_usd_read_integers(query, index_name, &indices, &index_count));
    const int64_t count = indices != NULL ? index_count : value.count;
    if (value.data == NULL || (count != 1 && count != curve_count)) {
        return COIF_OK;
    }
    *result = coif_arena_new(query->arena, curve_count, const char *);
    for (int32_t c = 0; c < curve_count; ++c) {
        const int32_t at = count == 1 ? 0 : c, index = indices != NULL ? indices[at] : at;
        if (index < 0 || index >= value.count) {
            return coif_usd_fail(query, index_name, "index %d at %d; there are %lld values", index,
                                 at, (long long)value.count);
        }
        (*result)[c] = ((const char *const *)value.data)[index];
    }
    return COIF_OK;
}

// Blender writes the points of particle hair, which lie on the strands, as the control points of
// B-splines that are not pinned; such splines would begin above the skin.
static bool is_blender_hair(const coif_archive *archive, const coif_archive_curves *curves,
                            const char *wrap)
{
    return strncmp(archive->application, "Blender ", 8) == 0 &&
           curves->basis == COIF_BASIS_BSPLINE && strcmp(wrap, "nonperiodic") == 0;
}

static coif_status read_basis(const coif_usd_query *query, coif_archive_curves *curves,
                              const char **wrap)
{
    static const char *const names[] = {"linear", "bspline", "catmullRom", "bezier"};
    const char *type, *basis;
    COIF_TRY(coif_usd_get_text(query, "type", "cubic", &type));
    COIF_TRY(coif_usd_get_text(query, "basis", "bezier", &basis));
    COIF_TRY(coif_usd_get_text(query, "wrap", "nonperiodic", wrap));
    curves->periodic = strcmp(*wrap, "periodic") == 0;
    curves->pinned = strcmp(*wrap, "pinned") == 0;
    basis = strcmp(type, "linear") == 0 ? type : basis;
    for (size_t i = 0; i < COIF_COUNT_OF(names); ++i) {
        if (strcmp(basis, names[i]) == 0) {
            curves->basis = (coif_curve_basis)i;
            return COIF_OK;
        }
    }
    return coif_usd_fail(query, "basis",
                         "expected linear, bspline, catmullRom or bezier, found '%.60s'", basis);
}

static coif_status read_counts(const coif_usd_query *query, coif_archive_curves *curves,
                               int32_t **first)
{
    COIF_TRY(
        coif_usd_read_integers(query, "curveVertexCounts", &curves->counts, &curves->curve_count));
    *first = coif_arena_new(query->arena, (size_t)curves->curve_count + 1, int32_t);
    int64_t sum = 0;
    for (int32_t c = 0; c < curves->curve_count; ++c) {
        if (curves->counts[c] < 0) {
            return coif_usd_fail(query, "curveVertexCounts", "curve %d has %d points", c,
                                 curves->counts[c]);
        }
        sum += curves->counts[c];
        if (sum > curves->point_count) {
            break;
        }
        (*first)[c + 1] = (int32_t)sum;
    }
    return sum == curves->point_count
               ? COIF_OK
               : coif_usd_fail(query, "curveVertexCounts",
                               "the counts do not add up to the %d points", curves->point_count);
}

static coif_status read_attributes(const curve_domain *domain, const coif_usd_sample_query *at,
                                   coif_archive_curves *curves)
{
    const coif_usd_query *query = domain->query;
    coif_usd_primvar widths, colors, uv, weights;
    COIF_TRY(coif_usd_read_primvar(query, "primvars:widths", 1, &widths));
    if (widths.values == NULL) {
        COIF_TRY(coif_usd_read_primvar(query, "widths", 1, &widths));
    }
    COIF_TRY(coif_usd_read_primvar(query, "primvars:displayColor", 3, &colors));
    COIF_TRY(coif_usd_read_primvar(query, "primvars:groom_root_uv", 2, &uv));
    if (uv.values == NULL) {
        COIF_TRY(coif_usd_read_primvar(query, "primvars:st", 2, &uv));
    }
    if (uv.values == NULL) { // of Blender
        COIF_TRY(coif_usd_read_primvar(query, "primvars:surface_uv_coordinate", 2, &uv));
    }
    COIF_TRY(coif_usd_read_primvar(query, "primvars:groom_guide_weights", 3, &weights));
    if (widths.values != NULL && (curves->widths = per_point(domain, "widths", &widths)) != NULL) {
        // A constant or shared array may be scaled once only: per_point returns the attribute's own
        // values or a copy, and neither is used again.
        for (int32_t i = 0; i < curves->point_count; ++i) {
            curves->widths[i] *= at->scale;
        }
    }
    if (colors.values != NULL) {
        curves->colors = (coif_vec3 *)(void *)per_point(domain, "primvars:displayColor", &colors);
    }
    if (uv.values != NULL) {
        curves->uv = per_curve(domain, "primvars:st", &uv);
    }
    if (weights.values != NULL) {
        curves->guide_weights = per_curve(domain, "primvars:groom_guide_weights", &weights);
    }
    COIF_TRY(integers_per_curve(domain, "primvars:groom_id", 1, &curves->ids));
    COIF_TRY(integers_per_curve(domain, "primvars:groom_group_id", 1, &curves->group_ids));
    COIF_TRY(texts_per_curve(domain, "primvars:groom_group_name", &curves->group_names));
    COIF_TRY(integers_per_curve(domain, "primvars:groom_guide", 1, &curves->guide));
    return integers_per_curve(domain, "primvars:groom_closest_guides", 3, &curves->closest_guides);
}

static coif_status read_curves(const coif_usd_sample_query *at, const coif_archive *archive,
                               coif_archive_curves *curves)
{
    int32_t *first;
    curve_domain domain = {.query = &at->query, .curves = curves};
    COIF_TRY(read_basis(&at->query, curves, &domain.wrap));
    if (is_blender_hair(archive, curves, domain.wrap)) {
        curves->basis = COIF_BASIS_LINEAR;
        coif_log_once(COIF_LOG_INFO, "%s: the control points of Blender's hair are its points",
                      archive->path);
    }
    COIF_TRY(coif_usd_read_points(at, &curves->points, &curves->point_count, &curves->velocities));
    COIF_TRY(read_counts(&at->query, curves, &first));
    domain.first = first;
    for (int32_t c = 0; c < curves->curve_count; ++c) {
        domain.varying_count += varying_of(&domain, curves->counts[c]);
    }
    return curves->point_count > 0 ? read_attributes(&domain, at, curves) : COIF_OK;
}

coif_status coif_usd_read_curves(const coif_archive *archive, int32_t object, int32_t sample,
                                 coif_archive_curves *curves, coif_arena *arena, coif_error *error)
{
    coif_usd_sample_query at;
    memset(curves, 0, sizeof *curves);
    coif_status status = coif_usd_sample_begin(&at, archive, object, sample, arena, error);
    if (status == COIF_OK) {
        status = read_curves(&at, archive, curves);
    }
    coif_usd_sample_end(&at);
    return status;
}
