// Display-referred colour: exposure, and a built-in view or one of OpenColorIO.
#include "core/base/error.h"
#include "render/math/fast_math.h"
#include "render/output/image_output.h"

// Names of the working spaces in configurations of AMPAS (versions 1 and 2) and of Blender.
static const char *const SPACE_NAMES[][COIF_MAX_SPACE_NAMES] = {
    [COIF_WORKING_REC709] = {"lin_rec709_scene", "lin_rec709", "lin_rec709_srgb",
                             "Linear Rec.709 (sRGB)", "Linear Rec.709",
                             "Utility - Linear - Rec.709", "Utility - Linear - sRGB", "Linear"},
    [COIF_WORKING_ACESCG] = {"lin_ap1_scene", "lin_ap1", "ACEScg", "ACES - ACEScg"}};

coif_status coif_output_open_display(coif_output_params *output, coif_error *error)
{
    output->display = NULL;
    if (output->view != COIF_VIEW_OCIO) {
        return COIF_OK;
    }
    coif_display_desc desc = {.config = output->ocio.config,
                              .display = output->ocio.display,
                              .view = output->ocio.view,
                              .look = output->ocio.look,
                              .color_space = output->ocio.color_space};
    for (int i = 0; i < COIF_MAX_SPACE_NAMES - 1; ++i) {
        desc.known_spaces[i] = SPACE_NAMES[output->working_space][i];
    }
    return coif_display_transform_open(&output->display, &desc, error);
}

bool coif_output_needs_srgb(const coif_output_params *output)
{
    return output->view != COIF_VIEW_OCIO;
}

coif_status coif_output_to_display(const coif_output_params *output, float stops, float *pixels,
                                   int64_t count, int32_t channels, coif_error *error)
{
    const float gain = coif_fast_exp((output->exposure + stops) * 0.693147181f);
    for (int64_t i = 0; i < count; ++i) {
        float *pixel = pixels + i * channels;
        const float alpha = channels == 4 ? pixel[3] : 1.0f;
        const float scale = alpha > 0.0f ? gain / alpha : 0.0f;
        coif_vec3 color = {pixel[0] * scale, pixel[1] * scale, pixel[2] * scale};
        if (output->view != COIF_VIEW_OCIO) {
            color = coif_view_transform_apply(output->view,
                                              coif_working_to_rec709(output->working_space, color));
        }
        pixel[0] = color.x;
        pixel[1] = color.y;
        pixel[2] = color.z;
    }
    return output->view == COIF_VIEW_OCIO
               ? coif_display_transform_apply(output->display, pixels, count, channels, error)
               : COIF_OK;
}
