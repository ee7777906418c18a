// strand_edit: subsets and resampling of the strands of a file.
#include "core/hair/strand_edit.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <string.h>

// Arrays with a number of floats per point.
typedef struct point_array {
    const float *from;
    float *to;
    int32_t floats;
} point_array;

enum { POINT_ARRAYS = 4 };

// Allocates the arrays of `to` that `from` has.
static int32_t open_arrays(point_array *arrays, coif_strand_file *to, const coif_strand_file *from,
                           coif_arena *arena)
{
    const coif_strands *a = &from->strands;
    coif_strands *b = &to->strands;
    int32_t count = 0;
    arrays[count++] = (point_array){&a->points->x, &b->points->x, 4};
    if (a->colors != NULL) {
        b->colors = coif_arena_new(arena, b->point_count, coif_vec3);
        arrays[count++] = (point_array){&a->colors->x, &b->colors->x, 3};
    }
    if (a->velocities != NULL) {
        b->velocities = coif_arena_new(arena, b->point_count, coif_vec3);
        arrays[count++] = (point_array){&a->velocities->x, &b->velocities->x, 3};
    }
    if (from->transparency != NULL) {
        to->transparency = coif_arena_new(arena, b->point_count, float);
        arrays[count++] = (point_array){from->transparency, to->transparency, 1};
    }
    return count;
}

// Words of 4 bytes per strand.
static void *select_words(const void *from, int32_t words, const int32_t *strands, int32_t count,
                          coif_arena *arena)
{
    const size_t bytes = (size_t)words * sizeof(int32_t);
    char *to = from != NULL
                   ? coif_arena_alloc(arena, (size_t)words * (size_t)count, sizeof(int32_t))
                   : NULL;
    for (int32_t i = 0; to != NULL && i < count; ++i) {
        memcpy(to + bytes * (size_t)i, (const char *)from + bytes * (size_t)strands[i], bytes);
    }
    return to;
}

void coif_strand_file_select_data(coif_strand_file *file, const int32_t *strands, int32_t count,
                                  coif_arena *arena)
{
    file->groups = select_words(file->groups, 1, strands, count, arena);
    file->ids = select_words(file->ids, 1, strands, count, arena);
    file->guide = select_words(file->guide, 1, strands, count, arena);
    file->closest_guides = select_words(file->closest_guides, 3, strands, count, arena);
    file->guide_weights = select_words(file->guide_weights, 3, strands, count, arena);
}

coif_status coif_strand_file_select(coif_strand_file *file, const int32_t *strands, int32_t count,
                                    coif_arena *arena, coif_error *error)
{
    const coif_strand_file from = *file;
    int32_t *lengths = coif_arena_new(arena, count, int32_t);
    for (int32_t i = 0; i < count; ++i) {
        lengths[i] = coif_strands_length(&from.strands, strands[i]);
    }
    file->transparency = NULL;
    COIF_TRY(coif_strands_init(&file->strands, lengths, count, arena, error));
    point_array arrays[POINT_ARRAYS];
    const int32_t array_count = open_arrays(arrays, file, &from, arena);
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t a = 0; a < array_count; ++a) {
            const size_t floats = (size_t)arrays[a].floats;
            memcpy(arrays[a].to + floats * (size_t)file->strands.first[i],
                   arrays[a].from + floats * (size_t)from.strands.first[strands[i]],
                   sizeof(float) * floats * (size_t)lengths[i]);
        }
        memcpy(file->strands.root_uv + 2 * (int64_t)i,
               from.strands.root_uv + 2 * (int64_t)strands[i], 2 * sizeof(float));
    }
    coif_strand_file_select_data(file, strands, count, arena);
    return COIF_OK;
}

static float segment_length(const coif_strands *strands, int32_t i)
{
    return coif_length(
        coif_sub(coif_vec4_xyz(strands->points[i + 1]), coif_vec4_xyz(strands->points[i])));
}

static void resample_strand(const point_array *arrays, int32_t array_count,
                            const coif_strands *from, int32_t strand, int32_t points)
{
    const int32_t first = from->first[strand], last = from->first[strand + 1] - 1;
    float length = 0.0f;
    for (int32_t i = first; i < last; ++i) {
        length += segment_length(from, i);
    }
    int32_t at = first;
    float begin = 0.0f, span = segment_length(from, at);
    for (int32_t k = 0; k < points; ++k) {
        const float arc_length = length * ((float)k / (float)(points - 1));
        while (at + 1 < last && begin + span < arc_length) {
            begin += span;
            span = segment_length(from, ++at);
        }
        float t = span > 0.0f ? coif_clamp((arc_length - begin) / span, 0.0f, 1.0f) : 0.0f;
        t = k == points - 1 ? 1.0f : t;
        const int32_t left = k == points - 1 ? last - 1 : at;
        for (int32_t a = 0; a < array_count; ++a) {
            const int32_t n = arrays[a].floats;
            const float *p = arrays[a].from + (int64_t)n * left;
            float *q = arrays[a].to + (int64_t)n * ((int64_t)strand * points + k);
            for (int32_t c = 0; c < n; ++c) {
                q[c] = t == 1.0f ? p[n + c] : p[c] + t * (p[n + c] - p[c]);
            }
        }
    }
}

coif_status coif_strand_file_resample(coif_strand_file *file, int32_t points, coif_arena *arena,
                                      coif_error *error)
{
    const coif_strand_file from = *file;
    const int32_t count = from.strands.strand_count;
    int32_t *lengths = coif_arena_new(arena, count, int32_t);
    for (int32_t s = 0; s < count; ++s) {
        lengths[s] = points;
    }
    file->transparency = NULL;
    COIF_TRY(coif_strands_init(&file->strands, lengths, count, arena, error));
    point_array arrays[POINT_ARRAYS];
    const int32_t array_count = open_arrays(arrays, file, &from, arena);
    for (int32_t s = 0; s < count; ++s) {
        resample_strand(arrays, array_count, &from.strands, s, points);
    }
    memcpy(file->strands.root_uv, from.strands.root_uv, 2 * sizeof(float) * (size_t)count);
    return COIF_OK;
}

int32_t coif_strands_spread(int32_t *indices, int32_t count, const coif_strands *strands,
                            coif_arena *scratch)
{
    const int32_t total = strands->strand_count;
    count = count < total ? count : total;
    float *distance =
        coif_arena_new(scratch, total, float); // squared, to the nearest selected root
    for (int32_t s = 0; s < total; ++s) {
        distance[s] = 3.4e38f;
    }
    int32_t next = 0;
    for (int32_t i = 0; i < count; ++i) {
        indices[i] = next;
        const coif_vec3 root = coif_vec4_xyz(strands->points[strands->first[next]]);
        int32_t farthest = 0;
        for (int32_t s = 0; s < total; ++s) {
            const coif_vec3 d = coif_sub(coif_vec4_xyz(strands->points[strands->first[s]]), root);
            const float squared = coif_dot(d, d);
            distance[s] = s == next ? -1.0f : squared < distance[s] ? squared : distance[s];
            farthest = distance[s] > distance[farthest] ? s : farthest;
        }
        next = farthest;
    }
    return count;
}
