// display_transform: displays and views of an OpenColorIO configuration.
//
// OpenColorIO is used through OpenImageIO, by the image module that is loaded on first use.
#ifndef COIF_CORE_IMAGE_DISPLAY_TRANSFORM_H
#define COIF_CORE_IMAGE_DISPLAY_TRANSFORM_H

#include "core/base/base.h"

enum { COIF_MAX_SPACE_NAMES = 10 };

typedef struct coif_display_desc {
    const char *config;      // file; NULL or "": that of the environment variable OCIO
    const char *display;     // NULL or "": the default of the configuration
    const char *view;        // NULL or "": the default of the display
    const char *look;        // applied before the view; NULL or "": none
    const char *color_space; // of the pixels; NULL or "": the first of known_spaces that exists
    const char *known_spaces[COIF_MAX_SPACE_NAMES]; // names and aliases, up to NULL
} coif_display_desc;

typedef struct coif_display_transform coif_display_transform;

// Finds or creates a transform, which lives as long as the process. Errors name the displays,
// views, looks or colour spaces that exist.
coif_status coif_display_transform_open(const coif_display_transform **transform,
                                        const coif_display_desc *desc, coif_error *error);

// Converts pixels of 3 or 4 channels in place: scene-referred, unpremultiplied colour to encoded
// display colour. Alpha is unchanged.
coif_status coif_display_transform_apply(const coif_display_transform *transform, float *pixels,
                                         int64_t count, int32_t channels, coif_error *error);

// Digest of the configuration file, of all names, and of the converted colours of a lattice, which
// depend on the tables that the configuration refers to.
uint64_t coif_display_transform_digest(const coif_display_transform *transform);

#endif
