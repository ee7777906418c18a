#include "sim/run/force_region.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "sim/groom/scalp_maps.h"
#include "sim/run/param_fields.h"

#include <string.h>

enum { CHUNK = 128 };

static bool is_direct(const coif_force_params *params, const coif_node *node)
{
    const coif_value *mask = coif_values_find(&node->values, "mask");
    return params->enabled != 0 && params->amount == 1.0f && params->mask == 1.0f &&
           mask->map == NULL && mask->ramp_count == 0 && params->region == COIF_REGION_EVERYWHERE;
}

static coif_vec3 vec3_from(const float v[3])
{
    return coif_vec3_of(v[0], v[1], v[2]);
}

// Where the force is: its region, or the position of the plugin. False: nowhere in particular.
static bool find_position(coif_vec3 *position, const coif_force_region *region)
{
    const coif_value *own = coif_values_find(&region->node->plugin_values, "position");
    const bool given = own != NULL && own->numbers != NULL;
    *position =
        region->params.region != COIF_REGION_EVERYWHERE ? vec3_from(region->params.region_center)
        : given
            ? coif_vec3_of((float)own->numbers[0], (float)own->numbers[1], (float)own->numbers[2])
            : coif_vec3_of(0.0f, 0.0f, 0.0f);
    return given || region->params.region != COIF_REGION_EVERYWHERE;
}

static float region_extent(const coif_force_params *params)
{
    return params->region == COIF_REGION_BALL  ? params->region_radius
           : params->region == COIF_REGION_BOX ? 0.5f * coif_length(vec3_from(params->region_size))
                                               : 0.0f;
}

coif_status coif_force_region_open(coif_force_region *region, const coif_node *node, double frame,
                                   const coif_body *bodies, int32_t body_count, coif_arena *arena,
                                   coif_error *error)
{
    *region = (coif_force_region){.node = node, .attachment = {.body = -1}};
    region->animated = coif_params_are_animated(&node->values);
    coif_force_region_set_time(region, frame, 0.0f);
    coif_vec3 position;
    const bool placed = find_position(&position, region);
    const coif_attachment_desc desc = {.bodies = bodies,
                                       .body_count = body_count,
                                       .parent = region->params.parent,
                                       .point = placed ? &position : NULL,
                                       .radius = region_extent(&region->params)};
    if (!coif_attachment_open(&region->attachment, &desc, arena)) {
        return coif_fail(error, COIF_ERR_SCENE, "%s/parent: \"%s\" is not the name of a body",
                         node->path, desc.parent);
    }
    region->animated = region->animated || region->attachment.body >= 0;
    region->direct = !region->animated && is_direct(&region->params, node);
    return COIF_OK;
}

void coif_force_region_begin_step(coif_force_region *region, const coif_mesh *begin,
                                  const coif_mesh *end)
{
    if (region->attachment.body >= 0) {
        region->step[0] = coif_attachment_frame(&region->attachment, begin);
        region->step[1] = coif_attachment_frame(&region->attachment, end);
        region->motion = region->step[1];
    }
}

void coif_force_region_set_time(coif_force_region *region, double frame, float fraction)
{
    coif_node_read(region->node, frame, &region->params);
    if (region->attachment.body >= 0) {
        region->motion = coif_rigid_mix(&region->step[0], &region->step[1], fraction);
    }
}

static coif_status eval_mask(coif_force_mask *mask, const coif_force_region *region,
                             const coif_maps_query *query, coif_error *error)
{
    const coif_values *values = &region->node->values;
    const coif_value *value = coif_values_find(values, "mask");
    const coif_param_ref param = {region->node, values, (uint32_t)(value - values->values), 0};
    return coif_maps_evaluate_query(mask->per_strand, query, &param, error);
}

// The mask of one force for a groom.
static coif_status open_mask(coif_force_mask *mask, uint64_t *digest,
                             const coif_force_region *region, const coif_maps_query *query,
                             coif_arena *arena, coif_error *error)
{
    const coif_value *value = coif_values_find(&region->node->values, "mask");
    mask->excluded = !coif_node_is_addressed(query->groom, region->params.affects);
    mask->ramp = value->ramp_count > 0 ? value : NULL;
    if (mask->excluded || value->map == NULL) {
        return COIF_OK;
    }
    mask->per_strand = coif_arena_new(arena, query->count, float);
    COIF_TRY(eval_mask(mask, region, query, error));
    *digest = coif_hash64_extend(*digest, mask->per_strand,
                                 sizeof *mask->per_strand * (size_t)query->count);
    return COIF_OK;
}

