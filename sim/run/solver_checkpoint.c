#include "sim/run/solver_checkpoint.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/pack/pack.h"

#include <math.h>
#include <string.h>

enum { METHOD_BLOCK = 7, CONSTRAINTS_BLOCK, BLOCKS };

// The same list saves and loads. Returns the number of blocks; a method or constraints without
// state have none.
static int list_blocks(coif_pack_block blocks[BLOCKS], coif_solver_checkpoint *checkpoint)
{
    const coif_pack_block list[BLOCKS] = {
        {.name = "frame", .type = COIF_PACK_INT32, .count = 1, .data = &checkpoint->frame},
        {.name = "time", .type = COIF_PACK_DOUBLE, .count = 1, .data = &checkpoint->time},
        {.name = "strands_reset",
         .type = COIF_PACK_INT64,
         .count = 1,
         .data = &checkpoint->reset_count},
        {.name = "settings", .type = COIF_PACK_INT64, .count = 1, .data = &checkpoint->settings},
        {.name = "topology", .type = COIF_PACK_INT64, .count = 1, .data = &checkpoint->topology},
        {.name = "positions",
         .type = COIF_PACK_FLOAT,
         .components = 3,
         .codec = COIF_CODEC_LOSSLESS,
         .count = checkpoint->point_count,
         .data = checkpoint->positions},
        {.name = "velocities",
         .type = COIF_PACK_FLOAT,
         .components = 3,
         .codec = COIF_CODEC_LOSSLESS,
         .count = checkpoint->point_count,
         .data = checkpoint->velocities},
        {.name = "method",
         .type = COIF_PACK_FLOAT,
         .components = checkpoint->method_rows,
         .codec = COIF_CODEC_LOSSLESS,
         .count = checkpoint->point_count,
         .data = checkpoint->method},
        {.name = "constraints",
         .type = COIF_PACK_FLOAT,
         .components = 3,
         .codec = COIF_CODEC_LOSSLESS,
         .count = checkpoint->constraint_count,
         .data = checkpoint->constraint_state},
    };
    int count = 0;
    for (int i = 0; i < BLOCKS; ++i) {
        blocks[count] = list[i];
        blocks[count].components = list[i].components == 0 ? 1 : list[i].components;
        count += i == METHOD_BLOCK        ? checkpoint->method_rows > 0
                 : i == CONSTRAINTS_BLOCK ? checkpoint->constraint_count > 0
                                          : 1;
    }
    return count;
}

static void init(coif_solver_checkpoint *checkpoint, const coif_strands *strands, int32_t rows,
                 coif_arena *arena)
{
    const int32_t points = strands->first[strands->strand_count];
    *checkpoint =
        (coif_solver_checkpoint){.topology = coif_strands_topology_digest(strands),
                                 .point_count = points,
                                 .method_rows = rows,
                                 .method = coif_arena_new(arena, (int64_t)points * rows, float),
                                 .positions = coif_arena_new(arena, points, coif_vec3),
                                 .velocities = coif_arena_new(arena, points, coif_vec3)};
}

void coif_solver_checkpoint_init(coif_solver_checkpoint *checkpoint, const coif_solver *solver,
                                 coif_arena *arena)
{
    const coif_strands shape = {.strand_count = coif_solver_strand_count(solver),
                                .first = (int32_t *)coif_solver_first_point(solver)};
    init(checkpoint, &shape, coif_solver_state_rows(solver), arena);
}

coif_status coif_solver_checkpoint_init_from_file(coif_solver_checkpoint *checkpoint,
                                                  const coif_strands *strands, const char *path,
                                                  coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "checkpoint");
    coif_pack pack;
    COIF_TRY(coif_pack_load(&pack, path, COIF_PACK_STATE, &scratch, error));
    int32_t rows = 0;
    for (int i = 0; i < pack.block_count; ++i) {
        rows = strcmp(pack.blocks[i].name, "method") == 0 ? pack.blocks[i].components : rows;
    }
    init(checkpoint, strands, rows, arena);
    return COIF_OK;
}

