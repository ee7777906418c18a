// render_api_desc: parameters of descriptions, by the tables of scene sections.
#include "render/api/render_api_internal.h"

#include <math.h>
#include <string.h>

static const coif_param *find_row(const coif_section *section, const char *name)
{
    const coif_param *row = section->params;
    while (strcmp(row->name, name) != 0) {
        ++row;
    }
    return row;
}

static size_t size_of(const coif_param *row)
{
    const bool three = row->type == COIF_PARAM_VEC3 || row->type == COIF_PARAM_COLOR;
    return three ? 3 * sizeof(float) : sizeof(float); // integers are as large
}

// Sets a parameter struct to the defaults of its section.
static void read_defaults(const coif_section *section, void *params)
{
    COIF_SCOPED_ARENA(arena, "defaults");
    coif_values values;
    coif_values_init(&values, section->params, section->param_count, &arena);
    coif_values_at(&values, 0.0, params);
}

void coif_render_api_write_defaults(void *desc, const param_desc *kind, void *params)
{
    read_defaults(kind->section, params);
    for (size_t i = 0; i < kind->field_count; ++i) {
        const coif_param *row = find_row(kind->section, kind->fields[i].name);
        const char *from = (const char *)params + row->offset;
        char *to = (char *)desc + kind->fields[i].offset;
        if (row->type == COIF_PARAM_CHOICE) {
            int32_t index;
            memcpy(&index, from, sizeof index);
            memcpy(to, &row->choices[index], sizeof row->choices[index]);
        } else {
            memcpy(to, from, size_of(row));
        }
    }
}

static coif_status check_range(const coif_param *row, const float *values, size_t count)
{
    const bool bounded = row->low != row->high;
    for (size_t k = 0; k < count; ++k) {
        if (!isfinite(values[k]) ||
            (bounded && !(values[k] >= (float)row->low && values[k] <= (float)row->high))) {
            return coif_fail(coif_library_error(), COIF_ERR_ARGUMENT, "%s is %g; expected %g to %g",
                             row->name, (double)values[k], bounded ? row->low : -INFINITY,
                             bounded ? row->high : INFINITY);
        }
    }
    return COIF_OK;
}

coif_status coif_render_api_read_params(void *params, const param_desc *kind, const void *desc)
{
    read_defaults(kind->section, params);
    for (size_t i = 0; i < kind->field_count; ++i) {
        const coif_param *row = find_row(kind->section, kind->fields[i].name);
        const char *from = (const char *)desc + kind->fields[i].offset;
        char *to = (char *)params + row->offset;
        if (row->type == COIF_PARAM_CHOICE) {
            const char *name;
            memcpy(&name, from, sizeof name);
            const int32_t index = coif_library_find_name(row->choices, name, row->name);
            if (index < 0) {
                return COIF_ERR_ARGUMENT;
            }
            memcpy(to, &index, sizeof index);
            continue;
        }
        memcpy(to, from, size_of(row));
        if (row->type != COIF_PARAM_INT && row->type != COIF_PARAM_BOOL) {
            float values[3];
            memcpy(values, from, size_of(row));
            COIF_TRY(check_range(row, values, size_of(row) / sizeof(float)));
        }
    }
    return COIF_OK;
}

bool coif_render_api_begin_add(coif_renderer *renderer, void *to, size_t size, const void *desc,
                               const char *name)
{
    if (renderer == NULL || renderer->session != NULL) {
        coif_library_invalid(renderer == NULL ? "renderer is NULL" : "the scene is committed");
        return false;
    }
    return coif_library_read_desc(to, size, desc, name);
}