static coif_maps_query query_of(const coif_force_masks_desc *desc, coif_arena *scratch)
{
    return (coif_maps_query){.scene = desc->scene->path,
                             .groom = desc->groom_node,
                             .frame = desc->frame,
                             .mesh = desc->rest,
                             .body = desc->body,
                             .count = desc->groom->simulated_count,
                             .roots = coif_simulated_roots(desc->groom, desc->rest, scratch)};
}

coif_status coif_force_masks_open(coif_force_mask **masks, uint64_t *digest,
                                  const coif_force_region *regions, int32_t count,
                                  const coif_force_masks_desc *desc, coif_arena *arena,
                                  coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "force masks");
    const coif_maps_query query = query_of(desc, &scratch);
    *masks = coif_arena_new(arena, count, coif_force_mask);
    for (int32_t f = 0; f < count; ++f) {
        COIF_TRY(open_mask(&(*masks)[f], digest, &regions[f], &query, arena, error));
    }
    return COIF_OK;
}

coif_status coif_force_masks_update(coif_force_mask *masks, const coif_force_region *regions,
                                    int32_t count, const coif_force_masks_desc *desc,
                                    coif_error *error)
{
    for (int32_t f = 0; f < count; ++f) {
        const char *map = coif_values_find(&regions[f].node->values, "mask")->map;
        if (masks[f].per_strand != NULL && coif_map_is_animated(desc->groom_node, map)) {
            COIF_SCOPED_ARENA(scratch, "force masks");
            const coif_maps_query query = query_of(desc, &scratch);
            COIF_TRY(eval_mask(&masks[f], &regions[f], &query, error));
        }
    }
    return COIF_OK;
}

// Distance to the region, 0 inside.
static float region_distance(const coif_force_params *params, coif_vec3 p)
{
    const coif_vec3 offset = coif_sub(p, vec3_from(params->region_center));
    if (params->region == COIF_REGION_BALL) {
        return fmaxf(coif_length(offset) - params->region_radius, 0.0f);
    }
    const float *size = params->region_size;
    return coif_length(coif_vec3_of(fmaxf(fabsf(offset.x) - 0.5f * size[0], 0.0f),
                                    fmaxf(fabsf(offset.y) - 0.5f * size[1], 0.0f),
                                    fmaxf(fabsf(offset.z) - 0.5f * size[2], 0.0f)));
}

// 1 in the region, and 1 - s^2 (3 - 2 s) at the fraction s of the falloff outside of it.
static float region_weight(const coif_force_params *params, coif_vec3 p)
{
    if (params->region == COIF_REGION_EVERYWHERE) {
        return 1.0f;
    }
    const float distance = region_distance(params, p);
    if (!(distance < params->region_falloff)) {
        return distance == 0.0f ? 1.0f : 0.0f;
    }
    const float s = distance / params->region_falloff;
    return 1.0f - s * s * (3.0f - 2.0f * s);
}

// Factor of the mask at a point of a block.
static float mask_weight(const coif_force_mask *mask, float plain, const coif_strand_block *block,
                         int32_t i)
{
    if (mask == NULL || block == NULL) {
        return plain;
    }
    const int32_t lane = i % block->lanes;
    // Unused lanes repeat the last strand.
    const int32_t used = lane < block->strand_count ? lane : block->strand_count - 1;
    const float root = mask->per_strand != NULL ? mask->per_strand[block->strands[used]] : plain;
    const float t = (float)(i / block->lanes) / (float)(block->length - 1);
    return mask->ramp != NULL ? root * fmaxf(coif_value_ramp(mask->ramp, t), 0.0f) : root;
}

static coif_force_batch slice(const coif_force_batch *batch, int32_t begin)
{
    const int32_t left = batch->count - begin;
    coif_force_batch chunk = *batch;
    chunk.count = left < CHUNK ? left : CHUNK;
    const float **const inputs[6] = {&chunk.x, &chunk.y, &chunk.z, &chunk.vx, &chunk.vy, &chunk.vz};
    float **const outputs[6] = {&chunk.wind_x, &chunk.wind_y, &chunk.wind_z,
                                &chunk.ax,     &chunk.ay,     &chunk.az};
    for (int a = 0; a < 6; ++a) {
        *inputs[a] += begin;
        *outputs[a] += begin;
    }
    return chunk;
}

