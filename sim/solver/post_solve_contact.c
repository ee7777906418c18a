#include "sim/solver/post_solve_contact.h"

#include "sim/solver/point_targets.h"
#include "sim/solver/segment_contact.h"

#include <string.h>

// Passes of query and correction: constraints may pull a point from one body into the next.
enum { MAX_PASSES = 2 };

// Fraction of the contact distance that may be used up at the end, as in the methods.
static const float SLACK = 0.75f;

typedef struct recheck_rows {
    coif_soa3 predicted; // backup
    float *normal_push;  // backup
    float *contact_distance;
    coif_soa3 normal;
    float *offset;
    coif_soa3 surface_disp;
    float *signed_distance;
    float *friction, *soft;
    coif_soa3 ftl_disp; // backup
} recheck_rows;

static recheck_rows recheck_rows_of(const coif_strand_block *block,
                                    const coif_solver_scratch *scratch)
{
    const int64_t row = (int64_t)block->length * block->lanes;
    float *memory = scratch->recheck_rows;
    recheck_rows r = {.predicted = coif_take_rows3(&memory, row)};
    r.normal_push = coif_take_row(&memory, row);
    r.contact_distance = coif_take_row(&memory, row);
    r.normal = coif_take_rows3(&memory, row);
    r.offset = coif_take_row(&memory, row);
    r.surface_disp = coif_take_rows3(&memory, row);
    r.signed_distance = coif_take_row(&memory, row);
    r.friction = coif_take_row(&memory, row);
    r.soft = coif_take_row(&memory, row);
    r.ftl_disp = coif_take_rows3(&memory, row);
    return r;
}

static void copy_rows3(coif_soa3 *to, const coif_soa3 *from, size_t bytes)
{
    memcpy(to->x, from->x, bytes);
    memcpy(to->y, from->y, bytes);
    memcpy(to->z, from->z, bytes);
}

static bool find_planes(const recheck_rows *r, const coif_post_contact *recheck)
{
    coif_contact_query query = *recheck->query;
    query.contact_distance = r->contact_distance;
    query.normal = r->normal;
    query.offset = r->offset;
    query.surface_disp = r->surface_disp;
    query.signed_distance = r->signed_distance;
    query.friction = r->friction;
    query.soft = r->soft;
    query.min_body_distance = NULL;
    query.sdf_cache = (coif_sdf_distance_cache){.distance = NULL};
    query.row_range = NULL;
    return coif_contact_query_find(&query, recheck->bodies, recheck->body_count);
}

static void add_contact_row(const coif_post_contact *recheck, coif_solver_scratch *scratch,
                            int32_t count, int32_t row)
{
    if (!scratch->has_contacts) {
        coif_contact_query_clear(recheck->query);
        memset(scratch->normal_push, 0, sizeof(float) * (size_t)count);
        scratch->has_contacts = true;
        scratch->contact_begin = row;
        scratch->contact_end = row;
    }
    scratch->contact_begin = row < scratch->contact_begin ? row : scratch->contact_begin;
    scratch->contact_end = row < scratch->contact_end ? scratch->contact_end : row + 1;
}

// Points inside a body take over the plane found there. True when there are any; their lanes are
// set in penetrating.
static bool take_planes(bool *penetrating, const recheck_rows *r, const coif_post_contact *recheck,
                        const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const int32_t count = block->length * block->lanes;
    bool any = false;
    for (int32_t i = 0; i < count; ++i) {
        if (r->contact_distance[i] == 0.0f) {
            continue;
        }
        const float c = r->normal.x[i] * scratch->predicted.x[i] +
                        r->normal.y[i] * scratch->predicted.y[i] +
                        r->normal.z[i] * scratch->predicted.z[i] - r->offset[i] +
                        SLACK * r->contact_distance[i];
        if (!(c < -1e-6f)) {
            continue;
        }
        add_contact_row(recheck, scratch, count, i / block->lanes);
        const float *const from[10] = {r->normal.x,       r->normal.y,
                                       r->normal.z,       r->offset,
                                       r->surface_disp.x, r->surface_disp.y,
                                       r->surface_disp.z, r->signed_distance,
                                       r->friction,       r->soft};
        float *const to[10] = {scratch->contact_normal.x, scratch->contact_normal.y,
                               scratch->contact_normal.z, scratch->contact_offset,
                               scratch->surface_disp.x,   scratch->surface_disp.y,
                               scratch->surface_disp.z,   scratch->signed_distance,
                               scratch->surface_friction, scratch->surface_soft};
        for (int j = 0; j < 10; ++j) {
            to[j][i] = from[j][i];
        }
        penetrating[i % block->lanes] = true;
        any = true;
    }
    return any;
}

static void project_contacts(const coif_post_contact *recheck, const coif_strand_block *block,
                             coif_solver_scratch *scratch, float slack)
{
    if (scratch->has_contacts) {
        recheck->kernels->project_contact(block, scratch, slack);
    }
    if (scratch->has_segment_contacts) {
        recheck->kernels->project_segment_contacts(block, scratch);
    }
}

static void resolve(const coif_post_contact *recheck, const coif_strand_block *block,
                    coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_kernels *kernels = recheck->kernels;
    project_contacts(recheck, block, scratch, 0.0f);
    if (scratch->has_contacts) {
        kernels->project_friction(block, scratch, step);
    }
    if (scratch->has_segment_contacts) {
        kernels->segment_friction(block, scratch, step);
    }
    recheck->restore_lengths(kernels, block, scratch, step, true);
    project_contacts(recheck, block, scratch, 0.0f);
    recheck->restore_lengths(kernels, block, scratch, step, true);
    project_contacts(recheck, block, scratch, SLACK);
    if (recheck->lengths_override_contacts) {
        recheck->restore_lengths(kernels, block, scratch, step, true);
    }
}

