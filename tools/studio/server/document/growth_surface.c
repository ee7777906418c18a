#include "tools/studio/server/document/growth_surface.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/image/udim.h"

#include <math.h>

coif_status coif_growth_surface_init(coif_growth_surface *surface, const coif_body *bodies,
                                     int32_t body_count, const coif_node *groom, coif_error *error)
{
    coif_node_read(groom, 0.0, &surface->params);
    const coif_groom_params *params = &surface->params;
    surface->body = coif_bodies_find(bodies, body_count, params->body);
    if (surface->body == NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: no body \"%s\"", groom->path, params->body);
    }
    surface->mesh = &surface->body->rest;
    const bool whole = params->group == NULL || params->group[0] == '\0';
    // An unknown group has no triangles.
    const int32_t found = whole ? -1 : coif_mesh_find_group(surface->mesh, params->group);
    surface->group = whole ? -1 : found >= 0 ? found : INT32_MAX;
    return COIF_OK;
}

coif_status coif_growth_surface_check(const coif_growth_surface *surface, coif_error *error)
{
    if (surface->group != INT32_MAX) {
        return COIF_OK;
    }
    const coif_mesh *mesh = surface->mesh;
    const char *similar =
        coif_nearest_name(surface->params.group, mesh->group_names, (size_t)mesh->group_count);
    COIF_SCOPED_ARENA(scratch, "names");
    coif_strbuf known;
    coif_strbuf_init(&known, &scratch);
    coif_strbuf_add_names(&known, mesh->group_names, (size_t)mesh->group_count, 8);
    return coif_fail(
        error, COIF_ERR_SCENE,
        "groom \"%s\" grows nowhere: body \"%s\" has no group \"%s\"%s%s%s (groups: %s)",
        surface->params.name, surface->params.body, surface->params.group,
        similar != NULL ? "; did you mean \"" : "", similar != NULL ? similar : "",
        similar != NULL ? "\"?" : "", known.data);
}

bool coif_growth_surface_contains(const coif_growth_surface *surface, int32_t triangle)
{
    return surface->group < 0 || surface->mesh->groups[triangle] == surface->group;
}

double coif_growth_surface_area(const coif_growth_surface *surface)
{
    const coif_mesh *mesh = surface->mesh;
    double area = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        if (coif_growth_surface_contains(surface, t)) {
            const int32_t *corner = mesh->indices + 3 * (int64_t)t;
            const coif_vec3 a = mesh->positions[corner[0]];
            const coif_vec3 normal = coif_cross(coif_sub(mesh->positions[corner[1]], a),
                                                coif_sub(mesh->positions[corner[2]], a));
            area += 0.5 * (double)coif_length(normal);
        }
    }
    return area;
}

int32_t coif_growth_surface_max_roots(const coif_growth_surface *surface)
{
    const double density = (double)surface->params.strands_per_cm2;
    if (density <= 0.0) {
        return surface->params.count;
    }
    return (int32_t)fmin(1e4 * density * coif_growth_surface_area(surface) + 0.5, INT32_MAX);
}

// UDIM number of a triangle's centroid, 0 outside the numbered range (also for NaN).
static int32_t udim_of(const coif_mesh *mesh, int32_t triangle)
{
    const coif_vec2 *uv = mesh->uvs + 3 * (int64_t)triangle;
    const float u = floorf((uv[0].x + uv[1].x + uv[2].x) / 3.0f);
    const float v = floorf((uv[0].y + uv[1].y + uv[2].y) / 3.0f);
    return u >= 0.0f && u < 10.0f && v >= 0.0f && v < 99.0f
               ? COIF_UDIM_FIRST + (int32_t)u + 10 * (int32_t)v
               : 0;
}

int32_t coif_growth_surface_udims(int32_t *numbers, int32_t capacity,
                                  const coif_growth_surface *surface)
{
    const coif_mesh *mesh = surface->mesh;
    bool used[COIF_UDIM_LAST + 1] = {false};
    for (int32_t t = 0; mesh->uvs != NULL && t < mesh->triangle_count; ++t) {
        used[udim_of(mesh, t)] |= coif_growth_surface_contains(surface, t);
    }
    int32_t count = 0;
    for (int32_t n = COIF_UDIM_FIRST; n <= COIF_UDIM_LAST && count < capacity; ++n) {
        if (used[n]) {
            numbers[count++] = n;
        }
    }
    return count == 1 && numbers[0] == COIF_UDIM_FIRST ? 0 : count;
}
