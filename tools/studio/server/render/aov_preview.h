// aov_preview: one AOV of a rendered EXR file as a PNG for display.
#ifndef COIF_TOOLS_STUDIO_SERVER_RENDER_AOV_PREVIEW_H
#define COIF_TOOLS_STUDIO_SERVER_RENDER_AOV_PREVIEW_H

#include "core/base/base.h"

// Colours get the sRGB curve, directions are mapped from -1..1 to 0..1, other values are
// normalised. A rendered region is placed in the full image. Fails with COIF_ERR_ARGUMENT and the
// list of channels when the file has no such AOV. The bytes are in arena.
coif_status coif_aov_preview(char **data, size_t *size, const char *exr, const char *aov,
                             coif_arena *arena, coif_error *error);

#endif
