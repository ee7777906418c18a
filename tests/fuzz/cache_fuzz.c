// Fuzz target: files of a cache and films: frames, states of solvers, checkpoints of renders and
// tiles, with corrected digests. A reader gives an error or values within what it promises.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/hair/frame_cache.h"
#include "render/output/film_checkpoint.h"
#include "sim/run/solver_checkpoint.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/sealed_pack.h"

enum { STRANDS = 4, POINTS = 12, CONSTRAINTS = 2, METHOD_ROWS = 3, SETTINGS = 11, SIDE = 6 };

static void demand(bool promise)
{
    if (!promise) {
        abort();
    }
}

static const coif_groom *the_groom(void)
{
    static coif_arena arena = {.name = "groom"};
    static coif_groom groom;
    if (groom.rest.strand_count == 0) {
        static const int32_t lengths[STRANDS] = {2, 3, 4, 3};
        coif_groom_init(&groom, lengths, STRANDS, &arena, NULL);
        coif_groom_bind(&groom, 1.0, &arena);
        coif_groom_digest(&groom.digest, &groom, NULL);
    }
    return &groom;
}

static coif_solver_checkpoint new_state(coif_arena *arena)
{
    return (coif_solver_checkpoint){.frame = 3,
                                    .settings = SETTINGS,
                                    .topology = SETTINGS,
                                    .point_count = POINTS,
                                    .positions = coif_arena_new(arena, POINTS, coif_vec3),
                                    .velocities = coif_arena_new(arena, POINTS, coif_vec3),
                                    .method_rows = METHOD_ROWS,
                                    .method = coif_arena_new(arena, POINTS * METHOD_ROWS, float),
                                    .constraint_count = CONSTRAINTS,
                                    .constraint_state =
                                        coif_arena_new(arena, CONSTRAINTS, coif_vec3)};
}

static coif_film new_film(coif_arena *arena)
{
    coif_film film;
    coif_film_init(&film, &(coif_film_desc){.width = SIDE, .height = SIDE, .splat = true}, arena);
    return film;
}

static void read_frame(const char *path, coif_arena *arena)
{
    coif_strands strands;
    coif_frame_cache_desc desc;
    coif_error error = {0};
    if (coif_frame_cache_load(&strands, &desc, the_groom(), path, arena, &error) == COIF_OK) {
        demand(strands.strand_count == STRANDS && strands.point_count == POINTS);
        demand(coif_strands_find_invalid(&strands) < 0);
    } else {
        demand(error.text[0] != '\0');
    }
}

static void read_state(const char *path, coif_arena *arena)
{
    coif_solver_checkpoint state = new_state(arena);
    coif_error error = {0};
    if (coif_solver_checkpoint_load(&state, path, arena, &error) == COIF_OK) {
        for (int i = 0; i < POINTS; ++i) {
            demand(isfinite(state.positions[i].x) && isfinite(state.velocities[i].z));
        }
    } else {
        demand(error.text[0] != '\0');
    }
    coif_solver_checkpoint other = new_state(arena);
    coif_solver_checkpoint_restore(&other, path, "der", arena, NULL);
}

static void read_film(const char *path, coif_arena *arena)
{
    coif_film film = new_film(arena);
    coif_error error = {0};
    if (coif_film_checkpoint_read(&film, SETTINGS, path, &error) == COIF_OK) {
        for (size_t i = 0; i < coif_film_pixel_count(&film); ++i) {
            demand(film.counts[i] >= 0);
        }
    } else {
        demand(error.text[0] != '\0');
    }
}

static void read_all(const void *data, size_t size)
{
    COIF_SCOPED_ARENA(arena, "fuzz");
    const char *path = input_file(data, size, "");
    read_frame(path, &arena);
    read_state(path, &arena);
    read_film(path, &arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_all(data, size);
    COIF_SCOPED_ARENA(arena, "fuzz");
    const char *sealed = sealed_pack(data, size, &arena);
    if (sealed != NULL) {
        read_all(sealed, size);
    }
    return 0;
}

static void save_frame(const char *path, bool quantise, coif_arena *arena)
{
    coif_strands strands;
    coif_groom_simulated(&strands, the_groom(), arena, NULL);
    strands.velocities = coif_arena_new(arena, strands.point_count, coif_vec3);
    const coif_frame_cache_desc desc = {.frame = 7, .quantise = quantise, .metadata = "solver=der"};
    coif_frame_cache_save(&strands, the_groom(), &desc, path, NULL);
}

// Every file as it is written and with all blocks as they are.
size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    COIF_SCOPED_ARENA(arena, "seed");
    const char *path = coif_arena_copy_text(&arena, coif_test_path("seed"));
    switch (index / 2) {
    case 0:
    case 1:
        save_frame(path, index / 2 == 1, &arena);
        break;
    case 2: {
        const coif_solver_checkpoint state = new_state(&arena);
        coif_solver_checkpoint_save(&state, "solver=der\n", path, NULL, NULL);
        break;
    }
    case 3: {
        const coif_film film = new_film(&arena);
        coif_film_checkpoint_save(&film, SETTINGS, path, NULL);
        break;
    }
    default:
        return 0;
    }
    if (index % 2 == 1) {
        coif_pack pack;
        coif_pack_load(&pack, path, 0, &arena, NULL);
        for (int32_t i = 0; i < pack.block_count; ++i) {
            pack.blocks[i].codec = COIF_CODEC_RAW;
        }
        coif_pack_save(&pack, path, NULL);
    }
    char *bytes;
    size_t size = 0;
    if (coif_file_load(&bytes, &size, path, &arena, NULL) != COIF_OK || size > capacity) {
        return 0;
    }
    memcpy(data, bytes, size);
    return size;
}
