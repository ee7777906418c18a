// develop: from film to picture files.
//
// EXR and HDR hold linear light as it was gathered. The others get exposure, the view's curve and
// the sRGB curve. Every file says how it was made, where its format has room for that.
#ifndef COIF_RENDER_DEVELOP_H
#define COIF_RENDER_DEVELOP_H

#include "core/image.h"
#include "render/film.h"

typedef enum coif_view { COIF_VIEW_SRGB = 0, COIF_VIEW_FILMIC = 1 } coif_view;

// Under which key a picture names the settings it was made from.
#define COIF_SETTINGS_KEY "coif:settings"

typedef struct coif_develop_desc {
    const coif_image_params *image;
    const coif_image_text *texts;
    int32_t text_count;
} coif_develop_desc;

// Writes one file; the format follows from the extension.
coif_status coif_film_save(const coif_film *film, const coif_develop_desc *desc, const char *path,
                           coif_error *error);

// Linear light to display light from 0 to 1, still linear.
float coif_view_apply(coif_view view, float value);

// Whether a format is known: "png", "exr", ...
bool coif_format_known(const char *name);

// The name of a choice of the image section's row.
const char *coif_format_name(int32_t choice);

#endif
