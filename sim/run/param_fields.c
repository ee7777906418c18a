#include "sim/run/param_fields.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "sim/groom/varying_params.h"

#include <string.h>

const char *const COIF_FIELD_NAMES[COIF_FIELD_COUNT] = {
    [COIF_FIELD_DRAG] = "drag",
    [COIF_FIELD_DAMPING] = "damping",
    [COIF_FIELD_FRICTION] = "friction",
    [COIF_FIELD_RESTITUTION] = "restitution",
    [COIF_FIELD_BEND_DAMPING] = "bending_damping_time",
    [COIF_FIELD_DAMPING_FACTOR] = "damping_factor",
    [COIF_FIELD_DRAG_SLIP] = "tangential_drag_reduction",
    [COIF_FIELD_DRAG_BLUNT] = "drag_coefficient",
    [COIF_FIELD_HAIR_FRICTION] = "interaction_friction",
    [COIF_FIELD_HAIR_PRESSURE] = "interaction_stiffness",
    [COIF_FIELD_WIND_SHELTER] = "wind_attenuation",
    [COIF_FIELD_STRETCH] = "stretch_stiffness",
    [COIF_FIELD_BEND] = "bend_stiffness",
    [COIF_FIELD_ATTACH] = "long_range_attachment",
    [COIF_FIELD_SHAPE] = "shape_stiffness",
    [COIF_FIELD_LEADER_CORRECTION] = "ftl_velocity_correction",
    [COIF_FIELD_PUSH_OUT] = "max_depenetration_speed",
    [COIF_FIELD_GRAVITY] = "gravity",
    [COIF_FIELD_GRAVITY + 1] = "gravity",
    [COIF_FIELD_GRAVITY + 2] = "gravity",
    [COIF_FIELD_STIFFNESS] = "stiffness",
    [COIF_FIELD_STIFFNESS_VARIATION] = "stiffness_variation",
    [COIF_FIELD_MASS] = "mass",
    [COIF_FIELD_MASS_VARIATION] = "mass_variation",
    [COIF_FIELD_HOLD] = "goal_scale",
    [COIF_FIELD_HOLD_ROOT] = "goal_frequency_root",
    [COIF_FIELD_HOLD_TIP] = "goal_frequency_tip",
    [COIF_FIELD_SUPPORT] = "gravity_compensation",
    [COIF_FIELD_HAIR_RADIUS] = "hair_radius",
    [COIF_FIELD_HAIR_DENSITY] = "hair_density",
    [COIF_FIELD_YOUNG] = "youngs_modulus",
    [COIF_FIELD_POISSON] = "poisson_ratio",
    [COIF_FIELD_ELLIPTICITY] = "ellipticity",
    [COIF_FIELD_MARGIN] = "contact_margin",
    [COIF_FIELD_SPRING_STRETCH] = "spring_stretch_force",
    [COIF_FIELD_SPRING_CORE] = "curl_core_force",
    [COIF_FIELD_SPRING_DAMPING] = "spring_damping_time",
    [COIF_FIELD_SPRING_SMOOTH] = "spring_frame_smoothing",
    [COIF_FIELD_SPRING_CORE_SMOOTH] = "curl_core_smoothing",
    [COIF_FIELD_TIP_FORCE] = "tip_force",
    [COIF_FIELD_TIP_FORCE + 1] = "tip_force",
    [COIF_FIELD_TIP_FORCE + 2] = "tip_force",
};

// A point must weigh something, and hair must not become a thousand times as heavy by a slip.
static const float LIGHTEST = 1e-3f;

void coif_param_fields_read(const coif_node *sim, double frame, coif_sim_params *params)
{
    coif_node_read(sim, frame, params);
    for (uint32_t r = 0; r < sim->values.row_count; ++r) {
        const coif_param *row = coif_values_param(&sim->values, r);
        if (sim->values.values[r].map != NULL) {
            const float ones[3] = {1.0f, 1.0f, 1.0f};
            memcpy((char *)params + row->offset, ones,
                   row->type == COIF_PARAM_VEC3 ? sizeof ones : sizeof ones[0]);
        }
    }
}

float coif_param_fields_strand(const coif_param_fields *vary, int row, int32_t strand)
{
    const float *strands = vary != NULL ? vary->rows[row].strands : NULL;
    return strands != NULL ? strands[strand] : 1.0f;
}