coif_status coif_solver_checkpoint_save(const coif_solver_checkpoint *checkpoint,
                                        const char *metadata, const char *path, coif_jobs *jobs,
                                        coif_error *error)
{
    coif_pack_block blocks[BLOCKS + 1];
    coif_solver_checkpoint saved = *checkpoint;
    const int count = list_blocks(blocks, &saved);
    blocks[count] = (coif_pack_block){.name = "metadata",
                                      .type = COIF_PACK_BYTE,
                                      .components = 1,
                                      .count = (int64_t)strlen(metadata),
                                      .data = metadata};
    coif_pack pack = {
        .kind = COIF_PACK_STATE, .block_count = count + 1, .blocks = blocks, .jobs = jobs};
    return coif_pack_save(&pack, path, error);
}

static bool all_finite(const float *values, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

static coif_status check_finite(const coif_solver_checkpoint *checkpoint, const char *path,
                                coif_error *error)
{
    const int64_t points = checkpoint->point_count;
    if (!all_finite((const float *)checkpoint->constraint_state,
                    3 * (int64_t)checkpoint->constraint_count) ||
        !all_finite(&checkpoint->positions->x, 3 * points) ||
        !all_finite(&checkpoint->velocities->x, 3 * points) ||
        !all_finite(checkpoint->method, checkpoint->method_rows * points)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: contains values that are not finite", path);
    }
    return COIF_OK;
}

coif_status coif_solver_checkpoint_load(coif_solver_checkpoint *checkpoint, const char *path,
                                        coif_arena *scratch, coif_error *error)
{
    const uint64_t expected = checkpoint->settings;
    const uint64_t topology = checkpoint->topology;
    coif_pack pack;
    coif_pack_block blocks[BLOCKS];
    COIF_TRY(coif_pack_load(&pack, path, COIF_PACK_STATE, scratch, error));
    const int count = list_blocks(blocks, checkpoint);
    const coif_status copied = coif_pack_copy(&pack, path, blocks, count, error);
    const bool same = checkpoint->settings == expected && checkpoint->topology == topology;
    checkpoint->settings = expected;
    checkpoint->topology = topology;
    COIF_TRY(copied);
    if (!same) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: made with other settings", path);
    }
    return check_finite(checkpoint, path, error);
}

static coif_status check_strands(const coif_solver_checkpoint *checkpoint, const coif_pack *pack,
                                 const char *path, const char *solver, coif_arena *scratch,
                                 coif_error *error)
{
    const coif_pack_block *positions = coif_pack_find(pack, "positions", COIF_PACK_FLOAT, 3);
    const coif_pack_block *topology = coif_pack_find(pack, "topology", COIF_PACK_INT64, 1);
    const char *saved_solver =
        coif_metadata_value(coif_pack_metadata(pack, "metadata", scratch), "solver", scratch);
    const int64_t points = positions != NULL ? positions->count : 0;
    if (points != checkpoint->point_count) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: holds %lld points, but this groom simulates %d", path,
                         (long long)points, checkpoint->point_count);
    }
    if (topology == NULL || topology->count != 1 ||
        *(const uint64_t *)topology->data != checkpoint->topology) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: the point counts of its strands differ from those of this groom",
                         path);
    }
    if (saved_solver == NULL || strcmp(saved_solver, solver) != 0) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: was made by solver \"%s\", but this scene has \"%s\"", path,
                         saved_solver != NULL ? saved_solver : "", solver);
    }
    return COIF_OK;
}

coif_status coif_solver_checkpoint_restore(coif_solver_checkpoint *checkpoint, const char *path,
                                           const char *solver, coif_arena *scratch,
                                           coif_error *error)
{
    const coif_solver_checkpoint initial = *checkpoint;
    coif_pack pack;
    coif_pack_block blocks[BLOCKS];
    COIF_TRY(coif_pack_load(&pack, path, COIF_PACK_STATE, scratch, error));
    COIF_TRY(check_strands(checkpoint, &pack, path, solver, scratch, error));
    checkpoint->constraint_count = 0;
    const int count = list_blocks(blocks, checkpoint);
    checkpoint->constraint_count = initial.constraint_count;
    COIF_TRY(coif_pack_copy(&pack, path, blocks, count, error));
    checkpoint->frame = initial.frame;
    checkpoint->time = initial.time;
    checkpoint->settings = initial.settings;
    return check_finite(checkpoint, path, error);
}
