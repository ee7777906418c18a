// coif/render.h: path tracing of hair and meshes in memory. See <coif/library.h> for errors,
// threads and units.
//
//   coif_renderer_desc desc;
//   coif_renderer_desc_init(&desc, sizeof desc);
//   desc.width = 640; desc.height = 480;
//   coif_renderer *renderer;
//   coif_renderer_create(&renderer, &desc);
//   coif_renderer_add_strands(renderer, &strands);   // meshes, lights
//   coif_renderer_set_camera(renderer, &camera);
//   coif_renderer_commit(renderer);
//   coif_renderer_render(renderer, 64, NULL, NULL);  // samples per pixel
//   coif_renderer_read(renderer, "rgba", pixels);
//   coif_renderer_destroy(renderer);
//
// Parameters mean what the keys of "hair", "material", "lights", "camera" and "image" in a scene
// file mean and have the same defaults. A scene without lights is dark.
#ifndef COIF_RENDER_H
#define COIF_RENDER_H

#include <coif/library.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coif_renderer coif_renderer;

typedef struct coif_renderer_desc {
    uint32_t struct_size;
    int32_t width, height; // of the image, pixels
    int32_t threads;       // 0: one per processor
    int32_t seed;          // of the noise
    int32_t max_depth;     // scattering events per path; 0: unlimited
    float clamp_indirect;  // largest contribution after the first scattering; 0: no clamping
    float background[3];   // radiance of rays that leave the scene
    int32_t transparent;   // 1: the background is not part of the image, and alpha is coverage
    // AOVs to read beside "rgba", separated by spaces: albedo, N, Z, P, tangent, mask, direct,
    // indirect, R, TT, TRT, ..., as in image/aovs; not motion vectors and Cryptomattes.
    const char *aovs;
    int32_t denoise; // 1: coif_renderer_denoise will be called
    // Blocks of pixels with a smaller relative error get no further samples; 0: all samples.
    float adaptive_threshold;
} coif_renderer_desc;

COIF_LIBRARY_API void coif_renderer_desc_init(coif_renderer_desc *desc, size_t size);

// Fails where a value is outside the range of its key or an AOV is unknown; *renderer is set on
// success only.
COIF_LIBRARY_API coif_status coif_renderer_create(coif_renderer **renderer,
                                                  const coif_renderer_desc *desc);

// Frees the renderer and what was added to it; NULL is allowed.
COIF_LIBRARY_API void coif_renderer_destroy(coif_renderer *renderer);

// Hair of one material, drawn as smooth curves through its points.
typedef struct coif_renderer_strands {
    uint32_t struct_size;
    int32_t strand_count;
    const int32_t *first_point; // strand_count + 1 offsets, at least 2 points per strand
    const float *points;        // 3 per point, m
    const float *radii;         // per point, m; NULL: radius
    float radius;               // m
    // Above 1: points holds as many shapes one after another, over the shutter interval.
    int32_t step_count;
    const float *colors; // 3 per strand: reflectance of the hair; NULL: as color_model says

    const char *color_model; // "melanin", "reflectance" or "absorption"
    float eumelanin, pheomelanin;
    float reflectance[3], absorption[3];
    float variation;     // random relative variation of pigment between strands
    float grey_fraction; // of strands without pigment
    const char *model;   // "hair", or "fur" with a scattering medulla
    float ior, longitudinal_roughness, azimuthal_roughness;
    float cuticle_angle; // degrees
    float medulla_radius, medulla_scattering, medulla_anisotropy, medulla_pigment, cuticle_layers;
    float opacity; // fraction of the light that a strand stops
    // Factors on the lobes, 0 to 1: reflection (R), transmission (TT), one internal reflection
    // (TRT), more of them and scattering in a medulla (residual).
    float r_weight, tt_weight, trt_weight, residual_weight;
    float r_tint[3], tt_tint[3], trt_tint[3], residual_tint[3];
} coif_renderer_strands;

COIF_LIBRARY_API void coif_renderer_strands_init(coif_renderer_strands *strands, size_t size);

// Adds strands before commit; several calls add several materials. Fails after commit, and for
// points that are not finite or offsets that do not ascend.
COIF_LIBRARY_API coif_status coif_renderer_add_strands(coif_renderer *renderer,
                                                       const coif_renderer_strands *strands);

