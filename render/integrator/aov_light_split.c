#include "render/integrator/path_internal.h"

coif_vec3 coif_path_add_radiance(coif_path_state *path, coif_vec3 light, int32_t depth)
{
    const float limit = path->stage->clamp, most = coif_max_component(light);
    if (limit > 0.0f && depth > 0 && most > limit) {
        light = coif_scale(light, limit / most);
    }
    if (!isfinite(most)) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    path->radiance = coif_add(path->radiance, light);
    return light;
}

void coif_path_record_aov(coif_path_state *path, coif_aov_kind part, coif_vec3 light)
{
    path->split->parts[part] = coif_add(path->split->parts[part], light);
}

void coif_path_record_aov_group(coif_path_state *path, int32_t group, coif_vec3 light)
{
    path->split->groups[group] = coif_add(path->split->groups[group], light);
}

// What the hair in view scattered itself is told apart lobe by lobe; inner reflections beyond the
// first count as multiple scattering.
void coif_path_record_aov_scattered(coif_path_state *path, int32_t depth,
                                    const coif_interaction *vertex, coif_vec3 wi, int32_t light,
                                    coif_vec3 added)
{
    static const coif_aov_kind parts[COIF_HAIR_LOBES] = {COIF_AOV_R, COIF_AOV_TT, COIF_AOV_TRT,
                                                         COIF_AOV_MULTIPLE};
    coif_path_record_aov_group(path, path->stage->lights.lights[light].group, added);
    coif_path_record_aov(path, depth == 0 ? COIF_AOV_DIRECT : COIF_AOV_INDIRECT, added);
    if (!path->hair_first) {
        coif_path_record_aov(path, COIF_AOV_SURFACE, added);
    } else if (depth > 0) {
        coif_path_record_aov(path, COIF_AOV_MULTIPLE, added);
    } else {
        coif_vec3 shares[COIF_HAIR_LOBES];
        coif_interaction_lobe_fractions(vertex, wi, shares);
        for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
            coif_path_record_aov(path, parts[p], coif_mul(shares[p], added));
        }
    }
}
