// coif/noise.h: gradient noise for batches of points, eight SIMD lanes at a time.
//
// Neighbouring points mostly lie in the same lattice cell, so the gradients at the corners of
// recently visited cells are cached. Results are bit-identical to coif_kit_noise3 and do not depend
// on the other points of the batch.
//
// Vectors of eight floats are one AVX2 register or two SSE registers. Write the loop over a batch
// once and compile it for both:
//
//   COIF_KIT_INLINE void evaluate(const coif_force_batch *batch) { ... }
//   COIF_KIT_AVX2 static void evaluate_avx2(const coif_force_batch *batch) { evaluate(batch); }
//   static void evaluate_sse(const coif_force_batch *batch) { evaluate(batch); }
//   ...
//   coif_kit_has_avx2() ? evaluate_avx2(batch) : evaluate_sse(batch);
//
// Vectors are passed by pointer, since their calling convention differs between the two targets.
// Masks are computed from sign bits: GCC splits vector comparisons into scalars on SSE.
//
// All functions are static inline; [worker].
#ifndef COIF_NOISE_H
#define COIF_NOISE_H

#include <coif/deterministic_math.h>

#define COIF_KIT_INLINE static inline __attribute__((always_inline))

#if defined(__x86_64__)
#define COIF_KIT_AVX2 __attribute__((target("avx2"))) // not fma: it would change the results
#else
#define COIF_KIT_AVX2
#endif

// Whether the processor supports AVX2.
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

// Gradients of three noise fields at the corners of one cell. A gradient is one of 12 cube edge
// directions: +-1 on two axes. Its dot product with an offset is therefore a sum of two entries of
// coif_kit_corner_offsets. A gradient is encoded in four bytes, from the lowest:
//
//   0, 1   indices of those two entries
//   2, 3   component on the two axes after that of the field: 0 for -1, 1 for 0, 2 for +1
//
// all times eight, so that they are float offsets into arrays of vectors.
typedef struct coif_kit_cell_gradients {
    int32_t cell[3];
    uint32_t gradients[3][8]; // field, corner (x runs fastest)
} coif_kit_cell_gradients;

// Direct-mapped cache of eight cells, indexed by the parity of the cell coordinates: adjacent cells
// never evict each other. One per noise seed; local to a call.
typedef struct coif_kit_lattice {
    coif_kit_cell_gradients cells[8];
} coif_kit_lattice;

// Empties the cache; required before first use.
static inline void coif_kit_lattice_clear(coif_kit_lattice *lattice)
{
    for (int i = 0; i < 8; ++i) {
        lattice->cells[i].cell[0] = INT32_MIN; // no valid cell
    }
}

// Encodes the gradients of one field from edge numbers 0 to 11 at the eight corners. The first
// component of an edge is on x or y, the second on y or z.
COIF_KIT_INLINE void coif_kit_set_gradients(coif_kit_cell_gradients *corners, int field,
                                            const coif_kit_u32x8 *edges)
{
    // Index of the negative offset on each axis for the side of the cell the corner is on.
    const coif_kit_i32x8 x = {0, 16, 0, 16, 0, 16, 0, 16};
    const coif_kit_i32x8 y = {32, 32, 48, 48, 32, 32, 48, 48};
    const coif_kit_i32x8 z = {64, 64, 64, 64, 80, 80, 80, 80};
    const coif_kit_i32x8 edge = (coif_kit_i32x8)*edges;
    const coif_kit_i32x8 first_y = -(edge >> 3);                          // masks edges 8 to 11
    const coif_kit_i32x8 second_z = -(((edge >> 2) + 1) >> 1);            // masks edges 4 to 11
    const coif_kit_i32x8 first = 8 * (edge & 1), second = 4 * (edge & 2); // 0 for -1, 8 for +1
    const coif_kit_i32x8 entries[2] = {(~first_y & x) + (first_y & y) + first,
                                       (~second_z & y) + (second_z & z) + second};
    const coif_kit_i32x8 sign_first = 2 * first - 8, sign_second = 2 * second - 8;
    const coif_kit_i32x8 components[3] = {8 + (~first_y & sign_first),
                                          8 + (first_y & sign_first) + (~second_z & sign_second),
                                          8 + (second_z & sign_second)};
    const coif_kit_i32x8 gradients = entries[0] | entries[1] << 8 |
                                     components[(field + 1) % 3] << 16 |
                                     components[(field + 2) % 3] << 24;
    memcpy(corners->gradients[field], &gradients, sizeof gradients);
}

// coif_kit_hash on eight lanes.
COIF_KIT_INLINE void coif_kit_hash8(coif_kit_u32x8 *words, uint32_t stream)
{
    coif_kit_u32x8 h = *words + 0x9e3779b9u * (stream + 1u);
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    *words = h ^ (h >> 16);
}

