// export_groom: what `coif export` reads: strands of a groom and its bodies at a frame.
#ifndef COIF_TOOLS_CLI_EXPORT_GROOM_H
#define COIF_TOOLS_CLI_EXPORT_GROOM_H

#include "core/body/body.h"
#include "core/hair/child_push_out.h"
#include "core/hair/groom.h"
#include "sim/groom/groom_params.h"
#include "tools/cli/command.h"

typedef struct coif_export_groom {
    const coif_scene *scene;
    const coif_node *node; // entry of "grooms"
    const char *cache;     // folder
    coif_groom_params params;
    coif_groom groom;
    const coif_body *body;   // of the groom; NULL until bodies are loaded
    coif_collider *collider; // of the body, for children; NULL: none
    coif_body *bodies;
    int32_t body_count;
} coif_export_groom;

// Grooms of one scene; bodies are those of the scene.
typedef struct coif_export_grooms {
    coif_export_groom *items;
    int32_t count;
} coif_export_grooms;

// Loads scene and grooms. Name NULL: all of them, or the only one.
coif_status coif_export_grooms_open(coif_export_grooms *grooms, coif_app *app, const char *scene,
                                    const char *cache, const char *name, bool all,
                                    coif_error *error);
coif_status coif_export_grooms_load_bodies(coif_export_grooms *grooms, coif_arena *arena,
                                           coif_error *error);

// The simulated strands; between frames those of the renderer.
coif_status coif_export_groom_simulated(coif_strands *strands, const coif_export_groom *source,
                                        double frame, coif_arena *arena, coif_error *error);

// All strands of simulated ones: children follow the scalp in the pose of the frame.
coif_status coif_export_groom_expand(coif_strands *strands, const coif_strands *simulated,
                                     const coif_export_groom *source, double frame,
                                     coif_arena *arena, coif_jobs *jobs, coif_error *error);

#endif
