// grow_between: strands between guides.
#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "sim/groom/guide_curves.h"

enum { BLOCK = 64, NEAR = 4 };

// The nearest guides, nearest first; one more than are used says how far those reach.
typedef struct nearest_guides {
    int32_t count;
    int32_t guide[NEAR + 1];
    float distance[NEAR + 1]; // squared while they are searched for
    float weight[NEAR];       // add up to 1
} nearest_guides;

typedef struct between {
    coif_strand_buffer *growth;
    const coif_guides *guides;
    const coif_guides_resample_request *wish;
    int32_t *lonely; // per block
} between;

static void offer(nearest_guides *found, int32_t guide, float distance)
{
    int32_t place = found->count;
    if (place == NEAR + 1) {
        if (!(distance < found->distance[NEAR])) {
            return;
        }
        --place;
    } else {
        ++found->count;
    }
    for (; place > 0 && distance < found->distance[place - 1]; --place) {
        found->guide[place] = found->guide[place - 1];
        found->distance[place] = found->distance[place - 1];
    }
    found->guide[place] = guide;
    found->distance[place] = distance;
}

// Squared; skin that turns away is further along the scalp than through the air.
static float distance_of(const coif_surface_point *a, const coif_surface_point *b)
{
    const coif_vec3 to = coif_sub(a->position, b->position);
    const float turn = 1.0f - coif_dot(a->normal, b->normal);
    return coif_dot(to, to) * (1.0f + 3.0f * coif_clamp(turn, 0.0f, 2.0f));
}

// Region below 0: any.
static void find_near(nearest_guides *found, const coif_guides *guides,
                      const coif_surface_point *root, int32_t region)
{
    int32_t low = 0, high = guides->count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (guides->by_x[middle].x < root->position.x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    // To both sides in x, until nothing nearer can follow.
    int32_t left = low - 1, right = low;
    *found = (nearest_guides){.count = 0};
    while (left >= 0 || right < guides->count) {
        const float to_left = left >= 0 ? root->position.x - guides->by_x[left].x : 3e38f;
        const float to_right =
            right < guides->count ? guides->by_x[right].x - root->position.x : 3e38f;
        const float nearer = to_left < to_right ? to_left : to_right;
        if (found->count == NEAR + 1 && nearer * nearer > found->distance[NEAR]) {
            break;
        }
        const int32_t guide = guides->by_x[to_left < to_right ? left-- : right++].guide;
        if (region < 0 || guides->region[guide] == region) {
            offer(found, guide, distance_of(root, &guides->roots[guide]));
        }
    }
}

static void weigh(nearest_guides *found)
{
    const bool many = found->count > NEAR;
    const float reach = many ? sqrtf(found->distance[NEAR]) : 0.0f;
    found->count = many ? NEAR : found->count;
    float sum = 0.0f;
    for (int32_t i = 0; i < found->count; ++i) {
        // A tenth of a micrometre keeps the weight of a guide at the same place finite.
        const float distance = sqrtf(found->distance[i]) + 1e-7f;
        const float left = many ? coif_clamp(1.0f - distance / reach, 0.0f, 1.0f) : 1.0f;
        found->weight[i] = left / distance * (left / distance);
        sum += found->weight[i];
    }
    for (int32_t i = 0; i < found->count; ++i) {
        // All as far as the fifth: alike.
        found->weight[i] = sum > 0.0f ? found->weight[i] / sum : 1.0f / (float)found->count;
    }
}

// The smallest turn that takes the unit vector a to the unit vector b, of v.
static coif_vec3 carry(coif_vec3 v, coif_vec3 a, coif_vec3 b)
{
    const float c = coif_dot(a, b);
    if (c < -0.999f) {
        return v; // on the other side of the head every turn is as good
    }
    const coif_vec3 k = coif_cross(a, b);
    const coif_vec3 once = coif_cross(k, v);
    return coif_mad(coif_add(v, once), 1.0f / (1.0f + c), coif_cross(k, once));
}

// The direction of segment k where the strand grows.
static coif_vec3 step_at(const between *all, const nearest_guides *found, int32_t k,
                         coif_vec3 normal, coif_vec3 before)
{
    const coif_guides *guides = all->guides;
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < found->count; ++i) {
        const int32_t guide = found->guide[i];
        const coif_vec3 step = guides->steps[(int64_t)guide * (guides->points - 1) + k];
        sum = coif_mad(sum, found->weight[i], carry(step, guides->roots[guide].normal, normal));
    }
    const float size = coif_length(sum);
    return size > 1e-6f ? coif_scale(sum, 1.0f / size) : before;
}

