#include "core/mesh/mesh_filter.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/scene/params.h"

#include <string.h>

// "group: the mesh has no group or material "scelp", did you mean "scalp"? (known: ...)"
static coif_status fail_unknown(const char *key, const char *name, const coif_obj *obj,
                                coif_arena *arena, coif_error *error)
{
    const size_t groups = (size_t)obj->group_names.count;
    const size_t count = groups + (size_t)obj->material_names.count;
    const char **names = coif_arena_new(arena, count, const char *);
    for (size_t i = 0; i < count; ++i) {
        names[i] = i < groups ? obj->group_names.names[i] : obj->material_names.names[i - groups];
    }
    coif_strbuf groups_known, materials_known;
    coif_strbuf_init(&groups_known, arena);
    coif_strbuf_init(&materials_known, arena);
    coif_strbuf_add_names(&groups_known, names, groups, 20);
    coif_strbuf_add_names(&materials_known, names + groups, count - groups, 20);
    const char *near = coif_nearest_name(name, names, count);
    return coif_fail(error, COIF_ERR_SCENE,
                     "%s: the mesh has no group or material \"%s\"%s%s%s (groups: %s%s%s)", key,
                     name, near != NULL ? ", did you mean \"" : "", near != NULL ? near : "",
                     near != NULL ? "\"?" : "", groups_known.data,
                     count > groups ? "; materials: " : "", materials_known.data);
}

static bool mark(bool *marks, const coif_string_table *names, const char *name)
{
    for (int32_t i = 0; i < names->count; ++i) {
        if (strcmp(names->names[i], name) == 0) {
            marks[i] = true;
            return true;
        }
    }
    return false;
}

// The next of "a, b c, d" without the blanks around it; NULL at the end.
static const char *next_name(const char **list, coif_arena *arena)
{
    const char *at = *list + strspn(*list, ", \t");
    if (*at == '\0') {
        return NULL;
    }
    size_t size = strcspn(at, ",");
    *list = at + size;
    while (at[size - 1] == ' ' || at[size - 1] == '\t') {
        --size;
    }
    return coif_arena_print(arena, "%.*s", (int)size, at);
}

typedef struct listed {
    const char *key, *names;
    bool *groups, *materials;
} listed;

static coif_status mark_listed(const listed *list, const coif_obj *obj, coif_arena *arena,
                               coif_error *error)
{
    const char *rest = list->names != NULL ? list->names : "";
    for (const char *name; (name = next_name(&rest, arena)) != NULL;) {
        const bool group = mark(list->groups, &obj->group_names, name);
        const bool material = mark(list->materials, &obj->material_names, name);
        if (!group && !material) {
            return fail_unknown(list->key, name, obj, arena, error);
        }
    }
    return COIF_OK;
}

static bool names_nothing(const char *names)
{
    return names == NULL || names[strspn(names, ", \t")] == '\0';
}

coif_status coif_mesh_filter_apply(coif_mesh_filter *picked, const coif_mesh_desc *desc,
                                   const coif_obj *obj, coif_arena *arena, coif_error *error)
{
    *picked =
        (coif_mesh_filter){.groups = coif_arena_new(arena, obj->group_names.count, bool),
                           .materials = coif_arena_new(arena, obj->material_names.count, bool),
                           .no_groups = coif_arena_new(arena, obj->group_names.count, bool),
                           .no_materials = coif_arena_new(arena, obj->material_names.count, bool),
                           .all = names_nothing(desc->group)};
    const listed kept = {"include_groups", desc->group, picked->groups, picked->materials};
    const listed left = {"exclude_groups", desc->without, picked->no_groups, picked->no_materials};
    COIF_TRY(mark_listed(&kept, obj, arena, error));
    COIF_TRY(mark_listed(&left, obj, arena, error));
    for (int32_t face = 0; face < obj->face_count; ++face) {
        if (coif_mesh_filter_matches(picked, obj->groups[face], obj->materials[face])) {
            return COIF_OK;
        }
    }
    if (obj->face_count == 0 || (picked->all && names_nothing(desc->without))) {
        return COIF_OK; // a file without faces has its own message
    }
    return coif_fail(error, COIF_ERR_SCENE, "%s: none of the %d faces is left",
                     names_nothing(desc->without) ? "include_groups" : "exclude_groups",
                     obj->face_count);
}

bool coif_mesh_filter_matches(const coif_mesh_filter *picked, int32_t group, int32_t material)
{
    const bool kept =
        picked->all || picked->groups[group] || (material >= 0 && picked->materials[material]);
    const bool left_out =
        picked->no_groups[group] || (material >= 0 && picked->no_materials[material]);
    return kept && !left_out;
}
