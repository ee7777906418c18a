// deforming_sdf_fit: maps between a brick of world space and rest space. Least squares over the
// samples x_i of the brick and its 26 neighbours, with weights a_i (area, times 0.3 for each step
// to a neighbour along an axis), rest positions r_i and unit normals n_i:
//
//   sum a_i |L r_i + t - x_i|^2 + h^2 sum a_i |L n_i(rest) - n_i|^2  ->  min
//
// The second term determines L across the surface: distances along normals are kept.
#include "core/collision/deforming_sdf_internal.h"
#include "core/simd/simd_float4.h"

// Residual of a map along the normal within its brick, and that of its normals, 1 - cosine.
static const float MAX_RESIDUAL = 2e-4f;
static const float MAX_NORMAL_ERROR = 0.01f;

// Squared distance from the centre of a brick, relative to that of its corners, that samples have
// when they are within COIF_DEFORMING_NEAR of it. Beyond, the factor on the residual.
static const float NEAR = 2.25f;
static const float FAR_GROWTH = 5.0f;

typedef struct coif_sample_row {
    simd_float4x3 rest, rest_normal;
    simd_float4x3 at[2], normal[2];
} coif_sample_row;

static void set_lane(simd_float4x3 *row, int lane, coif_vec3 v)
{
    row->x[lane] = v.x;
    row->y[lane] = v.y;
    row->z[lane] = v.z;
}

static void add_moments(coif_brick_moments *sum, double weight, coif_vec3 rest,
                        const coif_vec3 at[2], double position_weight)
{
    const double r[3] = {(double)rest.x, (double)rest.y, (double)rest.z};
    for (int i = 0; i < 3; ++i) {
        sum->r[i] += position_weight * weight * r[i];
    }
    for (int i = 0, k = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j, ++k) {
            sum->rr[k] += weight * r[i] * r[j];
        }
    }
    for (int e = 0; e < 2; ++e) {
        const double x[3] = {(double)at[e].x, (double)at[e].y, (double)at[e].z};
        for (int i = 0; i < 3; ++i) {
            sum->x[e][i] += position_weight * weight * x[i];
            for (int j = 0; j < 3; ++j) {
                sum->xr[e][i][j] += weight * x[i] * r[j];
            }
        }
    }
    sum->weight += position_weight * weight;
}

static void add_sample(coif_brick_samples *out, const coif_deforming_sdf *deforming, int32_t sample,
                       const float time[2], int32_t number)
{
    coif_sample_row *row = &out->rows[number / 4];
    const int lane = number % 4;
    coif_vec3 at[2];
    coif_vec3 normal[2];
    for (int e = 0; e < 2; ++e) {
        coif_vec3 corner[3];
        for (int c = 0; c < 3; ++c) {
            corner[c] =
                coif_bvh_corner(deforming->collider, deforming->sample_slot[sample], c, time[e]);
        }
        at[e] = coif_sample_position(corner, deforming->sample_weights + 2 * (int64_t)sample);
        normal[e] = coif_normalize(
            coif_cross(coif_sub(corner[1], corner[0]), coif_sub(corner[2], corner[0])));
        set_lane(&row->at[e], lane, at[e]);
        set_lane(&row->normal[e], lane, normal[e]);
    }
    const coif_vec3 rest = deforming->sample_rest[sample];
    const coif_vec3 rest_normal = deforming->sample_normal[sample];
    set_lane(&row->rest, lane, rest);
    set_lane(&row->rest_normal, lane, rest_normal);
    const double area = (double)deforming->sample_area[sample];
    const double reach = 0.5 * (double)(COIF_SDF_BRICK_CELLS * deforming->sdf->cell);
    add_moments(&out->moments, area, rest, at, 1.0);
    add_moments(&out->moments, reach * reach * area, rest_normal, normal, 0.0);
}

// The last row of a brick is filled up with its first sample.
static void compute_samples(coif_brick_samples *out, const coif_deforming_sdf *deforming,
                            const coif_deforming_slice *slice, int32_t brick)
{
    const float index = (float)(slice - deforming->slices);
    const float count = (float)deforming->slice_count;
    const float time[2] = {index / count, (index + 1.0f) / count};
    const int32_t *order = slice->order + slice->first[brick];
    const int32_t samples = slice->first[brick + 1] - slice->first[brick];
    for (int32_t i = 0; i < samples; ++i) {
        add_sample(out, deforming, order[i], time, i);
    }
    const coif_brick_moments moments = out->moments;
    for (int32_t i = samples; i < 4 * out->row_count; ++i) {
        add_sample(out, deforming, order[0], time, i);
    }
    out->moments = moments;
}

static const coif_brick_samples *samples_of(coif_deforming_sdf *deforming,
                                            coif_deforming_slice *slice, int32_t brick)
{
    coif_brick_samples *found = atomic_load_explicit(&slice->samples[brick], memory_order_acquire);
    if (found != NULL) {
        return found;
    }
    const int32_t rows = (slice->first[brick + 1] - slice->first[brick] + 3) / 4;
    pthread_mutex_lock(&deforming->lock);
    coif_brick_samples *own = coif_arena_new(slice->arena, 1, coif_brick_samples);
    own->rows = coif_arena_new(slice->arena, rows, coif_sample_row);
    pthread_mutex_unlock(&deforming->lock);
    own->row_count = rows;
    compute_samples(own, deforming, slice, brick);
    // Of several threads that computed the same values the first one stores them.
    return atomic_compare_exchange_strong(&slice->samples[brick], &found, own) ? own : found;
}

