#include "sim/run/goal_cache.h"

#include "core/base/error.h"
#include "core/body/body_sequence.h"
#include "core/body/input_digest.h"
#include "core/hair/formats/strand_file.h"
#include "core/hair/frame_cache.h"

static int32_t simulated_points(const coif_groom *groom)
{
    int32_t count = 0;
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        count += coif_strands_length(&groom->rest, groom->simulated[s]);
    }
    return count;
}

// Both lists of simulated strands ascend.
static coif_status match_strands(coif_goal_cache *cache, const char *path, coif_arena *arena,
                                 coif_error *error)
{
    const coif_groom *groom = cache->groom;
    const coif_groom *cached = cache->cached;
    if (cached->rest.strand_count != groom->rest.strand_count) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %d strands; goal_cache needs the %d strands of the groom", path,
                         cached->rest.strand_count, groom->rest.strand_count);
    }
    cache->cached_simulated = coif_arena_new(arena, groom->simulated_count, int32_t);
    int32_t at = 0;
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        while (at < cached->simulated_count && cached->simulated[at] < groom->simulated[s]) {
            ++at;
        }
        if (at == cached->simulated_count || cached->simulated[at] != groom->simulated[s]) {
            return coif_fail(error, COIF_ERR_SCENE,
                             "%s: strand %d is not simulated; goal_cache needs all %d strands that "
                             "simulated_fraction selects",
                             path, groom->simulated[s], groom->simulated_count);
        }
        cache->cached_simulated[s] = at;
    }
    return COIF_OK;
}

coif_status coif_goal_cache_open(coif_goal_cache *cache, const char *path, const char *name,
                                 const coif_groom *groom, double fps, coif_arena *arena,
                                 coif_error *error)
{
    *cache = (coif_goal_cache){.groom = groom, .fps = fps};
    cache->pattern = coif_goal_cache_pattern(path, name, arena);
    if (cache->pattern == NULL) {
        return COIF_OK;
    }
    if (coif_body_sequence_is_pattern(cache->pattern)) {
        COIF_TRY(
            coif_body_sequence_find(&cache->first, &cache->last, cache->pattern, arena, error));
    }
    const int32_t points = simulated_points(groom);
    cache->begin = coif_arena_new(arena, points, coif_vec3);
    cache->end = coif_arena_new(arena, points, coif_vec3);
    if (!coif_path_is_directory(path)) {
        return COIF_OK;
    }
    cache->cached = coif_arena_new(arena, 1, coif_groom);
    const char *file = coif_groom_file_path(path, name, arena);
    COIF_TRY(coif_groom_load(cache->cached, file, arena, error));
    return match_strands(cache, file, arena, error);
}

// The strand of a file with the goal of simulated strand s; -1: the file has another number.
static int32_t goal_strand(const coif_goal_cache *cache, int32_t strand_count, int32_t s)
{
    if (cache->cached != NULL) {
        return cache->cached_simulated[s];
    }
    return strand_count == cache->groom->simulated_count     ? s
           : strand_count == cache->groom->rest.strand_count ? cache->groom->simulated[s]
                                                             : -1;
}

static coif_status copy_points(const coif_goal_cache *cache, coif_vec3 *points,
                               const coif_strands *strands, const char *path, coif_error *error)
{
    const coif_groom *groom = cache->groom;
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        const int32_t strand = goal_strand(cache, strands->strand_count, s);
        if (strand < 0) {
            return coif_fail(error, COIF_ERR_SCENE,
                             "%s: %d strands; goal_cache needs the %d simulated strands or all %d "
                             "of the groom",
                             path, strands->strand_count, groom->simulated_count,
                             groom->rest.strand_count);
        }
        const int32_t count = coif_strands_length(strands, strand);
        const int32_t wanted = coif_strands_length(&groom->rest, groom->simulated[s]);
        if (count != wanted) {
            return coif_fail(error, COIF_ERR_SCENE,
                             "%s: strand %d has %d points; expected %d, as in the groom", path,
                             strand, count, wanted);
        }
        for (int32_t k = 0; k < count; ++k) {
            *points++ = coif_vec4_xyz(strands->points[strands->first[strand] + k]);
        }
    }
    return COIF_OK;
}

static coif_status load(const coif_goal_cache *cache, coif_vec3 *points, const char *path,
                        int frame, coif_arena *scratch, coif_error *error)
{
    if (cache->cached != NULL) {
        coif_strands strands;
        COIF_TRY(coif_frame_cache_load(&strands, NULL, cache->cached, path, scratch, error));
        return copy_points(cache, points, &strands, path, error);
    }
    const double seconds = frame / cache->fps;
    const coif_hair_import metres = {.scale = 1.0f, .seconds = &seconds};
    coif_strand_file file;
    COIF_TRY(coif_strand_file_load(&file, path, &metres, scratch, error));
    return copy_points(cache, points, &file.strands, path, error);
}

static coif_status load_frame(const coif_goal_cache *cache, coif_vec3 *points, int frame,
                              coif_error *error)
{
    const int clamped = frame < cache->first  ? cache->first
                        : frame > cache->last ? cache->last
                                              : frame;
    coif_arena scratch;
    coif_arena_init(&scratch, "goal");
    const char *path = coif_body_sequence_path(cache->pattern, clamped, &scratch);
    const coif_status status = load(cache, points, path, frame, &scratch, error);
    coif_arena_free(&scratch);
    return status;
}

coif_status coif_goal_cache_set_frame(coif_goal_cache *cache, int frame, coif_error *error)
{
    if (cache->loaded && cache->frame == frame) {
        return COIF_OK;
    }
    const bool follows = cache->loaded && cache->frame == frame - 1;
    cache->loaded = false;
    if (follows) {
        coif_vec3 *end = cache->begin;
        cache->begin = cache->end;
        cache->end = end;
    } else {
        COIF_TRY(load_frame(cache, cache->begin, frame - 1, error));
    }
    COIF_TRY(load_frame(cache, cache->end, frame, error));
    cache->frame = frame;
    cache->loaded = true;
    return COIF_OK;
}
