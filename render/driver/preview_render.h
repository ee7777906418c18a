// preview: a picture that is there at once and gets better.
//
// One sample for every 4 x 4 pixels, then 2 x 2, then one for each pixel, then twice as many with
// every pass up to image/samples; FOLDER/preview0042.png is written after each. It is no final
// picture: it has no checkpoint, does not name its settings, and is made anew every time.
#ifndef COIF_RENDER_DRIVER_PREVIEW_RENDER_H
#define COIF_RENDER_DRIVER_PREVIEW_RENDER_H

#include "render/build/render_assets.h"

coif_status coif_preview_frame(coif_render_assets *production, int frame, coif_arena *arena,
                               coif_error *error);

#endif