// Hashes of the eight corners of a cell.
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

// Gradients of coif_kit_noise3 with seed, seed + 1 and seed + 2.
COIF_KIT_INLINE void coif_kit_init_gradients3(coif_kit_cell_gradients *corners, uint32_t seed)
{
    for (int field = 0; field < 3; ++field) {
        coif_kit_u32x8 h;
        coif_kit_corner_hashes(corners->cell, seed + (uint32_t)field, &h);
        // The upper four bits are at least 12 where the upper two are both set.
        const coif_kit_u32x8 many = (coif_kit_u32x8)((coif_kit_i32x8)(h & h << 1) >> 31);
        const coif_kit_u32x8 edges = (~many & h >> 28) | (many & (h >> 24) % 12u);
        coif_kit_set_gradients(corners, field, &edges);
    }
}

// Fills the gradients of a cell whose coordinates are set.
typedef void (*coif_kit_gradient_init_fn)(coif_kit_cell_gradients *corners, uint32_t seed);

// Cached gradients of a cell, initialised on a miss.
COIF_KIT_INLINE const coif_kit_cell_gradients *coif_kit_cell_gradients_at(
    coif_kit_lattice *lattice, const int32_t cell[3], uint32_t seed, coif_kit_gradient_init_fn init)
{
    coif_kit_cell_gradients *corners =
        &lattice->cells[(cell[0] & 1) + 2 * (cell[1] & 1) + 4 * (cell[2] & 1)];
    const int cached =
        corners->cell[0] == cell[0] && corners->cell[1] == cell[1] && corners->cell[2] == cell[2];
    if (__builtin_expect(!cached, 0)) {
        for (int a = 0; a < 3; ++a) {
            corners->cell[a] = cell[a];
        }
        init(corners, seed);
    }
    return corners;
}

// The vector that a byte of an encoded gradient selects.
COIF_KIT_INLINE const coif_kit_f32x8 *coif_kit_select(const coif_kit_f32x8 *vectors,
                                                      uint32_t gradient, int byte)
{
    return (const coif_kit_f32x8 *)((const float *)vectors + (gradient >> 8 * byte & 255u));
}

// numbers = mask ? by : numbers, per lane.
COIF_KIT_INLINE void coif_kit_blend_mask(coif_kit_f32x8 *numbers, const coif_kit_i32x8 *mask,
                                         const coif_kit_f32x8 *by)
{
    *numbers =
        (coif_kit_f32x8)((*mask & (coif_kit_i32x8)*by) | (~*mask & (coif_kit_i32x8)*numbers));
}

// Loads min(count, 8) floats; the remaining lanes are 0.
COIF_KIT_INLINE void coif_kit_load_partial(coif_kit_f32x8 *numbers, const float *from,
                                           int32_t count)
{
    float padded[COIF_KIT_LANES];
    if (__builtin_expect(count < COIF_KIT_LANES, 0)) {
        for (int lane = 0; lane < COIF_KIT_LANES; ++lane) {
            padded[lane] = lane < count ? from[lane] : 0.0f;
        }
        from = padded;
    }
    memcpy(numbers, from, sizeof *numbers);
}

// Adds the first min(count, 8) lanes to an array.
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

// Cells and fractions of eight points: coif_kit_lattice_cell per lane.
typedef struct coif_kit_lattice_points {
    coif_kit_i32x8 cell[3];
    coif_kit_f32x8 fraction[3];
} coif_kit_lattice_points;

// Splits the coordinates of one axis (in units of the cell size) into cell and fraction.
COIF_KIT_INLINE void coif_kit_lattice_split(coif_kit_lattice_points *points, int axis,
                                            const coif_kit_f32x8 *at)
{
    // Magnitudes order like their bit patterns; that of 1e6f is 0x49742400, NaN is above all.
    const coif_kit_i32x8 bits = (coif_kit_i32x8)*at;
    const coif_kit_i32x8 valid = ((bits & INT32_MAX) - 0x49742400) >> 31;
    const coif_kit_f32x8 x = (coif_kit_f32x8)(valid & bits);
    const coif_kit_i32x8 whole = __builtin_convertvector(x, coif_kit_i32x8);
    // Conversion truncates: subtract one where the result exceeds x.
    const coif_kit_f32x8 over = __builtin_convertvector(whole, coif_kit_f32x8) - x;
    points->cell[axis] = whole + (-(coif_kit_i32x8)over >> 31);
    points->fraction[axis] = x - __builtin_convertvector(points->cell[axis], coif_kit_f32x8);
}

// coif_kit_fade of the fractions on each axis.
COIF_KIT_INLINE void coif_kit_fade8(const coif_kit_lattice_points *points, coif_kit_f32x8 fade[3])
{
    for (int a = 0; a < 3; ++a) {
        const coif_kit_f32x8 t = points->fraction[a];
        fade[a] = t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
    }
}

