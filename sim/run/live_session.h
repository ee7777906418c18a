// live: one groom of a scene moving while somebody looks on, takes the body by the hand and changes
// settings. Nothing is written to disk; what it does from frame to frame is what coif sim does with
// bodies that go straight.
#ifndef COIF_SIM_RUN_LIVE_SESSION_H
#define COIF_SIM_RUN_LIVE_SESSION_H

#include "core/body/body.h"
#include "core/hair/groom.h"
#include "core/mesh/mesh.h"
#include "core/scene/scene.h"
#include "sim/solver/energy.h"
#include "sim/solver/step_stats.h"

typedef struct coif_live coif_live;

// Grows the groom and places it at the first frame. The scene must live until close. Close it also
// after a failure. Like: NULL, or another whose bodies may be equal, which saves time.
coif_status coif_live_open(coif_live **live, const coif_scene *scene, int32_t groom,
                           const coif_live *like, coif_arena *arena, coif_jobs *jobs,
                           coif_error *error);
void coif_live_close(coif_live *live);

// Whether hair of a later version of the scene can go on from where it is: it grows on the same
// body in the same way.
bool coif_live_can_reuse(const coif_live *live, const coif_scene *scene);

// Goes on with the settings of such a version, which must live until the next change or close; the
// scene it was opened with stays in use. After a failure the old settings hold.
coif_status coif_live_apply_scene(coif_live *live, const coif_scene *scene, coif_error *error);

// Goes on where another version of the same groom is, of more or fewer strands: at its frame and in
// its hand, or where the scene has the body; each strand as the one that grew nearest to it.
coif_status coif_live_transfer_from(coif_live *live, const coif_live *before, bool in_hand,
                                    coif_error *error);

// Writes NAME.groom and the present frame, as of a cache, into the folder.
coif_status coif_live_export(coif_live *live, const char *folder, coif_error *error);

// Moves the body on top of what the scene says: metres, and degrees about x, y and z around its
// pivot. The body gets there over the next frame.
void coif_live_set_body_drag(coif_live *live, const float translate[3], const float rotate[3]);

// Where it is held now.
void coif_live_get_body_drag(const coif_live *live, float translate[3], float rotate[3]);

// Back to the first frame, at rest.
coif_status coif_live_reset(coif_live *live, coif_error *error);

// Frames to come are done in at most so many substeps, for whoever has to keep up with a clock; 0,
// as it begins: as many as the scene says. Only methods that are as stiff in fewer take notice, not
// pbd and ftl.
void coif_live_limit_substeps(coif_live *live, int32_t substeps);

// Substeps of the next frame: those of the scene, and those it will have.
typedef struct coif_live_substeps {
    int32_t wanted, held;
} coif_live_substeps;
coif_live_substeps coif_live_substeps_of(const coif_live *live);

// One frame on.
coif_status coif_live_step(coif_live *live, coif_step_stats *stats, coif_error *error);

int coif_live_frame(const coif_live *live);
double coif_live_fps(const coif_live *live);

// All strands of the groom as they are, in arena; body is where the mesh is, in live's memory until
// the next step (its normals only where hair grows), and groom the hair at rest, which changes from
// frame to frame where the groom has keys: until the next step too.
coif_status coif_live_get_points(coif_strands *strands, const coif_live *live, coif_arena *arena,
                                 coif_error *error);
const coif_groom *coif_live_groom(const coif_live *live);
const coif_mesh *coif_live_body(const coif_live *live);
const coif_body *coif_live_body_at_rest(const coif_live *live);

// Of strands that were read.
coif_energy coif_live_energy_of(const coif_live *live, const coif_strands *strands);

#endif
