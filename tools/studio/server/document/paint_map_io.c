#include "tools/studio/server/document/paint_map_io.h"

#include "core/base/error.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool coif_path_escapes(const char *path)
{
    if (path[0] == '/' || path[0] == '\0') {
        return true;
    }
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        const size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            return true;
        }
    }
    return false;
}

bool coif_path_leads_out(const char *folder, const char *path)
{
    COIF_SCOPED_ARENA(scratch, "path");
    const char *inside = coif_path_real(folder, &scratch);
    // The file itself is replaced, so that only its folders are followed; those that are missing
    // are created.
    const char *parent = coif_path_folder(path, &scratch);
    while (!coif_path_exists(parent) && strcmp(parent, "/") != 0 && strcmp(parent, ".") != 0) {
        parent = coif_path_folder(parent, &scratch);
    }
    const char *real = coif_path_real(parent, &scratch);
    const size_t length = strcmp(inside, "/") == 0 ? 0 : strlen(inside);
    return strncmp(real, inside, length) != 0 || (real[length] != '/' && real[length] != '\0');
}

static void cut_tile(coif_paint_map *map, coif_image_tile *tile, const coif_image *from,
                     int32_t number)
{
    const int32_t columns = (from->width + COIF_PAINT_TILE_SIZE - 1) / COIF_PAINT_TILE_SIZE;
    const int32_t left = number % columns * COIF_PAINT_TILE_SIZE,
                  top = number / columns * COIF_PAINT_TILE_SIZE;
    const int32_t channels = from->channel_count;
    const coif_arena_mark mark = coif_arena_mark_here(&map->arena);
    tile->texels = coif_arena_new(&map->arena, COIF_TILE_TEXELS * channels, float);
    bool uniform = true;
    tile->value = from->pixels[((int64_t)top * from->width + left) * channels];
    for (int32_t i = 0; i < COIF_TILE_TEXELS; ++i) {
        const int32_t x = left + i % COIF_PAINT_TILE_SIZE, y = top + i / COIF_PAINT_TILE_SIZE;
        for (int32_t c = 0; x < from->width && y < from->height && c < channels; ++c) {
            const float value = from->pixels[((int64_t)y * from->width + x) * channels + c];
            tile->texels[i * channels + c] = value;
            uniform = uniform && value == tile->value;
        }
    }
    if (uniform) {
        coif_arena_rewind(&map->arena, mark);
        tile->texels = NULL;
    }
}

static coif_status check_size(const coif_paint_map *map, const char *path, const coif_image *image,
                              coif_error *error)
{
    if (image->width > COIF_PAINT_MAP_MAX_SIZE || image->height > COIF_PAINT_MAP_MAX_SIZE) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: %d x %d texels; maps of at most %d can be painted", path,
                         image->width, image->height, COIF_PAINT_MAP_MAX_SIZE);
    }
    if (map->width > 0 && (image->width != map->width || image->height != map->height ||
                           image->channel_count != map->channel_count)) {
        return coif_fail(
            error, COIF_ERR_ARGUMENT,
            "%s: %d x %d texels with %d channels, the other UDIM tiles have %d x %d with "
            "%d; only tiles of one size can be painted",
            path, image->width, image->height, image->channel_count, map->width, map->height,
            map->channel_count);
    }
    return COIF_OK;
}

static coif_status load_udim(coif_paint_map *map, coif_udim_tile *udim, coif_arena *scratch,
                             coif_error *error)
{
    coif_image image;
    COIF_TRY(coif_image_load_full(&image, udim->path, scratch, error));
    COIF_TRY(check_size(map, udim->path, &image, error));
    map->width = image.width;
    map->height = image.height;
    map->channel_count = image.channel_count;
    map->is_float = map->is_float || image.integer_bits == 0;
    coif_udim_tile_clear(map, udim, 0.0f);
    udim->image.integer_bits = image.integer_bits;
    udim->exists = true;
    const int32_t columns = (image.width + COIF_PAINT_TILE_SIZE - 1) / COIF_PAINT_TILE_SIZE;
    const int32_t rows = (image.height + COIF_PAINT_TILE_SIZE - 1) / COIF_PAINT_TILE_SIZE;
    for (int32_t i = 0; i < columns * rows; ++i) {
        cut_tile(map, &udim->image.tiles[i], &image, i);
    }
    return COIF_OK;
}

static bool is_listed(int32_t number, const int32_t *numbers, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (numbers[i] == number) {
            return true;
        }
    }
    return false;
}

