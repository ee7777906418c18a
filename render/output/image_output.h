// image_output: writes films as image files.
//
// EXR holds linear light of the working space, HDR that of Rec. 709. Other formats get exposure,
// the view transform and, unless it is one of OpenColorIO, the sRGB curve. Files carry metadata
// where their format allows it. AOVs are written to EXR only.
#ifndef COIF_RENDER_OUTPUT_IMAGE_OUTPUT_H
#define COIF_RENDER_OUTPUT_IMAGE_OUTPUT_H

#include "core/image/display_transform.h"
#include "core/image/image.h"
#include "render/camera/camera.h"
#include "render/film/film.h"
#include "render/math/working_space.h"
#include "render/output/tonemap.h"

// Metadata key of the digest of all settings that an image depends on.
#define COIF_SETTINGS_KEY "coif:settings"

typedef enum coif_exr_layout {
    COIF_EXR_SPEC = 0, // one part per AOV, channel names with the AOV prefix, as OpenEXR specifies
    COIF_EXR_NUKE = 1, // one part per AOV, channel names without prefix, as Nuke shows them best
    COIF_EXR_SINGLE = 2, // one part
    COIF_EXR_FILES = 3   // one file per AOV: render0001.N.exr
} coif_exr_layout;

// Names of a view transform of OpenColorIO; NULL or "" for the default.
typedef struct coif_ocio_params {
    const char *config, *display, *view, *look;
    const char *color_space; // of the working space in the configuration
} coif_ocio_params;

typedef struct coif_output_params {
    float exposure; // stops
    coif_view_transform view;
    coif_ocio_params ocio;                 // with COIF_VIEW_OCIO
    const coif_display_transform *display; // coif_output_open_display
    coif_working_space working_space;      // of films
    bool transparent;                      // write alpha
    bool write_aovs;                       // EXR: beside beauty and denoised
    coif_exr_layout exr_layout;
    bool exr_float;          // 32-bit colours instead of half
    int32_t exr_compression; // index into COIF_EXR_COMPRESSIONS
    int32_t bit_depth;       // of PNG and TIFF: 0 auto (8 and 16), 1: 8, 2: 16
} coif_output_params;

typedef struct coif_image_output_desc {
    const coif_output_params *output;
    coif_rect window; // part of the image; empty: the film's region
    const coif_image_attribute *texts;
    int32_t text_count;
    const char *manifests[2];  // Cryptomatte names of objects and clumps, or NULL
    const coif_camera *camera; // for worldToCamera and worldToNDC of EXR; NULL: not written
} coif_image_output_desc;

// Writes one file, or several for one file per AOV; the format follows from the extension.
coif_status coif_film_save(const coif_film *film, const coif_image_output_desc *desc,
                           const char *path, coif_error *error);

// Linear RGBA, premultiplied, as an image file.
typedef struct coif_rgba_image {
    const float *pixels;
    coif_rect window; // of the full image, for EXR
    int32_t full_width, full_height;
    const coif_output_params *output;
    const coif_image_attribute *texts;
    int32_t text_count;
} coif_rgba_image;
coif_status coif_rgba_save(const coif_rgba_image *rgba, const char *path, coif_error *error);

// Opens the display of an OpenColorIO view; does nothing for other views.
coif_status coif_output_open_display(coif_output_params *output, coif_error *error);

// Converts pixels of 3 or 4 (premultiplied) channels in place to display-referred, unpremultiplied
// colour, with exposure stops added to that of the output.
coif_status coif_output_to_display(const coif_output_params *output, float stops, float *pixels,
                                   int64_t count, int32_t channels, coif_error *error);

// Whether display-referred colour is still linear, to be encoded by the sRGB curve.
bool coif_output_needs_srgb(const coif_output_params *output);

// Pixel type of a file, by its extension.
coif_image_type coif_display_type(const coif_output_params *output, const char *path);

// The file of an AOV beside its image: render0001.N.exr, render0001.denoised.png.
const char *coif_aov_file_path(const char *path, const char *name, coif_arena *arena);

// EXR only (exr_output.c).
coif_status coif_film_save_exr(const coif_film *film, const coif_image_output_desc *desc,
                               const char *path, coif_arena *arena, coif_error *error);

#endif
