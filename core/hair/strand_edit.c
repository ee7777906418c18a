// strand_edit: subsets and resampling of the strands of a file.
#include "core/hair/strand_edit.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <math.h>
#include <string.h>

// Arrays with a number of floats per point.
typedef struct point_array {
    const float *from;
    float *to;
    int32_t floats;
} point_array;

enum { POINT_ARRAYS = 4 };

// The arrays that both files have.
static int32_t pair_arrays(point_array *arrays, const coif_strand_file *to,
                           const coif_strand_file *from)
{
    const coif_strands *a = &from->strands, *b = &to->strands;
    int32_t count = 0;
    arrays[count++] = (point_array){&a->points->x, &b->points->x, 4};
    if (a->colors != NULL) {
        arrays[count++] = (point_array){&a->colors->x, &b->colors->x, 3};
    }
    if (a->velocities != NULL) {
        arrays[count++] = (point_array){&a->velocities->x, &b->velocities->x, 3};
    }
    if (from->transparency != NULL) {
        arrays[count++] = (point_array){from->transparency, to->transparency, 1};
    }
    return count;
}

// Allocates the arrays of `to` that `from` has.
static int32_t open_arrays(point_array *arrays, coif_strand_file *to, const coif_strand_file *from,
                           coif_arena *arena)
{
    coif_strands *b = &to->strands;
    if (from->strands.colors != NULL) {
        b->colors = coif_arena_new(arena, b->point_count, coif_vec3);
    }
    if (from->strands.velocities != NULL) {
        b->velocities = coif_arena_new(arena, b->point_count, coif_vec3);
    }
    if (from->transparency != NULL) {
        to->transparency = coif_arena_new(arena, b->point_count, float);
    }
    return pair_arrays(arrays, to, from);
}

static void copy_strand(const point_array *arrays, int32_t array_count, int32_t from, int32_t to,
                        int32_t length)
{
    for (int32_t a = 0; a < array_count; ++a) {
        const size_t floats = (size_t)arrays[a].floats;
        memcpy(arrays[a].to + floats * (size_t)to, arrays[a].from + floats * (size_t)from,
               sizeof(float) * floats * (size_t)length);
    }
}

