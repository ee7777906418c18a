#include "sim/solver/post_solve_contact.h"

#include "sim/solver/segment_contact.h"

#include <string.h>

// Constraints pull at each other: what came out of one body may have been pulled into the next.
enum { LOOKS = 2 };

// How much of the distance kept may be used up in the end, as in the methods.
static const float SLACK = 0.75f;

typedef struct rows {
    float *px, *py, *pz, *push; // before
    float *reach;
    float *nx, *ny, *nz, *offset, *sx, *sy, *sz, *depth;
    float *tx, *ty, *tz; // before
} rows;

static rows rows_of(const coif_strand_block *block, const coif_solver_scratch *work)
{
    const int64_t row = (int64_t)block->length * block->lanes;
    float *at[COIF_RECHECK_ROWS];
    for (int r = 0; r < COIF_RECHECK_ROWS; ++r) {
        at[r] = work->again + r * row;
    }
    return (rows){at[0], at[1], at[2],  at[3],  at[4],  at[5],  at[6],  at[7],
                  at[8], at[9], at[10], at[11], at[12], at[13], at[14], at[15]};
}

static bool look(const rows *r, const coif_post_contact *again)
{
    coif_contact_query contacts = *again->contacts;
    contacts.reach = r->reach;
    contacts.nx = r->nx;
    contacts.ny = r->ny;
    contacts.nz = r->nz;
    contacts.offset = r->offset;
    contacts.sx = r->sx;
    contacts.sy = r->sy;
    contacts.sz = r->sz;
    contacts.depth = r->depth;
    contacts.free = NULL;
    contacts.vicinity = (coif_sdf_distance_cache){.x = NULL};
    contacts.rows = NULL;
    return coif_contact_query_find(&contacts, again->bodies, again->body_count);
}

// Points that are inside get the plane found there. True when there are any, and for their lanes in
// wrong.
static bool take_planes(bool *wrong, const rows *r, const coif_post_contact *again,
                        const coif_strand_block *block, coif_solver_scratch *work)
{
    const int32_t count = block->length * block->lanes;
    bool any = false;
    for (int32_t i = 0; i < count; ++i) {
        if (r->reach[i] == 0.0f) {
            continue;
        }
        const float c = r->nx[i] * work->px[i] + r->ny[i] * work->py[i] + r->nz[i] * work->pz[i] -
                        r->offset[i] + SLACK * r->reach[i];
        if (!(c < -1e-6f)) {
            continue;
        }
        const int32_t row = i / block->lanes;
        if (!work->touching) {
            again->kernels->clear_planes(again->contacts);
            memset(work->push, 0, sizeof(float) * (size_t)count);
            work->touching = true;
            work->touch_begin = row;
            work->touch_end = row;
        }
        work->touch_begin = row < work->touch_begin ? row : work->touch_begin;
        work->touch_end = row < work->touch_end ? work->touch_end : row + 1;
        const float *const from[8] = {r->nx, r->ny, r->nz, r->offset,
                                      r->sx, r->sy, r->sz, r->depth};
        float *const to[8] = {work->nx, work->ny, work->nz, work->offset,
                              work->sx, work->sy, work->sz, work->depth};
        for (int j = 0; j < 8; ++j) {
            to[j][i] = from[j][i];
        }
        wrong[i % block->lanes] = true;
        any = true;
    }
    return any;
}

static void push_out(const coif_post_contact *again, const coif_strand_block *block,
                     coif_solver_scratch *work, float slack)
{
    if (work->touching) {
        again->kernels->project_contact(block, work, slack);
    }
    if (work->middles) {
        again->kernels->project_middles(block, work);
    }
}

static void settle(const coif_post_contact *again, const coif_strand_block *block,
                   coif_solver_scratch *work, const coif_substep *step)
{
    const coif_kernels *kernels = again->kernels;
    push_out(again, block, work, 0.0f);
    if (work->touching) {
        kernels->project_friction(block, work, step);
    }
    if (work->middles) {
        kernels->rub_middles(block, work, step);
    }
    again->lengths(kernels, block, work, step);
    push_out(again, block, work, 0.0f);
    again->lengths(kernels, block, work, step);
    push_out(again, block, work, SLACK);
    if (again->lengths_win) {
        again->lengths(kernels, block, work, step);
    }
}

static bool find_wrong(bool *wrong, const rows *r, const coif_post_contact *again,
                       const coif_strand_block *block, coif_solver_scratch *work,
                       const coif_substep *step)
{
    const int32_t chosen = again->kernels->choose_again(block, work, step, r->reach);
    memset(wrong, 0, sizeof(bool) * (size_t)block->lanes);
    bool any = false;
    if ((chosen & COIF_RECHECK_POINTS) != 0 && look(r, again)) {
        any = take_planes(wrong, r, again, block, work);
    }
    if ((chosen & COIF_RECHECK_MIDDLES) != 0) {
        any |= coif_segment_contacts_find(wrong, again->contacts, again->bodies, again->body_count,
                                          block, work);
    }
    return any;
}

