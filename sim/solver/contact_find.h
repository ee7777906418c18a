// contact_find: finds the contact planes of a query.
#ifndef COIF_SIM_SOLVER_CONTACT_FIND_H
#define COIF_SIM_SOLVER_CONTACT_FIND_H

#include "core/collision/collider.h"
#include "sim/solver/contact_query.h"

// True when at least one point has a plane; else only caches and min_body_distance are written.
bool coif_contact_query_find(const coif_contact_query *query, const coif_collider *bodies,
                             int32_t body_count);

// Whether some body is searched through its BVH, that is, whether bvh_cache is used.
bool coif_contact_query_search(const coif_collider *bodies, int32_t body_count);

// To be called when bodies or points have jumped.
void coif_bvh_distance_cache_invalidate(const coif_bvh_distance_cache *cache, int32_t count);
void coif_sdf_distance_cache_invalidate(const coif_sdf_distance_cache *cache, int32_t count);

// No point has a contact.
void coif_contact_query_clear(const coif_contact_query *query);

#endif
