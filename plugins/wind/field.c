// wind.field: velocities on a regular grid over time, read from a file, as exported by a fluid
// solver. Trilinear in space, linear in time.
//
// The file has a text header, an empty line, and binary data:
//
//   coif-wind 1
//   size 32 16 32          grid points along x, y, z
//   low -1 0 -1            positions of the first and the last grid point, m
//   high 1 1 1
//   frames 48
//   fps 24
//
//   float32 little-endian, x y z of each velocity in m/s; x runs fastest, then y, z, frames
#include <coif/deterministic_math.h>
#include <coif/plugin.h>

#include <stdio.h>

typedef struct field_params {
    const char *path;
    float strength;
    float time_offset;
    int32_t loop;
    int32_t outside;
} field_params;

enum { OUTSIDE_STILL, OUTSIDE_EDGE };
static const char *const OUTSIDES[] = {"still", "edge", NULL};

typedef struct field_state {
    int32_t size[3], frames;
    float low[3], high[3], fps;
    const float *velocities;
} field_state;

#define ROW(...)    COIF_PLUGIN_ROW(field_params, __VA_ARGS__)
#define CHOICE(...) COIF_PLUGIN_CHOICE(field_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(path, COIF_PARAM_PATH, 0, "File with the velocity grid.", "", 0, 0, 0, 0, 0),
    ROW(strength, COIF_PARAM_FLOAT, 0, "Factor on all velocities.", "", 1, 0, 0, -100, 100),
    ROW(time_offset, COIF_PARAM_FLOAT, 0, "Simulation time at which the recording begins.", "s", 0, 0, 0, -100000, 100000),
    ROW(loop, COIF_PARAM_BOOL, 0, "Repeat the recording after its last frame; otherwise the last frame is held.", "", 0, 0, 0, 0, 0),
    CHOICE(outside, "Air outside the grid: still, or as at its boundary.", OUTSIDES, 0),
};
// clang-format on

static const int64_t NUMBER_COUNT_MAX = (int64_t)1 << 28; // a gigabyte

// Parses a header line of a key and `count` numbers; sscanf would depend on the locale.
static int read_floats(const coif_host *host, const char *line, const char *key, int count,
                       float *numbers)
{
    const size_t length = strlen(key);
    if (strncmp(line, key, length) != 0) {
        return 0;
    }
    line += length;
    for (int i = 0; i < count; ++i) {
        if (!host->parse_float(host, &line, &numbers[i])) {
            return 0;
        }
    }
    return 1;
}

// Parses the header including its empty line. Returns NULL or an error message.
static const char *read_header(const coif_host *host, FILE *file, field_state *field)
{
    char line[256];
    int version = 0, done = 0;
    if (fgets(line, sizeof line, file) == NULL || sscanf(line, "coif-wind %d", &version) != 1) {
        return "not a wind field: expected \"coif-wind 1\" in the first line";
    }
    if (version != 1) {
        return "unsupported version of the wind field format, expected 1";
    }
    while (!done) {
        if (fgets(line, sizeof line, file) == NULL) {
            return "the header has no empty line at its end";
        }
        int32_t *n = field->size;

        done = line[0] == '\n' || (line[0] == '\r' && line[1] == '\n');
        if (!done && sscanf(line, "size %d %d %d", &n[0], &n[1], &n[2]) != 3 &&
            !read_floats(host, line, "low ", 3, field->low) &&
            !read_floats(host, line, "high ", 3, field->high) &&
            sscanf(line, "frames %d", &field->frames) != 1 &&
            !read_floats(host, line, "fps ", 1, &field->fps)) {
            return "invalid header line, expected size, low, high, frames or fps";
        }
    }
    for (int a = 0; a < 3; ++a) {
        if (field->size[a] < 1 || field->size[a] > 4096) {
            return "size: expected three integers from 1 to 4096";
        }
    }
    for (int a = 0; a < 3; ++a) {
        // The comparison is false for NaN.
        if (!(field->low[a] >= -1e6f && field->high[a] <= 1e6f && field->low[a] < field->high[a])) {
            return "low and high: low must be below high on each axis";
        }
    }
    if (field->frames < 1 || field->frames > 1000000) {
        return "frames: expected 1 to 1000000";
    }
    return field->fps > 0.0f && field->fps <= 1e6f ? NULL : "fps: expected a positive number";
}

