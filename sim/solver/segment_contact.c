#include "sim/solver/segment_contact.h"

#include <string.h>

// How far inside the distance it keeps a middle has to be to count, metres.
static const float INSIDE = 1e-6f;

coif_segment_contacts coif_segment_contacts_of(const coif_strand_block *block,
                                               const coif_solver_scratch *work)
{
    const int64_t row = (int64_t)block->length * block->lanes;
    float *at[13];
    for (int r = 0; r < 13; ++r) {
        at[r] = work->middle + r * row;
    }
    return (coif_segment_contacts){at[0], at[1], at[2], at[3],  at[4],  at[5], at[6],
                                   at[7], at[8], at[9], at[10], at[11], at[12]};
}

// Middles to look at, close together; rows follow those of coif_segment_contacts.
typedef struct chosen {
    float *x, *y, *z, *px, *py, *pz, *reach;
    float *nx, *ny, *nz, *offset, *sx, *sy, *sz, *depth;
    float *known_x, *known_y, *known_z, *known_distance;
    int32_t *outside, *hint, *segment;
    int32_t count;
    bool search; // clearances are of use
} chosen;

static chosen chosen_of(const coif_strand_block *block, const coif_solver_scratch *work)
{
    const int64_t row = (int64_t)block->length * block->lanes;
    chosen all = {.count = 0};
    float **const floats[19] = {&all.x,
                                &all.y,
                                &all.z,
                                &all.px,
                                &all.py,
                                &all.pz,
                                &all.reach,
                                &all.nx,
                                &all.ny,
                                &all.nz,
                                &all.offset,
                                &all.sx,
                                &all.sy,
                                &all.sz,
                                &all.depth,
                                &all.known_x,
                                &all.known_y,
                                &all.known_z,
                                &all.known_distance};
    int32_t **const numbers[3] = {&all.outside, &all.hint, &all.segment};
    float *at = work->middle + 13 * row;
    for (int r = 0; r < 19; ++r, at += row) {
        *floats[r] = at;
    }
    for (int r = 0; r < 3; ++r, at += row) {
        *numbers[r] = (int32_t *)(void *)at;
    }
    return all;
}

static float half_of(const float *row, int32_t i, int32_t lanes)
{
    return 0.5f * (row[i] + row[i + lanes]);
}

// How far away from a middle everything is at least, from what is known of an end. Below zero: it
// may be inside, by so much.
static float least_at(const chosen *all, int32_t i, const coif_bvh_distance_cache *known,
                      int32_t end)
{
    const coif_vec3 away = {all->px[i] - known->x[end], all->py[i] - known->y[end],
                            all->pz[i] - known->z[end]};
    return known->distance[end] - coif_length(away);
}

static void know(const chosen *all, int32_t i, const coif_bvh_distance_cache *known,
                 const int32_t ends[2])
{
    const float first = least_at(all, i, known, ends[0]);
    const float second = least_at(all, i, known, ends[1]);
    all->known_distance[i] = first > second ? first : second;
    all->outside[i] = known->outside[first > second ? ends[0] : ends[1]];
}

static void add(chosen *all, int32_t segment, float reach, const coif_strand_block *block,
                const coif_solver_scratch *work)
{
    const int32_t i = all->count++;
    const int32_t lanes = block->lanes;
    all->x[i] = half_of(block->x, segment, lanes);
    all->y[i] = half_of(block->y, segment, lanes);
    all->z[i] = half_of(block->z, segment, lanes);
    all->px[i] = all->known_x[i] = half_of(work->px, segment, lanes);
    all->py[i] = all->known_y[i] = half_of(work->py, segment, lanes);
    all->pz[i] = all->known_z[i] = half_of(work->pz, segment, lanes);
    all->reach[i] = reach;
    all->segment[i] = segment;
    if (all->search) {
        know(all, i, &block->clearances, (const int32_t[2]){segment, segment + lanes});
        all->hint[i] = block->clearances.hint[segment];
    }
}

