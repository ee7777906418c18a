// image_params: table of the "image" section, and its division by who needs what.
#include "render/build/image_params.h"

#include "core/base/error.h"
#include "core/image/image_format.h"
#include "render/geometry/bspline_curves.h"

#include <stddef.h>
#include <string.h>

static const char *const VIEWS[] = {"srgb", "filmic", "aces", "ocio", NULL};
static const char *const SPACES[] = {"rec709", "acescg", NULL};
static const char *const LAYOUTS[] = {"spec", "nuke", "single", "files", NULL};
static const char *const PRECISIONS[] = {"half", "float", NULL};
static const char *const BITS[] = {"auto", "8", "16", NULL};

// clang-format off
#define ROW(...) COIF_PARAM_ROW(coif_image_params, __VA_ARGS__)
// Equal for all frames of a film: keys are an error.
#define CONSTANT(field_, kind_, help_, unit_, fallback_, low_, high_) \
    COIF_CONSTANT_ROW(coif_image_params, field_, kind_, help_, unit_, fallback_, low_, high_)
#define ROW3(...) COIF_PARAM_ROW3(coif_image_params, __VA_ARGS__)
#define CHOICE(...) COIF_PLUGIN_CHOICE(coif_image_params, __VA_ARGS__)
// A property of the files, equal for all frames as well.
#define FILE_CHOICE(field_, help_, choices_) \
    {.name = #field_, .help = help_, .unit = "", .type = COIF_PARAM_CHOICE, .flags = COIF_PARAM_CONSTANT, \
     .offset = offsetof(coif_image_params, field_), .choices = choices_}
#define NAME(field_, kind_, help_) CONSTANT(field_, COIF_PARAM_##kind_, help_, "", 0, 0, 0)
static const coif_param ROWS[] = {
    CONSTANT(width, COIF_PARAM_INT, "Width of the image.", "pixels", 960, 1, 65536),
    CONSTANT(height, COIF_PARAM_INT, "Height of the image.", "pixels", 960, 1, 65536),
    ROW(samples, COIF_PARAM_INT, "Samples per pixel; powers of two are best distributed.", "", 64, 1, 1048576),
    ROW(adaptive_threshold, COIF_PARAM_FLOAT, "Adaptive sampling: refinement of a pixel block stops when its relative error is below this value, for example 0.03; 0 disables adaptive sampling.", "", 0, 0, 10),
    ROW(adaptive_min_samples, COIF_PARAM_INT, "Samples per pixel before adaptive sampling estimates the error.", "", 16, 2, 65536),
    ROW(seed, COIF_PARAM_INT, "Seed of the sampler; another seed gives another noise pattern.", "", 0, 0, 2147483647),
    ROW(animate_seed, COIF_PARAM_BOOL, "Add the number of frames after frame 1 to the seed, so that the noise pattern differs from frame to frame, as film grain does; otherwise it stays fixed on the screen.", "", 1, 0, 1),
    ROW(exposure, COIF_PARAM_FLOAT, "Exposure of display formats such as PNG; EXR stays linear and unscaled.", "stops", 0, -30, 30),
    FILE_CHOICE(format, "Default file format of rendered images.", COIF_IMAGE_FORMATS),
    CHOICE(view_transform, "View transform of display formats: srgb (exact curve), filmic (soft shoulder), aces (fit of the ACES curve) or ocio (a view of an OpenColorIO configuration).", VIEWS, 0),
    NAME(ocio_config, PATH, "OpenColorIO configuration; without one, that of the environment variable OCIO."),
    NAME(ocio_display, STRING, "Display of the OpenColorIO configuration; without one, its default."),
    NAME(ocio_view, STRING, "View of the display; without one, its default."),
    NAME(ocio_look, STRING, "Looks that are applied before the view, as \"warm\" or \"+warm, -contrast\"."),
    NAME(ocio_color_space, STRING, "Name of the working space in the OpenColorIO configuration; without one, a usual name is searched."),
    FILE_CHOICE(working_space, "Linear colour space in which light is transported and EXR is written: rec709 or acescg (AP1). Colours of the scene, textures and strands are converted from Rec. 709.", SPACES),
    CHOICE(filter, "Pixel reconstruction filter.", COIF_PIXEL_FILTER_NAMES, 0),
    CHOICE(curve_type, "Curve primitive for hair: round, flat (ray-facing ribbons, faster) or linear (least memory).", COIF_CURVE_NAMES, 0),
    ROW(max_depth, COIF_PARAM_INT, "Maximum number of scattering events per path; 0 means no limit.", "", 0, 0, 4096),
    ROW(clamp_indirect, COIF_PARAM_FLOAT, "Maximum radiance of one indirect sample; it removes fireflies and darkens the image. 0 disables clamping.", "", 0, 0, 1e9),
    ROW(indirect_cache, COIF_PARAM_INT, "Scattering events that are path traced before hair takes indirect light from a cache; 2 makes noise of blond and white hair 2 to 5 times cheaper, 1 is faster still and shifts the mean by up to 2 %. 0: path tracing alone.", "", 0, 0, 16),
    ROW(hair_filtering, COIF_PARAM_BOOL, "Average direct light on hair over the part of its width that a pixel covers; less noise on strands thinner than a pixel.", "", 1, 0, 1),
    ROW(min_pixel_width, COIF_PARAM_FLOAT, "Minimum width of a strand; thinner strands are widened and made transparent accordingly. 0 disables it.", "pixels", 0, 0, 16),
    ROW(max_texture_size, COIF_PARAM_INT, "Maximum side of textures; larger images are reduced by factors of two.", "pixels", 8192, 1, 65536),
    ROW(denoise, COIF_PARAM_BOOL, "Write a denoised image beside the rendered one: AOV denoised of EXR, render0001.denoised.png of other formats.", "", 0, 0, 1),
    CONSTANT(denoise_frames, COIF_PARAM_INT, "Frames before and after each frame that the denoiser averages along the motion of strands and surfaces, so that films do not flicker; 0 denoises every image by itself.", "", 0, 0, 4),
    ROW(filter_splatting, COIF_PARAM_BOOL, "Splat each sample to every pixel whose filter covers it; halves the variance, and noise becomes correlated between pixels.", "", 1, 0, 1),
    ROW(film_transparent, COIF_PARAM_BOOL, "Write alpha 0 where no object is hit instead of the background.", "", 0, 0, 1),
    ROW3(background, COIF_PARAM_COLOR, "Background colour where no object is hit and no environment is visible, linear.", "", 0.035, 0.037, 0.042, 0, 1e6),
    ROW(write_aovs, COIF_PARAM_BOOL, "Write AOVs beside the image (EXR).", "", 1, 0, 1),
    COIF_PLUGIN_ROW(coif_image_params, aovs, COIF_PARAM_STRING, COIF_PARAM_WORDS, "AOVs to write, as a string \"N Z\" or a list of names; hair_lobes, lights, light_passes, crypto and all are groups. The default is albedo, N and Z.", "", 0, 0, 0, 0, 0),
    FILE_CHOICE(exr_layout, "Layout of AOVs in EXR: parts with full channel names (spec), parts as Nuke reads them (nuke), one part (single), or one file per AOV (files).", LAYOUTS),
    FILE_CHOICE(exr_pixel_type, "Pixel type of colour channels in EXR; depth, positions and ids are always float.", PRECISIONS),
    FILE_CHOICE(exr_compression, "Compression of EXR; AOVs that must be exact avoid lossy codecs.", COIF_EXR_COMPRESSIONS),
    FILE_CHOICE(bit_depth, "Bit depth of PNG and TIFF; auto is 8 for PNG and 16 for TIFF.", BITS),
};
// clang-format on

