#include "tools/studio/server/live/cache_playback.h"

#include "core/hair/child_interpolation.h"
#include "core/hair/child_push_out.h"
#include "core/hair/frame_cache.h"
#include "core/json/json_writer.h"
#include "sim/run/simulate.h"
#include "tools/studio/server/live/strand_colors.h"
#include "tools/studio/server/live/strand_packet.h"

#include <stdio.h>
#include <string.h>

struct coif_cache_playback {
    bool loaded;
    char path[4096];
    coif_groom groom;
    coif_arena arena;
    uint8_t *colors;        // NULL: none
    uint64_t colors_key[2]; // revision, and the frame if the colours are animated
    coif_arena color_arena;
    coif_collider *collider; // of the body, at a revision of the studio; NULL: none
    uint64_t collider_revision;
    coif_arena collider_arena;
};

coif_cache_playback *coif_cache_playback_new(coif_arena *arena)
{
    return coif_arena_new(arena, 1, coif_cache_playback);
}

static void free_colors(coif_cache_playback *playback)
{
    if (playback->colors != NULL) {
        coif_arena_free(&playback->color_arena);
        playback->colors = NULL;
    }
}

static void free_collider(coif_cache_playback *playback)
{
    if (playback->collider != NULL) {
        coif_arena_free(&playback->collider_arena);
        playback->collider = NULL;
    }
}

void coif_cache_playback_free(coif_cache_playback *playback)
{
    free_colors(playback);
    free_collider(playback);
    if (playback->loaded) {
        coif_arena_free(&playback->arena);
        playback->loaded = false;
    }
}

static coif_status find_groom(const coif_node **node, const coif_studio *studio, int32_t groom,
                              coif_error *error)
{
    if (studio->cache == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "no cache to play back: start coif studio with --cache DIR");
    }
    return coif_studio_groom(node, studio, groom, error);
}

static coif_status load_groom(coif_cache_playback *playback, const char *path, coif_error *error)
{
    if (playback->loaded && strcmp(playback->path, path) == 0) {
        return COIF_OK;
    }
    coif_cache_playback_free(playback);
    coif_arena_init(&playback->arena, "playback");
    const coif_status status = coif_groom_load(&playback->groom, path, &playback->arena, error);
    if (status != COIF_OK) {
        coif_arena_free(&playback->arena);
        return status;
    }
    playback->loaded = true;
    snprintf(playback->path, sizeof playback->path, "%s", path);
    return COIF_OK;
}

static coif_status update_colors(coif_cache_playback *playback, const coif_studio *studio,
                                 const coif_node *node, const coif_body *body, int frame,
                                 coif_error *error)
{
    const bool animated = coif_params_are_animated(&coif_node_at(node, "hair")->values);
    const uint64_t key[2] = {studio->revision, animated ? (uint64_t)frame : 0};
    if (playback->colors != NULL && memcmp(key, playback->colors_key, sizeof key) == 0) {
        return COIF_OK;
    }
    free_colors(playback);
    coif_arena_init(&playback->color_arena, "playback colours");
    const coif_strand_colors_desc desc = {.scene = &studio->scene,
                                          .node = node,
                                          .groom = &playback->groom,
                                          .body = body,
                                          .eval_map = studio->eval_map,
                                          .frame = frame,
                                          .jobs = studio->jobs};
    COIF_TRY(coif_strand_colors(&playback->colors, &desc, &playback->color_arena, error));
    memcpy(playback->colors_key, key, sizeof key);
    return COIF_OK;
}

// Children stay out of the posed body.
static void push_children_out(coif_strands *all, coif_cache_playback *playback,
                              const coif_studio *studio, const coif_body *body,
                              const coif_mesh *posed)
{
    const coif_groom *groom = &playback->groom;
    if (playback->collider != NULL && playback->collider_revision != studio->revision) {
        free_collider(playback);
    }
    if (!body->params.collide || groom->simulated_count == groom->rest.strand_count) {
        return;
    }
    if (playback->collider == NULL) {
        coif_arena_init(&playback->collider_arena, "playback collider");
        playback->collider = coif_arena_new(&playback->collider_arena, 1, coif_collider);
        coif_child_collider_build(playback->collider, &body->rest, &playback->collider_arena);
        playback->collider_revision = studio->revision;
    }
    coif_collider_refit_posed(playback->collider, posed, posed);
    coif_push_children_out(all, groom, playback->collider, 1.0f, studio->jobs);
}

coif_status coif_cache_playback_read(coif_strbuf *out, coif_cache_playback *playback,
                                     coif_studio *studio, const coif_cache_frame_query *query,
                                     coif_error *error)
{
    const coif_node *node = NULL;
    COIF_TRY(find_groom(&node, studio, query->groom, error));
    COIF_SCOPED_ARENA(scratch, "playback");
    coif_groom_params params;
    coif_node_read(node, 0.0, &params);
    COIF_TRY(
        load_groom(playback, coif_groom_file_path(studio->cache, params.name, &scratch), error));
    coif_strands simulated, all;
    const char *path = coif_frame_file_path(studio->cache, params.name, query->frame, &scratch);
    COIF_TRY(coif_frame_cache_load(&simulated, NULL, &playback->groom, path, &scratch, error));
    const coif_body *body = coif_bodies_find(studio->bodies, studio->body_count, params.body);
    coif_mesh posed;
    COIF_TRY(coif_body_pose(&posed, body, query->frame, &scratch, error));
    COIF_TRY(coif_interpolate_children(&all, &simulated, &playback->groom, &posed, &scratch,
                                       studio->jobs, error));
    push_children_out(&all, playback, studio, body, &posed);
    COIF_TRY(update_colors(playback, studio, node, body, query->frame, error));
    const coif_strand_packet packet = {.strands = &all,
                                       .colors = playback->colors,
                                       .limit = query->strand_limit,
                                       .frame = query->frame,
                                       .body = &posed,
                                       .rest = &body->rest,
                                       .parts = COIF_PACKET_ALL};
    coif_strand_packet_write(out, &packet);
    return COIF_OK;
}

// JSON lines of the simulation, one per frame; "" when there are none.
static const char *read_stats(const coif_studio *studio, const char *name, coif_arena *arena)
{
    const char *path =
        coif_path_join(studio->cache, coif_arena_print(arena, "%s.sim.stats.jsonl", name), arena);
    char *text;
    size_t size;
    coif_error ignored = {0};
    return coif_path_exists(path) && coif_file_load(&text, &size, path, arena, &ignored) == COIF_OK
               ? text
               : "";
}

coif_status coif_cache_playback_list(const char **json, coif_studio *studio, int32_t groom,
                                     coif_arena *arena, coif_error *error)
{
    const coif_node *node = NULL;
    COIF_TRY(find_groom(&node, studio, groom, error));
    coif_groom_params params;
    coif_node_read(node, 0.0, &params);
    const int first = coif_timeline_of(&studio->scene).first;
    int last = first - 1;
    while (coif_path_exists(coif_frame_file_path(studio->cache, params.name, last + 1, arena))) {
        ++last;
    }
    if (last < first) {
        return coif_fail(error, COIF_ERR_IO, "%s: no frame %d of %s; simulate it first",
                         studio->cache, first, params.name);
    }
    coif_json_writer out;
    coif_json_writer_init(&out, arena);
    coif_write_open(&out, NULL, "{");
    coif_write_number(&out, "first", first);
    coif_write_number(&out, "last", last);
    coif_write_text(&out, "stats", read_stats(studio, params.name, arena));
    coif_write_close(&out, "}");
    *json = out.text.data;
    return COIF_OK;
}
