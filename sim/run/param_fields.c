#include "sim/run/param_fields.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "sim/groom/varying_params.h"

#include <stddef.h>
#include <string.h>

#define FIELD_NAME(id_, name_, axis_) #name_,
const char *const COIF_FIELD_NAMES[COIF_FIELD_COUNT] = {COIF_BLOCK_FIELDS(FIELD_NAME)
                                                            COIF_SETUP_FIELDS(FIELD_NAME)};

// Component of a vector, and offset in coif_sim_params.
#define FIELD_AXIS(id_, name_, axis_)   axis_,
#define FIELD_OFFSET(id_, name_, axis_) offsetof(coif_sim_params, name_) + (axis_) * sizeof(float),
static const int32_t AXES[COIF_FIELD_COUNT] = {COIF_BLOCK_FIELDS(FIELD_AXIS)
                                                   COIF_SETUP_FIELDS(FIELD_AXIS)};
static const size_t OFFSETS[COIF_FIELD_COUNT] = {COIF_BLOCK_FIELDS(FIELD_OFFSET)
                                                     COIF_SETUP_FIELDS(FIELD_OFFSET)};

// Lower bound of the relative mass of a point.
static const float MIN_MASS_SCALE = 1e-3f;

void coif_param_fields_read(const coif_node *sim, double frame, coif_sim_params *params)
{
    coif_node_read(sim, frame, params);
    for (uint32_t r = 0; r < sim->values.row_count; ++r) {
        const coif_param *row = &sim->values.rows[r];
        if (sim->values.values[r].map != NULL) {
            const float ones[3] = {1.0f, 1.0f, 1.0f};
            memcpy((char *)params + row->offset, ones,
                   row->type == COIF_PARAM_VEC3 ? sizeof ones : sizeof ones[0]);
        }
    }
}

float coif_param_fields_strand(const coif_param_fields *fields, int row, int32_t strand)
{
    const float *strands = fields != NULL ? fields->rows[row].per_strand : NULL;
    return strands != NULL ? strands[strand] : 1.0f;
}

float coif_param_fields_along(const coif_param_fields *fields, int row, float t)
{
    const coif_value *value = fields != NULL ? fields->rows[row].ramp : NULL;
    return value != NULL ? fmaxf(coif_value_ramp(value, t), 0.0f) : 1.0f;
}

float coif_param_fields_value(const coif_param_fields *fields, int row,
                              const coif_sim_params *params, int32_t strand)
{
    float value;
    memcpy(&value, (const char *)params + OFFSETS[row], sizeof value);
    return value * coif_param_fields_strand(fields, row, strand);
}

// The force on the tip and goals are read by every step.
bool coif_param_fields_changed(const coif_sim_params *a, const coif_sim_params *b)
{
    for (int row = COIF_FIELD_BLOCK_ROWS; row < COIF_FIELD_TIP_FORCE; ++row) {
        if (memcmp((const char *)a + OFFSETS[row], (const char *)b + OFFSETS[row], sizeof(float)) !=
            0) {
            return true;
        }
    }
    return false;
}

void coif_param_fields_gravity(const coif_node *sim, double frame, float gravity[3])
{
    coif_sim_params params;
    coif_node_read(sim, frame, &params);
    memcpy(gravity, params.gravity, sizeof params.gravity);
}

bool coif_param_fields_has(const coif_param_fields *fields, int row)
{
    return fields != NULL &&
           (fields->rows[row].per_strand != NULL || fields->rows[row].ramp != NULL);
}

float coif_param_fields_weight(const coif_param_fields *fields, float t)
{
    const float radius = coif_param_fields_along(fields, COIF_FIELD_HAIR_RADIUS, t);
    const float weight = coif_param_fields_along(fields, COIF_FIELD_MASS, t) *
                         coif_param_fields_along(fields, COIF_FIELD_HAIR_DENSITY, t) *
                         (radius * radius);
    return fmaxf(weight, MIN_MASS_SCALE);
}

float coif_param_fields_stiffness(const coif_param_fields *fields, float t)
{
    const float radius = coif_param_fields_along(fields, COIF_FIELD_HAIR_RADIUS, t);
    const float area = radius * radius;
    return coif_param_fields_along(fields, COIF_FIELD_STIFFNESS, t) *
           coif_param_fields_along(fields, COIF_FIELD_YOUNGS_MODULUS, t) * (area * area);
}

// Evaluates the map of a parameter of the fields.
static coif_status eval_field(float **strands, const coif_param_ref *param,
                              const coif_strand_buffer *buffer,
                              const coif_generate_services *services, coif_error *error)
{
    COIF_TRY(coif_maps_check(services->maps, param, error));
    return coif_param_values_strands(strands, param, buffer, services, error);
}

coif_surface_point *coif_simulated_roots(const coif_groom *groom, const coif_mesh *rest,
                                         coif_arena *arena)
{
    coif_surface_point *roots = coif_arena_new(arena, groom->simulated_count, coif_surface_point);
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        const int64_t strand = groom->simulated[s];
        const float *b = groom->root_barycentric + 2 * strand;
        roots[s] = coif_mesh_at(rest, groom->root_triangle[strand], b[0], b[1]);
    }
    return roots;
}

