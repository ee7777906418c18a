// groom.length: cuts strands to a length, by a random fraction, at a plane or at a sphere.
//
// A strand of length L is cut at arc length
//
//   min( longest, L scale (1 - variation u) ),   u uniform, one per strand
//
// and resampled to the same number of points on the Catmull-Rom spline through the old ones.
//
// With `surface` strands are also cut where they first cross a plane (a bob) or leave a sphere (a
// round cut).
#include <coif/plugin.h>
#include <coif/shorten.h>

typedef struct length_params {
    float scale;
    float variation;
    float max_length;
    int32_t surface;
    float point[3];
    float normal[3];
    float radius;
    float randomness;
} length_params;

// Rows of PARAMS.
enum {
    LENGTH_SCALE,
    LENGTH_VARIATION,
    LENGTH_MAX_LENGTH,
    LENGTH_SURFACE,
    LENGTH_POINT,
    LENGTH_NORMAL,
    LENGTH_RADIUS,
    LENGTH_RANDOMNESS
};

enum { SURFACE_NONE, SURFACE_PLANE, SURFACE_SPHERE };
static const char *const SURFACES[] = {"none", "plane", "sphere", NULL};

#define ROW(...)    COIF_PLUGIN_ROW(length_params, __VA_ARGS__)
#define CHOICE(...) COIF_PLUGIN_CHOICE(length_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(scale, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Fraction of the length that remains.", "", 1, 0, 0, 0.01, 1),
    ROW(variation, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Maximum random relative shortening.", "", 0.15, 0, 0, 0, 0.99),
    ROW(max_length, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Maximum length; 0 disables it.", "m", 0, 0, 0, 0, 100),
    CHOICE(surface, "Cutting surface.", SURFACES, 0),
    ROW(point, COIF_PARAM_VEC3, 0, "Point on the plane, or centre of the sphere.", "m", 0, 0, 0, -1000, 1000),
    ROW(normal, COIF_PARAM_VEC3, 0, "Side of the plane on which hair is removed.", "", 0, -1, 0, -1, 1),
    ROW(radius, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Radius of the sphere.", "m", 0.15, 0, 0, 0.001, 100),
    ROW(randomness, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Maximum random difference from the cutting surface.", "m", 0.002, 0, 0, 0, 1),
};
// clang-format on

// Signed distance beyond the cutting surface; negative where hair is kept.
static float beyond(const length_params *cut, float radius, coif_kit_vec position)
{
    const coif_kit_vec from_point =
        coif_kit_sub(position, coif_kit_vec_make(cut->point[0], cut->point[1], cut->point[2]));
    if (cut->surface == SURFACE_SPHERE) {
        return coif_kit_length(from_point) - radius;
    }
    const coif_kit_vec normal =
        coif_kit_normalize(coif_kit_vec_make(cut->normal[0], cut->normal[1], cut->normal[2]),
                           coif_kit_vec_make(0.0f, -1.0f, 0.0f));
    return coif_kit_dot(from_point, normal);
}

// Fraction of the strand before it first crosses the surface; 0 for roots beyond it.
static float fraction_inside(const length_params *cut, const coif_groom_batch *batch,
                             int32_t strand, float length)
{
    const float chance = coif_kit_random(batch->random[strand], 52);
    const float offset =
        coif_kit_strand_param(batch, LENGTH_RANDOMNESS, strand, cut->randomness) * chance;
    const float radius = coif_kit_strand_param(batch, LENGTH_RADIUS, strand, cut->radius);
    float distance = 0.0f, before = -1.0f;
    for (int32_t i = batch->first[strand]; i < batch->first[strand + 1]; ++i) {
        const float here = beyond(cut, radius, coif_kit_point(batch, i)) + offset;
        if (here > 0.0f) {
            const int first = i == batch->first[strand];
            const float back =
                first ? 0.0f : coif_kit_segment_length(batch, i - 1) * here / (here - before);
            return length > 0.0f ? (distance - back) / length : 0.0f;
        }
        before = here;
        distance += i + 1 < batch->first[strand + 1] ? coif_kit_segment_length(batch, i) : 0.0f;
    }
    return 1.0f;
}

static void length_groom(const coif_host *host, const void *state, const void *params,
                         const coif_groom_batch *batch)
{
    (void)host, (void)state;
    const length_params *cut = params;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        const float length = coif_kit_strand_length(batch, strand);
        const float u = coif_kit_random(batch->random[strand], 51);
        const float scale = coif_kit_strand_param(batch, LENGTH_SCALE, strand, cut->scale);
        const float variation =
            coif_kit_strand_param(batch, LENGTH_VARIATION, strand, cut->variation);
        const float longest =
            coif_kit_strand_param(batch, LENGTH_MAX_LENGTH, strand, cut->max_length);
        float fraction = coif_kit_clamp(scale * (1.0f - variation * u), 0.001f, 1.0f);
        if (longest > 0.0f && fraction * length > longest) {
            fraction = longest / length;
        }
        if (cut->surface != SURFACE_NONE) {
            const float inside = fraction_inside(cut, batch, strand, length);
            fraction = inside < fraction ? coif_kit_clamp(inside, 0.001f, 1.0f) : fraction;
        }
        if (fraction < 1.0f && batch->first[strand + 1] - batch->first[strand] > 1) {
            coif_kit_shorten(batch, strand, length, fraction);
        }
    }
}

static const coif_plugin LENGTH = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.length", "1.0.0",
                     "Shortens strands by a factor, to a maximum length, or along a surface.",
                     PARAMS, length_params),
    .groom = length_groom,
};

COIF_PLUGIN_ENTRY(LENGTH)
