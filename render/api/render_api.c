// render_api: <coif/render.h> as an adapter of render/render.h: the renderer, its camera and its
// image.
#include "core/base/jobs.h"
#include "render/api/render_api_internal.h"

#include <string.h>

// The AOVs that need more than one frame or names.
static const coif_aov_kind UNSUPPORTED[] = {COIF_AOV_FORWARD, COIF_AOV_BACKWARD,
                                            COIF_AOV_CRYPTO_OBJECT, COIF_AOV_CRYPTO_CLUMP};

static const coif_renderer_desc DEFAULTS = {
    .width = 960, .height = 960, .background = {0.035f, 0.037f, 0.042f}, .aovs = ""};

void coif_renderer_desc_init(coif_renderer_desc *desc, size_t size)
{
    coif_library_write_desc(desc, size, &DEFAULTS, sizeof DEFAULTS);
}

static coif_status check_desc(const coif_renderer_desc *desc)
{
    if (desc->width < 1 || desc->height < 1 || desc->width > 65536 || desc->height > 65536) {
        return coif_library_invalid("width and height must be 1 to 65536");
    }
    if (desc->threads < 0 || desc->threads > 1024 || desc->seed < 0 || desc->max_depth < 0) {
        return coif_library_invalid("threads, seed and max_depth must not be negative");
    }
    if (!coif_library_all_finite(desc->background, 3) || !(desc->clamp_indirect >= 0.0f) ||
        !(desc->adaptive_threshold >= 0.0f)) {
        return coif_library_invalid(
            "background must be finite, clamp_indirect and adaptive_threshold positive");
    }
    return COIF_OK;
}

// Shadow catchers are known after all meshes, so AOVs are selected twice: here to check the names.
coif_status coif_render_api_select_aovs(coif_renderer *renderer, bool shadow_catcher,
                                        coif_error *error)
{
    static const char *const groups[] = {"other"};
    const coif_aovs_desc desc = {.names = renderer->desc.aovs,
                                 .light_groups = groups,
                                 .light_group_count = 1,
                                 .adaptive = renderer->desc.adaptive_threshold > 0.0f,
                                 .denoise = renderer->desc.denoise != 0,
                                 .has_shadow_catcher = shadow_catcher};
    if (coif_aovs_select(&renderer->aovs, &desc, &renderer->arena, error) != COIF_OK) {
        return error->status = COIF_ERR_ARGUMENT;
    }
    for (size_t i = 0; i < COIF_COUNT_OF(UNSUPPORTED); ++i) {
        if (renderer->aovs.offset[UNSUPPORTED[i]] >= 0) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "motion vectors and Cryptomattes need more than one frame and names");
        }
    }
    return COIF_OK;
}

static coif_status open_renderer(coif_renderer *renderer, coif_error *error)
{
    const coif_renderer_desc *desc = &renderer->desc;
    COIF_TRY(coif_render_api_select_aovs(renderer, false, error));
    COIF_TRY(coif_jobs_open(&renderer->jobs, desc->threads, &renderer->arena, error));
    const coif_render_scene_desc scene = {.jobs = renderer->jobs,
                                          .background = render_api_vec3(desc->background),
                                          .transparent = desc->transparent != 0,
                                          .max_depth = desc->max_depth,
                                          .clamp_indirect = desc->clamp_indirect,
                                          .hair_filtering = true};
    return coif_render_scene_create(&renderer->scene, &scene, &renderer->arena, error);
}

coif_status coif_renderer_create(coif_renderer **renderer, const coif_renderer_desc *desc)
{
    coif_renderer_desc known = DEFAULTS;
    if (!coif_library_read_desc(&known, sizeof known, desc, "coif_renderer_desc")) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(check_desc(&known));
    coif_arena arena;
    coif_arena_init(&arena, "renderer");
    coif_renderer *made = coif_arena_new(&arena, 1, coif_renderer);
    coif_arena_move(&made->arena, &arena);
    made->desc = known;
    made->desc.aovs = coif_arena_copy_text(&made->arena, known.aovs != NULL ? known.aovs : "");
    const coif_status status = open_renderer(made, coif_library_error());
    if (status != COIF_OK) {
        coif_renderer_destroy(made);
        return status;
    }
    *renderer = made;
    return COIF_OK;
}

void coif_renderer_destroy(coif_renderer *renderer)
{
    if (renderer == NULL) {
        return;
    }
    coif_render_session_destroy(renderer->session);
    coif_render_scene_destroy(renderer->scene);
    if (renderer->jobs != NULL) {
        coif_jobs_close(renderer->jobs);
    }
    coif_arena arena;
    coif_arena_move(&arena, &renderer->arena);
    coif_arena_free(&arena);
}

