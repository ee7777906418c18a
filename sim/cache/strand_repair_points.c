// strand_repair: equal segments outside the body.
//
// Every strand is settled: either its points are even and pushing moves none of them, or it keeps
// the points that a second repair gives up on in the same way.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/strand_edit.h"
#include "sim/cache/push_out.h"
#include "sim/cache/strand_repair.h"

#include <math.h>
#include <string.h>

enum { PUSHES = 16 };

// Shorter corrections are not applied, so that pushing ends.
static const float NEGLIGIBLE = 1e-5f;

// Resampling cuts bends; strands that would lose more of their length are not resampled.
static const float KEPT_LENGTH = 0.9f;

static coif_vec3 point_of(const coif_strands *strands, int32_t i)
{
    return coif_vec4_xyz(strands->points[i]);
}

static void copy_points(coif_strands *to, int32_t to_strand, const coif_strands *from,
                        int32_t from_strand)
{
    memcpy(to->points + to->first[to_strand], from->points + from->first[from_strand],
           sizeof(coif_vec4) * (size_t)coif_strands_length(from, from_strand));
}

// Adds the distances between the points of two strands of the same length.
static float add_moves(coif_repair_moves *moves, double *sum, const coif_strands *to,
                       int32_t to_strand, const coif_strands *from, int32_t from_strand)
{
    float largest = 0.0f;
    for (int32_t k = 0; k < coif_strands_length(to, to_strand); ++k) {
        const float distance = coif_length(coif_sub(point_of(to, to->first[to_strand] + k),
                                                    point_of(from, from->first[from_strand] + k)));
        moves->points += distance > 0.0f;
        *sum += (double)distance;
        largest = fmaxf(largest, distance);
    }
    moves->largest = fmax(moves->largest, (double)largest);
    return largest;
}

// The points of some strands.
static coif_status select_points(coif_strands *part, const coif_strands *from,
                                 const int32_t *strands, int32_t count, coif_arena *arena,
                                 coif_error *error)
{
    int32_t *lengths = coif_arena_new(arena, count, int32_t);
    for (int32_t i = 0; i < count; ++i) {
        lengths[i] = coif_strands_length(from, strands[i]);
    }
    COIF_TRY(coif_strands_init(part, lengths, count, arena, error));
    for (int32_t i = 0; i < count; ++i) {
        copy_points(part, i, from, strands[i]);
    }
    return COIF_OK;
}

// Pushes strands out until nothing moves; the others are stuck and stay as they are.
static coif_status push_out(coif_strands *strands, bool *stuck, const coif_push_out_desc *desc,
                            coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "push out");
    int32_t *moving = coif_arena_new(&scratch, strands->strand_count, int32_t);
    int32_t count = strands->strand_count;
    coif_strands original;
    for (int32_t s = 0; s < count; ++s) {
        moving[s] = s;
        stuck[s] = false;
    }
    COIF_TRY(select_points(&original, strands, moving, count, &scratch, error));
    for (int push = 0; push < PUSHES && count > 0; ++push) {
        const coif_arena_mark mark = coif_arena_mark_here(&scratch);
        coif_strands part;
        COIF_TRY(select_points(&part, strands, moving, count, &scratch, error));
        coif_push_out(&part, desc);
        int32_t still = 0;
        for (int32_t i = 0; i < count; ++i) {
            coif_repair_moves ignored = {0};
            double sum = 0.0;
            if (add_moves(&ignored, &sum, &part, i, strands, moving[i]) > NEGLIGIBLE) {
                copy_points(strands, moving[i], &part, i);
                moving[still++] = moving[i];
            }
        }
        count = still;
        coif_arena_rewind(&scratch, mark);
    }
    for (int32_t i = 0; i < count; ++i) {
        copy_points(strands, moving[i], &original, moving[i]);
        stuck[moving[i]] = true;
    }
    return COIF_OK;
}

// Resamples the strands that have another number of points.
static coif_status fix_lengths(coif_strand_file *file, const coif_strand_repair_desc *desc,
                               int32_t points, coif_strand_repair_report *report, coif_arena *arena,
                               coif_error *error)
{
    const int32_t count = file->strands.strand_count;
    int32_t *lengths = coif_arena_new(arena, count, int32_t), changed = 0;
    for (int32_t s = 0; s < count; ++s) {
        lengths[s] = coif_strands_length(&file->strands, s) != points ? points : 0;
        changed += lengths[s] > 0;
    }
    report->resampled.strands += changed;
    return changed > 0
               ? coif_strand_file_resample_to(file, lengths, desc->resample_tolerance, arena, error)
               : COIF_OK;
}

