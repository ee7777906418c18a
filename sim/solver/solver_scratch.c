#include "sim/solver/solver_scratch.h"

#include "core/base/arena.h"

void coif_solver_scratch_init(coif_solver_scratch *scratch, int32_t length, int32_t lanes,
                              coif_arena *arena)
{
    enum { ARRAYS = 54 };
    const int64_t row = (int64_t)length * lanes;
    const int64_t rows = ARRAYS + COIF_RECHECK_ROWS + COIF_SEGMENT_CONTACT_ROWS;
    *scratch = (coif_solver_scratch){.has_contacts = false};
    float *memory = coif_arena_new(arena, rows * row + 6 * lanes, float);
    coif_soa3 *const vectors[] = {
        &scratch->predicted,      &scratch->target,        &scratch->wind,      &scratch->accel,
        &scratch->contact_normal, &scratch->surface_disp,  &scratch->v_pred,    &scratch->tangent,
        &scratch->drag_axis,      &scratch->ftl_disp,      &scratch->smoothing, &scratch->residual,
        &scratch->centreline,     &scratch->rounding_error};
    float **const scalars[] = {
        &scratch->contact_offset,    &scratch->normal_push,      &scratch->diagonal,
        &scratch->off_diagonal,      &scratch->lambda,           &scratch->tension_limit,
        &scratch->signed_distance,   &scratch->drag_normal,      &scratch->drag_tangential,
        &scratch->min_body_distance, &scratch->surface_friction, &scratch->surface_soft};
    for (size_t i = 0; i < COIF_COUNT_OF(vectors); ++i) {
        *vectors[i] = coif_take_rows3(&memory, row);
    }
    for (size_t i = 0; i < COIF_COUNT_OF(scalars); ++i) {
        *scalars[i] = coif_take_row(&memory, row);
    }
    scratch->reference_axis_world = coif_take_row(&memory, 3 * lanes);
    scratch->supported_gravity = coif_take_row(&memory, 3 * lanes);
    scratch->recheck_rows = coif_take_row(&memory, COIF_RECHECK_ROWS * row);
    scratch->segment_rows = coif_take_row(&memory, COIF_SEGMENT_CONTACT_ROWS * row);
}
