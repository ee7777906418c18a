#include "render/integrator/path_internal.h"

coif_vec3 coif_path_add_radiance(coif_path_state *path, coif_vec3 light, int32_t depth)
{
    const float limit = path->scene->clamp, largest = coif_max_component(light);
    if (limit > 0.0f && depth > 0 && largest > limit) {
        light = coif_scale(light, limit / largest);
    }
    if (!isfinite(largest)) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    path->radiance = coif_add(path->radiance, light);
    return light;
}

void coif_path_record_aov(coif_path_state *path, coif_aov_kind part, coif_vec3 light)
{
    path->aovs->parts[part] = coif_add(path->aovs->parts[part], light);
}

void coif_path_record_aov_group(coif_path_state *path, int32_t group, coif_vec3 light)
{
    path->aovs->groups[group] = coif_add(path->aovs->groups[group], light);
}

// Direct light on hair that the camera sees is split by lobe; the residual lobe counts as multiple
// scattering.
void coif_path_record_aov_scattered(coif_path_state *path, int32_t depth,
                                    const coif_interaction *isect, coif_vec3 wi, int32_t light,
                                    coif_vec3 added)
{
    static const coif_aov_kind parts[COIF_HAIR_LOBES] = {COIF_AOV_R, COIF_AOV_TT, COIF_AOV_TRT,
                                                         COIF_AOV_MULTIPLE};
    coif_path_record_aov_group(path, path->scene->lights.lights[light].group, added);
    coif_path_record_aov(path, depth == 0 ? COIF_AOV_DIRECT : COIF_AOV_INDIRECT, added);
    if (!path->primary_is_hair) {
        coif_path_record_aov(path, COIF_AOV_SURFACE, added);
    } else if (depth > 0) {
        coif_path_record_aov(path, COIF_AOV_MULTIPLE, added);
    } else {
        coif_vec3 fractions[COIF_HAIR_LOBES];
        coif_interaction_lobe_fractions(isect, wi, fractions);
        for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
            coif_path_record_aov(path, parts[p], coif_mul(fractions[p], added));
        }
    }
}
