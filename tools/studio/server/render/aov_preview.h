// layer_view: one layer of a rendered EXR as a PNG that can be looked at.
#ifndef COIF_TOOLS_STUDIO_SERVER_RENDER_AOV_PREVIEW_H
#define COIF_TOOLS_STUDIO_SERVER_RENDER_AOV_PREVIEW_H

#include "core/base/base.h"

// Colours get the sRGB curve; directions go from -1..1 to 0..1; other numbers from their least to
// their most. A region lies in the whole picture. The PNG's bytes are in arena. A layer that the
// file does not have is COIF_ERR_ARGUMENT and lists those it has.
coif_status coif_paint_map_view(char **data, size_t *size, const char *exr, const char *layer,
                                coif_arena *arena, coif_error *error);

#endif
