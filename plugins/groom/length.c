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

enum { SCALE, VARIATION, LONGEST, SURFACE, POINT, NORMAL, RADIUS, RAGGED };

enum { SURFACE_NONE, SURFACE_PLANE, SURFACE_BALL };
static const char *const SURFACES[] = {"none", "plane", "sphere", NULL};

#define ROW(field, kind, vary, text, units, a, b, c, lowest, highest)                              \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind, .flags = vary,                  \
        .offset = offsetof(length_params, field), .fallback = {a, b, c}, .low = lowest,            \
        .high = highest                                                                            \
    }

#define MAP COIF_PARAM_MAPPABLE

// clang-format off
static const coif_param PARAMS[] = {
    ROW(scale,     COIF_PARAM_FLOAT, MAP, "Fraction of the length that remains.",                     "",  1, 0, 0, 0.01, 1),
    ROW(variation, COIF_PARAM_FLOAT, MAP, "Maximum random relative shortening.",             "",  0.15, 0, 0, 0, 0.99),
    ROW(max_length,   COIF_PARAM_FLOAT, MAP, "Maximum length; 0 disables it.",  "m", 0, 0, 0, 0, 100),
    {.name = "surface", .help = "Cutting surface.", .unit = "", .type = COIF_PARAM_CHOICE,
     .offset = offsetof(length_params, surface), .choices = SURFACES},
    ROW(point,     COIF_PARAM_VEC3,  0,   "Point on the plane, or centre of the sphere.",    "m", 0, 0, 0, -1000, 1000),
    ROW(normal,    COIF_PARAM_VEC3,  0,   "Side of the plane on which hair is removed.",     "",  0, -1, 0, -1, 1),
    ROW(radius,    COIF_PARAM_FLOAT, MAP, "Radius of the sphere.",                                 "m", 0.15, 0, 0, 0.001, 100),
    ROW(randomness,    COIF_PARAM_FLOAT, MAP, "Maximum random difference from the cutting surface.", "m", 0.002, 0, 0, 0, 1),
};
// clang-format on

// Signed distance beyond the cutting surface; negative where hair is kept.
static float beyond(const length_params *cut, float radius, coif_kit_vec position)
{
    const coif_kit_vec from_point =
        coif_kit_sub(position, coif_kit_vec_make(cut->point[0], cut->point[1], cut->point[2]));
    if (cut->surface == SURFACE_BALL) {
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
    const float offset = coif_kit_strand_param(batch, RAGGED, strand, cut->randomness) * chance;
    const float radius = coif_kit_strand_param(batch, RADIUS, strand, cut->radius);
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
        const float scale = coif_kit_strand_param(batch, SCALE, strand, cut->scale);
        const float variation = coif_kit_strand_param(batch, VARIATION, strand, cut->variation);
        const float longest = coif_kit_strand_param(batch, LONGEST, strand, cut->max_length);
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
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_GROOM,
    .id = "groom.length",
    .version = "1.0.0",
    .help = "Shortens strands by a factor, to a maximum length, or along a surface.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(length_params),
    .groom = length_groom,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&LENGTH};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
