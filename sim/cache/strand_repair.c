// strand_repair: makes the strands of a file usable on a body.
#include "sim/cache/strand_repair.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/hair/strand_edit.h"
#include "sim/groom/scalp_closest_point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Roots nearer to the scalp are on it.
static const float ON_SURFACE = 1e-6f;

static coif_vec3 point_of(const coif_strands *strands, int32_t i)
{
    return coif_vec4_xyz(strands->points[i]);
}

// Removes points at the position of their predecessor; strands of one position are removed.
static coif_status merge_points(coif_strand_file *file, coif_strand_repair_report *report,
                                coif_arena *arena, coif_error *error)
{
    const coif_strands from = file->strands;
    coif_strands *strands = &file->strands;
    int32_t *lengths = coif_arena_new(arena, from.strand_count, int32_t);
    int32_t *kept = coif_arena_new(arena, from.strand_count, int32_t), kept_count = 0, to = 0;
    for (int32_t s = 0; s < from.strand_count; ++s) {
        int32_t length = 0;
        const int32_t first = from.first[s], begin = to;
        for (int32_t i = first; i < from.first[s + 1]; ++i) {
            if (i > first && memcmp(&from.points[i], &from.points[i - 1], sizeof(coif_vec3)) == 0) {
                ++report->merged_points;
                continue;
            }
            strands->points[to] = from.points[i];
            if (strands->colors != NULL) {
                strands->colors[to] = from.colors[i];
            }
            if (strands->velocities != NULL) {
                strands->velocities[to] = from.velocities[i];
            }
            if (file->transparency != NULL) {
                file->transparency[to] = file->transparency[i];
            }
            ++to;
            ++length;
        }
        if (length < 2) {
            to = begin;
            ++report->strays;
            continue;
        }
        lengths[kept_count] = length;
        kept[kept_count++] = s;
    }
    if (report->merged_points == 0) {
        return COIF_OK;
    }
    const coif_strand_file packed = *file;
    COIF_TRY(coif_strands_init(strands, lengths, kept_count, arena, error));
    memcpy(strands->points, packed.strands.points, sizeof(coif_vec4) * (size_t)to);
    strands->colors = packed.strands.colors;
    strands->velocities = packed.strands.velocities;
    for (int32_t i = 0; i < kept_count; ++i) {
        memcpy(strands->root_uv + 2 * (int64_t)i, from.root_uv + 2 * (int64_t)kept[i], 8);
    }
    coif_strand_file_select_data(file, kept, kept_count, arena);
    return COIF_OK;
}

static void swap_points(coif_strand_file *file, int32_t a, int32_t b)
{
    coif_strands *strands = &file->strands;
    const coif_vec4 p = strands->points[a];
    strands->points[a] = strands->points[b];
    strands->points[b] = p;
    if (strands->colors != NULL) {
        const coif_vec3 color = strands->colors[a];
        strands->colors[a] = strands->colors[b];
        strands->colors[b] = color;
    }
    if (strands->velocities != NULL) {
        const coif_vec3 velocity = strands->velocities[a];
        strands->velocities[a] = strands->velocities[b];
        strands->velocities[b] = velocity;
    }
    if (file->transparency != NULL) {
        const float value = file->transparency[a];
        file->transparency[a] = file->transparency[b];
        file->transparency[b] = value;
    }
}

static void reverse_strand(coif_strand_file *file, int32_t strand)
{
    int32_t a = file->strands.first[strand], b = file->strands.first[strand + 1] - 1;
    for (; a < b; ++a, --b) {
        swap_points(file, a, b);
    }
}

typedef struct repair_ctx {
    coif_strand_file *file;
    const coif_strand_repair_desc *desc;
    const coif_scalp_locator *scalp;
    coif_scalp_location *root, *tip; // per strand: closest points of both ends
} repair_ctx;

