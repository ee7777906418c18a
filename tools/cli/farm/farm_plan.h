// farm_plan: a film as units of work, in the folder OUT/farm.
//
//   plan.json         what to make and how; written once
//   units/UNIT.json   result of a unit: state, machine, tries, digests of its images
//   logs/UNIT.log     output of all tries of a unit
//   cancel            exists after `coif farm cancel`
//
// Units are sim-0, sim-1, ... (one per groom) and render-0, render-1, ... (chunks of frames). A
// groom in partitions has units partition-0, ... before, which sim joins; frames in tiles have
// units tile-0, ... (one tile of the frames of a chunk), which render joins.
#ifndef COIF_TOOLS_CLI_FARM_FARM_PLAN_H
#define COIF_TOOLS_CLI_FARM_FARM_PLAN_H

#include "core/base/fs.h"
#include "tools/cli/args.h"

typedef enum coif_farm_engine {
    COIF_FARM_LOCAL,
    COIF_FARM_PARALLEL,
    COIF_FARM_SLURM
} coif_farm_engine;
extern const char *const COIF_FARM_ENGINES[];

typedef struct coif_farm_plan {
    const char *folder; // OUT, absolute
    const char *scene;  // absolute
    const char *program, *plugin_path;
    const char *isa;     // instruction set of Embree, one for all images
    const char *formats; // of the images, separated by commas
    const char *options; // additional arguments of sbatch or parallel
    coif_text_list set;
    coif_text_list grooms;
    coif_text_list partitions; // per groom: their number, "1" for none
    int32_t tile_columns, tile_rows;
    int32_t engine, first, last, step, chunk, tries, jobs, threads;
    double fps;
    bool video;
} coif_farm_plan;

// In the order of their dependencies.
typedef enum coif_unit_kind {
    COIF_UNIT_PARTITION,
    COIF_UNIT_SIM,
    COIF_UNIT_TILE,
    COIF_UNIT_RENDER,
    COIF_UNIT_KINDS
} coif_unit_kind;
extern const char *const COIF_UNIT_NAMES[];

typedef struct coif_farm_unit {
    coif_unit_kind kind;
    int32_t index;
    int32_t groom;       // of partition and sim
    int32_t part;        // partition or tile, from 1; 0: neither
    int32_t chunk;       // of tile and render
    int32_t first, last; // its frames
    const char *name;    // "render-3"
} coif_farm_unit;

int32_t coif_farm_unit_count(const coif_farm_plan *plan, coif_unit_kind kind);
coif_farm_unit coif_farm_unit_at(const coif_farm_plan *plan, coif_unit_kind kind, int32_t index,
                                 coif_arena *arena);
coif_status coif_farm_unit_find(coif_farm_unit *unit, const coif_farm_plan *plan, const char *name,
                                coif_arena *arena, coif_error *error);

int32_t coif_farm_frames(const coif_farm_plan *plan, int32_t first, int32_t last);
int32_t coif_farm_partitions(const coif_farm_plan *plan, int32_t groom);

// OUT/farm/NAME
char *coif_farm_path(const coif_farm_plan *plan, const char *name, coif_arena *arena);

coif_status coif_farm_plan_save(const coif_farm_plan *plan, coif_arena *arena, coif_error *error);
coif_status coif_farm_plan_load(coif_farm_plan *plan, const char *folder, coif_arena *arena,
                                coif_error *error);

bool coif_farm_is_cancelled(const coif_farm_plan *plan);

// Result of a unit. Without a file the state is empty.
typedef struct coif_unit_result {
    const char *state; // "", "running", "done", "failed", "cancelled", "damaged"
    const char *host, *message;
    int32_t tries, exit_code;
    double seconds;
    coif_text_list files, digests; // images relative to OUT, and their content in 16 digits
} coif_unit_result;

coif_status coif_unit_result_save(const coif_unit_result *result, const coif_farm_plan *plan,
                                  const coif_farm_unit *unit, coif_arena *arena, coif_error *error);
coif_unit_result coif_unit_result_load(const coif_farm_plan *plan, const coif_farm_unit *unit,
                                       coif_arena *arena);
// The assembly has a result too: done, failed or, where units were submitted again, repeated.
coif_farm_unit coif_farm_assembly(void);

// Name of this machine: of the node in Slurm.
const char *coif_farm_host(coif_arena *arena);

bool coif_unit_is_done(const coif_unit_result *result);

// Whether a process holds the claim of the unit.
bool coif_unit_is_running(const coif_farm_plan *plan, const coif_farm_unit *unit,
                          coif_arena *arena);

#endif
