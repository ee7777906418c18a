// Topology of an OBJ file.
#include "core/mesh/obj.h"

#include "core/base/hash64.h"

uint64_t coif_obj_topology_digest(const coif_obj *obj)
{
    const size_t faces = (size_t)obj->face_count;
    uint64_t digest = coif_hash64_extend(0, &obj->position_count, sizeof obj->position_count);
    digest = coif_hash64_extend(digest, obj->first, (faces + 1) * sizeof *obj->first);
    for (int32_t i = 0; i < obj->corner_count; ++i) {
        digest ^= (uint64_t)(uint32_t)obj->corners[i].position;
        digest *= UINT64_C(0x9e3779b97f4a7c15);
        digest ^= digest >> 32;
    }
    return digest;
}