// A triangle mesh of one material.
typedef struct coif_renderer_mesh {
    uint32_t struct_size;
    int32_t vertex_count, triangle_count;
    const float *positions;   // 3 per vertex, m
    const int32_t *triangles; // 3 vertices per triangle, counterclockwise from outside
    const float *normals;     // 3 per vertex; NULL: smooth up to an angle of 60 degrees
    int32_t step_count;       // above 1: as for strands, of positions; normals must be NULL

    float color[3]; // base colour, or reflectance of metal, or transmission of a dielectric
    float roughness, specular, metallic, sheen;
    float subsurface;           // fraction of diffuse light that scatters below the surface
    float subsurface_radius[3]; // m
    float ior;                  // above 1: a dielectric such as glass, instead of all this
    float opacity;
    float emission[3];      // radiance of the front
    int32_t shadow_catcher; // 1: the camera sees only the shadows on it, as alpha
} coif_renderer_mesh;

COIF_LIBRARY_API void coif_renderer_mesh_init(coif_renderer_mesh *mesh, size_t size);

// Adds a mesh before commit; several calls add several materials. Fails after commit, and for
// corners that are no vertices.
COIF_LIBRARY_API coif_status coif_renderer_add_mesh(coif_renderer *renderer,
                                                    const coif_renderer_mesh *mesh);

// A light; the fields that apply depend on its type.
typedef struct coif_renderer_light {
    uint32_t struct_size;
    const char *type; // "rectangle", "disk", "sphere", "distant", "environment", "point", "spot" or
                      // "sky"
    float position[3], look_at[3];
    float width, height;        // of a rectangle, m
    float radius;               // of a disk or sphere, m
    float angular_diameter;     // of a distant light or the sun of a sky, degrees
    float source_radius;        // of a point or spot light, m
    float cone_angle, penumbra; // of a spot: degrees, fraction of the cone
    float elevation, azimuth, turbidity, sun_intensity; // of a sky, angles in degrees
    float ground_albedo[3];                             // of a sky
    float color[3];
    // Radiance of area lights and environments in W/(m^2 sr), irradiance of a distant light in
    // W/m^2, radiant intensity of point and spot lights in W/sr, factor on a sky.
    float intensity;
    float rotation;  // of an environment about y, degrees
    int32_t visible; // 1: to the camera
    // Latitude-longitude image of an environment: linear RGB, row 0 is straight up, the middle
    // column is -z. NULL: uniform.
    const float *image;
    int32_t image_width, image_height;
} coif_renderer_light;

COIF_LIBRARY_API void coif_renderer_light_init(coif_renderer_light *light, size_t size);

// Adds a light before commit. Fails after commit, for an unknown type, and where look_at is the
// position.
COIF_LIBRARY_API coif_status coif_renderer_add_light(coif_renderer *renderer,
                                                     const coif_renderer_light *light);

// A camera that looks from position to look_at.
typedef struct coif_renderer_camera {
    uint32_t struct_size;
    float position[3], look_at[3], up[3];
    float fov;               // vertical, degrees
    float ortho_height;      // above 0: orthographic, m
    float f_stop;            // 0: pinhole
    float film_height;       // mm, for the f-stop
    float focus_distance;    // m; 0: that of look_at
    int32_t aperture_blades; // below 3: round
    float aperture_rotation; // degrees
} coif_renderer_camera;

COIF_LIBRARY_API void coif_renderer_camera_init(coif_renderer_camera *camera, size_t size);

// May be called at any time. After commit it discards all samples and keeps the BVH.
COIF_LIBRARY_API coif_status coif_renderer_set_camera(coif_renderer *renderer,
                                                      const coif_renderer_camera *camera);

// Builds the BVH. Nothing can be added afterwards.
COIF_LIBRARY_API coif_status coif_renderer_commit(coif_renderer *renderer);

// Called by the rendering thread after each sample per pixel; returns 0 to go on, any other value
// to stop.
typedef int (*coif_renderer_progress)(void *context, int32_t samples_done, int32_t samples);

// Renders until every pixel has that many samples, on top of those it has. Returns
// COIF_ERR_CANCELLED when progress stopped it; samples are kept. Images have the same bits for any
// division into calls.
COIF_LIBRARY_API coif_status coif_renderer_render(coif_renderer *renderer, int32_t samples,
                                                  coif_renderer_progress progress, void *context);

// Computes the AOV "denoised" from all samples so far, at least 16 per pixel; needs denoise in the
// description.
COIF_LIBRARY_API coif_status coif_renderer_denoise(coif_renderer *renderer);

// Number of channels of an AOV; 0: it is not rendered.
COIF_LIBRARY_API int32_t coif_renderer_channels(const coif_renderer *renderer, const char *aov);

// Reads an AOV: width * height * channels floats, row by row from the top. "rgba" is the image:
// linear, premultiplied alpha. Zero before the first sample.
COIF_LIBRARY_API coif_status coif_renderer_read(const coif_renderer *renderer, const char *aov,
                                                float *pixels);

#ifdef __cplusplus
}
#endif

#endif
