#include "sim/run/param_fields.h"

#include "core/base/arena.h"
#include "core/base/hash64.h"
#include "core/base/error.h"
#include "sim/groom/modifiers.h"

#include <string.h>

const char *const COIF_VARY_NAMES[COIF_VARY_COUNT] = {
    [COIF_VARY_DRAG] = "drag",
    [COIF_VARY_DAMPING] = "damping",
    [COIF_VARY_FRICTION] = "friction",
    [COIF_VARY_RESTITUTION] = "restitution",
    [COIF_VARY_BEND_DAMPING] = "bend_damping",
    [COIF_VARY_DAMPING_FACTOR] = "damping_factor",
    [COIF_VARY_DRAG_SLIP] = "drag_slip",
    [COIF_VARY_DRAG_BLUNT] = "drag_blunt",
    [COIF_VARY_HAIR_FRICTION] = "hair_friction",
    [COIF_VARY_HAIR_PRESSURE] = "hair_pressure",
    [COIF_VARY_WIND_SHELTER] = "wind_shelter",
    [COIF_VARY_STRETCH] = "stretch",
    [COIF_VARY_BEND] = "bend",
    [COIF_VARY_ATTACH] = "attach",
    [COIF_VARY_SHAPE] = "shape",
    [COIF_VARY_LEADER_CORRECTION] = "leader_correction",
    [COIF_VARY_PUSH_OUT] = "push_out",
    [COIF_VARY_GRAVITY] = "gravity",
    [COIF_VARY_GRAVITY + 1] = "gravity",
    [COIF_VARY_GRAVITY + 2] = "gravity",
    [COIF_VARY_STIFFNESS] = "stiffness",
    [COIF_VARY_STIFFNESS_VARIATION] = "stiffness_variation",
    [COIF_VARY_MASS] = "mass",
    [COIF_VARY_MASS_VARIATION] = "mass_variation",
    [COIF_VARY_HOLD] = "hold",
    [COIF_VARY_HOLD_ROOT] = "hold_root",
    [COIF_VARY_HOLD_TIP] = "hold_tip",
    [COIF_VARY_SUPPORT] = "support",
    [COIF_VARY_HAIR_RADIUS] = "hair_radius",
    [COIF_VARY_HAIR_DENSITY] = "hair_density",
    [COIF_VARY_YOUNG] = "young",
    [COIF_VARY_POISSON] = "poisson",
    [COIF_VARY_ELLIPTICITY] = "ellipticity",
    [COIF_VARY_MARGIN] = "margin",
    [COIF_VARY_SPRING_STRETCH] = "spring_stretch",
    [COIF_VARY_SPRING_CORE] = "spring_core",
    [COIF_VARY_SPRING_DAMPING] = "spring_damping",
    [COIF_VARY_SPRING_SMOOTH] = "spring_smooth",
    [COIF_VARY_SPRING_CORE_SMOOTH] = "spring_core_smooth",
    [COIF_VARY_TIP_FORCE] = "tip_force",
    [COIF_VARY_TIP_FORCE + 1] = "tip_force",
    [COIF_VARY_TIP_FORCE + 2] = "tip_force",
};

// A point must weigh something, and hair must not become a thousand times as heavy by a slip.
static const float LIGHTEST = 1e-3f;

void coif_vary_read(const coif_node *sim, double frame, coif_sim_params *params)
{
    coif_node_read(sim, frame, params);
    for (uint32_t r = 0; r < sim->values.row_count; ++r) {
        const coif_param *row = coif_values_row(&sim->values, r);
        if (sim->values.values[r].map != NULL) {
            const float ones[3] = {1.0f, 1.0f, 1.0f};
            memcpy((char *)params + row->offset, ones,
                   row->type == COIF_PARAM_VEC3 ? sizeof ones : sizeof ones[0]);
        }
    }
}

float coif_vary_strand(const coif_vary *vary, int row, int32_t strand)
{
    const float *strands = vary != NULL ? vary->rows[row].strands : NULL;
    return strands != NULL ? strands[strand] : 1.0f;
}

float coif_vary_along(const coif_vary *vary, int row, float place)
{
    const coif_value *value = vary != NULL ? vary->rows[row].along : NULL;
    return value != NULL ? fmaxf(coif_value_ramp(value, place), 0.0f) : 1.0f;
}

coif_vec3 coif_vary_vector(const coif_vary *vary, int row, const float plain[3], int32_t strand)
{
    return coif_vec3_of(plain[0] * coif_vary_strand(vary, row, strand),
                        plain[1] * coif_vary_strand(vary, row + 1, strand),
                        plain[2] * coif_vary_strand(vary, row + 2, strand));
}

void coif_vary_gravity(const coif_node *sim, double frame, float gravity[3])
{
    coif_sim_params params;
    coif_node_read(sim, frame, &params);
    memcpy(gravity, params.gravity, sizeof params.gravity);
}

bool coif_vary_has(const coif_vary *vary, int row)
{
    return vary != NULL && (vary->rows[row].strands != NULL || vary->rows[row].along != NULL);
}

