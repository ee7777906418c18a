// density.texture: a painted image over the scalp's uv, single or in UDIM tiles.
//
// Values are taken as they are stored, without a colour curve: a map is data, and grey 128 of an
// 8-bit image means 128/255. Between texels they are blended, but a texel of exactly 0 is 0 up to
// its edge: where black was painted nothing grows, not even along the border. Numbers of regions
// must not be blended: filter "nearest" gives the texel that a place lies in.
#include <coif/plugin.h>

typedef struct texture_params {
    const char *path;
    int32_t channel;
    int32_t invert;
    int32_t filter;
} texture_params;

typedef struct texture_state {
    int32_t image;
    int32_t channel; // of the image; -1 for the mean of red, green and blue
} texture_state;

enum { RED, GREEN, BLUE, ALPHA, MEAN };
static const char *const CHANNELS[] = {"red", "green", "blue", "alpha", "mean", NULL};

enum { LINEAR, NEAREST };
static const char *const FILTERS[] = {"linear", "nearest", NULL};

// clang-format off
static const coif_param PARAMS[] = {
    {.name = "path", .help = "Image file; <UDIM> stands for the tile number.", .unit = "",
     .type = COIF_PARAM_PATH, .offset = offsetof(texture_params, path)},
    {.name = "channel", .help = "Image channel that holds the map; greyscale images have red only.",
     .unit = "", .type = COIF_PARAM_CHOICE, .offset = offsetof(texture_params, channel),
     .choices = CHANNELS},
    {.name = "invert", .help = "Invert the map: black is 1 and white is 0.", .unit = "",
     .type = COIF_PARAM_BOOL, .offset = offsetof(texture_params, invert)},
    {.name = "filter", .help = "Texture filter: linear (bilinear) or nearest, for region numbers.",
     .unit = "", .type = COIF_PARAM_CHOICE, .offset = offsetof(texture_params, filter), .choices = FILTERS},
};
// clang-format on

static coif_status texture_init(const coif_host *host, void *state, const void *params)
{
    const texture_params *texture = params;
    texture_state *kept = state;
    if (texture->path == NULL || texture->path[0] == '\0') {
        host->set_error(host, "path: no image is named");
        return COIF_ERR_SCENE;
    }
    kept->image = host->image_open(host, texture->path);
    if (kept->image < 0) {
        return COIF_ERR_IO;
    }
    const int32_t count = host->image_channels(host, kept->image);
    const int grey = count < 3;
    kept->channel = texture->channel;
    if (texture->channel == ALPHA) {
        kept->channel = grey ? 1 : 3;
    } else if (texture->channel == MEAN) {
        kept->channel = grey ? 0 : -1;
    }
    if (kept->channel >= count ||
        (grey && (texture->channel == GREEN || texture->channel == BLUE))) {
        host->set_error(host, "%s: no channel %s, the image has %d", texture->path,
                        CHANNELS[texture->channel], (int)count);
        return COIF_ERR_SCENE;
    }
    return COIF_OK;
}

typedef void lookup(const coif_host *host, int32_t image, int32_t channel, int32_t count,
                    const float *u, const float *v, float *value);

// A run of points that fits the stack.
enum { RUN = 64 };

typedef struct reading {
    const coif_host *host;
    const texture_params *params;
    const texture_state *state;
    const float *u, *v;
    int32_t count;
} reading;

static void look_up(float *value, const reading *all, lookup *find)
{
    const coif_host *host = all->host;
    const int32_t image = all->state->image;
    if (all->state->channel >= 0) {
        find(host, image, all->state->channel, all->count, all->u, all->v, value);
    } else {
        float parts[3][RUN];
        for (int32_t c = 0; c < 3; ++c) {
            find(host, image, c, all->count, all->u, all->v, parts[c]);
        }
        for (int32_t i = 0; i < all->count; ++i) {
            value[i] = (parts[0][i] + parts[1][i] + parts[2][i]) / 3.0f;
        }
    }
    for (int32_t i = 0; all->params->invert && i < all->count; ++i) {
        value[i] = 1.0f - value[i];
    }
}

static void texture_map(const coif_host *host, const void *state, const void *params,
                        const coif_map_batch *batch)
{
    for (int32_t begin = 0; begin < batch->count; begin += RUN) {
        const int32_t left = batch->count - begin;
        const reading all = {
            host, params, state, batch->u + begin, batch->v + begin, left < RUN ? left : RUN};
        if (((const texture_params *)params)->filter == NEAREST) {
            look_up(batch->value + begin, &all, host->image_texel);
            continue;
        }
        float texels[RUN];
        look_up(batch->value + begin, &all, host->image_sample);
        look_up(texels, &all, host->image_texel);
        for (int32_t i = 0; i < all.count; ++i) {
            if (texels[i] == 0.0f) {
                batch->value[begin + i] = 0.0f;
            }
        }
    }
}

static const coif_plugin TEXTURE = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_MAP,
    .id = "density.texture",
    .version = "1.0.0",
    .help = "Painted image over the UVs of the scalp.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(texture_params),
    .state_size = sizeof(texture_state),
    .init = texture_init,
    .map = texture_map,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&TEXTURE};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
