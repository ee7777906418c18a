// Hints about the camera: what is in view of it over the frames of the scene.
#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "render/camera/camera.h"
#include "sim/run/simulate.h"
#include "tools/cli/lint_hints.h"

// Frames of the scene at which the view is checked: a camera may turn away for a while.
enum { SAMPLE_FRAMES = 5 };

float coif_lint_hair_reach(const coif_body *body, const coif_strands *strands)
{
    coif_vec3 low, high;
    coif_mesh_bounds(&body->rest, &low, &high);
    const coif_strands_stats stats = coif_strands_measure(strands);
    const coif_vec3 below = coif_sub(low, stats.low), above = coif_sub(stats.high, high);
    const float reach =
        fmaxf(fmaxf(fmaxf(below.x, below.y), below.z), fmaxf(fmaxf(above.x, above.y), above.z));
    return fmaxf(reach, 0.0f);
}

// Signed distances of a point, up to a factor each, from the five planes of the view: negative is
// outside. An orthographic camera has parallel sides.
static void plane_distances(float distances[5], const coif_camera *camera, coif_vec3 point)
{
    const coif_vec3 offset = coif_sub(point, camera->origin);
    const float z = coif_dot(offset, camera->forward);
    const float scale = camera->projection == COIF_ORTHOGRAPHIC ? 1.0f : z;
    const float x = coif_dot(offset, camera->right) - camera->shift_x * scale;
    const float y = coif_dot(offset, camera->up) - camera->shift_y * scale;
    distances[0] = z;
    distances[1] = camera->half_width * scale - x;
    distances[2] = camera->half_width * scale + x;
    distances[3] = camera->half_height * scale - y;
    distances[4] = camera->half_height * scale + y;
}

// A box is out of view where all of its corners are outside of one plane; conservative at edges.
static bool is_in_view(const coif_camera *camera, coif_vec3 low, coif_vec3 high)
{
    bool inside[5] = {false};
    for (int corner = 0; corner < 8; ++corner) {
        float distances[5];
        plane_distances(distances, camera,
                        coif_vec3_of(corner & 1 ? high.x : low.x, corner & 2 ? high.y : low.y,
                                     corner & 4 ? high.z : low.z));
        for (int i = 0; i < 5; ++i) {
            inside[i] = inside[i] || distances[i] > 0.0f;
        }
    }
    return inside[0] && inside[1] && inside[2] && inside[3] && inside[4];
}

typedef struct view {
    bool body, hair;   // any in view
    bool has_hair;     // any groom has strands
    bool all_behind;   // everything is behind the camera
    coif_vec3 nearest; // centre of a body, for the message
} view;

// Returns false when a body cannot be posed, which is reported elsewhere.
static bool add_body(view *found, const coif_camera *camera, const coif_body *body, double frame,
                     float hair_reach)
{
    COIF_SCOPED_ARENA(scratch, "lint pose");
    coif_mesh mesh;
    coif_error ignored = {0};
    const bool posed = body->rest.vertex_count > 0 &&
                       coif_body_pose(&mesh, body, frame, &scratch, &ignored) == COIF_OK;
    if (posed) {
        const float reach = hair_reach > 0.0f ? hair_reach : 0.0f;
        const coif_vec3 margin = coif_vec3_of(reach, reach, reach);
        coif_vec3 low, high;
        coif_mesh_bounds(&mesh, &low, &high);
        found->nearest = coif_scale(coif_add(low, high), 0.5f);
        low = coif_sub(low, margin);
        high = coif_add(high, margin);
        const bool visible = is_in_view(camera, low, high);
        found->body = found->body || (visible && body->params.visible);
        found->hair = found->hair || (visible && hair_reach >= 0.0f);
        found->has_hair = found->has_hair || hair_reach >= 0.0f;
        const coif_vec3 half = coif_scale(coif_sub(high, low), 0.5f);
        found->all_behind = found->all_behind && coif_dot(coif_sub(found->nearest, camera->origin),
                                                          camera->forward) < -coif_length(half);
    }
    return posed || body->rest.vertex_count == 0;
}

static coif_bounds rest_bounds(const coif_body *bodies, int32_t count)
{
    coif_bounds all = coif_bounds_empty();
    for (int32_t i = 0; i < count; ++i) {
        coif_vec3 low, high;
        coif_mesh_bounds(&bodies[i].rest, &low, &high);
        all.low = coif_min3(all.low, low);
        all.high = coif_max3(all.high, high);
    }
    return all;
}

static bool is_given(const coif_node *node, const char *name)
{
    return coif_values_find(&node->values, name)->given;
}

static int32_t integer_of(const coif_node *node, const char *name)
{
    return (int32_t)coif_values_find(&node->values, name)->numbers[0];
}

void coif_lint_camera_hints(const coif_scene *scene, const coif_body *bodies, int32_t body_count,
                            const float *hair_reach)
{
    const coif_node *node = coif_node_at(scene->root, "camera");
    const coif_node *image = coif_node_at(scene->root, "image");
    // Without both keys the camera frames the bodies. Instances may be anywhere.
    if (!is_given(node, "position") || !is_given(node, "look_at") || body_count == 0 ||
        coif_node_at(scene->root, "instances")->child_count > 0) {
        return;
    }
    const coif_bounds bounds = rest_bounds(bodies, body_count);
    const coif_timeline timeline = coif_timeline_of(scene);
    view found = {.all_behind = true};
    for (int32_t i = 0; i < SAMPLE_FRAMES; ++i) {
        const double frame = timeline.first + (double)(timeline.last - timeline.first) * i /
                                                  (double)(SAMPLE_FRAMES - 1);
        const coif_camera camera = coif_camera_at(node, frame, integer_of(image, "width"),
                                                  integer_of(image, "height"), &bounds);
        for (int32_t b = 0; b < body_count; ++b) {
            if (!add_body(&found, &camera, &bodies[b], frame, hair_reach[b])) {
                return;
            }
        }
    }
    const coif_vec3 at = found.nearest;
    if (found.all_behind) {
        coif_log(COIF_LOG_WARNING, "%s: /camera: all bodies are behind the camera", scene->path);
    } else if (!found.body && !found.hair) {
        coif_log(COIF_LOG_WARNING,
                 "%s: /camera: no body and no hair is in view; one body is around %.3g %.3g %.3g",
                 scene->path, (double)at.x, (double)at.y, (double)at.z);
    } else if (found.has_hair && !found.hair) {
        coif_log(COIF_LOG_WARNING, "%s: /camera: no hair is in view", scene->path);
    }
}