// The bricks around one that have samples; the grid has a margin, so all of them exist.
enum { NEIGHBOURS = 27 };

typedef struct neighbourhood {
    int32_t count;
    const coif_brick_samples *samples[NEIGHBOURS];
    coif_brick_moments moments; // weighted sum
} neighbourhood;

static void add_brick(coif_brick_moments *sum, const coif_brick_moments *brick, double weight)
{
    const double *from = (const double *)brick;
    double *to = (double *)sum;
    for (size_t i = 0; i < sizeof *sum / sizeof(double); ++i) {
        to[i] += weight * from[i];
    }
}

static void gather(neighbourhood *out, coif_deforming_sdf *deforming, coif_deforming_slice *slice,
                   int32_t brick)
{
    static const double weights[4] = {1.0, 0.3, 0.09, 0.027};
    *out = (neighbourhood){.count = 0};
    for (int32_t n = 0; n < NEIGHBOURS; ++n) {
        const int32_t step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        const int32_t other =
            brick + (step[2] * slice->size[1] + step[1]) * slice->size[0] + step[0];
        if (slice->first[other + 1] > slice->first[other]) {
            const coif_brick_samples *samples = samples_of(deforming, slice, other);
            const int apart = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
            add_brick(&out->moments, &samples->moments, weights[apart]);
            out->samples[out->count++] = samples;
        }
    }
}

// Inverse of a symmetric matrix; false when it is singular.
static bool invert_symmetric(double out[3][3], const double m[6])
{
    const double a = m[0], b = m[1], c = m[2], d = m[3], e = m[4], f = m[5];
    const double cofactor[6] = {d * f - e * e, c * e - b * f, b * e - c * d,
                                a * f - c * c, b * c - a * e, a * d - b * b};
    const double determinant = a * cofactor[0] + b * cofactor[1] + c * cofactor[2];
    const double trace = a + d + f;
    if (!(determinant > 1e-9 * trace * trace * trace)) {
        return false;
    }
    static const int index[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            out[i][j] = cofactor[index[i][j]] / determinant;
        }
    }
    return true;
}

static bool fit_to_world(coif_affine to_world[2], const coif_brick_moments *m)
{
    double covariance[6];
    double inverse[3][3];
    if (!(m->weight > 0.0)) {
        return false;
    }
    for (int i = 0, k = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j, ++k) {
            covariance[k] = m->rr[k] - m->r[i] * m->r[j] / m->weight;
        }
    }
    if (!invert_symmetric(inverse, covariance)) {
        return false;
    }
    for (int e = 0; e < 2; ++e) {
        double row[3][4];
        for (int i = 0; i < 3; ++i) {
            double cross[3];
            for (int j = 0; j < 3; ++j) {
                cross[j] = m->xr[e][i][j] - m->x[e][i] * m->r[j] / m->weight;
            }
            row[i][3] = m->x[e][i] / m->weight;
            for (int j = 0; j < 3; ++j) {
                row[i][j] =
                    cross[0] * inverse[0][j] + cross[1] * inverse[1][j] + cross[2] * inverse[2][j];
                row[i][3] -= row[i][j] * m->r[j] / m->weight;
            }
            to_world[e].linear.row[i] =
                coif_vec3_of((float)row[i][0], (float)row[i][1], (float)row[i][2]);
        }
        to_world[e].translation =
            coif_vec3_of((float)row[0][3], (float)row[1][3], (float)row[2][3]);
    }
    return true;
}

static simd_float4x3 apply4(const coif_mat3 *m, simd_float4x3 p)
{
    const coif_vec3 *row = m->row;
    return (simd_float4x3){row[0].x * p.x + row[0].y * p.y + row[0].z * p.z,
                           row[1].x * p.x + row[1].y * p.y + row[1].z * p.z,
                           row[2].x * p.x + row[2].y * p.y + row[2].z * p.z};
}

static simd_float4x3 add_vector4(simd_float4x3 p, coif_vec3 v)
{
    return (simd_float4x3){p.x + v.x, p.y + v.y, p.z + v.z};
}

// What a map holds for; farther samples matter only to bounds of the distance.
enum { FITS_NEAR = 1, FITS_FAR = 2 };

