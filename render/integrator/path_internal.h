// State of one path, shared by path.c and direct_lighting.c.
#ifndef COIF_RENDER_INTEGRATOR_PATH_INTERNAL_H
#define COIF_RENDER_INTEGRATOR_PATH_INTERNAL_H

#include "render/integrator/interaction.h"
#include "render/integrator/path_aovs.h"
#include "render/integrator/path_guiding.h"
#include "render/math/color.h"
#include "render/math/sampler.h"

// Light samples per NEE: the RIS candidates of one vertex.
enum { COIF_LIGHT_CANDIDATES = 4 };

typedef struct coif_path_state {
    const coif_render_scene *scene;
    coif_vec3 radiance;
    coif_vec3 throughput;
    uint32_t rng_word; // alpha_seed of the next ray
    int32_t depth;
    float survival; // factor on the survival probability of Russian roulette
    bool is_last;   // max_depth is reached: Russian roulette ends the path
    bool primary_is_hair;
    coif_primary_hit *catcher_hit; // the primary hit where it is a shadow catcher; else NULL
    coif_light_aovs *aovs;         // NULL: not requested
} coif_path_state;

// Adds radiance found at a depth, clamped by the scene's limit for indirect light. Returns what was
// added.
coif_vec3 coif_path_add_radiance(coif_path_state *path, coif_vec3 light, int32_t depth);

// Adds radiance to the light AOVs; only where aovs is set.
void coif_path_record_aov(coif_path_state *path, coif_aov_kind part, coif_vec3 light);
void coif_path_record_aov_group(coif_path_state *path, int32_t group, coif_vec3 light);

// Offsets h of one RIS candidate: two halve the variance of narrow lobes at little cost.
enum { COIF_MAX_H = 2 };

// Light from direction wi, scattered at offsets h across a fibre.
typedef struct coif_scattered_light {
    coif_vec3 wi;
    int32_t light; // its index
    const float *h;
    int h_count;
    coif_vec3 added;
} coif_scattered_light;

// The same for radiance of a light that a vertex at that depth scattered.
void coif_path_record_aov_scattered(coif_path_state *path, int32_t depth,
                                    const coif_interaction *isect,
                                    const coif_scattered_light *light);

// Russian roulette: survival probability at throughput 1, on average over directions. Larger values
// trade time for variance; measured over dark, blond and white hair, 0.8 to 1.6 are equally
// efficient.
#define COIF_RR_SURVIVAL 1.2f

// Survival decreases with depth: the variance of earlier vertices multiplies what later vertices
// find and cannot be reduced there. The lower bound avoids fireflies from the few long paths.
static inline float coif_rr_survival(const coif_path_state *path)
{
    const float later = COIF_RR_SURVIVAL / (1.0f + 0.4f * (float)path->depth);
    return path->is_last ? 0.0f : path->survival * coif_max(later, 0.4f * COIF_RR_SURVIVAL);
}

// Pdf with which a path continues in a direction: the BSDF sampling pdf times the survival
// probability of Russian roulette. Onward is the largest colour of throughput times f, not divided
// by a pdf; guide_weight comes from path_guiding.h.
static inline float coif_rr_pdf(const coif_path_state *path, float guide_weight, float onward,
                                float pdf)
{
    return coif_min(pdf, coif_rr_survival(path) * guide_weight * onward);
}

// The ray that leaves a vertex, with a new alpha_seed.
coif_ray coif_spawn_ray(coif_path_state *path, const coif_interaction *isect, coif_vec3 wi);

// A BSDF sample and the decision of Russian roulette on it.
typedef struct coif_bsdf_sample {
    const coif_interaction *isect;
    coif_vec3 direction, f;
    float pdf;    // of BSDF sampling
    float rr_pdf; // of continuing there (coif_rr_pdf)
    bool survives_rr;
    coif_vec3 throughput;   // up to the vertex
    float total_importance; // of the lights there
} coif_bsdf_sample;

// Next event estimation: direct light at a vertex from light samples, and from the BSDF sample
// where Russian roulette ends the path.
void coif_estimate_direct(coif_path_state *path, const coif_bsdf_sample *sample,
                          const coif_path_guide *guide, coif_sampler *sampler);

// Shadow catchers: surfaces of which the camera sees only the shadows.
bool coif_is_shadow_catcher(const coif_render_scene *scene, const coif_ray_hit *hit);

#endif
