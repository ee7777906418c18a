// skin: what the skin of the mannequin is like at each place, for its three pictures.
#ifndef COIF_ASSETS_SKIN_H
#define COIF_ASSETS_SKIN_H

#include "tools/assets/mannequin/mannequin.h"
#include "tools/assets/mannequin/regions.h"

typedef struct head_skin {
    double tint[3];   // times the colour of the skin
    double roughness; // times that of the material
    double height;    // millimetres above the mesh
} head_skin;

// The whole of HEIGHT_RANGE lies between black and white of the picture of heights.
#define HEAD_HEIGHT_RANGE 0.4

head_skin head_skin_at(const head_regions *regions, head_vec p, int group, int freckled);

// Writes mannequin_tint.png, mannequin_freckles.png, mannequin_gloss.png and mannequin_relief.png;
// returns 0, after saying why, when it cannot.
int head_skin_save(const head_model *model, const head_regions *regions, const char *directory);

// Measures what is promised of eyes, lashes and skin, prints the figures, returns the number of
// broken promises.
int head_face_check(const head_model *model, const head_sculpture *sculpture);

#endif