static void find_udims(coif_paint_map *map, const int32_t *numbers, int32_t number_count)
{
    map->udims = coif_arena_new(&map->arena, COIF_MAX_UDIMS, coif_udim_tile);
    const bool tiled = coif_path_is_udim(map->path);
    const int32_t first = tiled ? COIF_UDIM_FIRST : 0, last = tiled ? COIF_UDIM_LAST : 0;
    for (int32_t n = first; n <= last && map->udim_count < COIF_MAX_UDIMS; ++n) {
        const char *path = coif_udim_tile_path(map->path, n, &map->arena);
        const bool exists = coif_path_exists(path);
        if (exists || !tiled || is_listed(n, numbers, number_count)) {
            map->udims[map->udim_count++] =
                (coif_udim_tile){.number = n, .path = path, .exists = exists};
        }
    }
}

static coif_status load_udims(coif_paint_map *map, coif_arena *scratch, coif_error *error)
{
    for (int32_t i = 0; i < map->udim_count; ++i) {
        coif_udim_tile *udim = &map->udims[i];
        if (udim->exists || udim->number == 0) {
            const coif_arena_mark mark = coif_arena_mark_here(scratch);
            COIF_TRY(load_udim(map, udim, scratch, error));
            coif_arena_rewind(scratch, mark);
        }
    }
    if (map->width == 0) {
        return coif_fail(error, COIF_ERR_IO, "%s: no UDIM tile from %d to %d exists", map->path,
                         COIF_UDIM_FIRST, COIF_UDIM_LAST);
    }
    for (int32_t i = 0; i < map->udim_count; ++i) {
        if (map->udims[i].image.tiles == NULL) {
            coif_udim_tile_clear(map, &map->udims[i], 0.0f);
        }
    }
    return COIF_OK;
}

coif_status coif_paint_map_load(coif_paint_map *map, const char *path, const int32_t *numbers,
                                int32_t number_count, coif_error *error)
{
    *map = (coif_paint_map){.high = 1.0f};
    coif_arena_init(&map->arena, "paint map");
    map->path = coif_arena_copy_text(&map->arena, path);
    find_udims(map, numbers, number_count);
    COIF_SCOPED_ARENA(scratch, "paint map files");
    const coif_status status = load_udims(map, &scratch, error);
    if (status != COIF_OK) {
        coif_arena_free(&map->arena);
        return status;
    }
    coif_paint_map_measure_range(map);
    coif_paint_map_init_layout(map);
    coif_paint_map_stamp_files(map);
    return COIF_OK;
}

coif_file_stamp coif_file_stamp_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        return (coif_file_stamp){0};
    }
    return (coif_file_stamp){.inode = (uint64_t)status.st_ino,
                             .size = (uint64_t)status.st_size,
                             .seconds = (int64_t)status.st_mtim.tv_sec,
                             .nanoseconds = (int64_t)status.st_mtim.tv_nsec};
}

void coif_paint_map_stamp_files(coif_paint_map *map)
{
    for (int32_t i = 0; i < map->udim_count; ++i) {
        map->udims[i].stamp = coif_file_stamp_of(map->udims[i].path);
    }
}

const char *coif_paint_map_modified_file(const coif_paint_map *map)
{
    for (int32_t i = 0; i < map->udim_count; ++i) {
        const coif_udim_tile *udim = &map->udims[i];
        const coif_file_stamp now = coif_file_stamp_of(udim->path);
        // A deleted file is written again.
        if (udim->dirty && now.inode != 0 && memcmp(&now, &udim->stamp, sizeof now) != 0) {
            return udim->path;
        }
    }
    return NULL;
}

// Pixels to write, with channel types that the format of the extension can hold.
typedef struct file_pixels {
    const float *pixels;
    int32_t channels, width, height;
    coif_image_type types[64];
} file_pixels;

static coif_image_desc describe(file_pixels *all, const coif_paint_map *map, const char *path)
{
    const bool tiff = coif_path_has_extension(path, "tif") || coif_path_has_extension(path, "tiff");
    const coif_image_type type = coif_path_has_extension(path, "exr") || (tiff && map->is_float)
                                     ? COIF_IMAGE_FLOAT
                                     : COIF_IMAGE_UINT16;
    for (int i = 0; i < 64; ++i) {
        all->types[i] = type;
    }
    return (coif_image_desc){.width = all->width,
                             .height = all->height,
                             .channel_count = all->channels,
                             .channel_types = all->channels <= 64 ? all->types : NULL,
                             .pixels = all->pixels};
}