static void choose(chosen *all, const coif_strand_block *block, const coif_solver_scratch *work)
{
    const coif_segment_contacts middles = coif_segment_contacts_of(block, work);
    for (int32_t i = 0; i < (block->length - 1) * block->lanes; ++i) {
        if (middles.want[i] > 0.0f) {
            add(all, i, middles.want[i], block, work);
        }
    }
    // Contacts are found for all lanes at once.
    while (all->count % block->lanes != 0) {
        add(all, all->segment[all->count - 1], 0.0f, block, work);
    }
}

static void clear(const coif_strand_block *block, coif_solver_scratch *work)
{
    const coif_segment_contacts m = coif_segment_contacts_of(block, work);
    const int32_t count = block->length * block->lanes;
    float *const rows[7] = {m.nx, m.ny, m.nz, m.sx, m.sy, m.sz, m.push};
    for (int r = 0; r < 7; ++r) {
        memset(rows[r], 0, sizeof(float) * (size_t)count);
    }
    for (int32_t i = 0; i < count; ++i) {
        m.offset[i] = -1.0f;
    }
}

static void take_plane(const coif_segment_contacts *m, const chosen *all, int32_t i)
{
    const int32_t at = all->segment[i];
    float *const to[7] = {m->nx, m->ny, m->nz, m->offset, m->sx, m->sy, m->sz};
    const float *const from[7] = {all->nx, all->ny, all->nz, all->offset,
                                  all->sx, all->sy, all->sz};
    for (int r = 0; r < 7; ++r) {
        to[r][at] = from[r][i];
    }
}

// A strand with points that began the substep inside of a body gets out of it first: its segments
// would only be torn. What began inside may have got a plane that lies lower than the surface.
static bool is_buried(const coif_strand_block *block, const coif_solver_scratch *work, int32_t lane)
{
    for (int32_t k = 0; work->touching && k < block->length; ++k) {
        const int32_t i = k * block->lanes + lane;
        const float above = work->nx[i] * (block->x[i] + work->sx[i]) +
                            work->ny[i] * (block->y[i] + work->sy[i]) +
                            work->nz[i] * (block->z[i] + work->sz[i]) - work->offset[i];
        if (above < -2.0f * block->reach[i] - INSIDE) {
            return true;
        }
    }
    return false;
}

bool coif_segment_contacts_find(bool *wrong, const coif_contact_query *like,
                                const coif_collider *bodies, int32_t body_count,
                                const coif_strand_block *block, coif_solver_scratch *work)
{
    chosen all = chosen_of(block, work);
    all.search = coif_contact_query_search(bodies, body_count);
    choose(&all, block, work);
    const coif_contact_query contacts = {.kernels = like->kernels,
                                         .count = all.count,
                                         .lanes = all.count,
                                         .x = all.x,
                                         .y = all.y,
                                         .z = all.z,
                                         .px = all.px,
                                         .py = all.py,
                                         .pz = all.pz,
                                         .reach = all.reach,
                                         .begin = like->begin,
                                         .end = like->end,
                                         .stances = like->stances,
                                         .most_out = like->most_out,
                                         .outs = like->outs,
                                         .owner = all.segment,
                                         .early = COIF_CONTACT_SURE,
                                         .clearances = {all.known_x, all.known_y, all.known_z,
                                                        all.known_distance, all.outside, all.hint},
                                         .nx = all.nx,
                                         .ny = all.ny,
                                         .nz = all.nz,
                                         .offset = all.offset,
                                         .sx = all.sx,
                                         .sy = all.sy,
                                         .sz = all.sz,
                                         .depth = all.depth};
    if (all.count == 0 || !coif_contact_query_find(&contacts, bodies, body_count)) {
        return false;
    }
    const coif_segment_contacts middles = coif_segment_contacts_of(block, work);
    bool any = false;
    for (int32_t i = 0; i < all.count; ++i) {
        const float c =
            all.nx[i] * all.px[i] + all.ny[i] * all.py[i] + all.nz[i] * all.pz[i] - all.offset[i];
        const int32_t lane = all.segment[i] % block->lanes;
        if (all.reach[i] > 0.0f && c < -INSIDE && !is_buried(block, work, lane)) {
            if (!work->middles) {
                clear(block, work);
                work->middles = true;
            }
            take_plane(&middles, &all, i);
            wrong[lane] = true;
            any = true;
        }
    }
    return any;
}
