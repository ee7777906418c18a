// growth_surface: the triangles of a body on which a groom grows.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_GROWTH_SURFACE_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_GROWTH_SURFACE_H

#include "core/body/body.h"
#include "sim/groom/groom_generate.h"

typedef struct coif_growth_surface {
    coif_groom_params params;
    const coif_body *body;
    const coif_mesh *mesh; // the body at rest
    int32_t group;         // -1: the whole mesh
} coif_growth_surface;

// Fails when the groom's body does not exist.
coif_status coif_growth_surface_init(coif_growth_surface *surface, const coif_body *bodies,
                                     int32_t body_count, const coif_node *groom, coif_error *error);

// Fails with a sentence when the body has no group of the groom's name.
coif_status coif_growth_surface_check(const coif_growth_surface *surface, coif_error *error);
bool coif_growth_surface_contains(const coif_growth_surface *surface, int32_t triangle);
double coif_growth_surface_area(const coif_growth_surface *surface); // m2

// Number of roots where the density is 1 everywhere.
int32_t coif_growth_surface_max_roots(const coif_growth_surface *surface);

// UDIM numbers that the surface covers, ascending, at most `capacity`; 0 when all of it is in 1001.
int32_t coif_growth_surface_udims(int32_t *numbers, int32_t capacity,
                                  const coif_growth_surface *surface);

#endif