// Whether a strand has a plane; others of its block are no business of its own.
static bool meets_body(const coif_strand_block *block, const coif_solver_scratch *work,
                       int32_t lane)
{
    const coif_segment_contacts middles = coif_segment_contacts_of(block, work);
    for (int32_t i = lane; i < block->length * block->lanes; i += block->lanes) {
        const bool point =
            work->touching && (work->nx[i] != 0.0f || work->ny[i] != 0.0f || work->nz[i] != 0.0f);
        const bool middle = work->middles && (middles.nx[i] != 0.0f || middles.ny[i] != 0.0f ||
                                              middles.nz[i] != 0.0f);
        if (point || middle) {
            return true;
        }
    }
    return false;
}

static void put_back(const rows *r, const coif_strand_block *block, coif_solver_scratch *work,
                     int32_t lane)
{
    for (int32_t i = lane; i < block->length * block->lanes; i += block->lanes) {
        work->px[i] = r->px[i];
        work->py[i] = r->py[i];
        work->pz[i] = r->pz[i];
    }
}

// Bodies may push the points of a strand apart faster than lengths bring them together again: where
// a gale presses hair against a head, or a head is torn away under it. Such strands follow from
// root to tip, along the surfaces that they lie on. What is torn looks worse than what is inside
// for a moment, and its next step would begin from there.
static void hold_together(const rows *r, const coif_post_contact *again,
                          const coif_strand_block *block, coif_solver_scratch *work,
                          const coif_substep *step)
{
    const int32_t last = (block->length - 1) * block->lanes;
    const bool met = work->touching || work->middles;
    if (again->torn == 0.0f || !met || block->w[last] == 0.0f) {
        return;
    }
    float *const now[6] = {work->px, work->py, work->pz, work->tx, work->ty, work->tz};
    float *const before[6] = {r->px, r->py, r->pz, r->tx, r->ty, r->tz};
    const size_t bytes = sizeof(float) * (size_t)(block->length * block->lanes);
    for (int row = 0; row < 6; ++row) {
        memcpy(before[row], now[row], bytes);
    }
    if (!again->kernels->rescue_lengths(block, work, again->torn)) {
        return;
    }
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        if (!meets_body(block, work, lane)) {
            put_back(r, block, work, lane);
        }
    }
    for (int row = 3; row < 6; ++row) {
        memcpy(now[row], before[row], bytes);
    }
    if (again->pushed != NULL) {
        const float *const places[3] = {r->px, r->py, r->pz};
        again->pushed(again->kernels, block, work, step, places);
    }
}

void coif_resolve_missed_contacts(const coif_post_contact *again, const coif_strand_block *block,
                                  coif_solver_scratch *work, const coif_substep *step)
{
    const rows r = rows_of(block, work);
    const int32_t count = block->length * block->lanes;
    const size_t bytes = sizeof(float) * (size_t)count;
    bool wrong[COIF_LANES_MOST];
    for (int n = 0; n < LOOKS && find_wrong(wrong, &r, again, block, work, step); ++n) {
        float *const now[7] = {work->px, work->py, work->pz, work->push,
                               work->tx, work->ty, work->tz};
        float *const before[7] = {r.px, r.py, r.pz, r.push, r.tx, r.ty, r.tz};
        for (int row = 0; row < 7; ++row) {
            memcpy(before[row], now[row], bytes);
        }
        // Friction is to act for what is pushed from here on only.
        memset(work->push, 0, bytes);
        work->settling = true;
        settle(again, block, work, step);
        work->settling = false;
        for (int32_t i = 0; i < count; ++i) {
            const bool kept = !wrong[i % block->lanes];
            work->px[i] = kept ? r.px[i] : work->px[i];
            work->py[i] = kept ? r.py[i] : work->py[i];
            work->pz[i] = kept ? r.pz[i] : work->pz[i];
            work->push[i] = kept ? r.push[i] : work->push[i] + r.push[i];
        }
        // What the method keeps there is of its own solution.
        for (int row = 4; row < 7; ++row) {
            memcpy(now[row], before[row], bytes);
        }
        if (again->pushed != NULL) {
            const float *const places[3] = {r.px, r.py, r.pz};
            again->pushed(again->kernels, block, work, step, places);
        }
    }
    hold_together(&r, again, block, work, step);
}
