// live_session: interactive simulation of one groom: the body can be dragged and parameters
// changed while it runs. Nothing is written to disk. A frame gives the same result as `coif sim`
// with linear body motion.
#ifndef COIF_SIM_RUN_LIVE_SESSION_H
#define COIF_SIM_RUN_LIVE_SESSION_H

#include "core/body/body.h"
#include "core/hair/groom.h"
#include "core/mesh/mesh.h"
#include "core/scene/scene.h"
#include "sim/run/strand_energy.h"
#include "sim/solver/step_stats.h"

typedef struct coif_live coif_live;

// Generates the groom and resets it at the first frame. The scene must live until close. Must be
// closed also after a failure. like: NULL, or a session whose equal colliders are copied.
coif_status coif_live_open(coif_live **live, const coif_scene *scene, int32_t groom,
                           const coif_live *like, coif_arena *arena, coif_jobs *jobs,
                           coif_error *error);
void coif_live_close(coif_live *live);

// Whether the simulation state can be kept with a later version of the scene: groom and bodies
// are unchanged.
bool coif_live_can_reuse(const coif_live *live, const coif_scene *scene);

// Applies the parameters of such a version, which must live until the next change or close; the
// scene it was opened with stays in use. After a failure the old parameters stay.
coif_status coif_live_apply_scene(coif_live *live, const coif_scene *scene, coif_error *error);

// Continues from another version of the same groom with another number of strands: at its frame,
// and with its body drag or the pose of the scene; each strand gets the state of the one with
// the nearest root.
coif_status coif_live_transfer_from(coif_live *live, const coif_live *source, bool keep_drag,
                                    coif_error *error);

// Writes NAME.groom and the current frame as a cache frame into the folder.
coif_status coif_live_export(coif_live *live, const char *folder, coif_error *error);

// The cache frame alone, for a folder with the groom.
coif_status coif_live_export_frame(coif_live *live, const char *folder, coif_error *error);

// Transforms the body on top of its animation: metres, and degrees about x, y and z around its
// pivot. The body moves there over the next frame.
void coif_live_set_body_drag(coif_live *live, const float translate[3], const float rotate[3]);

// The current drag.
void coif_live_get_body_drag(const coif_live *live, float translate[3], float rotate[3]);

// Resets to the first frame, at rest.
coif_status coif_live_reset(coif_live *live, coif_error *error);

// The last frame of the scene.
int coif_live_last_frame(const coif_live *live);

// Continues at an earlier frame with the state of the hair, or at rest if bodies are animated,
// which jump there. The drag is kept.
coif_status coif_live_loop(coif_live *live, int frame, coif_error *error);

// Limits the substeps of the next frames, for real-time playback; 0: as in the scene. Ignored
// for pbd and ftl, whose stiffness depends on the substeps.
void coif_live_limit_substeps(coif_live *live, int32_t substeps);

// Substeps of the next frame: those of the scene, and after the limit.
typedef struct coif_live_substeps {
    int32_t requested, limited;
} coif_live_substeps;
coif_live_substeps coif_live_substeps_of(const coif_live *live);

// Steps one frame.
coif_status coif_live_step(coif_live *live, coif_step_stats *stats, coif_error *error);

int coif_live_frame(const coif_live *live);
double coif_live_fps(const coif_live *live);

// All strands of the groom, in arena; body is the posed mesh, valid until the next step (its
// normals only where hair grows), and groom the rest groom of the current frame, valid until the
// next step.
coif_status coif_live_get_points(coif_strands *strands, const coif_live *live, coif_arena *arena,
                                 coif_error *error);
const coif_groom *coif_live_groom(const coif_live *live);
const coif_mesh *coif_live_body(const coif_live *live);
const coif_body *coif_live_body_at_rest(const coif_live *live);

// Energy of strands that were read.
coif_energy coif_live_energy_of(const coif_live *live, const coif_strands *strands);

#endif
