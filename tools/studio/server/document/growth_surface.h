// ground: a groom of the scene, the body it grows on, and the triangles where it may.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_GROWTH_SURFACE_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_GROWTH_SURFACE_H

#include "sim/groom/groom_generate.h"
#include "tools/studio/server/document/studio.h"

// The groom by its number; an error when there is none.
coif_status coif_studio_groom(const coif_node **groom, const coif_studio *studio, int64_t number,
                              coif_error *error);

typedef struct coif_growth_surface {
    coif_groom_params params;
    const coif_body *body;
    const coif_mesh *mesh; // the body at rest
    int32_t group;         // -1: all of it
} coif_growth_surface;

// An error when there is no such body.
coif_status coif_growth_surface_of(coif_growth_surface *ground, const coif_studio *studio,
                                   const coif_node *groom, coif_error *error);
bool coif_growth_surface_has(const coif_growth_surface *ground, int32_t triangle);
double coif_growth_surface_size(const coif_growth_surface *ground);   // m2
int32_t coif_growth_surface_roots(const coif_growth_surface *ground); // where density is 1 all over

#endif