coif_sampling_params coif_image_sampling(const coif_image_params *image)
{
    return (coif_sampling_params){
        .samples = image->samples,
        .seed = image->seed,
        .filter = (coif_pixel_filter_kind)image->filter,
        .adaptive_threshold = image->adaptive_threshold,
        .adaptive_min_samples = image->adaptive_min_samples,
    };
}

coif_output_params coif_image_output(const coif_image_params *image)
{
    return (coif_output_params){
        .exposure = image->exposure,
        .view = (coif_view_transform)image->view_transform,
        .ocio = {.config = image->ocio_config,
                 .display = image->ocio_display,
                 .view = image->ocio_view,
                 .look = image->ocio_look,
                 .color_space = image->ocio_color_space},
        .working_space = (coif_working_space)image->working_space,
        .transparent = image->film_transparent != 0,
        .write_aovs = image->write_aovs != 0,
        .exr_layout = (coif_exr_layout)image->exr_layout,
        .exr_float = image->exr_pixel_type > 0,
        .exr_compression = image->exr_compression,
        .bit_depth = image->bit_depth,
    };
}

bool coif_image_splats(const coif_image_params *image)
{
    return image->filter_splatting != 0 && image->filter != COIF_FILTER_BOX;
}

static coif_status check_text(const char *param, const char *text, coif_error *error)
{
    return strcmp(param, "aovs") == 0 ? coif_aovs_check(text, error) : COIF_OK;
}

static const coif_applies_to APPLIES_TO[] = {
    {"ocio_config ocio_display ocio_view ocio_look ocio_color_space", "view_transform", "ocio"},
    {NULL, NULL, NULL},
};

const coif_section COIF_IMAGE_SECTION = {
    .name = "image",
    .basic = "width height samples exposure view_transform denoise film_transparent background",
    .help = "Resolution, sampling and output of images",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .applies_to = APPLIES_TO,
    .check_text = check_text,
};