float coif_vary_weight(const coif_vary *vary, float place)
{
    const float thick = coif_vary_along(vary, COIF_VARY_HAIR_RADIUS, place);
    const float weight = coif_vary_along(vary, COIF_VARY_MASS, place) *
                         coif_vary_along(vary, COIF_VARY_HAIR_DENSITY, place) * (thick * thick);
    return fmaxf(weight, LIGHTEST);
}

float coif_vary_stiffness(const coif_vary *vary, float place)
{
    const float thick = coif_vary_along(vary, COIF_VARY_HAIR_RADIUS, place);
    const float area = thick * thick;
    return coif_vary_along(vary, COIF_VARY_STIFFNESS, place) *
           coif_vary_along(vary, COIF_VARY_YOUNG, place) * (area * area);
}

void coif_vary_add_rows(coif_block *block, const coif_vary *vary, coif_arena *arena)
{
    const int64_t count = (int64_t)block->length * block->lanes;
    for (int row = 0; row < COIF_VARY_BLOCK_ROWS; ++row) {
        // Air pushes a light tip more than a heavy root.
        const bool weight = row == COIF_VARY_DRAG && (coif_vary_has(vary, COIF_VARY_MASS) ||
                                                      coif_vary_has(vary, COIF_VARY_HAIR_RADIUS) ||
                                                      coif_vary_has(vary, COIF_VARY_HAIR_DENSITY));
        if (coif_vary_has(vary, row) || weight) {
            block->vary[row] = coif_arena_new(arena, count, float);
        }
    }
    if (block->vary[COIF_VARY_DAMPING] != NULL || block->vary[COIF_VARY_DAMPING_FACTOR] != NULL) {
        block->keep = coif_arena_new(arena, count, float);
    }
    for (int row = 0; row < COIF_ROUND_ROWS; ++row) {
        if (block->vary[COIF_VARY_STRETCH + row] != NULL) {
            block->round[row] = coif_arena_new(arena, count, float);
        }
    }
    if (block->round[COIF_ROUND_SHAPE] != NULL) {
        block->shape = coif_arena_new(arena, block->lanes, float);
    }
    if (block->vary[COIF_VARY_PUSH_OUT] != NULL) {
        block->most_out = coif_arena_new(arena, count, float);
    }
    if (block->vary[COIF_VARY_GRAVITY] != NULL) {
        block->fall = coif_arena_new(arena, count, float);
    }
    if (vary != NULL && vary->rows[COIF_VARY_GRAVITY].along != NULL) {
        block->weigh = coif_arena_new(arena, count, float);
    }
    if (coif_vary_has(vary, COIF_VARY_TIP_FORCE)) {
        block->tip_force = coif_arena_new(arena, 3 * (int64_t)block->lanes, float);
    }
}

void coif_vary_fill(coif_block *block, int32_t lane, const coif_vary *vary)
{
    const int32_t last = block->length - 1;
    const int32_t strand = block->strands[lane];
    float lightest = INFINITY;
    for (int32_t k = 0; k <= last; ++k) {
        lightest = fminf(lightest, coif_vary_weight(vary, (float)k / (float)last));
    }
    for (int row = 0; row < COIF_VARY_BLOCK_ROWS; ++row) {
        const float own = coif_vary_strand(vary, row, strand);
        for (int32_t k = 0; k <= last && block->vary[row] != NULL; ++k) {
            const float place = (float)k / (float)last;
            const float lighter =
                row == COIF_VARY_DRAG ? lightest / coif_vary_weight(vary, place) : 1.0f;
            block->vary[row][(int64_t)k * block->lanes + lane] =
                own * coif_vary_along(vary, row, place) * lighter;
        }
    }
    for (int32_t k = 0; k <= last && block->weigh != NULL; ++k) {
        block->weigh[(int64_t)k * block->lanes + lane] =
            coif_vary_along(vary, COIF_VARY_GRAVITY, (float)k / (float)last);
    }
    for (int axis = 0; axis < 3 && block->tip_force != NULL; ++axis) {
        block->tip_force[axis * block->lanes + lane] =
            coif_vary_strand(vary, COIF_VARY_TIP_FORCE + axis, strand);
    }
    // Mass is counted in those of the lightest point, so that no point weighs less than one.
    block->mass[lane] *= lightest;
    for (int32_t k = 0; k <= last; ++k) {
        block->w[(int64_t)k * block->lanes + lane] *=
            lightest / coif_vary_weight(vary, (float)k / (float)last);
    }
}

static void begin_keep(coif_block *block, const coif_sim_params *params, float h)
{
    const float *damping = block->vary[COIF_VARY_DAMPING];
    const float *factor = block->vary[COIF_VARY_DAMPING_FACTOR];
    coif_sim_params own = *params;
    for (int64_t i = 0; block->keep != NULL && i < (int64_t)block->length * block->lanes; ++i) {
        // None is ever sped up.
        own.damping_factor =
            factor != NULL ? fminf(params->damping_factor * factor[i], 1.0f) : own.damping_factor;
        block->keep[i] = coif_damping_keep(&own, damping != NULL ? damping[i] : 1.0f, h);
    }
}

