// USD archives: transform of a sample, points, integers and primvars.
#include "core/archive/usd/usd_archive.h"
#include "core/base/arena.h"
#include "core/base/error.h"

#include <math.h>
#include <string.h>

coif_status coif_usd_sample_begin(coif_usd_sample_query *at, const coif_archive *archive,
                                  int32_t object, int32_t sample, coif_arena *arena,
                                  coif_error *error)
{
    const coif_usd_archive *usd = (const coif_usd_archive *)archive;
    COIF_REQUIRE(object >= 0 && object < archive->object_count);
    COIF_REQUIRE(sample >= 0 && sample < archive->objects[object].sample_count);
    const coif_usd_object *own = &usd->objects[object];
    *at = (coif_usd_sample_query){.layer = usd->layer, .archive = usd, .object = own};
    at->query = (coif_usd_query){&at->layer, own->prim, own->time_codes[sample], arena, error};
    if (usd->file_size > 0) {
        COIF_TRY(coif_file_map(&at->mapped, archive->path, error));
        if (at->mapped.size != usd->file_size) {
            return coif_fail(error, COIF_ERR_IO, "%s: the file changed while it was read",
                             archive->path);
        }
        at->layer.bytes.data = (const char *)at->mapped.data + usd->layer_offset;
    }
    const coif_transform units =
        coif_transform_of_units(archive->meters_per_unit, archive->up_axis);
    coif_transform world;
    COIF_TRY(coif_usd_world_matrix(&at->query, &world));
    at->to_world = coif_transform_multiply(&units, &world);
    // Not the cube root of the volume: the C library rounds it differently on some machines.
    double lengths = 0.0;
    for (int c = 0; c < 3; ++c) {
        lengths += coif_vec3d_length(coif_transform_axis(&at->to_world, c));
    }
    at->scale = (float)(lengths / 3.0);
    return COIF_OK;
}

void coif_usd_sample_end(coif_usd_sample_query *at)
{
    coif_file_unmap(&at->mapped);
}

static const double RATE_STEP =
    1e-3; // seconds of the difference that gives the rate of a transform

// Derivative of the transform by a difference within the samples of the object: velocity of points
// that rest in the space of the prim.
static coif_status transform_rate(const coif_usd_sample_query *at, coif_transform *rate)
{
    *rate = (coif_transform){{{0}}};
    if (!at->object->moving) {
        return COIF_OK;
    }
    const coif_archive *archive = &at->archive->base;
    const int32_t count = archive->objects[at->object - at->archive->objects].sample_count;
    const double codes = at->archive->time_codes_per_second;
    const double first = at->object->time_codes[0], last = at->object->time_codes[count - 1];
    const coif_transform units =
        coif_transform_of_units(archive->meters_per_unit, archive->up_axis);
    coif_usd_query before = at->query, after = at->query;
    before.time = fmax(at->query.time - RATE_STEP * codes, first);
    after.time = fmin(at->query.time + RATE_STEP * codes, last);
    if (!(after.time > before.time)) {
        return COIF_OK;
    }
    coif_transform from, to;
    COIF_TRY(coif_usd_world_matrix(&before, &from));
    COIF_TRY(coif_usd_world_matrix(&after, &to));
    for (int i = 0; i < 12; ++i) {
        from.m[i / 4][i % 4] =
            (to.m[i / 4][i % 4] - from.m[i / 4][i % 4]) * codes / (after.time - before.time);
    }
    *rate = coif_transform_multiply(&units, &from);
    return COIF_OK;
}

coif_status coif_usd_read_points(const coif_usd_sample_query *at, coif_vec3 **points,
                                 int32_t *count, coif_vec3 **velocities)
{
    coif_usd_value value, speed;
    COIF_TRY(coif_usd_get(&at->query, "points", COIF_USD_FLOAT, 3, &value));
    COIF_TRY(coif_usd_get(&at->query, "velocities", COIF_USD_FLOAT, 3, &speed));
    if (value.count > INT32_MAX) {
        return coif_usd_fail(&at->query, "points", "too many points");
    }
    *points = value.data;
    *count = (int32_t)value.count;
    *velocities = NULL;
    if (speed.data != NULL && speed.count == value.count) {
        coif_transform rate;
        COIF_TRY(transform_rate(at, &rate));
        *velocities = speed.data;
        for (int64_t i = 0; i < value.count; ++i) {
            (*velocities)[i] = coif_add(coif_transform_vector(&at->to_world, (*velocities)[i]),
                                        coif_transform_point(&rate, (*points)[i]));
        }
    }
    for (int64_t i = 0; i < value.count; ++i) {
        const coif_vec3 p = coif_transform_point(&at->to_world, (*points)[i]);
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
            return coif_usd_fail(&at->query, "points", "point %lld is not finite", (long long)i);
        }
        (*points)[i] = p;
    }
    return COIF_OK;
}

coif_status coif_usd_read_integers(const coif_usd_query *query, const char *name, int32_t **values,
                                   int32_t *count)
{
    coif_usd_value value;
    *values = NULL;
    *count = 0;
    COIF_TRY(coif_usd_get(query, name, COIF_USD_INT, 1, &value));
    if (value.count > INT32_MAX) {
        return coif_usd_fail(query, name, "too many elements");
    }
    *values = value.data;
    *count = (int32_t)value.count;
    return COIF_OK;
}

coif_status coif_usd_read_primvar(const coif_usd_query *query, const char *name, int32_t components,
                                  coif_usd_primvar *primvar)
{
    coif_usd_value value;
    *primvar = (coif_usd_primvar){.interpolation = ""};
    const coif_usd_attribute *attribute = coif_usd_find(query->layer, query->prim, name);
    if (attribute == NULL) {
        return COIF_OK;
    }
    COIF_TRY(coif_usd_read(query, attribute, COIF_USD_FLOAT, components, &value));
    if (value.data == NULL || value.count == 0) {
        return COIF_OK;
    }
    *primvar = (coif_usd_primvar){
        .values = value.data,
        .components = components,
        .count = value.count,
        .interpolation = attribute->interpolation != NULL ? attribute->interpolation : ""};
    int32_t *indices, count;
    const char *index_name = coif_arena_print(query->arena, "%s:indices", name);
    COIF_TRY(coif_usd_read_integers(query, index_name, &indices, &count));
    if (indices == NULL) {
        return COIF_OK;
    }
    float *flat = coif_arena_new(query->arena, (size_t)count * (size_t)components, float);
    for (int32_t i = 0; i < count; ++i) {
        if (indices[i] < 0 || indices[i] >= value.count) {
            return coif_usd_fail(query, index_name, "index %d at %d; there are %lld values",
                                 indices[i], i, (long long)value.count);
        }
        memcpy(flat + (int64_t)i * components, primvar->values + (int64_t)indices[i] * components,
               (size_t)components * sizeof(float));
    }
    primvar->values = flat;
    primvar->count = count;
    return COIF_OK;
}
