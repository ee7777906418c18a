// guide_interpolate: strands interpolated from the nearest guides.
#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "sim/groom/guide_curves.h"

enum { BLOCK = 64, MAX_GUIDES = COIF_NEAREST_GUIDES };

typedef struct interpolation {
    coif_strand_buffer *buffer;
    const coif_guides *guides;
    const coif_guides_resample_request *request;
    int32_t *without_guide; // per block
} interpolation;

static void insert(coif_nearest_guides *found, int32_t guide, float distance)
{
    int32_t slot = found->count;
    if (slot == MAX_GUIDES + 1) {
        if (!(distance < found->distance[MAX_GUIDES])) {
            return;
        }
        --slot;
    } else {
        ++found->count;
    }
    for (; slot > 0 && distance < found->distance[slot - 1]; --slot) {
        found->guide[slot] = found->guide[slot - 1];
        found->distance[slot] = found->distance[slot - 1];
    }
    found->guide[slot] = guide;
    found->distance[slot] = distance;
}

// Squared distance, increased where normals differ: the distance along the scalp is longer
// there.
static float root_distance2(const coif_surface_point *a, const coif_surface_point *b)
{
    const coif_vec3 to = coif_sub(a->position, b->position);
    const float turn = 1.0f - coif_dot(a->normal, b->normal);
    return coif_dot(to, to) * (1.0f + 3.0f * coif_clamp(turn, 0.0f, 2.0f));
}

// Sweep over the guides sorted by x.
void coif_guides_find_nearest(coif_nearest_guides *found, const coif_guides *guides,
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
    // To both sides in x, until no closer guide can follow.
    int32_t left = low - 1, right = low;
    *found = (coif_nearest_guides){.count = 0};
    while (left >= 0 || right < guides->count) {
        const float to_left = left >= 0 ? root->position.x - guides->by_x[left].x : 3e38f;
        const float to_right =
            right < guides->count ? guides->by_x[right].x - root->position.x : 3e38f;
        const float nearer = to_left < to_right ? to_left : to_right;
        if (found->count == MAX_GUIDES + 1 && nearer * nearer > found->distance[MAX_GUIDES]) {
            break;
        }
        const int32_t guide = guides->by_x[to_left < to_right ? left-- : right++].guide;
        if (region < 0 || guides->region[guide] == region) {
            insert(found, guide, root_distance2(root, &guides->roots[guide]));
        }
    }
}

void coif_guides_compute_weights(coif_nearest_guides *found)
{
    const bool full = found->count > MAX_GUIDES;
    const float fifth = full ? sqrtf(found->distance[MAX_GUIDES]) : 0.0f;
    found->count = full ? MAX_GUIDES : found->count;
    float sum = 0.0f;
    for (int32_t i = 0; i < found->count; ++i) {
        // Keeps the weight of a guide at the root itself finite.
        const float distance = sqrtf(found->distance[i]) + 1e-7f;
        const float falloff = full ? coif_clamp(1.0f - distance / fifth, 0.0f, 1.0f) : 1.0f;
        found->weight[i] = falloff / distance * (falloff / distance);
        sum += found->weight[i];
    }
    for (int32_t i = 0; i < found->count; ++i) {
        // All as far as the fifth: equal weights.
        found->weight[i] = sum > 0.0f ? found->weight[i] / sum : 1.0f / (float)found->count;
    }
}

// Blended direction of segment k.
static coif_vec3 direction_at(const interpolation *ctx, const coif_nearest_guides *found, int32_t k,
                              coif_vec3 normal, coif_vec3 before)
{
    const coif_guides *guides = ctx->guides;
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < found->count; ++i) {
        const int32_t guide = found->guide[i];
        const coif_vec3 step = guides->steps[(int64_t)guide * (guides->points - 1) + k];
        sum = coif_mad(sum, found->weight[i],
                       coif_rotate_between(step, guides->roots[guide].normal, normal));
    }
    const float size = coif_length(sum);
    return size > 1e-6f ? coif_scale(sum, 1.0f / size) : before;
}

static void set_point(coif_strand_buffer *buffer, int32_t i, coif_vec3 position)
{
    buffer->x[i] = position.x;
    buffer->y[i] = position.y;
    buffer->z[i] = position.z;
}

static void interpolate_strand(const interpolation *ctx, int32_t strand,
                               const coif_nearest_guides *found)
{
    coif_strand_buffer *buffer = ctx->buffer;
    const coif_vec3 normal = buffer->roots[strand].normal;
    const int32_t first = buffer->first[strand];
    const int32_t segments = buffer->first[strand + 1] - first - 1;
    float length = 0.0f;
    for (int32_t i = 0; i < found->count; ++i) {
        length += found->weight[i] * ctx->guides->length[found->guide[i]];
    }
    length *= ctx->request->length_scale != NULL ? ctx->request->length_scale[strand] : 1.0f;
    const float segment = (length > 1e-5f ? length : 1e-5f) / (float)segments;
    coif_vec3 position = buffer->roots[strand].position, step = normal;
    for (int32_t k = 0; k < segments; ++k) {
        // Normally both have the same number of segments.
        const int32_t guide_segment = (int32_t)((int64_t)k * (ctx->guides->points - 1) / segments);
        step = direction_at(ctx, found, guide_segment, normal, step);
        position = coif_mad(position, segment, step);
        set_point(buffer, first + k + 1, position);
    }
}