static void shape_strand(const between *all, int32_t strand, const nearest_guides *found)
{
    coif_strand_buffer *growth = all->growth;
    const coif_vec3 normal = growth->roots[strand].normal;
    const int32_t first = growth->first[strand];
    const int32_t segments = growth->first[strand + 1] - first - 1;
    float length = 0.0f;
    for (int32_t i = 0; i < found->count; ++i) {
        length += found->weight[i] * all->guides->length[found->guide[i]];
    }
    length *= all->wish->share != NULL ? all->wish->share[strand] : 1.0f;
    const float segment = (length > 1e-5f ? length : 1e-5f) / (float)segments;
    coif_vec3 at = growth->roots[strand].position, step = normal;
    for (int32_t k = 0; k < segments; ++k) {
        // As many segments as the guides have, when nobody has changed them.
        const int32_t of_guide = (int32_t)((int64_t)k * (all->guides->points - 1) / segments);
        step = step_at(all, found, of_guide, normal, step);
        at = coif_mad(at, segment, step);
        growth->x[first + k + 1] = at.x;
        growth->y[first + k + 1] = at.y;
        growth->z[first + k + 1] = at.z;
    }
}

// From root to tip, as the guides go.
static void find_flow(const between *all, int32_t strand, const nearest_guides *found)
{
    const coif_vec3 normal = all->growth->roots[strand].normal;
    coif_vec3 sum = {0.0f, 0.0f, 0.0f}, step = normal;
    for (int32_t k = 0; k + 1 < all->guides->points; ++k) {
        step = step_at(all, found, k, normal, step);
        sum = coif_add(sum, step);
    }
    const float size = coif_length(sum);
    sum = size > 1e-6f ? coif_scale(sum, 1.0f / size) : normal;
    float *flow = all->wish->flow + 3 * (int64_t)strand;
    flow[0] = sum.x, flow[1] = sum.y, flow[2] = sum.z;
}

static void between_block(void *context, int64_t begin, int64_t end, int worker)
{
    const between *all = context;
    const coif_guides_resample_request *wish = all->wish;
    (void)worker;
    for (int32_t s = (int32_t)begin; s < (int32_t)end; ++s) {
        const coif_surface_point *root = &all->growth->roots[s];
        nearest_guides found;
        if (wish->regions) {
            find_near(&found, all->guides, root, -1);
            wish->region[s] = all->guides->region[found.guide[0]];
        }
        find_near(&found, all->guides, root, wish->region != NULL ? wish->region[s] : -1);
        if (found.count == 0) {
            ++all->lonely[begin / BLOCK];
            continue;
        }
        weigh(&found);
        if (wish->shape) {
            shape_strand(all, s, &found);
        }
        if (wish->flow != NULL) {
            find_flow(all, s, &found);
        }
    }
}

int32_t coif_guides_apply(coif_strand_buffer *growth, const coif_guides *guides,
                          const coif_guides_resample_request *wish, coif_jobs *jobs)
{
    const int64_t blocks = growth->strand_count / BLOCK + 1;
    between all = {.growth = growth,
                   .guides = guides,
                   .wish = wish,
                   .lonely = coif_arena_new(growth->arena, blocks, int32_t)};
    coif_parallel_for(jobs, growth->strand_count, BLOCK, between_block, &all);
    int32_t lonely = 0;
    for (int64_t b = 0; b < blocks; ++b) {
        lonely += all.lonely[b];
    }
    return lonely;
}