static void locate_block(void *context, int64_t begin, int64_t end, int worker)
{
    const repair_ctx *ctx = context;
    const coif_strands *strands = &ctx->file->strands;
    (void)worker;
    for (int64_t s = begin; s < end; ++s) {
        coif_scalp_locator_closest(&ctx->root[s], ctx->scalp, point_of(strands, strands->first[s]));
        coif_scalp_locator_closest(&ctx->tip[s], ctx->scalp,
                                   point_of(strands, strands->first[s + 1] - 1));
    }
}

typedef struct hashed_strand {
    uint64_t hash;
    int32_t strand;
} hashed_strand;

static int compare_hashes(const void *left, const void *right)
{
    const hashed_strand *a = left, *b = right;
    return a->hash != b->hash ? (a->hash < b->hash ? -1 : 1)
                              : (a->strand > b->strand) - (a->strand < b->strand);
}

// A guide is no duplicate of the strand that it was chosen from.
static bool is_guide(const coif_strand_file *file, int32_t strand)
{
    return file->guide != NULL && file->guide[strand] != 0;
}

static bool strands_equal(const coif_strand_file *file, int32_t a, int32_t b)
{
    const coif_strands *strands = &file->strands;
    const int32_t length = coif_strands_length(strands, a);
    return length == coif_strands_length(strands, b) && is_guide(file, a) == is_guide(file, b) &&
           memcmp(strands->points + strands->first[a], strands->points + strands->first[b],
                  sizeof(coif_vec4) * (size_t)length) == 0;
}

static coif_status remove_strands(coif_strand_file *file, const bool *removed, coif_arena *arena,
                                  coif_error *error)
{
    const int32_t count = file->strands.strand_count;
    int32_t *kept = coif_arena_new(arena, count, int32_t), kept_count = 0;
    for (int32_t s = 0; s < count; ++s) {
        if (!removed[s]) {
            kept[kept_count++] = s;
        }
    }
    return kept_count < count ? coif_strand_file_select(file, kept, kept_count, arena, error)
                              : COIF_OK;
}

// Keeps the first of equal strands.
static coif_status remove_duplicates(coif_strand_file *file, coif_strand_repair_report *report,
                                     coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "duplicates");
    const coif_strands *strands = &file->strands;
    const int32_t count = strands->strand_count;
    hashed_strand *hashed = coif_arena_new(&scratch, count, hashed_strand);
    bool *removed = coif_arena_new(&scratch, count, bool);
    for (int32_t s = 0; s < count; ++s) {
        hashed[s] = (hashed_strand){
            coif_hash64(strands->points + strands->first[s],
                        sizeof(coif_vec4) * (size_t)coif_strands_length(strands, s)) +
                (uint64_t)is_guide(file, s),
            s};
    }
    qsort(hashed, (size_t)count, sizeof *hashed, compare_hashes);
    int32_t original = 0;
    for (int32_t i = 1; i < count; ++i) {
        if (hashed[i].hash != hashed[original].hash ||
            !strands_equal(file, hashed[i].strand, hashed[original].strand)) {
            original = i;
        } else {
            removed[hashed[i].strand] = true;
            ++report->duplicates;
        }
    }
    return remove_strands(file, removed, arena, error);
}

static void bind_root(const repair_ctx *ctx, int32_t strand, coif_repair_moves *bound, double *sum)
{
    coif_strands *strands = &ctx->file->strands;
    coif_scalp_location root;
    const coif_vec3 from = point_of(strands, strands->first[strand]);
    const float rounding = 4e-7f * coif_length(from);
    if (!coif_scalp_locator_closest(&root, ctx->scalp, from) ||
        root.distance <= fmaxf(ON_SURFACE, rounding)) {
        return;
    }
    const coif_surface_point on =
        coif_mesh_at(ctx->desc->mesh, root.triangle, root.weights[0], root.weights[1]);
    const coif_vec3 offset = coif_sub(on.position, from);
    for (int32_t i = strands->first[strand]; i < strands->first[strand + 1]; ++i) {
        const coif_vec3 p = coif_add(point_of(strands, i), offset);
        strands->points[i] = (coif_vec4){p.x, p.y, p.z, strands->points[i].w};
    }
    ++bound->strands;
    bound->points += coif_strands_length(strands, strand);
    bound->largest = fmax(bound->largest, (double)root.distance);
    *sum += (double)root.distance;
}