// The points of a guide, displaced by the offset of the root.
static void follow_guide(const interpolation *ctx, int32_t strand, int32_t guide)
{
    coif_strand_buffer *buffer = ctx->buffer;
    const coif_guides *guides = ctx->guides;
    const coif_guides_resample_request *request = ctx->request;
    const int32_t guide_segments = guides->points - 1;
    const coif_vec3 *steps = guides->steps + (int64_t)guide * guide_segments;
    const float guide_segment = guides->length[guide] / (float)guide_segments;
    const int32_t first = buffer->first[strand];
    const int32_t segments = buffer->first[strand + 1] - first - 1;
    const float scale = request->length_scale != NULL ? request->length_scale[strand] : 1.0f;
    // Arc length along the guide, in its segments.
    const float stride = scale * (float)guide_segments / (float)segments;
    const coif_vec3 root = buffer->roots[strand].position;
    coif_vec3 begin = guides->roots[guide].position; // of the current segment
    coif_vec3 offset = coif_sub(root, begin);
    int32_t at = 0;
    set_point(buffer, first, root);
    for (int32_t k = 1; k <= segments; ++k) {
        const float arc = stride * (float)k;
        // Beyond its end the guide is straight.
        for (; at + 1 < guide_segments && arc > (float)(at + 1); ++at) {
            begin = coif_mad(begin, guide_segment, steps[at]);
            offset = coif_rotate_between(offset, steps[at], steps[at + 1]);
        }
        const coif_vec3 position = coif_mad(begin, guide_segment * (arc - (float)at), steps[at]);
        const float spread = request->spread == NULL
                                 ? 1.0f
                                 : coif_param_value_at(request->spread, strand, first + k);
        set_point(buffer, first + k, coif_mad(position, spread, offset));
    }
}

// Mean direction of the guides from root to tip.
static void mean_direction(const interpolation *ctx, int32_t strand,
                           const coif_nearest_guides *found)
{
    const coif_vec3 normal = ctx->buffer->roots[strand].normal;
    coif_vec3 sum = {0.0f, 0.0f, 0.0f}, step = normal;
    for (int32_t k = 0; k + 1 < ctx->guides->points; ++k) {
        step = direction_at(ctx, found, k, normal, step);
        sum = coif_add(sum, step);
    }
    const float size = coif_length(sum);
    sum = size > 1e-6f ? coif_scale(sum, 1.0f / size) : normal;
    float *direction = ctx->request->guide_direction + 3 * (int64_t)strand;
    direction[0] = sum.x, direction[1] = sum.y, direction[2] = sum.z;
}

static void interpolate_block(void *context, int64_t begin, int64_t end, int worker)
{
    const interpolation *ctx = context;
    const coif_guides_resample_request *request = ctx->request;
    (void)worker;
    for (int32_t s = (int32_t)begin; s < (int32_t)end; ++s) {
        const coif_surface_point *root = &ctx->buffer->roots[s];
        coif_nearest_guides found;
        if (request->regions) {
            coif_guides_find_nearest(&found, ctx->guides, root, -1);
            request->region[s] = ctx->guides->region[found.guide[0]];
        }
        coif_guides_find_nearest(&found, ctx->guides, root,
                                 request->region != NULL ? request->region[s] : -1);
        if (found.count == 0) {
            ++ctx->without_guide[begin / BLOCK];
            continue;
        }
        if (request->nearest) {
            found.count = 1;
            found.weight[0] = 1.0f;
        } else {
            coif_guides_compute_weights(&found);
        }
        if (request->shape && request->nearest) {
            follow_guide(ctx, s, found.guide[0]);
        } else if (request->shape) {
            interpolate_strand(ctx, s, &found);
        }
        if (request->guide_direction != NULL) {
            mean_direction(ctx, s, &found);
        }
    }
}

int32_t coif_guides_apply(coif_strand_buffer *buffer, const coif_guides *guides,
                          const coif_guides_resample_request *request, coif_jobs *jobs)
{
    const int64_t blocks = buffer->strand_count / BLOCK + 1;
    interpolation ctx = {.buffer = buffer,
                         .guides = guides,
                         .request = request,
                         .without_guide = coif_arena_new(buffer->arena, blocks, int32_t)};
    coif_parallel_for(jobs, buffer->strand_count, BLOCK, interpolate_block, &ctx);
    int32_t without_guide = 0;
    for (int64_t b = 0; b < blocks; ++b) {
        without_guide += ctx.without_guide[b];
    }
    return without_guide;
}