// A map that is evaluated at the first frame, or again.
static void store_field(coif_param_fields *fields, int row, float *strands, int32_t count,
                        bool *changed)
{
    const size_t bytes = sizeof *strands * (size_t)count;
    float **field = &fields->map_values[row];
    if (changed == NULL) {
        fields->rows[row].per_strand = *field = strands;
        fields->digest = coif_hash64_extend(fields->digest, strands, bytes);
    } else if (memcmp(*field, strands, bytes) != 0) {
        memcpy(*field, strands, bytes);
        *changed = true;
    }
}

// Evaluates all maps, or again those with keys (changed not NULL).
static coif_status eval_maps(coif_param_fields *fields, const coif_param_fields_desc *desc,
                             coif_arena *arena, coif_arena *scratch, bool *changed,
                             coif_error *error)
{
    const coif_values *values = &desc->sim->values;
    coif_maps maps = {
        .scene = desc->scene->path, .mesh = desc->rest, .body = desc->body, .arena = scratch};
    COIF_TRY(coif_maps_open(&maps, desc->groom_node, desc->frame, error));
    const coif_strand_buffer buffer = {.strand_count = desc->groom->simulated_count,
                                       .roots =
                                           coif_simulated_roots(desc->groom, desc->rest, scratch)};
    const coif_generate_services services = {.maps = &maps, .arena = arena, .jobs = desc->jobs};
    for (int row = 0; row < COIF_FIELD_COUNT; ++row) {
        const coif_value *value = coif_values_find(values, COIF_FIELD_NAMES[row]);
        const uint32_t index = (uint32_t)(value - values->values);
        const coif_param_ref param = {coif_node_giving(desc->sim, index), values, index, AXES[row]};
        const bool animated =
            value->map != NULL && coif_map_is_animated(desc->groom_node, value->map);
        fields->animated |= animated;
        if (value->map != NULL && (changed == NULL || animated)) {
            float *strands;
            COIF_TRY(eval_field(&strands, &param, &buffer, &services, error));
            store_field(fields, row, strands, buffer.strand_count, changed);
        }
    }
    return COIF_OK;
}

static void keep_first_gravity(coif_param_fields *fields, int32_t count, coif_arena *arena)
{
    static const int rows[] = {COIF_FIELD_GRAVITY, COIF_FIELD_GRAVITY_Y, COIF_FIELD_GRAVITY_Z};
    for (int axis = 0; axis < 3; ++axis) {
        const float *values = fields->rows[rows[axis]].per_strand;
        fields->first_gravity[axis] = values;
        if (values != NULL && fields->animated) {
            float *copy = coif_arena_new(arena, count, float);
            memcpy(copy, values, sizeof *copy * (size_t)count);
            fields->first_gravity[axis] = copy;
        }
    }
}

static coif_status eval_map(float **values, const coif_param_fields_desc *desc,
                            const coif_param_ref *param, coif_arena *arena, coif_arena *scratch,
                            coif_error *error)
{
    coif_maps maps = {
        .scene = desc->scene->path, .mesh = desc->rest, .body = desc->body, .arena = scratch};
    COIF_TRY(coif_maps_open(&maps, desc->groom_node, desc->frame, error));
    COIF_TRY(coif_maps_check(&maps, param, error));
    const coif_strand_buffer buffer = {.strand_count = desc->groom->simulated_count,
                                       .roots =
                                           coif_simulated_roots(desc->groom, desc->rest, scratch)};
    const coif_generate_services services = {.maps = &maps, .arena = arena, .jobs = desc->jobs};
    return coif_param_values_strands(values, param, &buffer, &services, error);
}

coif_status coif_param_fields_eval_map(float **values, const coif_param_fields_desc *desc,
                                       const coif_node *node, const char *name, coif_arena *arena,
                                       coif_error *error)
{
    const coif_value *value = coif_values_find(&node->values, name);
    const coif_param_ref param = {node, &node->values, (uint32_t)(value - node->values.values), 0};
    coif_arena scratch;
    coif_arena_init(&scratch, "map");
    const coif_status status = eval_map(values, desc, &param, arena, &scratch, error);
    coif_arena_free(&scratch);
    return status;
}

coif_status coif_param_fields_open(coif_param_fields *fields, const coif_param_fields_desc *desc,
                                   coif_arena *arena, coif_error *error)
{
    bool mapped = false;
    *fields = (coif_param_fields){.digest = 0};
    for (int row = 0; row < COIF_FIELD_COUNT; ++row) {
        const coif_value *value = coif_values_find(&desc->sim->values, COIF_FIELD_NAMES[row]);
        COIF_ASSERT(value != NULL);
        fields->rows[row].ramp = value->ramp_count > 0 ? value : NULL;
        mapped = mapped || value->map != NULL;
    }
    if (!mapped) {
        return COIF_OK;
    }
    COIF_SCOPED_ARENA(scratch, "sim maps");
    COIF_TRY(eval_maps(fields, desc, arena, &scratch, NULL, error));
    keep_first_gravity(fields, desc->groom->simulated_count, arena);
    return COIF_OK;
}

coif_status coif_param_fields_update(coif_param_fields *fields, const coif_param_fields_desc *desc,
                                     bool *changed, coif_error *error)
{
    *changed = false;
    if (!fields->animated) {
        return COIF_OK;
    }
    COIF_SCOPED_ARENA(scratch, "sim maps");
    return eval_maps(fields, desc, &scratch, &scratch, changed, error);
}
