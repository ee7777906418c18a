// coif/noise.h: smooth noise in space for batches of places.
//
// Neighbours mostly lie in the same cell of the lattice. So what is drawn for the corners of a cell
// is drawn once and kept, and places are taken four at a time. The bits are those of
// coif_kit_noise3, place by place, whatever else is in the batch.
//
// Everything here is static, as in exact.h.
#ifndef COIF_NOISE_H
#define COIF_NOISE_H

#include <coif/exact.h>

typedef float coif_kit_float4 __attribute__((vector_size(16)));
typedef int32_t coif_kit_int4 __attribute__((vector_size(16)));
typedef double coif_kit_double4 __attribute__((vector_size(32)));

// Three fields of noise in one cell. A slope leads along an edge of a cube, which is two of six
// ways: there and back on each axis. Its height at a place is the sum of how far that is along
// both.
typedef struct coif_kit_corners {
    uint32_t cell[3];
    int32_t known;
    uint8_t ways[3][8][2];  // field, corner (x runs fastest); see coif_kit_heights
    uint8_t leads[3][8][3]; // field, corner, axis: 0 back, 1 not along it, 2 there
} coif_kit_corners;

// The cells that places were in lately; neighbours never share a drawer.
typedef struct coif_kit_lattice {
    coif_kit_corners cells[8];
} coif_kit_lattice;

static inline void coif_kit_lattice_clear(coif_kit_lattice *lattice)
{
    for (int i = 0; i < 8; ++i) {
        lattice->cells[i].known = 0;
    }
}

// The edge, of twelve, at a corner.
static inline void coif_kit_set_edge(coif_kit_corners *corners, uint32_t field, uint32_t corner,
                                     uint32_t edge)
{
    const uint32_t a = edge < 8 ? 0 : 1, b = edge < 4 ? 1 : 2;
    corners->ways[field][corner][0] =
        (uint8_t)(4 * a + 2 * (corner >> a & 1) + ((edge & 1) ? 1 : 0));
    corners->ways[field][corner][1] =
        (uint8_t)(4 * b + 2 * (corner >> b & 1) + ((edge & 2) ? 1 : 0));
    corners->leads[field][corner][3 - a - b] = 1;
    corners->leads[field][corner][a] = (edge & 1) ? 2 : 0;
    corners->leads[field][corner][b] = (edge & 2) ? 2 : 0;
}

// The words of the eight corners of a cell, from one stream.
static inline void coif_kit_corner_words(const uint32_t cell[3], uint32_t seed, uint32_t words[8])
{
    for (uint32_t k = 0; k < 2; ++k) {
        const uint32_t plane = coif_kit_hash(cell[2] + k, seed);
        for (uint32_t j = 0; j < 2; ++j) {
            const uint32_t row = coif_kit_hash(cell[1] + j + plane, seed);
            words[4 * k + 2 * j] = coif_kit_hash(cell[0] + row, seed);
            words[4 * k + 2 * j + 1] = coif_kit_hash(cell[0] + 1u + row, seed);
        }
    }
}

// The fields of coif_kit_noise3 with seed, seed + 1 and seed + 2.
static inline void coif_kit_draw_fields(coif_kit_corners *corners, uint32_t seed)
{
    for (uint32_t field = 0; field < 3; ++field) {
        uint32_t words[8];
        coif_kit_corner_words(corners->cell, seed + field, words);
        for (uint32_t i = 0; i < 8; ++i) {
            const uint32_t h = words[i];
            coif_kit_set_edge(corners, field, i, h >> 28 < 12 ? h >> 28 : (h >> 24) % 12u);
        }
    }
}

typedef void (*coif_kit_draw)(coif_kit_corners *corners, uint32_t seed);

static inline const coif_kit_corners *coif_kit_corners_at(coif_kit_lattice *lattice,
                                                          const uint32_t cell[3], uint32_t seed,
                                                          coif_kit_draw draw)
{
    coif_kit_corners *corners =
        &lattice->cells[(cell[0] & 1u) + 2u * (cell[1] & 1u) + 4u * (cell[2] & 1u)];
    if (!corners->known || corners->cell[0] != cell[0] || corners->cell[1] != cell[1] ||
        corners->cell[2] != cell[2]) {
        for (int a = 0; a < 3; ++a) {
            corners->cell[a] = cell[a];
        }
        draw(corners, seed);
        corners->known = 1;
    }
    return corners;
}

static inline coif_kit_float4 coif_kit_select4(coif_kit_int4 mask, coif_kit_float4 a,
                                               coif_kit_float4 b)
{
    return (coif_kit_float4)((mask & (coif_kit_int4)a) | (~mask & (coif_kit_int4)b));
}