static void begin_rounds(coif_block *block, const coif_sim_params *params)
{
    const float stiffnesses[COIF_ROUND_ROWS] = {params->stretch, params->bend, params->attach,
                                                params->shape};
    const int64_t count = (int64_t)block->length * block->lanes;
    for (int row = 0; row < COIF_ROUND_ROWS; ++row) {
        const float *factor = block->vary[COIF_VARY_STRETCH + row];
        for (int64_t i = 0; factor != NULL && i < count; ++i) {
            block->round[row][i] = coif_round_of(params, fminf(stiffnesses[row] * factor[i], 1.0f));
        }
    }
    if (block->shape == NULL) {
        return;
    }
    float *shares = block->round[COIF_ROUND_SHAPE];
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        float most = 0.0f;
        for (int64_t i = lane; i < count; i += block->lanes) {
            most = fmaxf(most, shares[i]);
        }
        for (int64_t i = lane; i < count; i += block->lanes) {
            shares[i] = most > 0.0f ? shares[i] / most : 1.0f;
        }
        block->shape[lane] = most;
    }
}

void coif_vary_begin(coif_block *block, const coif_sim_params *params, float h)
{
    const float *speed = block->vary[COIF_VARY_PUSH_OUT];
    begin_keep(block, params, h);
    begin_rounds(block, params);
    for (int64_t i = 0; speed != NULL && i < (int64_t)block->length * block->lanes; ++i) {
        block->most_out[i] = coif_most_out(params->push_out * speed[i], h);
    }
    const float *const *own = (const float *const *)block->vary + COIF_VARY_GRAVITY;
    for (int64_t i = 0; own[0] != NULL && i < (int64_t)block->length * block->lanes; ++i) {
        block->fall[i] =
            coif_length(coif_vec3_of(params->gravity[0] * own[0][i], params->gravity[1] * own[1][i],
                                     params->gravity[2] * own[2][i]));
    }
}

// What the maps of the groom say for a row.
static coif_status map_row(coif_vary *vary, int row, const coif_row_place *place,
                           const coif_growth *growth, const coif_grow_tools *tools,
                           coif_error *error)
{
    float *strands;
    COIF_TRY(coif_maps_check(tools->maps, place, error));
    COIF_TRY(coif_varying_strands(&strands, place, growth, tools, error));
    vary->rows[row].strands = strands;
    vary->digest =
        coif_digest_more(vary->digest, strands, sizeof *strands * (size_t)growth->strand_count);
    return COIF_OK;
}

static const coif_surface_point *roots_of(const coif_vary_desc *desc, coif_arena *scratch)
{
    const coif_groom *groom = desc->groom;
    coif_surface_point *roots = coif_arena_new(scratch, groom->simulated_count, coif_surface_point);
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        const int64_t rest = groom->simulated[s];
        const float *b = groom->root_barycentric + 2 * rest;
        roots[s] = coif_mesh_at(desc->rest, groom->root_triangle[rest], b[0], b[1]);
    }
    return roots;
}

// Which number of a vector a row is.
static int32_t axis_of(int row)
{
    int32_t axis = 0;
    while (row > axis && strcmp(COIF_VARY_NAMES[row - axis - 1], COIF_VARY_NAMES[row]) == 0) {
        ++axis;
    }
    return axis;
}

static coif_status open_maps(coif_vary *vary, const coif_vary_desc *desc, coif_arena *arena,
                             coif_arena *scratch, coif_error *error)
{
    const coif_values *values = &desc->sim->values;
    coif_maps maps = {.scene = desc->scene->path, .mesh = desc->rest, .arena = scratch};
    COIF_TRY(coif_maps_open(&maps, desc->groom_node, desc->frame, error));
    const coif_growth growth = {.strand_count = desc->groom->simulated_count,
                                .roots = roots_of(desc, scratch)};
    const coif_grow_tools tools = {.maps = &maps, .arena = arena, .jobs = desc->jobs};
    for (int row = 0; row < COIF_VARY_COUNT; ++row) {
        const coif_value *value = coif_values_find(values, COIF_VARY_NAMES[row]);
        const coif_row_place place = {desc->sim, values, (uint32_t)(value - values->values),
                                      axis_of(row)};
        if (value->map != NULL) {
            COIF_TRY(map_row(vary, row, &place, &growth, &tools, error));
        }
    }
    return COIF_OK;
}

coif_status coif_vary_open(coif_vary *vary, const coif_vary_desc *desc, coif_arena *arena,
                           coif_error *error)
{
    bool mapped = false;
    *vary = (coif_vary){.digest = 0};
    for (int row = 0; row < COIF_VARY_COUNT; ++row) {
        const coif_value *value = coif_values_find(&desc->sim->values, COIF_VARY_NAMES[row]);
        COIF_ASSERT(value != NULL);
        vary->rows[row].along = value->ramp_count > 0 ? value : NULL;
        mapped = mapped || value->map != NULL;
    }
    if (!mapped) {
        return COIF_OK;
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "sim maps");
    const coif_status status = open_maps(vary, desc, arena, &scratch, error);
    coif_arena_free(&scratch);
    return status;
}