// Reverses and removes strands by the distances of their ends, then binds the roots.
static coif_status repair_roots(coif_strand_file *file, const coif_strand_repair_desc *desc,
                                coif_strand_repair_report *report, coif_arena *arena,
                                coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "strand repair");
    coif_scalp_locator scalp;
    coif_scalp_locator_open(&scalp, desc->mesh, desc->group, &scratch);
    if (scalp.part.triangle_count == 0) {
        return coif_fail(error, COIF_ERR_SCENE, "group \"%s\" has no triangle to bind roots to",
                         desc->group);
    }
    const int32_t count = file->strands.strand_count;
    const repair_ctx ctx = {.file = file,
                            .desc = desc,
                            .scalp = &scalp,
                            .root = coif_arena_new(&scratch, count, coif_scalp_location),
                            .tip = coif_arena_new(&scratch, count, coif_scalp_location)};
    coif_parallel_for(desc->jobs, count, 64, locate_block, (void *)&ctx);
    bool *removed = coif_arena_new(&scratch, count, bool);
    report->nearest_end = INFINITY;
    for (int32_t s = 0; s < count; ++s) {
        const float limit = desc->max_root_distance;
        const float root = ctx.root[s].distance, tip = ctx.tip[s].distance;
        report->nearest_end = fminf(report->nearest_end, fminf(root, tip));
        if (root > limit && tip <= limit && (desc->steps & COIF_REPAIR_REVERSE) != 0) {
            reverse_strand(file, s);
            ++report->reversed;
        } else if (root > limit && tip > limit && (desc->steps & COIF_REPAIR_STRAYS) != 0) {
            removed[s] = true;
            ++report->strays;
        }
    }
    COIF_TRY(remove_strands(file, removed, arena, error));
    if ((desc->steps & COIF_REPAIR_BIND) != 0) {
        double sum = 0.0;
        for (int32_t s = 0; s < file->strands.strand_count; ++s) {
            bind_root(&ctx, s, &report->bound, &sum);
        }
        report->bound.average = sum / fmax((double)report->bound.strands, 1.0);
    }
    return COIF_OK;
}

// The number of points of all strands; 0: they differ.
static int32_t common_length(const coif_strands *strands)
{
    const int32_t length = strands->strand_count > 0 ? coif_strands_length(strands, 0) : 0;
    for (int32_t s = 1; s < strands->strand_count; ++s) {
        if (coif_strands_length(strands, s) != length) {
            return 0;
        }
    }
    return length;
}

coif_status coif_strand_repair(coif_strand_file *file, const coif_strand_repair_desc *desc,
                               coif_strand_repair_report *report, coif_arena *arena,
                               coif_error *error)
{
    const int32_t points =
        desc->resample_points > 0 ? desc->resample_points : common_length(&file->strands);
    const bool duplicates = (desc->steps & COIF_REPAIR_DUPLICATES) != 0;
    *report = (coif_strand_repair_report){0};
    if ((desc->steps & COIF_REPAIR_MERGE) != 0) {
        COIF_TRY(merge_points(file, report, arena, error));
    }
    if (duplicates) {
        COIF_TRY(remove_duplicates(file, report, arena, error));
    }
    COIF_TRY(repair_roots(file, desc, report, arena, error));
    COIF_TRY(coif_strand_repair_points(file, desc, points, report, arena, error));
    return duplicates ? remove_duplicates(file, report, arena, error) : COIF_OK;
}
