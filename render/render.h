// render: public interface of the path tracer: a scene is filled and committed, a session renders
// it in passes, and float buffers are read at any time between passes.
//
//   coif_render_scene *scene;
//   coif_render_scene_create(&scene, &scene_desc, arena, error);
//   coif_render_scene_add_strands(scene, &strands, error);
//   coif_render_scene_add_mesh(scene, &mesh, error);
//   coif_render_scene_add_light(scene, &light);
//   coif_render_scene_set_camera(scene, &camera, 1);
//   coif_render_scene_commit(scene, progress, error);
//
//   coif_render_session *session;
//   coif_render_session_create(&session, &session_desc, arena, error);
//   for (int32_t samples = 1; samples <= 256; samples *= 2) {
//       coif_render_session_render(session, &(coif_render_pass){.samples = samples}, error);
//       coif_render_session_read(session, "rgba", window, pixels, error);
//   }
//   coif_render_session_destroy(session);
//   coif_render_scene_destroy(scene);
//
// Everything is passed as plain structs and arrays in memory, which must outlive the scene; nothing
// here reads or writes files. Scene files and hair caches are translated by render/build, image
// files are written by render/output, and render/driver combines the two for `coif render`.
//
// Threads: a scene is constant after commit and may be shared by sessions. Functions of one session
// are called from one thread; coif_progress_cancel may be called from any. Images have the same
// bits for any number of threads and any division into passes.
#ifndef COIF_RENDER_RENDER_H
#define COIF_RENDER_RENDER_H

#include "render/camera/camera.h"
#include "render/film/adaptive_sampling.h"
#include "render/geometry/bspline_curves.h"
#include "render/geometry/instance.h"
#include "render/lights/light.h"
#include "render/shading/hair_params.h"
#include "render/shading/surface_material.h"

typedef struct coif_render_scene coif_render_scene;
typedef struct coif_render_session coif_render_session;

typedef struct coif_render_scene_desc {
    const char *isa;      // of the BVH: "auto", "avx2" or "sse4.2"
    coif_jobs *jobs;      // NULL: one thread
    int threads;          // of the BVH build; 0: as many as jobs
    bool compact;         // BVH of less than half the memory, about a fifth fewer rays per second
    int32_t group_count;  // above 0: geometry is visible only through instances of its group
    coif_vec3 background; // radiance of rays that leave the scene
    bool transparent;     // the background is not part of the image
    int32_t max_depth;    // scattering events per path; 0: unlimited
    float clamp_indirect; // largest contribution after the first scattering; 0: no clamping
    bool hair_filtering;  // direct light is averaged over the part of a fibre's width that a pixel
                          // covers; otherwise over the visible points alone
} coif_render_scene_desc;

// Hair: polylines with radius, drawn as B-spline curves.
typedef struct coif_render_strands {
    const coif_strands *steps; // over the shutter interval, of equal topology
    int32_t step_count;
    coif_curve_kind curve_type;
    float min_pixel_width; // 0: as thin as they are; needs the camera
    const coif_hair_material *material;
    const coif_strand_color *colors; // per strand; NULL: those of the material
    int32_t group;
} coif_render_strands;

// A triangle mesh.
typedef struct coif_render_mesh {
    const coif_mesh *steps; // over the shutter interval, of equal topology
    int32_t step_count;
    // For triangles without a material, then one per material of the mesh.
    const coif_surface_material *materials;
    int32_t light_group; // of its emission
    int32_t group;
} coif_render_mesh;

// The scene lives in the arena; destroy also after a failure, and releases the BVH.
coif_status coif_render_scene_create(coif_render_scene **scene, const coif_render_scene_desc *desc,
                                     coif_arena *arena, coif_error *error);
void coif_render_scene_destroy(coif_render_scene *scene);

coif_status coif_render_scene_add_strands(coif_render_scene *scene,
                                          const coif_render_strands *strands, coif_error *error);
coif_status coif_render_scene_add_mesh(coif_render_scene *scene, const coif_render_mesh *mesh,
                                       coif_error *error);
void coif_render_scene_add_light(coif_render_scene *scene, const coif_light *light);

// An instance of a group: transforms over the shutter interval.
coif_status coif_render_scene_add_instance(coif_render_scene *scene, int32_t group,
                                           const coif_transform *steps, int32_t step_count,
                                           coif_error *error);

// Cameras over the shutter interval; one without motion.
void coif_render_scene_set_camera(coif_render_scene *scene, const coif_camera *steps,
                                  int32_t step_count);

// Creates mesh lights and builds the BVH. The scene is constant afterwards.
coif_status coif_render_scene_commit(coif_render_scene *scene, coif_progress *progress,
                                     coif_error *error);

typedef struct coif_render_session_desc {
    const coif_render_scene *scene;
    int32_t width, height;         // of the image
    coif_rect region;              // pixels to render; empty: all
    coif_sampling_params sampling; // samples is replaced by that of each pass
    bool splat;                    // see film.h
    const coif_aovs *aovs;         // NULL: beauty only
    coif_jobs *jobs;
    coif_progress *progress; // counts samples and cancels; may be NULL
} coif_render_session_desc;

typedef struct coif_render_pass {
    int32_t samples;    // per pixel when the pass is finished
    int32_t pixel_step; // 2, 4 or 8: a coarse preview that is discarded by the next pass
    const char *title;  // for progress
    double checkpoint_seconds;
    void (*checkpoint)(void *context, const coif_film *film); // see tile_scheduler.h
    void *context;
} coif_render_pass;

coif_status coif_render_session_create(coif_render_session **session,
                                       const coif_render_session_desc *desc, coif_arena *arena,
                                       coif_error *error);
void coif_render_session_destroy(coif_render_session *session);

// COIF_ERR_CANCELLED when progress was cancelled; the session may be rendered further.
coif_status coif_render_session_render(coif_render_session *session, const coif_render_pass *pass,
                                       coif_error *error);

// Fills the AOV "denoised", which must be among the AOVs.
coif_status coif_render_session_denoise(coif_render_session *session, coif_error *error);

// Reads an AOV by name, all of its channels interleaved, row by row from the top. "rgba" is the
// beauty image: linear Rec. 709, premultiplied alpha. Returns COIF_ERR_ARGUMENT for an AOV that is
// not rendered or a window outside the region.
coif_status coif_render_session_read(const coif_render_session *session, const char *aov,
                                     coif_rect window, float *pixels, coif_error *error);

// The film, e.g. for checkpoints.
coif_film *coif_render_session_film(coif_render_session *session);

#endif