// Residuals may grow with the square of the distance from the centre of the brick.
static int fits_row(const coif_sample_row *row, const coif_affine *to_world,
                    const coif_mat3 *normal_to_world, int e, coif_vec3 centre, float side)
{
    const simd_float4x3 at =
        add_vector4(apply4(&to_world->linear, row->rest), to_world->translation);
    const simd_float4x3 error = sub4(at, row->at[e]);
    const simd_float4x3 away = add_vector4(row->at[e], coif_scale(centre, -1.0f));
    const simd_float4 relative = dot4(away, away) * (1.0f / (0.75f * side * side));
    const simd_float4 near = select4(relative > 1.0f, relative, (simd_float4){0} + 1.0f);
    const simd_float4 growth = select4(relative > NEAR, (simd_float4){0} + FAR_GROWTH, near);
    const simd_float4 across = dot4(error, row->normal[e]);
    const simd_float4 most = MAX_RESIDUAL * growth;
    const simd_float4x3 normal = apply4(normal_to_world, row->rest_normal);
    const simd_float4 along = dot4(normal, row->normal[e]);
    const simd_float4 least = 1.0f - MAX_NORMAL_ERROR * growth;
    const simd_float4 length2 = dot4(normal, normal);
    const simd_int4 good =
        (across <= most) & (-across <= most) & (dot4(error, error) <= 25.0f * most * most) &
        ((least < 0.0f) | ((along > 0.0f) & (along * along >= least * least * length2)));
    return any4(~good & (relative <= NEAR)) ? 0 : any4(~good) ? FITS_NEAR : FITS_NEAR | FITS_FAR;
}

static coif_mat3 transposed(const coif_mat3 *m)
{
    return (coif_mat3){{{m->row[0].x, m->row[1].x, m->row[2].x},
                        {m->row[0].y, m->row[1].y, m->row[2].y},
                        {m->row[0].z, m->row[1].z, m->row[2].z}}};
}

static int fits_samples(const neighbourhood *around, const coif_brick_map *map,
                        const coif_affine to_world[2], coif_vec3 centre, float side)
{
    int fits = FITS_NEAR | FITS_FAR;
    for (int e = 0; e < 2; ++e) {
        const coif_mat3 normal_to_world = transposed(&map->to_rest[e].linear);
        for (int32_t n = 0; n < around->count; ++n) {
            for (int32_t r = 0; r < around->samples[n]->row_count && fits != 0; ++r) {
                fits &= fits_row(&around->samples[n]->rows[r], &to_world[e], &normal_to_world, e,
                                 centre, side);
            }
        }
    }
    return fits;
}

// Upper bound of the largest singular value: that of the rows of A A^T (Gershgorin).
static float max_stretch(const coif_mat3 *m)
{
    float most = 0.0f;
    for (int i = 0; i < 3; ++i) {
        const float sum = fabsf(coif_dot(m->row[i], m->row[0])) +
                          fabsf(coif_dot(m->row[i], m->row[1])) +
                          fabsf(coif_dot(m->row[i], m->row[2]));
        most = sum > most ? sum : most;
    }
    return sqrtf(most);
}

static coif_vec3 brick_centre(const coif_deforming_slice *slice, int32_t brick)
{
    const int32_t at[3] = {brick % slice->size[0], brick / slice->size[0] % slice->size[1],
                           brick / slice->size[0] / slice->size[1]};
    return coif_vec3_of(slice->low.x + ((float)at[0] + 0.5f) * slice->side,
                        slice->low.y + ((float)at[1] + 0.5f) * slice->side,
                        slice->low.z + ((float)at[2] + 0.5f) * slice->side);
}

static void fit_map(coif_brick_map *map, coif_deforming_sdf *deforming, coif_deforming_slice *slice,
                    int32_t brick)
{
    neighbourhood around;
    coif_affine to_world[2];
    gather(&around, deforming, slice, brick);
    if (!fit_to_world(to_world, &around.moments)) {
        return;
    }
    for (int e = 0; e < 2; ++e) {
        map->to_rest[e] = coif_affine_inverse(&to_world[e]);
        const float stretch = max_stretch(&map->to_rest[e].linear);
        map->stretch = stretch > map->stretch ? stretch : map->stretch;
    }
    const float rate = (float)deforming->slice_count;
    for (int r = 0; r < 3; ++r) {
        map->motion.linear.row[r] =
            coif_scale(coif_sub(to_world[1].linear.row[r], to_world[0].linear.row[r]), rate);
    }
    map->motion.translation =
        coif_scale(coif_sub(to_world[1].translation, to_world[0].translation), rate);
    const int fits = fits_samples(&around, map, to_world, brick_centre(slice, brick), slice->side);
    map->near = (fits & FITS_NEAR) != 0;
    map->far = (fits & FITS_FAR) != 0;
}

const coif_brick_map *coif_brick_map_of(coif_deforming_sdf *deforming, int32_t index, int32_t brick)
{
    coif_deforming_slice *slice = &deforming->slices[index];
    coif_brick_map *found = atomic_load_explicit(&slice->maps[brick], memory_order_acquire);
    if (found != NULL) {
        return found;
    }
    coif_brick_map fitted = {.near = false};
    fit_map(&fitted, deforming, slice, brick);
    pthread_mutex_lock(&deforming->lock);
    coif_brick_map *own = coif_arena_new(slice->arena, 1, coif_brick_map);
    pthread_mutex_unlock(&deforming->lock);
    *own = fitted;
    return atomic_compare_exchange_strong(&slice->maps[brick], &found, own) ? own : found;
}
