#include "tools/studio/server/live/cache_playback.h"

#include "core/hair/child_interpolation.h"
#include "core/hair/frame_cache.h"
#include "core/json/json_writer.h"
#include "sim/run/simulate.h"
#include "tools/studio/server/document/growth_surface.h"
#include "tools/studio/server/live/strand_colors.h"
#include "tools/studio/server/live/strand_packet.h"

#include <stdio.h>
#include <string.h>

struct coif_playback {
    bool loaded;
    char path[4096];
    coif_groom groom;
    coif_arena arena;
    uint8_t *colors;     // NULL: not there
    uint64_t painted[2]; // the revision they are of, and the frame where they change with it
    coif_arena color_arena;
};

coif_playback *coif_playback_new(coif_arena *arena)
{
    return coif_arena_new(arena, 1, coif_playback);
}

static void forget_colors(coif_playback *playback)
{
    if (playback->colors != NULL) {
        coif_arena_free(&playback->color_arena);
        playback->colors = NULL;
    }
}

void coif_playback_free(coif_playback *playback)
{
    forget_colors(playback);
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

static coif_status load_groom(coif_playback *playback, const char *path, coif_error *error)
{
    if (playback->loaded && strcmp(playback->path, path) == 0) {
        return COIF_OK;
    }
    coif_playback_free(playback);
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

static coif_status paint(coif_playback *playback, const coif_studio *studio, const coif_node *node,
                         const coif_body *body, int frame, coif_error *error)
{
    const bool moves = coif_params_are_animated(&coif_node_at(node, "hair")->values);
    const uint64_t wanted[2] = {studio->revision, moves ? (uint64_t)frame : 0};
    if (playback->colors != NULL && memcmp(wanted, playback->painted, sizeof wanted) == 0) {
        return COIF_OK;
    }
    forget_colors(playback);
    coif_arena_init(&playback->color_arena, "playback colours");
    const coif_strand_colors_desc desc = {.scene = &studio->scene,
                                          .node = node,
                                          .groom = &playback->groom,
                                          .body = body,
                                          .frame = frame,
                                          .jobs = studio->jobs};
    COIF_TRY(coif_strand_colors(&playback->colors, &desc, &playback->color_arena, error));
    memcpy(playback->painted, wanted, sizeof wanted);
    return COIF_OK;
}

static coif_status read_frame(coif_strbuf *out, coif_studio *studio, const coif_node *node,
                              const coif_playback_wish *wish, coif_arena *scratch,
                              coif_error *error)
{
    coif_groom_params params;
    coif_node_read(node, 0.0, &params);
    coif_playback *playback = studio->playback;
    COIF_TRY(
        load_groom(playback, coif_groom_file_path(studio->cache, params.name, scratch), error));
    coif_strands simulated, all;
    const char *path = coif_frame_file_path(studio->cache, params.name, wish->frame, scratch);
    COIF_TRY(coif_frame_cache_load(&simulated, NULL, &playback->groom, path, scratch, error));
    const coif_body *body = coif_bodies_find(studio->bodies, studio->body_count, params.body);
    coif_mesh posed;
    COIF_TRY(coif_body_pose(&posed, body, wish->frame, scratch, error));
    COIF_TRY(coif_interpolate_children(&all, &simulated, &playback->groom, &posed, scratch,
                                       studio->jobs, error));
    COIF_TRY(paint(playback, studio, node, body, wish->frame, error));
    const coif_strands_view view = {.strands = &all,
                                    .colors = playback->colors,
                                    .limit = wish->limit,
                                    .frame = wish->frame,
                                    .body = &posed,
                                    .rest = &body->rest,
                                    .parts = COIF_VIEW_ALL};
    coif_strands_pack(out, &view);
    return COIF_OK;
}

coif_status coif_playback_read(coif_strbuf *out, coif_studio *studio,
                               const coif_playback_wish *wish, coif_error *error)
{
    const coif_node *node = NULL;
    COIF_TRY(find_groom(&node, studio, wish->groom, error));
    coif_arena scratch;
    coif_arena_init(&scratch, "playback");
    const coif_status status = read_frame(out, studio, node, wish, &scratch, error);
    coif_arena_free(&scratch);
    return status;
}

// Lines of JSON, one per frame, as the simulation left them; "" when it left none.
static const char *notes_of(const coif_studio *studio, const char *name, coif_arena *arena)
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

coif_status coif_playback_list(const char **json, coif_studio *studio, int32_t groom,
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
    coif_write_text(&out, "stats", notes_of(studio, params.name, arena));
    coif_write_close(&out, "}");
    *json = out.text.data;
    return COIF_OK;
}