static float length_of(const coif_strands *strands, int32_t strand)
{
    float length = 0.0f;
    for (int32_t i = strands->first[strand] + 1; i < strands->first[strand + 1]; ++i) {
        length += coif_length(coif_sub(point_of(strands, i), point_of(strands, i - 1)));
    }
    return length;
}

// Whether resampling kept the strand: its bends are still there, and its segments are equal.
static bool is_even(const coif_strands *to, int32_t to_strand, const coif_strands *from,
                    int32_t from_strand, float tolerance)
{
    return coif_strand_unevenness(to, to_strand) <= tolerance &&
           length_of(to, to_strand) >= KEPT_LENGTH * length_of(from, from_strand);
}

// Uneven strands get equal segments where these keep the strand and end up outside the body.
static coif_status even_out(coif_strand_file *file, const coif_strand_repair_desc *desc,
                            const coif_push_out_desc *push, const bool *stuck,
                            coif_strand_repair_report *report, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "even strands");
    const int32_t total = file->strands.strand_count;
    int32_t *uneven = coif_arena_new(&scratch, total, int32_t), count = 0;
    for (int32_t s = 0; s < total; ++s) {
        if (!stuck[s] && coif_strand_unevenness(&file->strands, s) > desc->resample_tolerance) {
            uneven[count++] = s;
        }
    }
    if (count == 0) {
        return COIF_OK;
    }
    coif_strand_file part = *file;
    int32_t *lengths = coif_arena_new(&scratch, count, int32_t);
    bool *inside = coif_arena_new(&scratch, count, bool);
    double sum = 0.0;
    COIF_TRY(coif_strand_file_select(&part, uneven, count, &scratch, error));
    for (int32_t i = 0; i < count; ++i) {
        lengths[i] = coif_strands_length(&part.strands, i);
    }
    COIF_TRY(
        coif_strand_file_resample_to(&part, lengths, desc->resample_tolerance, &scratch, error));
    if ((desc->steps & COIF_REPAIR_PUSH) != 0) {
        COIF_TRY(push_out(&part.strands, inside, push, error));
    }
    for (int32_t i = 0; i < count; ++i) {
        if (inside[i] ||
            !is_even(&part.strands, i, &file->strands, uneven[i], desc->resample_tolerance)) {
            ++report->uneven;
            continue;
        }
        ++report->resampled.strands;
        add_moves(&report->resampled, &sum, &part.strands, i, &file->strands, uneven[i]);
        coif_strand_file_replace(file, uneven[i], &part, i);
    }
    report->resampled.average = sum / fmax((double)report->resampled.points, 1.0);
    return COIF_OK;
}

coif_status coif_strand_repair_points(coif_strand_file *file, const coif_strand_repair_desc *desc,
                                      int32_t points, coif_strand_repair_report *report,
                                      coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "strand repair");
    const int32_t count = file->strands.strand_count;
    coif_collider body;
    const coif_push_out_desc push = {
        .colliders = &body, .collider_count = 1, .distance = desc->clearance, .jobs = desc->jobs};
    bool *stuck = coif_arena_new(&scratch, count, bool);
    if ((desc->steps & COIF_REPAIR_RESAMPLE) != 0 && points > 0) {
        COIF_TRY(fix_lengths(file, desc, points, report, arena, error));
    }
    if ((desc->steps & COIF_REPAIR_PUSH) != 0) {
        int32_t *all = coif_arena_new(&scratch, count, int32_t);
        double sum = 0.0;
        coif_strands before;
        for (int32_t s = 0; s < count; ++s) {
            all[s] = s;
        }
        COIF_TRY(select_points(&before, &file->strands, all, count, &scratch, error));
        coif_collider_build(&body, desc->mesh, &scratch);
        COIF_TRY(push_out(&file->strands, stuck, &push, error));
        for (int32_t s = 0; s < count; ++s) {
            report->stuck += stuck[s];
            report->pushed.strands +=
                add_moves(&report->pushed, &sum, &file->strands, s, &before, s) > 0.0f;
        }
        report->pushed.average = sum / fmax((double)report->pushed.points, 1.0);
    }
    return (desc->steps & COIF_REPAIR_RESAMPLE) != 0
               ? even_out(file, desc, &push, stuck, report, error)
               : COIF_OK;
}
