// Selection of the faces of an OBJ file by group and material name.
#include "core/mesh/mesh_filter.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/base/strbuf.h"

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
    const char *similar = coif_nearest_name(name, names, count);
    return coif_fail(error, COIF_ERR_SCENE,
                     "%s: the mesh has no group or material \"%s\"%s%s%s (groups: %s%s%s)", key,
                     name, similar != NULL ? ", did you mean \"" : "",
                     similar != NULL ? similar : "", similar != NULL ? "\"?" : "",
                     groups_known.data, count > groups ? "; materials: " : "",
                     materials_known.data);
}

static bool select(bool *selected, const coif_string_table *names, const char *name)
{
    for (int32_t i = 0; i < names->count; ++i) {
        if (strcmp(names->names[i], name) == 0) {
            selected[i] = true;
            return true;
        }
    }
    return false;
}

// Next name of a list "a, b c, d", trimmed; NULL at the end.
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

typedef struct name_list {
    const char *key, *names;
    bool *groups, *materials;
} name_list;

static coif_status select_names(const name_list *list, const coif_obj *obj, coif_arena *arena,
                                coif_error *error)
{
    const char *rest = list->names != NULL ? list->names : "";
    for (const char *name; (name = next_name(&rest, arena)) != NULL;) {
        const bool group = select(list->groups, &obj->group_names, name);
        const bool material = select(list->materials, &obj->material_names, name);
        if (!group && !material) {
            return fail_unknown(list->key, name, obj, arena, error);
        }
    }
    return COIF_OK;
}

static bool is_empty_list(const char *names)
{
    return names == NULL || names[strspn(names, ", \t")] == '\0';
}

coif_status coif_mesh_filter_apply(coif_mesh_filter *filter, const coif_mesh_desc *desc,
                                   const coif_obj *obj, coif_arena *arena, coif_error *error)
{
    *filter = (coif_mesh_filter){
        .groups = coif_arena_new(arena, obj->group_names.count, bool),
        .materials = coif_arena_new(arena, obj->material_names.count, bool),
        .excluded_groups = coif_arena_new(arena, obj->group_names.count, bool),
        .excluded_materials = coif_arena_new(arena, obj->material_names.count, bool),
        .all = is_empty_list(desc->group)};
    const name_list included = {"include_groups", desc->group, filter->groups, filter->materials};
    const name_list excluded = {"exclude_groups", desc->without, filter->excluded_groups,
                                filter->excluded_materials};
    COIF_TRY(select_names(&included, obj, arena, error));
    COIF_TRY(select_names(&excluded, obj, arena, error));
    for (int32_t face = 0; face < obj->face_count; ++face) {
        if (coif_mesh_filter_matches(filter, obj->groups[face], obj->materials[face])) {
            return COIF_OK;
        }
    }
    if (obj->face_count == 0 || (filter->all && is_empty_list(desc->without))) {
        return COIF_OK; // a file without faces is reported elsewhere
    }
    return coif_fail(error, COIF_ERR_SCENE, "%s: excludes all %d faces",
                     is_empty_list(desc->without) ? "include_groups" : "exclude_groups",
                     obj->face_count);
}

bool coif_mesh_filter_matches(const coif_mesh_filter *filter, int32_t group, int32_t material)
{
    const bool kept =
        filter->all || filter->groups[group] || (material >= 0 && filter->materials[material]);
    const bool is_excluded =
        filter->excluded_groups[group] || (material >= 0 && filter->excluded_materials[material]);
    return kept && !is_excluded;
}
