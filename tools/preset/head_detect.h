// head_detect: what a mesh of a head or a body is likely to be: its unit, its scalp, and parts that
// are no part of the body. Proportions are those of an adult who looks along z; the page of the
// studio (mesh_packet.js) has the same.
#ifndef COIF_TOOLS_PRESET_HEAD_DETECT_H
#define COIF_TOOLS_PRESET_HEAD_DETECT_H

#include "core/base/bounds.h"
#include "core/mesh/obj.h"

typedef struct coif_length_unit {
    const char *name, *symbol;
    float scale; // m
} coif_length_unit;

typedef struct coif_unit_guess {
    bool is_body;                 // much higher than deep; a head otherwise
    bool metres_are_plausible;    // for a body or head of that size
    const coif_length_unit *best; // the unit that comes nearest to a person
} coif_unit_guess;

// size: of the mesh in units of the file, y up.
coif_unit_guess coif_guess_unit(coif_vec3 size);

// Whether a group or material stands for the scalp, or for a helper of a character generator.
bool coif_is_scalp_name(const char *name);
bool coif_is_helper_name(const char *name);

// Planes (n, d) of a hairline from the forehead to the nape, in units of the file: hair grows where
// x . n > d for all of them. faces: those of the head, or NULL for all; scale: metres per unit.
enum { COIF_HAIRLINE_PLANES = 3 };
void coif_guess_hairline(float planes[COIF_HAIRLINE_PLANES][4], const coif_obj *obj,
                         const bool *faces, float scale);

// Bounding box of chosen faces, or of all.
coif_bounds coif_face_bounds(const coif_obj *obj, const bool *faces);

#endif
