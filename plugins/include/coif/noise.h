// coif/noise.h: smooth noise in space for batches of places.
//
// Neighbours mostly lie in the same cell of the lattice. So what is drawn for the corners of a cell
// is drawn once and kept, and places are taken eight at a time. The bits are those of
// coif_kit_noise3, place by place, whatever else is in the batch.
//
// A processor with AVX2 handles eight floats as one, any other as two halves. Who walks through a
// batch writes that once and has it compiled for both:
//
//   COIF_KIT_INLINE void walk(const coif_force_batch *batch) { ... }
//   COIF_KIT_AVX2 static void walk_avx2(const coif_force_batch *batch) { walk(batch); }
//   static void walk_any(const coif_force_batch *batch) { walk(batch); }
//   ...
//   coif_kit_has_avx2() ? walk_avx2(batch) : walk_any(batch);
//
// Eight numbers are always passed by address: how they go by value differs between the two. They
// are not compared with < and ==, which GCC does one by one where it has to halve; signs tell too.
//
// Everything here is static, as in exact.h.
#ifndef COIF_NOISE_H
#define COIF_NOISE_H

#include <coif/deterministic_math.h>

#define COIF_KIT_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define COIF_KIT_AVX2 __attribute__((target("avx2"))) // without fma, which gives other bits
#else
#define COIF_KIT_AVX2
#endif