// Texels in scanline order: `channels` channels from `first` on.
static float *flatten(const coif_image *image, int32_t first, int32_t channels, coif_arena *arena)
{
    const int32_t columns = (image->width + COIF_PAINT_TILE_SIZE - 1) / COIF_PAINT_TILE_SIZE;
    float *pixels = coif_arena_new(arena, (int64_t)image->width * image->height * channels, float);
    for (int32_t y = 0; y < image->height; ++y) {
        for (int32_t x = 0; x < image->width; ++x) {
            const coif_image_tile *tile =
                &image->tiles[y / COIF_PAINT_TILE_SIZE * columns + x / COIF_PAINT_TILE_SIZE];
            const int32_t inside =
                y % COIF_PAINT_TILE_SIZE * COIF_PAINT_TILE_SIZE + x % COIF_PAINT_TILE_SIZE;
            float *pixel = pixels + ((int64_t)y * image->width + x) * channels;
            for (int32_t c = 0; c < channels; ++c) {
                pixel[c] = tile->texels != NULL
                               ? tile->texels[inside * image->channel_count + first + c]
                               : tile->value;
            }
        }
    }
    return pixels;
}

static coif_status save_udim(const coif_paint_map *map, const coif_udim_tile *udim,
                             coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "saving");
    const int32_t channels = map->channel_count;
    file_pixels all = {
        flatten(&udim->image, 0, channels, &scratch), channels, map->width, map->height, {0}};
    const coif_image_desc desc = describe(&all, map, udim->path);
    return coif_image_save(udim->path, &desc, error);
}

coif_status coif_paint_map_encode(char **data, size_t *size, const coif_paint_map *map,
                                  const coif_udim_tile *udim, const char *name, coif_arena *arena,
                                  coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "export");
    file_pixels one = {
        flatten(&udim->image, map->channel, 1, &scratch), 1, map->width, map->height, {0}};
    const coif_image_desc desc = describe(&one, map, name);
    return coif_image_encode(data, size, name, &desc, arena, error);
}

coif_status coif_paint_map_write_placeholder(const coif_paint_map *map, uint16_t value,
                                             coif_error *error)
{
    float pixels[COIF_PAINT_MAP_MIN_SIZE * COIF_PAINT_MAP_MIN_SIZE];
    for (size_t i = 0; i < COIF_COUNT_OF(pixels); ++i) {
        pixels[i] = coif_paint_map_value(map, value);
    }
    for (int32_t i = 0; i < map->udim_count; ++i) {
        file_pixels small = {pixels, 1, COIF_PAINT_MAP_MIN_SIZE, COIF_PAINT_MAP_MIN_SIZE, {0}};
        const coif_image_desc desc = describe(&small, map, map->udims[i].path);
        COIF_TRY(coif_image_save(map->udims[i].path, &desc, error));
    }
    return COIF_OK;
}

bool coif_paint_map_is_placeholder(const coif_paint_map *map)
{
    COIF_SCOPED_ARENA(scratch, "placeholder");
    coif_image image;
    coif_error ignored = {0};
    return coif_image_read_header(&image, map->udims[0].path, 0, &scratch, &ignored) == COIF_OK &&
           image.width == COIF_PAINT_MAP_MIN_SIZE && map->width > COIF_PAINT_MAP_MIN_SIZE;
}

void coif_paint_map_remove(const coif_paint_map *map)
{
    COIF_SCOPED_ARENA(scratch, "remove");
    for (int32_t i = 0; i < map->udim_count; ++i) {
        const coif_file_stamp now = coif_file_stamp_of(map->udims[i].path);
        if (memcmp(&now, &map->udims[i].stamp, sizeof now) == 0) {
            unlink(map->udims[i].path);
        }
    }
    rmdir(coif_path_folder(map->path, &scratch));
}

const char *coif_previous_path(const char *path, coif_arena *arena)
{
    const char *name = coif_path_name(path);
    const char *dot = strrchr(name, '.');
    const int stem = (int)((dot != NULL ? dot : name + strlen(name)) - path);
    return coif_arena_print(arena, "%.*s.previous%s", stem, path, dot != NULL ? dot : "");
}

coif_status coif_keep_previous(const char *path, coif_error *error)
{
    if (!coif_path_exists(path)) {
        return COIF_OK;
    }
    COIF_SCOPED_ARENA(scratch, "saving");
    char *data;
    size_t size;
    COIF_TRY(coif_file_load(&data, &size, path, &scratch, error));
    return coif_file_save(coif_previous_path(path, &scratch), data, size, error);
}

coif_status coif_paint_map_save(const coif_paint_map *map, coif_error *error)
{
    if (map->outside_folder) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: is outside the folder of the scene and is not written; duplicate the "
                         "layer and paint the copy",
                         map->path);
    }
    for (int32_t i = 0; i < map->udim_count; ++i) {
        const coif_udim_tile *udim = &map->udims[i];
        if (udim->dirty) {
            COIF_SCOPED_ARENA(scratch, "saving");
            COIF_TRY(coif_path_make_directory(coif_path_folder(udim->path, &scratch), error));
            COIF_TRY(coif_keep_previous(udim->path, error));
            COIF_TRY(save_udim(map, udim, error));
        }
    }
    return COIF_OK;
}
