#include "core/mesh/obj_write.h"

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/base/strbuf.h"

static void add_vector(coif_strbuf *out, const char *keyword, coif_vec3 v)
{
    coif_strbuf_print(out, "%s %.9g %.9g %.9g\n", keyword, (double)v.x, (double)v.y, (double)v.z);
}

static void add_corner(coif_strbuf *out, const coif_obj_corner *corner)
{
    coif_strbuf_print(out, " %d", corner->position + 1);
    if (corner->uv >= 0 || corner->normal >= 0) {
        coif_strbuf_add(out, "/");
    }
    if (corner->uv >= 0) {
        coif_strbuf_print(out, "%d", corner->uv + 1);
    }
    if (corner->normal >= 0) {
        coif_strbuf_print(out, "/%d", corner->normal + 1);
    }
}

static void add_faces(coif_strbuf *out, const coif_obj *obj)
{
    int32_t group = -1, material = -1;
    for (int32_t f = 0; f < obj->face_count; ++f) {
        if (obj->groups[f] != group) {
            group = obj->groups[f];
            coif_strbuf_print(out, "g %s\n", obj->group_names.names[group]);
        }
        if (obj->materials[f] != material && obj->materials[f] >= 0) {
            material = obj->materials[f];
            coif_strbuf_print(out, "usemtl %s\n", obj->material_names.names[material]);
        }
        coif_strbuf_add(out, "f");
        for (int32_t c = obj->first[f]; c < obj->first[f + 1]; ++c) {
            add_corner(out, &obj->corners[c]);
        }
        coif_strbuf_add(out, "\n");
    }
}

coif_status coif_obj_save(const coif_obj *obj, const char *path, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "OBJ file");
    coif_strbuf out;
    coif_strbuf_init(&out, &scratch);
    for (int32_t i = 0; i < obj->libraries.count; ++i) {
        coif_strbuf_print(&out, "mtllib %s\n", obj->libraries.names[i]);
    }
    for (int32_t i = 0; i < obj->position_count; ++i) {
        add_vector(&out, "v", obj->positions[i]);
    }
    for (int32_t i = 0; i < obj->uv_count; ++i) {
        coif_strbuf_print(&out, "vt %.9g %.9g\n", (double)obj->uvs[i].x, (double)obj->uvs[i].y);
    }
    for (int32_t i = 0; i < obj->normal_count; ++i) {
        add_vector(&out, "vn", obj->normals[i]);
    }
    add_faces(&out, obj);
    return coif_file_save(path, out.data, out.size, error);
}
