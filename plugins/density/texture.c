// density.texture: an image in the uv space of the scalp, single or in UDIM tiles.
//
// Values are data without colour transform: 128 in an 8-bit image is 128/255. Filtering is
// bilinear, except that a texel of exactly 0 is 0 over its whole area: painting black removes all
// hair, also along the edge. Region ids must not be interpolated: use filter "nearest".
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

enum { CHANNEL_RED, CHANNEL_GREEN, CHANNEL_BLUE, CHANNEL_ALPHA, CHANNEL_MEAN };
static const char *const CHANNELS[] = {"red", "green", "blue", "alpha", "mean", NULL};

enum { FILTER_LINEAR, FILTER_NEAREST };
static const char *const FILTERS[] = {"linear", "nearest", NULL};

#define ROW(...)    COIF_PLUGIN_ROW(texture_params, __VA_ARGS__)
#define CHOICE(...) COIF_PLUGIN_CHOICE(texture_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(path, COIF_PARAM_PATH, 0, "Image file; <UDIM> stands for the tile number.", "", 0, 0, 0, 0, 0),
    CHOICE(channel, "Image channel that holds the map; greyscale images have red only.", CHANNELS, 0),
    ROW(invert, COIF_PARAM_BOOL, 0, "Invert the map: black is 1 and white is 0.", "", 0, 0, 0, 0, 0),
    CHOICE(filter, "Texture filter: linear (bilinear) or nearest, for region numbers.", FILTERS, 0),
};
// clang-format on

static coif_status texture_init(const coif_host *host, void *state, const void *params)
{
    const texture_params *texture = params;
    texture_state *opened = state;
    if (texture->path == NULL || texture->path[0] == '\0') {
        host->set_error(host, "path: no image given");
        return COIF_ERR_SCENE;
    }
    opened->image = host->image_open(host, texture->path);
    if (opened->image < 0) {
        return COIF_ERR_IO;
    }
    const int32_t count = host->image_channels(host, opened->image);
    const int grey = count < 3;
    opened->channel = texture->channel;
    if (texture->channel == CHANNEL_ALPHA) {
        opened->channel = grey ? 1 : 3;
    } else if (texture->channel == CHANNEL_MEAN) {
        opened->channel = grey ? 0 : -1;
    }
    if (opened->channel >= count ||
        (grey && (texture->channel == CHANNEL_GREEN || texture->channel == CHANNEL_BLUE))) {
        host->set_error(host, "%s: no channel %s in an image of %d channels", texture->path,
                        CHANNELS[texture->channel], (int)count);
        return COIF_ERR_SCENE;
    }
    return COIF_OK;
}

typedef void sample_fn(const coif_host *host, int32_t image, int32_t channel, int32_t count,
                       const float *u, const float *v, float *value);

// Points per lookup, limited by the stack buffers.
enum { CHUNK = 64 };

typedef struct texture_query {
    const coif_host *host;
    const texture_params *params;
    const texture_state *state;
    const float *u, *v;
    int32_t count;
} texture_query;

// Samples the selected channel, or the mean of RGB, and inverts it if requested.
static void sample(float *value, const texture_query *query, sample_fn *find)
{
    const coif_host *host = query->host;
    const int32_t image = query->state->image;
    if (query->state->channel >= 0) {
        find(host, image, query->state->channel, query->count, query->u, query->v, value);
    } else {
        float channels[3][CHUNK];
        for (int32_t c = 0; c < 3; ++c) {
            find(host, image, c, query->count, query->u, query->v, channels[c]);
        }
        for (int32_t i = 0; i < query->count; ++i) {
            value[i] = (channels[0][i] + channels[1][i] + channels[2][i]) / 3.0f;
        }
    }
    for (int32_t i = 0; query->params->invert && i < query->count; ++i) {
        value[i] = 1.0f - value[i];
    }
}

static void texture_map(const coif_host *host, const void *state, const void *params,
                        const coif_map_batch *batch)
{
    for (int32_t begin = 0; begin < batch->count; begin += CHUNK) {
        const int32_t left = batch->count - begin;
        const texture_query query = {
            host, params, state, batch->u + begin, batch->v + begin, left < CHUNK ? left : CHUNK};
        if (((const texture_params *)params)->filter == FILTER_NEAREST) {
            sample(batch->value + begin, &query, host->image_texel);
            continue;
        }
        float texels[CHUNK];
        sample(batch->value + begin, &query, host->image_sample);
        sample(texels, &query, host->image_texel);
        for (int32_t i = 0; i < query.count; ++i) {
            if (texels[i] == 0.0f) {
                batch->value[begin + i] = 0.0f;
            }
        }
    }
}

static const coif_plugin TEXTURE = {
    COIF_PLUGIN_HEAD(COIF_KIND_MAP, "density.texture", "1.0.0",
                     "Painted image over the UVs of the scalp.", PARAMS, texture_params),
    .state_size = sizeof(texture_state),
    .init = texture_init,
    .map = texture_map,
};

COIF_PLUGIN_ENTRY(TEXTURE)