static inline int coif_kit_has_avx2(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

enum { COIF_KIT_LANES = 8 };

typedef float coif_kit_f32x8 __attribute__((vector_size(32)));
typedef double coif_kit_f64x8 __attribute__((vector_size(64)));
typedef int32_t coif_kit_i32x8 __attribute__((vector_size(32)));
typedef uint32_t coif_kit_u32x8 __attribute__((vector_size(32)));

// Three fields of noise in one cell. A slope leads along an edge of a cube, which is two of six
// ways: there and back on each axis. Its height at a place is the sum of how far that is along
// both. The four bytes of a slope, from the lowest:
//
//   0, 1   its two ways, as numbers of coif_kit_corner_offsets
//   2, 3   how it leads on the two axes after that of the field: 0 back, 1 not along it, 2 there
//
// all times eight: so they count floats, and need no arithmetic to become addresses of eights.
typedef struct coif_kit_cell_gradients {
    int32_t cell[3];
    uint32_t slopes[3][8]; // field, corner (x runs fastest)
} coif_kit_cell_gradients;

// The cells that places were in lately; neighbours never share a drawer.
typedef struct coif_kit_lattice {
    coif_kit_cell_gradients cells[8];
} coif_kit_lattice;

static inline void coif_kit_lattice_clear(coif_kit_lattice *lattice)
{
    for (int i = 0; i < 8; ++i) {
        lattice->cells[i].cell[0] = INT32_MIN; // where no place is
    }
}

// The edges, of twelve, at the eight corners of a cell. The first way of an edge is along x or y,
// the second along y or z.
COIF_KIT_INLINE void coif_kit_set_gradients(coif_kit_cell_gradients *corners, int field,
                                            const coif_kit_u32x8 *edges)
{
    // The ways back on each axis, from the side of the cell where the corner is.
    const coif_kit_i32x8 x = {0, 16, 0, 16, 0, 16, 0, 16};
    const coif_kit_i32x8 y = {32, 32, 48, 48, 32, 32, 48, 48};
    const coif_kit_i32x8 z = {64, 64, 64, 64, 80, 80, 80, 80};
    const coif_kit_i32x8 edge = (coif_kit_i32x8)*edges;
    const coif_kit_i32x8 first_y = -(edge >> 3);                          // masks edges 8 to 11
    const coif_kit_i32x8 second_z = -(((edge >> 2) + 1) >> 1);            // masks edges 4 to 11
    const coif_kit_i32x8 first = 8 * (edge & 1), second = 4 * (edge & 2); // 0 back, 8 there
    const coif_kit_i32x8 ways[2] = {(~first_y & x) + (first_y & y) + first,
                                    (~second_z & y) + (second_z & z) + second};
    const coif_kit_i32x8 to_first = 2 * first - 8, to_second = 2 * second - 8;
    const coif_kit_i32x8 leads[3] = {8 + (~first_y & to_first),
                                     8 + (first_y & to_first) + (~second_z & to_second),
                                     8 + (second_z & to_second)};
    const coif_kit_i32x8 slopes =
        ways[0] | ways[1] << 8 | leads[(field + 1) % 3] << 16 | leads[(field + 2) % 3] << 24;
    memcpy(corners->slopes[field], &slopes, sizeof slopes);
}

// coif_kit_hash of eight words.
COIF_KIT_INLINE void coif_kit_hash8(coif_kit_u32x8 *words, uint32_t stream)
{
    coif_kit_u32x8 h = *words + 0x9e3779b9u * (stream + 1u);
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    *words = h ^ (h >> 16);
}

// The words of the eight corners of a cell, from one stream.
COIF_KIT_INLINE void coif_kit_corner_hashes(const int32_t cell[3], uint32_t seed,
                                            coif_kit_u32x8 *words)
{
    const coif_kit_u32x8 x = {0, 1, 0, 1, 0, 1, 0, 1};
    const coif_kit_u32x8 y = {0, 0, 1, 1, 0, 0, 1, 1};
    const coif_kit_u32x8 z = {0, 0, 0, 0, 1, 1, 1, 1};
    *words = z + (uint32_t)cell[2];
    coif_kit_hash8(words, seed);
    *words += y + (uint32_t)cell[1];
    coif_kit_hash8(words, seed);
    *words += x + (uint32_t)cell[0];
    coif_kit_hash8(words, seed);
}

// The fields of coif_kit_noise3 with seed, seed + 1 and seed + 2.
COIF_KIT_INLINE void coif_kit_init_gradients3(coif_kit_cell_gradients *corners, uint32_t seed)
{
    for (int field = 0; field < 3; ++field) {
        coif_kit_u32x8 h;
        coif_kit_corner_hashes(corners->cell, seed + (uint32_t)field, &h);
        // Its four upper bits are 12 or more where the two uppermost are both set.
        const coif_kit_u32x8 many = (coif_kit_u32x8)((coif_kit_i32x8)(h & h << 1) >> 31);
        const coif_kit_u32x8 edges = (~many & h >> 28) | (many & (h >> 24) % 12u);
        coif_kit_set_gradients(corners, field, &edges);
    }
}

typedef void (*coif_kit_gradient_init_fn)(coif_kit_cell_gradients *corners, uint32_t seed);

COIF_KIT_INLINE const coif_kit_cell_gradients *coif_kit_cell_gradients_at(
    coif_kit_lattice *lattice, const int32_t cell[3], uint32_t seed, coif_kit_gradient_init_fn draw)
{
    coif_kit_cell_gradients *corners =
        &lattice->cells[(cell[0] & 1) + 2 * (cell[1] & 1) + 4 * (cell[2] & 1)];
    const int known =
        corners->cell[0] == cell[0] && corners->cell[1] == cell[1] && corners->cell[2] == cell[2];
    if (__builtin_expect(!known, 0)) {
        for (int a = 0; a < 3; ++a) {
            corners->cell[a] = cell[a];
        }
        draw(corners, seed);
    }
    return corners;
}

// The one of several eights that a byte of a slope says.
COIF_KIT_INLINE const coif_kit_f32x8 *coif_kit_select(const coif_kit_f32x8 *eights, uint32_t slope,
                                                      int byte)
{
    return (const coif_kit_f32x8 *)((const float *)eights + (slope >> 8 * byte & 255u));
}

// Replaces the numbers where the mask is set.
COIF_KIT_INLINE void coif_kit_blend_mask(coif_kit_f32x8 *numbers, const coif_kit_i32x8 *mask,
                                         const coif_kit_f32x8 *by)
{
    *numbers =
        (coif_kit_f32x8)((*mask & (coif_kit_i32x8)*by) | (~*mask & (coif_kit_i32x8)*numbers));
}

// Reads eight numbers of which only the first count may be there; the others are zeros.
COIF_KIT_INLINE void coif_kit_load_partial(coif_kit_f32x8 *numbers, const float *from,
                                           int32_t count)
{
    float room[COIF_KIT_LANES];
    if (__builtin_expect(count < COIF_KIT_LANES, 0)) {
        for (int lane = 0; lane < COIF_KIT_LANES; ++lane) {
            room[lane] = lane < count ? from[lane] : 0.0f;
        }
        from = room;
    }
    memcpy(numbers, from, sizeof *numbers);
}

// Adds eight numbers to eight of which only the first count may be there.
COIF_KIT_INLINE void coif_kit_add_partial(float *to, int32_t count, const coif_kit_f32x8 *numbers)
{
    coif_kit_f32x8 sum;
    coif_kit_load_partial(&sum, to, count);
    sum += *numbers;
    if (__builtin_expect(count < COIF_KIT_LANES, 0)) {
        memcpy(to, &sum, sizeof *to * (size_t)count);
    } else {
        memcpy(to, &sum, sizeof sum);
    }
}

// Eight places in the lattice: coif_kit_lattice_cell of each.
typedef struct coif_kit_lattice_points {
    coif_kit_i32x8 cell[3];
    coif_kit_f32x8 inside[3];
} coif_kit_lattice_points;

COIF_KIT_INLINE void coif_kit_lattice_split(coif_kit_lattice_points *places, int axis,
                                            const coif_kit_f32x8 *at)
{
    // Bits of floats without their sign grow as the floats do; those of 1e6f are 0x49742400, and
    // what is not a number is above them all.
    const coif_kit_i32x8 bits = (coif_kit_i32x8)*at;
    const coif_kit_i32x8 sane = ((bits & INT32_MAX) - 0x49742400) >> 31;
    const coif_kit_f32x8 x = (coif_kit_f32x8)(sane & bits);
    const coif_kit_i32x8 whole = __builtin_convertvector(x, coif_kit_i32x8);
    // Towards zero; below zero that may be one too many.
    const coif_kit_f32x8 over = __builtin_convertvector(whole, coif_kit_f32x8) - x;
    places->cell[axis] = whole + (-(coif_kit_i32x8)over >> 31);
    places->inside[axis] = x - __builtin_convertvector(places->cell[axis], coif_kit_f32x8);
}

// coif_kit_fade on each axis.
COIF_KIT_INLINE void coif_kit_fade8(const coif_kit_lattice_points *places, coif_kit_f32x8 ease[3])
{
    for (int a = 0; a < 3; ++a) {
        const coif_kit_f32x8 t = places->inside[a];
        ease[a] = t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
    }
}

// How far eight places are along each way from a corner: at 4 axis + 2 side + 1 there, without the
// 1 back.
COIF_KIT_INLINE void coif_kit_corner_offsets(const coif_kit_lattice_points *places,
                                             coif_kit_f32x8 heights[12])
{
    for (int a = 0; a < 3; ++a) {
        const coif_kit_f32x8 near = places->inside[a];
        const coif_kit_f32x8 far = near - 1.0f;
        heights[4 * a] = -near;
        heights[4 * a + 1] = near;
        heights[4 * a + 2] = -far;
        heights[4 * a + 3] = far;
    }
}

// The height of a slope.
COIF_KIT_INLINE void coif_kit_gradient_dot(coif_kit_f32x8 *height, uint32_t slope,
                                           const coif_kit_f32x8 heights[12])
{
    *height = *coif_kit_select(heights, slope, 0) + *coif_kit_select(heights, slope, 1);
}

// A walk through the cells of eight places.
typedef struct coif_kit_cell_iterator {
    coif_kit_i32x8 left; // mask of the places not yet visited
    coif_kit_i32x8 here; // mask of those in the cell
    int32_t cell[3];
} coif_kit_cell_iterator;

COIF_KIT_INLINE void coif_kit_cell_iterator_begin(coif_kit_cell_iterator *visit)
{
    const coif_kit_i32x8 all = {-1, -1, -1, -1, -1, -1, -1, -1};
    visit->left = all;
}

// A bit for every lane in a mask.
COIF_KIT_INLINE uint32_t coif_kit_mask_bits(const coif_kit_i32x8 *mask)
{
    const coif_kit_i32x8 bits = {1, 2, 4, 8, 16, 32, 64, 128};
    const coif_kit_i32x8 set = *mask & bits;
    uint64_t pairs[4];
    memcpy(pairs, &set, sizeof pairs);
    const uint64_t all = pairs[0] | pairs[1] | pairs[2] | pairs[3];
    return (uint32_t)(all | all >> 32);
}

// On to the cell of the first place that is left; zero if none is.
COIF_KIT_INLINE int coif_kit_cell_iterator_next(coif_kit_cell_iterator *visit,
                                                const coif_kit_lattice_points *places)
{
    const uint32_t left = coif_kit_mask_bits(&visit->left);
    if (left == 0) {
        return 0;
    }
    const size_t first = sizeof(int32_t) * (size_t)__builtin_ctz(left);
    coif_kit_i32x8 other = {0};
    for (int a = 0; a < 3; ++a) {
        memcpy(&visit->cell[a], (const char *)&places->cell[a] + first, sizeof(int32_t));
        other |= places->cell[a] ^ visit->cell[a];
    }
    visit->here = visit->left & ~((other | -other) >> 31);
    visit->left &= ~visit->here;
    return 1;
}

// The noise of three fields at eight places.
COIF_KIT_INLINE void coif_kit_noise3_fields(coif_kit_lattice *lattice,
                                            const coif_kit_lattice_points *places, uint32_t seed,
                                            coif_kit_f32x8 noise[3])
{
    const coif_kit_f32x8 none = {0.0f};
    coif_kit_f32x8 heights[12], ease[3];
    coif_kit_corner_offsets(places, heights);
    coif_kit_fade8(places, ease);
    noise[0] = noise[1] = noise[2] = none;
    coif_kit_cell_iterator visit;
    coif_kit_cell_iterator_begin(&visit);
    while (coif_kit_cell_iterator_next(&visit, places)) {
        const coif_kit_cell_gradients *corners =
            coif_kit_cell_gradients_at(lattice, visit.cell, seed, coif_kit_init_gradients3);
        for (int field = 0; field < 3; ++field) {
            // Corners are blended to edges, those to faces, those to the place.
            coif_kit_f32x8 blend[8];
            for (int corner = 0; corner < 8; ++corner) {
                coif_kit_gradient_dot(&blend[corner], corners->slopes[field][corner], heights);
            }
            for (int a = 0; a < 3; ++a) {
                for (int i = 0; i < 4 >> a; ++i) {
                    blend[i] = blend[2 * i] + ease[a] * (blend[2 * i + 1] - blend[2 * i]);
                }
            }
            coif_kit_blend_mask(&noise[field], &visit.here, &blend[0]);
        }
    }
}

#endif