float coif_param_fields_along(const coif_param_fields *vary, int row, float place)
{
    const coif_value *value = vary != NULL ? vary->rows[row].along : NULL;
    return value != NULL ? fmaxf(coif_value_ramp(value, place), 0.0f) : 1.0f;
}

coif_vec3 coif_param_fields_vector(const coif_param_fields *vary, int row, const float plain[3],
                                   int32_t strand)
{
    return coif_vec3_of(plain[0] * coif_param_fields_strand(vary, row, strand),
                        plain[1] * coif_param_fields_strand(vary, row + 1, strand),
                        plain[2] * coif_param_fields_strand(vary, row + 2, strand));
}

void coif_param_fields_gravity(const coif_node *sim, double frame, float gravity[3])
{
    coif_sim_params params;
    coif_node_read(sim, frame, &params);
    memcpy(gravity, params.gravity, sizeof params.gravity);
}

bool coif_param_fields_has(const coif_param_fields *vary, int row)
{
    return vary != NULL && (vary->rows[row].strands != NULL || vary->rows[row].along != NULL);
}

float coif_param_fields_weight(const coif_param_fields *vary, float place)
{
    const float thick = coif_param_fields_along(vary, COIF_FIELD_HAIR_RADIUS, place);
    const float weight = coif_param_fields_along(vary, COIF_FIELD_MASS, place) *
                         coif_param_fields_along(vary, COIF_FIELD_HAIR_DENSITY, place) *
                         (thick * thick);
    return fmaxf(weight, LIGHTEST);
}

float coif_param_fields_stiffness(const coif_param_fields *vary, float place)
{
    const float thick = coif_param_fields_along(vary, COIF_FIELD_HAIR_RADIUS, place);
    const float area = thick * thick;
    return coif_param_fields_along(vary, COIF_FIELD_STIFFNESS, place) *
           coif_param_fields_along(vary, COIF_FIELD_YOUNG, place) * (area * area);
}

// What the maps of the groom say for a row.
static coif_status map_row(coif_param_fields *vary, int row, const coif_param_ref *place,
                           const coif_strand_buffer *growth, const coif_generate_services *tools,
                           coif_error *error)
{
    float *strands;
    COIF_TRY(coif_maps_check(tools->maps, place, error));
    COIF_TRY(coif_param_values_strands(&strands, place, growth, tools, error));
    vary->rows[row].strands = strands;
    vary->digest =
        coif_hash64_extend(vary->digest, strands, sizeof *strands * (size_t)growth->strand_count);
    return COIF_OK;
}

static const coif_surface_point *roots_of(const coif_param_fields_desc *desc, coif_arena *scratch)
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
    while (row > axis && strcmp(COIF_FIELD_NAMES[row - axis - 1], COIF_FIELD_NAMES[row]) == 0) {
        ++axis;
    }
    return axis;
}

static coif_status open_maps(coif_param_fields *vary, const coif_param_fields_desc *desc,
                             coif_arena *arena, coif_arena *scratch, coif_error *error)
{
    const coif_values *values = &desc->sim->values;
    coif_maps maps = {.scene = desc->scene->path, .mesh = desc->rest, .arena = scratch};
    COIF_TRY(coif_maps_open(&maps, desc->groom_node, desc->frame, error));
    const coif_strand_buffer growth = {.strand_count = desc->groom->simulated_count,
                                       .roots = roots_of(desc, scratch)};
    const coif_generate_services tools = {.maps = &maps, .arena = arena, .jobs = desc->jobs};
    for (int row = 0; row < COIF_FIELD_COUNT; ++row) {
        const coif_value *value = coif_values_find(values, COIF_FIELD_NAMES[row]);
        const coif_param_ref place = {desc->sim, values, (uint32_t)(value - values->values),
                                      axis_of(row)};
        if (value->map != NULL) {
            COIF_TRY(map_row(vary, row, &place, &growth, &tools, error));
        }
    }
    return COIF_OK;
}

coif_status coif_param_fields_open(coif_param_fields *vary, const coif_param_fields_desc *desc,
                                   coif_arena *arena, coif_error *error)
{
    bool mapped = false;
    *vary = (coif_param_fields){.digest = 0};
    for (int row = 0; row < COIF_FIELD_COUNT; ++row) {
        const coif_value *value = coif_values_find(&desc->sim->values, COIF_FIELD_NAMES[row]);
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