// Signed offsets of eight points from the lattice planes: entry 4 axis + 2 side + (1 for the
// positive direction).
COIF_KIT_INLINE void coif_kit_corner_offsets(const coif_kit_lattice_points *points,
                                             coif_kit_f32x8 offsets[12])
{
    for (int a = 0; a < 3; ++a) {
        const coif_kit_f32x8 near = points->fraction[a];
        const coif_kit_f32x8 far = near - 1.0f;
        offsets[4 * a] = -near;
        offsets[4 * a + 1] = near;
        offsets[4 * a + 2] = -far;
        offsets[4 * a + 3] = far;
    }
}

// Dot product of an encoded gradient with the offsets of eight points.
COIF_KIT_INLINE void coif_kit_gradient_dot(coif_kit_f32x8 *dot, uint32_t gradient,
                                           const coif_kit_f32x8 offsets[12])
{
    *dot = *coif_kit_select(offsets, gradient, 0) + *coif_kit_select(offsets, gradient, 1);
}

// Iterates over the distinct cells of eight points.
typedef struct coif_kit_cell_iterator {
    coif_kit_i32x8 remaining; // mask of the lanes not yet visited
    coif_kit_i32x8 lanes;     // mask of the lanes in the current cell
    int32_t cell[3];
} coif_kit_cell_iterator;

// Starts with all eight lanes remaining.
COIF_KIT_INLINE void coif_kit_cell_iterator_begin(coif_kit_cell_iterator *iterator)
{
    const coif_kit_i32x8 all = {-1, -1, -1, -1, -1, -1, -1, -1};
    iterator->remaining = all;
}

// One bit per lane of a mask.
COIF_KIT_INLINE uint32_t coif_kit_mask_bits(const coif_kit_i32x8 *mask)
{
    const coif_kit_i32x8 bits = {1, 2, 4, 8, 16, 32, 64, 128};
    const coif_kit_i32x8 set = *mask & bits;
    uint64_t pairs[4];
    memcpy(pairs, &set, sizeof pairs);
    const uint64_t all = pairs[0] | pairs[1] | pairs[2] | pairs[3];
    return (uint32_t)(all | all >> 32);
}

// Advances to the cell of the first remaining lane; returns 0 when none remains.
COIF_KIT_INLINE int coif_kit_cell_iterator_next(coif_kit_cell_iterator *iterator,
                                                const coif_kit_lattice_points *points)
{
    const uint32_t remaining = coif_kit_mask_bits(&iterator->remaining);
    if (remaining == 0) {
        return 0;
    }
    const size_t first = sizeof(int32_t) * (size_t)__builtin_ctz(remaining);
    coif_kit_i32x8 other = {0};
    for (int a = 0; a < 3; ++a) {
        memcpy(&iterator->cell[a], (const char *)&points->cell[a] + first, sizeof(int32_t));
        other |= points->cell[a] ^ iterator->cell[a];
    }
    iterator->lanes = iterator->remaining & ~((other | -other) >> 31);
    iterator->remaining &= ~iterator->lanes;
    return 1;
}

// Three noise fields (seed, seed + 1, seed + 2) at eight points.
COIF_KIT_INLINE void coif_kit_noise3_fields(coif_kit_lattice *lattice,
                                            const coif_kit_lattice_points *points, uint32_t seed,
                                            coif_kit_f32x8 noise[3])
{
    const coif_kit_f32x8 zero = {0.0f};
    coif_kit_f32x8 offsets[12], fade[3];
    coif_kit_corner_offsets(points, offsets);
    coif_kit_fade8(points, fade);
    noise[0] = noise[1] = noise[2] = zero;
    coif_kit_cell_iterator iterator;
    coif_kit_cell_iterator_begin(&iterator);
    while (coif_kit_cell_iterator_next(&iterator, points)) {
        const coif_kit_cell_gradients *corners =
            coif_kit_cell_gradients_at(lattice, iterator.cell, seed, coif_kit_init_gradients3);
        for (int field = 0; field < 3; ++field) {
            // Trilinear interpolation with faded fractions: x, then y, then z.
            coif_kit_f32x8 blend[8];
            for (int corner = 0; corner < 8; ++corner) {
                coif_kit_gradient_dot(&blend[corner], corners->gradients[field][corner], offsets);
            }
            for (int a = 0; a < 3; ++a) {
                for (int i = 0; i < 4 >> a; ++i) {
                    blend[i] = blend[2 * i] + fade[a] * (blend[2 * i + 1] - blend[2 * i]);
                }
            }
            coif_kit_blend_mask(&noise[field], &iterator.lanes, &blend[0]);
        }
    }
}

#endif
