// develop: from film to picture files.
//
// EXR and HDR hold linear light as it was gathered, with the primaries of Rec. 709. The others get
// exposure, the view's curve and the sRGB curve. Every file says how it was made, where its format
// has room for that. Layers go into EXR alone.
#ifndef COIF_RENDER_OUTPUT_IMAGE_OUTPUT_H
#define COIF_RENDER_OUTPUT_IMAGE_OUTPUT_H

#include "core/image/image.h"
#include "render/camera/camera.h"
#include "render/film/film.h"

// Under which key a picture names the settings it was made from.
#define COIF_SETTINGS_KEY "coif:settings"

typedef struct coif_image_output_desc {
    const coif_image_params *image;
    coif_rect window; // what of the picture; empty: what the film has
    const coif_image_attribute *texts;
    int32_t text_count;
    const char *manifests[2];  // Cryptomatte's names of objects and of clumps, or NULL
    const coif_camera *camera; // what EXR says it was taken with; NULL: it does not
} coif_image_output_desc;

// Writes one file, or several for layers as files of their own; the format follows from the
// extension.
coif_status coif_film_save(const coif_film *film, const coif_image_output_desc *desc,
                           const char *path, coif_error *error);

// The file of a layer beside that of its picture: render0001.N.exr, render0001.denoised.png.
const char *coif_aov_file_path(const char *path, const char *name, coif_arena *arena);

// EXR alone, see develop_exr.c.
coif_status coif_film_save_exr(const coif_film *film, const coif_image_output_desc *desc,
                               const char *path, coif_arena *arena, coif_error *error);

// Whether a format is known: "png", "exr", ...
bool coif_image_format_is_known(const char *name);

// The name of a choice of the image section's row.
const char *coif_image_format_name(int32_t choice);

#endif
