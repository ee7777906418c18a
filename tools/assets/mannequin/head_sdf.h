// head_sdf: the mannequin as a signed distance field, in millimetres, negative inside.
//
// The origin lies between the ear canals; y points up, z out of the face, x to the left side of the
// head. Only the half x >= 0 is modelled; the other half is its mirror image.
#ifndef COIF_ASSETS_HEAD_SDF_H
#define COIF_ASSETS_HEAD_SDF_H

#include "tools/assets/shared/sdf.h"

// The auricle has a local frame: towards its rear edge, up along it, outwards.
typedef struct ear_sdf {
    coif_vec3d origin, back, up, out;
    sdf_tube helix, antihelix, fork;
} ear_sdf;

typedef struct bust_sdf {
    sdf_tube collarbone, neck_muscle, trapezius;
} bust_sdf;

typedef struct head_sdf {
    ear_sdf ear;
    bust_sdf bust;
} head_sdf;

void head_sdf_init(head_sdf *sdf);

double head_sdf_distance(const head_sdf *sdf, coif_vec3d p);
double head_sdf_without_ears(const head_sdf *sdf, coif_vec3d p);
coif_vec3d head_sdf_normal(const head_sdf *sdf, coif_vec3d p);

// Newton iterations along the gradient onto the surface.
coif_vec3d head_sdf_project(const head_sdf *sdf, coif_vec3d p);

// For sdf_field and smooth_surface.
double head_sdf_field(const void *sdf, coif_vec3d p);

// The parts, each blended with the distance of those before it.
double skull_sdf(coif_vec3d p);
double nose_sdf(double field, coif_vec3d p);
double eyelids_sdf(double field, coif_vec3d p);
double mouth_sdf(double field, coif_vec3d p);

void bust_sdf_init(bust_sdf *bust);
double bust_sdf_distance(const bust_sdf *bust, double field, coif_vec3d p);

void ear_sdf_init(ear_sdf *ear);
double ear_sdf_distance(const ear_sdf *ear, double field, coif_vec3d p);
coif_vec3d ear_sdf_local(const ear_sdf *ear, coif_vec3d p);

// Distance to the lid margin in the frontal plane, negative inside the opening.
double eye_opening_distance(coif_vec3d p);

// z of the eyeball's front, enlarged by offset; NAN outside its silhouette.
double eyeball_depth(double x, double y, double offset);
coif_vec3d eyeball_center(void);

// Weight of the red of the lips, 0 to 1, and the height above the line between them.
double lip_mask(coif_vec3d p, double *line);

// Blend radii of tubes never exceed this.
#define HEAD_TUBE_REACH 36.0

#endif
