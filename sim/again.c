#include "sim/again.h"

#include <string.h>

// Planes are made this early, so what has moved by less has met none that it did not know; see
// contact_plane.h.
static const float FAR = 0.001f;

// Constraints pull at each other: what came out of one body may have been pulled into the next.
enum { LOOKS = 2 };

// How much of the distance kept may be used up in the end, as in the methods.
static const float SLACK = 0.75f;

typedef struct rows {
    float *px, *py, *pz, *push; // before
    float *reach;
    float *nx, *ny, *nz, *offset, *sx, *sy, *sz, *depth;
} rows;

static rows rows_of(const coif_block *block, const coif_work *work)
{
    const int64_t row = (int64_t)block->length * block->lanes;
    float *at[COIF_AGAIN_ROWS];
    for (int r = 0; r < COIF_AGAIN_ROWS; ++r) {
        at[r] = work->again + r * row;
    }
    return (rows){at[0], at[1], at[2], at[3],  at[4],  at[5], at[6],
                  at[7], at[8], at[9], at[10], at[11], at[12]};
}

// The distance to keep where a point is far from where it wanted to go, else 0, which looks at
// nothing.
static bool choose_points(const rows *r, const coif_block *block, const coif_work *work, float h)
{
    const int32_t count = block->length * block->lanes;
    float most = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        const float x = work->px[i] - (block->x[i] + h * work->qx[i]);
        const float y = work->py[i] - (block->y[i] + h * work->qy[i]);
        const float z = work->pz[i] - (block->z[i] + h * work->qz[i]);
        r->reach[i] = x * x + y * y + z * z > FAR * FAR ? block->reach[i] : 0.0f;
        most = r->reach[i] > most ? r->reach[i] : most;
    }
    return most > 0.0f;
}

static bool look(const rows *r, const coif_again *again)
{
    coif_contacts contacts = *again->contacts;
    contacts.reach = r->reach;
    contacts.nx = r->nx;
    contacts.ny = r->ny;
    contacts.nz = r->nz;
    contacts.offset = r->offset;
    contacts.sx = r->sx;
    contacts.sy = r->sy;
    contacts.sz = r->sz;
    contacts.depth = r->depth;
    return coif_contacts_find(&contacts, again->bodies, again->body_count);
}

// Points that are inside get the plane found there. True for lanes with any.
static bool take_planes(bool *wrong, const rows *r, const coif_again *again,
                        const coif_block *block, coif_work *work)
{
    const int32_t count = block->length * block->lanes;
    memset(wrong, 0, sizeof(bool) * (size_t)block->lanes);
    bool any = false;
    for (int32_t i = 0; i < count; ++i) {
        const float c = r->nx[i] * work->px[i] + r->ny[i] * work->py[i] + r->nz[i] * work->pz[i] -
                        r->offset[i] + SLACK * r->reach[i];
        if (!(c < -1e-6f) || r->reach[i] == 0.0f) {
            continue;
        }
        if (!work->touching) {
            coif_contacts_clear(again->contacts);
            memset(work->push, 0, sizeof(float) * (size_t)count);
            work->touching = true;
        }
        const float *const from[8] = {r->nx, r->ny, r->nz, r->offset,
                                      r->sx, r->sy, r->sz, r->depth};
        float *const to[8] = {work->nx, work->ny, work->nz, work->offset,
                              work->sx, work->sy, work->sz, work->depth};
        for (int row = 0; row < 8; ++row) {
            to[row][i] = from[row][i];
        }
        wrong[i % block->lanes] = true;
        any = true;
    }
    return any;
}

static void settle(const coif_again *again, const coif_block *block, coif_work *work,
                   const coif_substep *step)
{
    const coif_kernels *kernels = again->kernels;
    kernels->project_contact(block, work, 0.0f);
    kernels->project_friction(block, work, step);
    again->lengths(kernels, block, work, step);
    kernels->project_contact(block, work, 0.0f);
    again->lengths(kernels, block, work, step);
    kernels->project_contact(block, work, SLACK);
}

void coif_look_again(const coif_again *again, const coif_block *block, coif_work *work,
                     const coif_substep *step)
{
    const rows r = rows_of(block, work);
    const int32_t count = block->length * block->lanes;
    const size_t bytes = sizeof(float) * (size_t)count;
    bool wrong[COIF_LANES_MOST];
    for (int n = 0; n < LOOKS; ++n) {
        if (!choose_points(&r, block, work, step->h) || !look(&r, again) ||
            !take_planes(wrong, &r, again, block, work)) {
            return;
        }
        float *const now[4] = {work->px, work->py, work->pz, work->push};
        float *const before[4] = {r.px, r.py, r.pz, r.push};
        for (int row = 0; row < 4; ++row) {
            memcpy(before[row], now[row], bytes);
        }
        // Friction is to act for what is pushed from here on only.
        memset(work->push, 0, bytes);
        settle(again, block, work, step);
        for (int32_t i = 0; i < count; ++i) {
            const bool kept = !wrong[i % block->lanes];
            work->px[i] = kept ? r.px[i] : work->px[i];
            work->py[i] = kept ? r.py[i] : work->py[i];
            work->pz[i] = kept ? r.pz[i] : work->pz[i];
            work->push[i] = kept ? r.push[i] : work->push[i] + r.push[i];
        }
    }
}