static bool find_penetrations(bool *penetrating, const recheck_rows *r,
                              const coif_post_contact *recheck, const coif_strand_block *block,
                              coif_solver_scratch *scratch, const coif_substep *step)
{
    const int32_t selected =
        recheck->kernels->select_recheck(block, scratch, step, r->contact_distance);
    memset(penetrating, 0, sizeof(bool) * (size_t)block->lanes);
    bool any = false;
    if ((selected & COIF_RECHECK_POINTS) != 0 && find_planes(r, recheck)) {
        any = take_planes(penetrating, r, recheck, block, scratch);
    }
    if ((selected & COIF_RECHECK_SEGMENTS) != 0) {
        any |= coif_segment_contacts_find(penetrating, recheck->query, recheck->bodies,
                                          recheck->body_count, block, scratch);
    }
    return any;
}

static bool is_zero_at(const coif_soa3 *rows, int32_t i)
{
    return rows->x[i] == 0.0f && rows->y[i] == 0.0f && rows->z[i] == 0.0f;
}

static bool strand_has_contact(const coif_strand_block *block, const coif_solver_scratch *scratch,
                               int32_t lane)
{
    const coif_segment_contacts segments = coif_segment_contacts_of(block, scratch);
    for (int32_t i = lane; i < block->length * block->lanes; i += block->lanes) {
        if ((scratch->has_contacts && !is_zero_at(&scratch->contact_normal, i)) ||
            (scratch->has_segment_contacts && !is_zero_at(&segments.normal, i))) {
            return true;
        }
    }
    return false;
}

static void restore_strand(const recheck_rows *r, const coif_strand_block *block,
                           coif_solver_scratch *scratch, int32_t lane)
{
    for (int32_t i = lane; i < block->length * block->lanes; i += block->lanes) {
        scratch->predicted.x[i] = r->predicted.x[i];
        scratch->predicted.y[i] = r->predicted.y[i];
        scratch->predicted.z[i] = r->predicted.z[i];
    }
}

// Bodies may push the points of a strand apart faster than the length solve contracts it: a gale
// presses hair against a head, or the head jerks away. Such strands are laid out from root to tip
// along the surfaces they touch. A torn strand is worse than a short penetration, and the next
// substep would start from it.
static void limit_stretch(recheck_rows *r, const coif_post_contact *recheck,
                          const coif_strand_block *block, coif_solver_scratch *scratch,
                          const coif_substep *step)
{
    const int32_t last = (block->length - 1) * block->lanes;
    const bool contacts = scratch->has_contacts || scratch->has_segment_contacts;
    if (recheck->max_length_error == 0.0f || !contacts ||
        coif_defined_inv_mass(block)[last] == 0.0f) {
        return;
    }
    const size_t bytes = sizeof(float) * (size_t)(block->length * block->lanes);
    copy_rows3(&r->predicted, &scratch->predicted, bytes);
    copy_rows3(&r->ftl_disp, &scratch->ftl_disp, bytes);
    if (!recheck->kernels->ftl_fallback(block, scratch, recheck->max_length_error)) {
        return;
    }
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        if (!strand_has_contact(block, scratch, lane)) {
            restore_strand(r, block, scratch, lane);
        }
    }
    copy_rows3(&scratch->ftl_disp, &r->ftl_disp, bytes);
    if (recheck->after_contact_push != NULL) {
        recheck->after_contact_push(recheck->kernels, block, scratch, step, &r->predicted);
    }
}

void coif_resolve_missed_contacts(const coif_post_contact *recheck, const coif_strand_block *block,
                                  coif_solver_scratch *scratch, const coif_substep *step)
{
    recheck_rows r = recheck_rows_of(block, scratch);
    const int32_t count = block->length * block->lanes;
    const size_t bytes = sizeof(float) * (size_t)count;
    bool penetrating[COIF_MAX_LANES];
    for (int pass = 0;
         pass < MAX_PASSES && find_penetrations(penetrating, &r, recheck, block, scratch, step);
         ++pass) {
        copy_rows3(&r.predicted, &scratch->predicted, bytes);
        copy_rows3(&r.ftl_disp, &scratch->ftl_disp, bytes);
        memcpy(r.normal_push, scratch->normal_push, bytes);
        // Friction acts on what is pushed from here on only.
        memset(scratch->normal_push, 0, bytes);
        resolve(recheck, block, scratch, step);
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            if (!penetrating[lane]) {
                restore_strand(&r, block, scratch, lane);
            }
        }
        for (int32_t i = 0; i < count; ++i) {
            scratch->normal_push[i] = penetrating[i % block->lanes]
                                          ? scratch->normal_push[i] + r.normal_push[i]
                                          : r.normal_push[i];
        }
        // The velocity correction of FTL is that of the method's own solution.
        copy_rows3(&scratch->ftl_disp, &r.ftl_disp, bytes);
        if (recheck->after_contact_push != NULL) {
            recheck->after_contact_push(recheck->kernels, block, scratch, step, &r.predicted);
        }
    }
    limit_stretch(&r, recheck, block, scratch, step);
}
