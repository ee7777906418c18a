// groom.twist: winds the strands of clumps around the clump centre, for twists and dreadlocks.
//
// The first `count` strands are the centres; each strand joins the nearest one, as in groom.clump.
// A centre is rotated out of the body by the radius of its twist first, so that the twist lies on
// it. A member leaves its root and converges to its position in the cross-section, a disc that
// turns about the centre; with two or more locks the disc consists of that many smaller discs.
// Matting displaces strands within the cross-section along their length, so that they interlock.
// Strand lengths are kept.
#include <coif/nearest_strand.h>
#include <coif/plugin.h>

typedef struct twist_params {
    int32_t count;
    float radius;
    int32_t locks;
    float turns;
    float base_length;
    float matting;
    float unevenness;
    float stray_fraction;
} twist_params;

// Rows of PARAMS.
enum {
    TWIST_COUNT,
    TWIST_RADIUS,
    TWIST_LOCKS,
    TWIST_TURNS,
    TWIST_BASE_LENGTH,
    TWIST_MATTING,
    TWIST_UNEVENNESS,
    TWIST_STRAY_FRACTION
};

#define ROW(...) COIF_PLUGIN_ROW(twist_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(count, COIF_PARAM_INT, 0, "Number of twists.", "", 150, 0, 0, 1, 1000000),
    ROW(radius, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, "Radius of a twist.", "m", 0.004, 0, 0, 0, 1),
    ROW(locks, COIF_PARAM_INT, 0, "Locks of a twist that are wound around each other; 1 is a single coil, 2 a two-strand twist.", "", 1, 0, 0, 1, 8),
    ROW(turns, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Number of turns from root to tip; negative turns to the left.", "", 8, 0, 0, -200, 200),
    ROW(base_length, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Length from the root over which strands converge to their twist.", "m", 0.012, 0, 0, 0.0001, 10),
    ROW(matting, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Displacement of strands within the twist relative to its radius, which mats a dreadlock.", "", 0.1, 0, 0, 0, 2),
    ROW(unevenness, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Random variation of the radius along a twist.", "", 0.15, 0, 0, 0, 1),
    ROW(stray_fraction, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, "Fraction of the strands that lie loosely around their twist.", "", 0.02, 0, 0, 0, 1),
};
// clang-format on

typedef struct twist_state {
    coif_kit_strand_grid grid;
    coif_strand_view centres; // as input, the first `count` strands outside of the body
} twist_state;

// Copies the centres and rotates their segments out of the body.
static void lift_centres(twist_state *state, const coif_host *host, const twist_params *twist,
                         const coif_groom_batch *whole)
{
    const coif_strand_view *input = whole->input;
    const int32_t points = input->first[state->grid.count];
    float *copy = host->alloc(host, sizeof(float) * 3 * ((size_t)points + 1));
    float *x = copy, *y = copy + points, *z = copy + 2 * (ptrdiff_t)points;
    memcpy(x, input->x, sizeof *x * (size_t)points);
    memcpy(y, input->y, sizeof *y * (size_t)points);
    memcpy(z, input->z, sizeof *z * (size_t)points);
    state->centres = *input;
    state->centres.x = x, state->centres.y = y, state->centres.z = z;
    const coif_kit_obstacle body = {
        .body = whole->struct_size > offsetof(coif_groom_batch, body) ? whole->body : NULL};
    for (int32_t s = 0; s < state->grid.count && body.body != NULL; ++s) {
        const float own = coif_kit_input_param(whole, TWIST_RADIUS, s, twist->radius);
        float length = 0.0f;
        for (int32_t i = input->first[s]; i + 1 < input->first[s + 1]; ++i) {
            const coif_kit_vec from = coif_kit_view_point(&state->centres, i);
            const coif_kit_vec step =
                coif_kit_sub(coif_kit_view_point(input, i + 1), coif_kit_view_point(input, i));
            length += coif_kit_length(step);
            const float radius = 1.2f * coif_kit_point_param(whole, TWIST_RADIUS, i + 1, own);
            const coif_kit_vec to = coif_kit_rotate_out(&body, from, coif_kit_mad(from, 1.0f, step),
                                                        length < radius ? length : radius);
            x[i + 1] = to.x, y[i + 1] = to.y, z[i + 1] = to.z;
        }
    }
}

static coif_status twist_prepare(const coif_host *host, void *data, const void *params,
                                 const coif_groom_batch *whole)
{
    const twist_params *twist = params;
    twist_state *state = data;
    coif_kit_strand_grid_build(&state->grid, host, whole->input, twist->count);
    lift_centres(state, host, twist, whole);
    return COIF_OK;
}

// A strand of a twist, which coif_kit_lay_strand moves along.
typedef struct member {
    const coif_groom_batch *batch;
    int32_t strand;
    uint32_t word, clump; // random words of the strand and of the centre
    coif_kit_strand_cursor cursor;
    coif_kit_vec tangent, side; // of the centre at the cursor
    coif_kit_vec from_centre;   // of the root, m
    float length, radius, rate, base_length, matting, unevenness;
    float x, y; // position in the cross-section, unit disc
} member;

// Radius of the twist at arc length u of the member.
static float radius_at(const member *m, float u)
{
    const int32_t begin = m->batch->first[m->strand], end = m->batch->first[m->strand + 1] - 1;
    const float at = coif_kit_clamp(u / m->length, 0.0f, 1.0f) * (float)(end - begin);
    const int32_t i = begin + (at < (float)(end - begin) ? (int32_t)at : end - begin - 1);
    const float a = coif_kit_point_param(m->batch, TWIST_RADIUS, i, m->radius);
    const float b = coif_kit_point_param(m->batch, TWIST_RADIUS, i + 1, m->radius);
    return coif_kit_mix(a, b, at - (float)(i - begin));
}

// coif_kit_curve of a member. The side vector follows the cursor by parallel transport.
static coif_kit_vec twisted_at(const void *data, float u)
{
    member *m = (member *)data;
    coif_kit_strand_cursor_move(&m->cursor, u);
    m->side = coif_kit_parallel_transport(m->side, m->tangent, m->cursor.tangent);
    m->tangent = m->cursor.tangent;
    const coif_kit_vec side =
        coif_kit_normalize(coif_kit_perpendicular(m->side, m->tangent), m->side);
    const coif_kit_vec up = coif_kit_cross(m->tangent, side);
    const float angle = m->rate * u;
    const float c = coif_kit_cos(angle), s = coif_kit_sin(angle);
    const float uneven = 1.0f + m->unevenness * coif_kit_noise1(u / 0.02f, m->clump);
    const float radius = radius_at(m, u) * uneven;
    const float x = m->x + m->matting * coif_kit_noise1(u / 0.012f, m->word);
    const float y = m->y + m->matting * coif_kit_noise1(u / 0.012f, coif_kit_hash(m->word, 83));
    const float joined = coif_kit_smoothstep(u / m->base_length);
    coif_kit_vec at = coif_kit_mad(m->cursor.position, 1.0f - joined, m->from_centre);
    at = coif_kit_mad(at, joined * radius * (c * x - s * y), side);
    return coif_kit_mad(at, joined * radius * (s * x + c * y), up);
}

// Position of a strand in the cross-section: its direction from the centre at the root, in one of
// `locks` discs that touch each other.
static void place_in_section(member *m, int32_t locks, coif_kit_vec up)
{
    const float a = coif_kit_dot(m->from_centre, m->side), b = coif_kit_dot(m->from_centre, up);
    const float away = sqrtf(a * a + b * b);
    const float c = away > 0.0f ? a / away : 1.0f, s = away > 0.0f ? b / away : 0.0f;
    const float angle = s < 0.0f ? 2.0f * COIF_KIT_PI - coif_kit_acos(c) : coif_kit_acos(c);
    const float sector = 2.0f * COIF_KIT_PI / (float)locks;
    const int32_t last = locks - 1, at = (int32_t)(angle / sector);
    const int32_t lock = at < last ? at : last;
    // Strands of a lock fill its disc: their angle in the sector is the angle in the disc.
    const float r = sqrtf(coif_kit_random(m->word, 81));
    const float around = (float)locks * (angle - sector * (float)lock);
    const float half = locks > 1 ? coif_kit_sin(0.5f * sector) : 1.0f;
    const float size = locks > 1 ? half / (1.0f + half) : 1.0f;
    const float middle = sector * ((float)lock + 0.5f), from_axis = 1.0f - size;
    m->x = from_axis * coif_kit_cos(middle) + size * r * coif_kit_cos(around);
    m->y = from_axis * coif_kit_sin(middle) + size * r * coif_kit_sin(around);
}

static void twist_strand(const twist_params *twist, const twist_state *state,
                         const coif_groom_batch *batch, int32_t strand)
{
    const int32_t centre = coif_kit_strand_grid_nearest(&state->grid, batch->strand_begin + strand);
    member m = {.batch = batch, .strand = strand, .word = batch->random[strand]};
    m.length = coif_kit_strand_length(batch, strand);
    if (centre < 0 || m.length <= 0.0f) {
        return; // no centre in its region
    }
    const coif_strand_view *input = batch->input;
    const float *frame = input->root_frame + 9 * (ptrdiff_t)centre;
    const coif_kit_vec normal = coif_kit_vec_of(frame + 6);
    m.clump = input->random[centre];
    m.cursor = coif_kit_strand_cursor_at_root(&state->centres, centre, normal);
    m.from_centre = coif_kit_sub(coif_kit_point(batch, batch->first[strand]), m.cursor.position);
    m.tangent = normal;
    m.side = coif_kit_vec_of(frame);
    m.radius = coif_kit_strand_param(batch, TWIST_RADIUS, strand, twist->radius);
    m.base_length = coif_kit_strand_param(batch, TWIST_BASE_LENGTH, strand, twist->base_length);
    m.matting = coif_kit_strand_param(batch, TWIST_MATTING, strand, twist->matting);
    m.unevenness = coif_kit_strand_param(batch, TWIST_UNEVENNESS, strand, twist->unevenness);
    const float turns = coif_kit_strand_param(batch, TWIST_TURNS, strand, twist->turns);
    m.rate = 2.0f * COIF_KIT_PI * turns / m.length;
    place_in_section(&m, twist->locks, coif_kit_cross(normal, m.side));
    const float strays =
        coif_kit_strand_param(batch, TWIST_STRAY_FRACTION, strand, twist->stray_fraction);
    if (coif_kit_random(m.word, 82) < strays) {
        m.matting += 0.8f;
    } else if (batch->clump != NULL) {
        batch->clump[strand] = centre;
    }
    const coif_kit_obstacle none = {.body = NULL};
    coif_kit_lay_strand(batch, strand, twisted_at, &m, &none);
}

static void twist_groom(const coif_host *host, const void *state, const void *params,
                        const coif_groom_batch *batch)
{
    (void)host;
    for (int32_t strand = 0; strand < batch->strand_count; ++strand) {
        twist_strand(params, state, batch, strand);
    }
}

static void twist_max_segment(const coif_host *host, const void *data, const void *params,
                              const coif_groom_batch *batch, float *longest)
{
    const twist_params *twist = params;
    (void)host, (void)data;
    for (int32_t s = 0; s < batch->strand_count; ++s) {
        const float turns = fabsf(coif_kit_strand_param(batch, TWIST_TURNS, s, twist->turns));
        longest[s] = turns > 0.0f ? coif_kit_strand_length(batch, s) / (12.0f * turns) : 0.0f;
    }
}

static const coif_plugin TWIST = {
    COIF_PLUGIN_HEAD(COIF_KIND_GROOM, "groom.twist", "1.0.0",
                     "Winds the strands of clumps around their centre.", PARAMS, twist_params),
    .state_size = sizeof(twist_state),
    .groom = twist_groom,
    .max_segment_length = twist_max_segment,
    .prepare = twist_prepare,
};

COIF_PLUGIN_ENTRY(TWIST)
