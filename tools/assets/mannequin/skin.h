// skin: procedural textures of the skin.
#ifndef COIF_ASSETS_SKIN_H
#define COIF_ASSETS_SKIN_H

#include "tools/assets/mannequin/mannequin.h"

typedef struct skin_texel {
    double tint[3];   // factor on the colour of the material
    double roughness; // factor on its roughness
    double height;    // displacement in millimetres
} skin_texel;

// Range of heights from black to white.
#define SKIN_HEIGHT_RANGE 0.4

skin_texel skin_evaluate(const head_regions *regions, coif_vec3d p, int group, bool freckled);

// Writes mannequin_tint.png, mannequin_freckles.png, mannequin_gloss.png and mannequin_relief.png.
coif_status skin_save(const mannequin *model, const head_regions *regions, const char *folder,
                      coif_error *error);

#endif
