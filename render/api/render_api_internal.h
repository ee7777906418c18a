// render_api_internal: the renderer of <coif/render.h> as its own files see it.
#ifndef COIF_RENDER_API_RENDER_API_INTERNAL_H
#define COIF_RENDER_API_RENDER_API_INTERNAL_H

#include "core/api/library_internal.h"
#include "core/base/arena.h"
#include "render/render.h"

#include <coif/render.h>

struct coif_renderer {
    coif_renderer_desc desc; // aovs is a copy
    coif_arena arena;
    coif_jobs *jobs;
    coif_aovs aovs;
    coif_render_scene *scene;
    coif_render_session *session; // NULL: before commit
    int32_t samples;              // per pixel, rendered so far
    int32_t strand_count;         // added so far
    bool has_camera;
};

static inline coif_vec3 render_api_vec3(const float values[3])
{
    return (coif_vec3){values[0], values[1], values[2]};
}

// A field of a description that is a parameter of a scene section, under the same name. Choices are
// names in descriptions and indices in parameter structs.
typedef struct param_field {
    const char *name;
    size_t offset;
} param_field;

// A kind of description: its section, and its fields that are parameters.
typedef struct param_desc {
    const coif_section *section;
    const param_field *fields;
    size_t field_count;
} param_desc;

// Sets the parameters of a description to their defaults. Params: a struct of the section.
void coif_render_api_write_defaults(void *desc, const param_desc *kind, void *params);

// Fills a parameter struct from a description; what it does not have is at its default.
coif_status coif_render_api_read_params(void *params, const param_desc *kind, const void *desc);

// Reads a description for a scene that is not yet committed.
bool coif_render_api_begin_add(coif_renderer *renderer, void *to, size_t size, const void *desc,
                               const char *name);

// Selects the AOVs of the description.
coif_status coif_render_api_select_aovs(coif_renderer *renderer, bool shadow_catcher,
                                        coif_error *error);

#endif