static float float_of(const unsigned char bytes[4])
{
    const uint32_t word = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                          (uint32_t)bytes[3] << 24;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

// Reads the velocities; the file must end after the last. Returns NULL or an error message.
static const char *read_numbers(FILE *file, float *numbers, int64_t count)
{
    unsigned char bytes[4];
    for (int64_t i = 0; i < count; ++i) {
        if (fread(bytes, 1, 4, file) != 4) {
            return "truncated velocity data";
        }
        numbers[i] = float_of(bytes);
        if (!(numbers[i] > -1e4f && numbers[i] < 1e4f)) {
            return "a velocity is not finite or not below 10000 m/s";
        }
    }
    return fgetc(file) == EOF ? NULL : "extra data after the last velocity";
}

static const char *read_field(const coif_host *host, FILE *file, field_state *field)
{
    // A file without a length, below /proc for example, may block.
    if (fseek(file, 0, SEEK_END) != 0 || ftell(file) <= 0 || fseek(file, 0, SEEK_SET) != 0) {
        return "not a wind field: the file is empty";
    }
    const char *message = read_header(host, file, field);
    if (message != NULL) {
        return message;
    }
    const int64_t cells = (int64_t)field->size[0] * field->size[1] * field->size[2];
    if (cells > NUMBER_COUNT_MAX / 3 / field->frames) {
        return "larger than a gigabyte";
    }
    // Check the length of the file before allocating what the header declares.
    const int64_t count = 3 * cells * field->frames;
    const long begin = ftell(file);
    if (begin < 0 || fseek(file, 0, SEEK_END) != 0 || ftell(file) - begin != 4 * count ||
        fseek(file, begin, SEEK_SET) != 0) {
        return "file length does not match size and frames: expected 12 bytes per velocity";
    }
    float *numbers = host->alloc(host, sizeof(float) * (size_t)count);
    field->velocities = numbers;
    return read_numbers(file, numbers, count);
}

static coif_status field_init(const coif_host *host, void *state, const void *params)
{
    const field_params *given = params;
    if (given->path == NULL || given->path[0] == '\0') {
        host->set_error(host, "path: no file given");
        return COIF_ERR_SCENE;
    }
    FILE *file = fopen(given->path, "rb");
    if (file == NULL) {
        host->set_error(host, "%s: cannot open file", given->path);
        return COIF_ERR_IO;
    }
    const char *message = read_field(host, file, state);
    fclose(file);
    if (message != NULL) {
        host->set_error(host, "%s: %s", given->path, message);
        return COIF_ERR_FORMAT;
    }
    return COIF_OK;
}

// Linear interpolation between two grid points of one axis.
typedef struct grid_lerp {
    int64_t first, second;
    float t; // weight of the second
} grid_lerp;

static grid_lerp grid_lerp_at(float position, int32_t count)
{
    const float most = (float)(count - 1);
    const float at = coif_kit_clamp(position, 0.0f, most);
    const int32_t below = (int32_t)at < count - 1 ? (int32_t)at : (count > 1 ? count - 2 : 0);
    const grid_lerp b = {below, count > 1 ? below + 1 : below, at - (float)below};
    return b;
}

static grid_lerp frame_at(const field_state *field, const field_params *given, double time)
{
    double frame = (time - given->time_offset) * field->fps;
    if (!given->loop) {
        return grid_lerp_at((float)(frame < 0.0 ? 0.0 : frame > 2e6 ? 2e6 : frame), field->frames);
    }
    frame -= floor(frame / field->frames) * field->frames;
    const int32_t below = (int32_t)frame < field->frames ? (int32_t)frame : 0;
    const grid_lerp b = {below, (below + 1) % field->frames, (float)(frame - below)};
    return b;
}

static float velocity_at(const field_state *field, const grid_lerp at[3], int64_t frame, int axis)
{
    const int64_t nx = field->size[0], ny = field->size[1], nz = field->size[2];
    float line[4];
    for (int i = 0; i < 4; ++i) {
        const int64_t y = (i & 1) ? at[1].second : at[1].first;
        const int64_t z = (i & 2) ? at[2].second : at[2].first;
        const float *row = field->velocities + 3 * (((frame * nz + z) * ny + y) * nx) + axis;
        line[i] = coif_kit_mix(row[3 * at[0].first], row[3 * at[0].second], at[0].t);
    }
    return coif_kit_mix(coif_kit_mix(line[0], line[1], at[1].t),
                        coif_kit_mix(line[2], line[3], at[1].t), at[2].t);
}

static void field_force(const coif_host *host, const void *state, const void *params,
                        const coif_force_batch *batch)
{
    (void)host;
    const field_state *field = state;
    const field_params *given = params;
    const grid_lerp frame = frame_at(field, given, batch->time);
    float *const winds[3] = {batch->wind_x, batch->wind_y, batch->wind_z};
    for (int32_t i = 0; i < batch->count; ++i) {
        const float position[3] = {batch->x[i], batch->y[i], batch->z[i]};
        grid_lerp at[3];
        int inside = 1;
        for (int a = 0; a < 3; ++a) {
            const float fraction = (position[a] - field->low[a]) / (field->high[a] - field->low[a]);
            inside = inside && fraction >= 0.0f && fraction <= 1.0f;
            at[a] = grid_lerp_at(fraction * (float)(field->size[a] - 1), field->size[a]);
        }
        if (!inside && given->outside == OUTSIDE_STILL) {
            continue;
        }
        for (int a = 0; a < 3; ++a) {
            winds[a][i] +=
                given->strength * coif_kit_mix(velocity_at(field, at, frame.first, a),
                                               velocity_at(field, at, frame.second, a), frame.t);
        }
    }
}

static const coif_plugin FIELD = {
    COIF_PLUGIN_HEAD(COIF_KIND_FORCE, "wind.field", "1.0.0",
                     "Recorded velocity grid over time, read from a file.", PARAMS, field_params),
    .state_size = sizeof(field_state),
    .init = field_init,
    .force = field_force,
};

COIF_PLUGIN_ENTRY(FIELD)