static inline coif_kit_float4 coif_kit_ease4(coif_kit_float4 t)
{
    return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

static inline coif_kit_float4 coif_kit_mix4(coif_kit_float4 a, coif_kit_float4 b,
                                            coif_kit_float4 share)
{
    return a + share * (b - a);
}

// Four numbers of an array from i on; beyond its end there are zeros.
static inline coif_kit_float4 coif_kit_load4(const float *from, int32_t i, int32_t count)
{
    coif_kit_float4 four = {0.0f, 0.0f, 0.0f, 0.0f};
    if (i + 4 <= count) {
        memcpy(&four, from + i, sizeof four);
    } else {
        memcpy(&four, from + i, sizeof(float) * (size_t)(count - i));
    }
    return four;
}

// Adds four numbers to an array from i on; beyond its end there is nothing.
static inline void coif_kit_add4(float *to, int32_t i, int32_t count, coif_kit_float4 four)
{
    const coif_kit_float4 sum = coif_kit_load4(to, i, count) + four;
    if (i + 4 <= count) {
        memcpy(to + i, &sum, sizeof sum);
    } else {
        memcpy(to + i, &sum, sizeof(float) * (size_t)(count - i));
    }
}

// Four places in the lattice: coif_kit_cell of each.
typedef struct coif_kit_places {
    coif_kit_int4 cell[3];
    coif_kit_float4 inside[3];
} coif_kit_places;

static inline void coif_kit_split4(coif_kit_places *places, int axis, coif_kit_float4 x)
{
    const coif_kit_int4 sane = (x > -1e6f) & (x < 1e6f);
    x = (coif_kit_float4)(sane & (coif_kit_int4)x);
    const coif_kit_int4 whole = __builtin_convertvector(x, coif_kit_int4);
    // Towards zero; below zero that may be one too many.
    places->cell[axis] = whole + (__builtin_convertvector(whole, coif_kit_float4) > x);
    places->inside[axis] = x - __builtin_convertvector(places->cell[axis], coif_kit_float4);
}

// How far four places are along each way from a corner: at 4 axis + 2 side + 1 there, without the 1
// back.
static inline void coif_kit_heights(const coif_kit_places *places, coif_kit_float4 heights[12])
{
    for (int a = 0; a < 3; ++a) {
        const coif_kit_float4 near = places->inside[a];
        const coif_kit_float4 far = near - 1.0f;
        heights[4 * a] = -near;
        heights[4 * a + 1] = near;
        heights[4 * a + 2] = -far;
        heights[4 * a + 3] = far;
    }
}

// The first of some places, and all that are in the same cell as it.
static inline coif_kit_int4 coif_kit_fellows(const coif_kit_places *places, coif_kit_int4 some,
                                             uint32_t cell[3])
{
    const int first = some[0] ? 0 : some[1] ? 1 : some[2] ? 2 : 3;
    coif_kit_int4 same = some;
    for (int a = 0; a < 3; ++a) {
        cell[a] = (uint32_t)places->cell[a][first];
        same &= places->cell[a] == places->cell[a][first];
    }
    return same;
}

static inline int coif_kit_any4(coif_kit_int4 mask)
{
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

// The noise of three fields at four places.
static inline void coif_kit_noise_fields(coif_kit_lattice *lattice, const coif_kit_places *places,
                                         uint32_t seed, coif_kit_float4 noise[3])
{
    coif_kit_float4 heights[12];
    coif_kit_heights(places, heights);
    const coif_kit_float4 ex = coif_kit_ease4(places->inside[0]);
    const coif_kit_float4 ey = coif_kit_ease4(places->inside[1]);
    const coif_kit_float4 ez = coif_kit_ease4(places->inside[2]);
    const coif_kit_float4 none = {0.0f, 0.0f, 0.0f, 0.0f};
    noise[0] = noise[1] = noise[2] = none;
    uint32_t cell[3];
    coif_kit_int4 left = {-1, -1, -1, -1};
    while (coif_kit_any4(left)) {
        const coif_kit_int4 here = coif_kit_fellows(places, left, cell);
        const coif_kit_corners *corners =
            coif_kit_corners_at(lattice, cell, seed, coif_kit_draw_fields);
        for (int field = 0; field < 3; ++field) {
            coif_kit_float4 row[4];
            for (int i = 0; i < 4; ++i) {
                const uint8_t *a = corners->ways[field][2 * i];
                const uint8_t *b = corners->ways[field][2 * i + 1];
                row[i] =
                    coif_kit_mix4(heights[a[0]] + heights[a[1]], heights[b[0]] + heights[b[1]], ex);
            }
            const coif_kit_float4 value = coif_kit_mix4(coif_kit_mix4(row[0], row[1], ey),
                                                        coif_kit_mix4(row[2], row[3], ey), ez);
            noise[field] = coif_kit_select4(here, value, noise[field]);
        }
        left &= ~here;
    }
}

#endif