void coif_strand_file_replace(coif_strand_file *file, int32_t strand, const coif_strand_file *from,
                              int32_t from_strand)
{
    point_array arrays[POINT_ARRAYS];
    const int32_t array_count = pair_arrays(arrays, file, from);
    copy_strand(arrays, array_count, from->strands.first[from_strand], file->strands.first[strand],
                coif_strands_length(&file->strands, strand));
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
        copy_strand(arrays, array_count, from.strands.first[strands[i]], file->strands.first[i],
                    lengths[i]);
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

float coif_strand_unevenness(const coif_strands *strands, int32_t strand)
{
    const int32_t first = strands->first[strand], last = strands->first[strand + 1] - 1;
    float length = 0.0f, deviation = 0.0f;
    for (int32_t i = first; i < last; ++i) {
        length += segment_length(strands, i);
    }
    const float mean = length / (float)(last - first);
    for (int32_t i = first; i < last; ++i) {
        const float difference = segment_length(strands, i) - mean;
        deviation = fmaxf(deviation, fabsf(difference));
    }
    return mean > 0.0f ? deviation / mean : 0.0f;
}

// Where the points of a strand lie on its polyline before resampling.
typedef struct resampling {
    const coif_strands *from;
    int32_t strand;    // of from
    int32_t points;    // of the new strand
    float *arc_length; // per new point
    float *chord;      // length of the new strand up to its points
} resampling;

// Writes the points of the new strand at their arc lengths.
static void place_points(const resampling *r, const point_array *arrays, int32_t array_count,
                         int32_t to)
{
    const coif_strands *from = r->from;
    int32_t at = from->first[r->strand];
    const int32_t last = from->first[r->strand + 1] - 1;
    float begin = 0.0f, span = segment_length(from, at);
    for (int32_t k = 0; k < r->points; ++k) {
        while (at + 1 < last && begin + span < r->arc_length[k]) {
            begin += span;
            span = segment_length(from, ++at);
        }
        const bool end = k == r->points - 1;
        float t = span > 0.0f ? coif_clamp((r->arc_length[k] - begin) / span, 0.0f, 1.0f) : 0.0f;
        t = end ? 1.0f : t;
        const int32_t left = end ? last - 1 : at;
        for (int32_t a = 0; a < array_count; ++a) {
            const int32_t n = arrays[a].floats;
            const float *p = arrays[a].from + (int64_t)n * left;
            float *q = arrays[a].to + (int64_t)n * (to + k);
            for (int32_t c = 0; c < n; ++c) {
                q[c] = t == 1.0f ? p[n + c] : p[c] + t * (p[n + c] - p[c]);
            }
        }
    }
}

// Moves the points along the polyline, so that the distances between them become more equal.
static void respace(const resampling *r, const coif_strands *to, int32_t to_strand, float *scratch)
{
    r->chord[0] = 0.0f;
    for (int32_t k = 1; k < r->points; ++k) {
        r->chord[k] = r->chord[k - 1] + segment_length(to, to->first[to_strand] + k - 1);
    }
    const float length = r->chord[r->points - 1];
    int32_t at = 1;
    for (int32_t k = 1; k < r->points - 1; ++k) {
        const float wanted = length * ((float)k / (float)(r->points - 1));
        while (at < r->points - 1 && r->chord[at] < wanted) {
            ++at;
        }
        const float span = r->chord[at] - r->chord[at - 1];
        const float t = span > 0.0f ? (wanted - r->chord[at - 1]) / span : 0.0f;
        scratch[k] = r->arc_length[at - 1] + t * (r->arc_length[at] - r->arc_length[at - 1]);
    }
    memcpy(r->arc_length + 1, scratch + 1, sizeof(float) * (size_t)(r->points - 2));
}

enum { RESPACINGS = 16 };

coif_status coif_strand_file_resample_to(coif_strand_file *file, const int32_t *lengths,
                                         float tolerance, coif_arena *arena, coif_error *error)
{
    const coif_strand_file from = *file;
    const int32_t count = from.strands.strand_count;
    int32_t *new_lengths = coif_arena_new(arena, count, int32_t), longest = 2;
    for (int32_t s = 0; s < count; ++s) {
        new_lengths[s] = lengths[s] > 0 ? lengths[s] : coif_strands_length(&from.strands, s);
        longest = lengths[s] > longest ? lengths[s] : longest;
    }
    file->transparency = NULL;
    COIF_TRY(coif_strands_init(&file->strands, new_lengths, count, arena, error));
    point_array arrays[POINT_ARRAYS];
    const int32_t array_count = open_arrays(arrays, file, &from, arena);
    float *const positions = coif_arena_new(arena, 3 * (int64_t)longest, float);
    for (int32_t s = 0; s < count; ++s) {
        const int32_t to = file->strands.first[s], first = from.strands.first[s];
        if (lengths[s] <= 0) {
            copy_strand(arrays, array_count, first, to, new_lengths[s]);
            continue;
        }
        const resampling r = {&from.strands, s, lengths[s], positions, positions + longest};
        float length = 0.0f;
        for (int32_t i = first; i < from.strands.first[s + 1] - 1; ++i) {
            length += segment_length(&from.strands, i);
        }
        for (int32_t k = 0; k < r.points; ++k) {
            r.arc_length[k] = length * ((float)k / (float)(r.points - 1));
        }
        place_points(&r, arrays, array_count, to);
        for (int32_t i = 0;
             i < RESPACINGS && coif_strand_unevenness(&file->strands, s) > 0.5f * tolerance; ++i) {
            respace(&r, &file->strands, s, positions + 2 * (int64_t)longest);
            place_points(&r, arrays, array_count, to);
        }
    }
    if (from.strands.root_uv != NULL) {
        memcpy(file->strands.root_uv, from.strands.root_uv, 2 * sizeof(float) * (size_t)count);
    }
    return COIF_OK;
}

coif_status coif_strand_file_resample(coif_strand_file *file, int32_t points, coif_arena *arena,
                                      coif_error *error)
{
    const int32_t count = file->strands.strand_count;
    int32_t *lengths = coif_arena_new(arena, count, int32_t);
    for (int32_t s = 0; s < count; ++s) {
        lengths[s] = points;
    }
    return coif_strand_file_resample_to(file, lengths, INFINITY, arena, error);
}

coif_status coif_strand_file_add_guides(coif_strand_file *file, const int32_t *strands,
                                        int32_t count, coif_arena *arena, coif_error *error)
{
    const int32_t total = file->strands.strand_count;
    int32_t *kept = coif_arena_new(arena, (int64_t)total + count, int32_t);
    int32_t *guide = coif_arena_new(arena, (int64_t)total + count, int32_t);
    int32_t *ids = coif_arena_new(arena, total, int32_t);
    for (int32_t s = 0; s < total; ++s) {
        kept[s] = ids[s] = s;
    }
    for (int32_t i = 0; i < count; ++i) {
        kept[total + i] = strands[i];
        guide[total + i] = 1;
    }
    file->ids = file->ids != NULL ? file->ids : ids;
    COIF_TRY(coif_strand_file_select(file, kept, total + count, arena, error));
    file->guide = guide;
    return COIF_OK;
}

bool coif_strand_file_has_guides(const coif_strand_file *file)
{
    for (int32_t s = 0; file->guide != NULL && s < file->strands.strand_count; ++s) {
        if (file->guide[s] != 0) {
            return true;
        }
    }
    return false;
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