// A chunk in the rest space of the parent, with results of the plugin alone.
typedef struct local_chunk {
    float x[3][CHUNK], v[3][CHUNK], wind[3][CHUNK], accel[3][CHUNK];
} local_chunk;

static void to_local(local_chunk *local, const coif_force_region *region,
                     const coif_force_batch *chunk)
{
    const coif_mat3 *rotation = &region->motion.linear;
    for (int32_t i = 0; i < chunk->count; ++i) {
        coif_vec3 x = {chunk->x[i], chunk->y[i], chunk->z[i]};
        coif_vec3 v = {chunk->vx[i], chunk->vy[i], chunk->vz[i]};
        if (region->attachment.body >= 0) {
            x = coif_mat3_apply_transposed(rotation, coif_sub(x, region->motion.translation));
            v = coif_mat3_apply_transposed(rotation, v);
        }
        const float *const from[2] = {&x.x, &v.x};
        for (int a = 0; a < 3; ++a) {
            local->x[a][i] = from[0][a];
            local->v[a][i] = from[1][a];
            local->wind[a][i] = local->accel[a][i] = 0.0f;
        }
    }
}

static void add_scaled(float *const to[3], float (*from)[CHUNK], const float *weight, int32_t count,
                       const coif_force_region *region)
{
    for (int32_t i = 0; i < count; ++i) {
        coif_vec3 added = {from[0][i], from[1][i], from[2][i]};
        if (region->attachment.body >= 0) {
            added = coif_mat3_apply(&region->motion.linear, added);
        }
        to[0][i] += weight[i] * added.x;
        to[1][i] += weight[i] * added.y;
        to[2][i] += weight[i] * added.z;
    }
}

static bool eval_chunk(local_chunk *local, const coif_force_region *region,
                       const coif_plugin_instance *force, const coif_force_batch *chunk,
                       const float *weight)
{
    const coif_force_batch own = {.struct_size = sizeof own,
                                  .count = chunk->count,
                                  .time = chunk->time,
                                  .x = local->x[0],
                                  .y = local->x[1],
                                  .z = local->x[2],
                                  .vx = local->v[0],
                                  .vy = local->v[1],
                                  .vz = local->v[2],
                                  .wind_x = local->wind[0],
                                  .wind_y = local->wind[1],
                                  .wind_z = local->wind[2],
                                  .ax = local->accel[0],
                                  .ay = local->accel[1],
                                  .az = local->accel[2]};
    const bool finite = coif_plugin_eval_force(force, &own);
    float *const wind[3] = {chunk->wind_x, chunk->wind_y, chunk->wind_z};
    float *const accel[3] = {chunk->ax, chunk->ay, chunk->az};
    add_scaled(wind, local->wind, weight, chunk->count, region);
    add_scaled(accel, local->accel, weight, chunk->count, region);
    return finite;
}

bool coif_force_region_eval(const coif_force_region *region, const coif_force_mask *mask,
                            const coif_plugin_instance *force, const coif_force_batch *batch,
                            const coif_strand_block *block)
{
    const coif_force_params *params = &region->params;
    if ((mask != NULL && mask->excluded) || params->enabled == 0 || params->amount == 0.0f) {
        return true;
    }
    if (region->direct) {
        return coif_plugin_eval_force(force, batch);
    }
    bool finite = true;
    for (int32_t begin = 0; begin < batch->count; begin += CHUNK) {
        const coif_force_batch chunk = slice(batch, begin);
        local_chunk local;
        float weight[CHUNK];
        bool any = false;
        to_local(&local, region, &chunk);
        for (int32_t i = 0; i < chunk.count; ++i) {
            weight[i] =
                params->amount * mask_weight(mask, params->mask, block, begin + i) *
                region_weight(params, coif_vec3_of(local.x[0][i], local.x[1][i], local.x[2][i]));
            any = any || weight[i] != 0.0f;
        }
        finite = (!any || eval_chunk(&local, region, force, &chunk, weight)) && finite;
    }
    return finite;
}