// clang-format off
#define FIELD(name) {#name, offsetof(coif_renderer_camera, name)}
static const param_field CAMERA_FIELDS[] = {
    FIELD(position), FIELD(look_at), FIELD(up), FIELD(fov), FIELD(ortho_height), FIELD(f_stop),
    FIELD(film_height), FIELD(focus_distance), FIELD(aperture_blades), FIELD(aperture_rotation),
};
#undef FIELD
// clang-format on
static const param_desc CAMERA = {&COIF_CAMERA_SECTION, CAMERA_FIELDS,
                                  COIF_COUNT_OF(CAMERA_FIELDS)};

static coif_renderer_camera default_camera(void)
{
    coif_camera_params params;
    coif_renderer_camera camera = {0};
    coif_render_api_write_defaults(&camera, &CAMERA, &params);
    return camera;
}

void coif_renderer_camera_init(coif_renderer_camera *camera, size_t size)
{
    const coif_renderer_camera defaults = default_camera();
    coif_library_write_desc(camera, size, &defaults, sizeof defaults);
}

static coif_status read_camera(coif_camera_params *params, const coif_renderer_camera *camera)
{
    COIF_TRY(coif_render_api_read_params(params, &CAMERA, camera));
    params->projection = camera->ortho_height > 0.0f ? COIF_ORTHOGRAPHIC : COIF_PERSPECTIVE;
    const bool is_defined =
        memcmp(camera->position, camera->look_at, sizeof camera->position) != 0 &&
        coif_length(render_api_vec3(camera->up)) > 0.0f;
    return is_defined ? COIF_OK : coif_library_invalid("the camera has no direction");
}

coif_status coif_renderer_set_camera(coif_renderer *renderer, const coif_renderer_camera *camera)
{
    coif_renderer_camera known = default_camera();
    coif_camera_params params;
    if (renderer == NULL) {
        return coif_library_invalid("renderer is NULL");
    }
    if (!coif_library_read_desc(&known, sizeof known, camera, "coif_renderer_camera")) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(read_camera(&params, &known));
    const coif_bounds nothing = {.low = {0.0f, 0.0f, 0.0f}};
    const coif_camera step =
        coif_camera_of(&params, renderer->desc.width, renderer->desc.height, &nothing);
    coif_render_scene_set_camera(renderer->scene, &step, 1);
    renderer->has_camera = true;
    renderer->samples = 0;
    if (renderer->session != NULL) {
        coif_film_clear(coif_render_session_film(renderer->session));
    }
    return COIF_OK;
}

coif_status coif_renderer_commit(coif_renderer *renderer)
{
    if (renderer == NULL || renderer->session != NULL || !renderer->has_camera) {
        return coif_library_invalid("commit needs a camera, once");
    }
    coif_error *error = coif_library_error();
    COIF_TRY(coif_render_scene_commit(renderer->scene, NULL, error));
    const coif_renderer_desc *desc = &renderer->desc;
    const coif_render_session_desc session = {
        .scene = renderer->scene,
        .width = desc->width,
        .height = desc->height,
        .sampling = {.seed = desc->seed,
                     .adaptive_threshold = desc->adaptive_threshold,
                     .adaptive_min_samples = 16},
        .splat = true,
        .aovs = &renderer->aovs,
        .jobs = renderer->jobs};
    return coif_render_session_create(&renderer->session, &session, &renderer->arena, error);
}

coif_status coif_renderer_render(coif_renderer *renderer, int32_t samples,
                                 coif_renderer_progress progress, void *context)
{
    if (renderer == NULL || renderer->session == NULL || samples < 1 || samples > 1048576) {
        return coif_library_invalid("render needs a committed scene and 1 to 1048576 samples");
    }
    while (renderer->samples < samples) {
        const int32_t next = progress != NULL ? renderer->samples + 1 : samples;
        COIF_TRY(coif_render_session_render(renderer->session, &(coif_render_pass){.samples = next},
                                            coif_library_error()));
        renderer->samples = next;
        if (progress != NULL && progress(context, next, samples) != 0) {
            return coif_fail(coif_library_error(), COIF_ERR_CANCELLED, "rendering was cancelled");
        }
    }
    return COIF_OK;
}

coif_status coif_renderer_denoise(coif_renderer *renderer)
{
    if (renderer == NULL || renderer->session == NULL || renderer->samples < 16) {
        return coif_library_invalid("denoise needs at least 16 samples per pixel");
    }
    return coif_render_session_denoise(renderer->session, coif_library_error());
}

int32_t coif_renderer_channels(const coif_renderer *renderer, const char *aov)
{
    const coif_aov *found =
        renderer != NULL && aov != NULL ? coif_aovs_find(&renderer->aovs, aov) : NULL;
    return found != NULL ? found->channel_count : 0;
}

coif_status coif_renderer_read(const coif_renderer *renderer, const char *aov, float *pixels)
{
    if (renderer == NULL || renderer->session == NULL || aov == NULL || pixels == NULL) {
        return coif_library_invalid("read needs a committed scene, an AOV and pixels");
    }
    return coif_render_session_read(renderer->session, aov, (coif_rect){0}, pixels,
                                    coif_library_error());
}
