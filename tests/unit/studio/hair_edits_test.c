// Brushes on the hair of the document: guides are made without a change, strokes are undone and
// redone exactly, survive a crash and an interrupted save, and are saved; masks and pins hold.
#include "core/collision/collider.h"
#include "sim/groom/groom_generate.h"
#include "tests/support/studio_scene.h"
#include "tools/studio/server/live/brush_session.h"
#include "tools/studio/server/live/strand_packet.h"

#include <signal.h>
#include <unistd.h>

enum { LIMIT = 1500 };

static bool modified;

static void put_float(unsigned char *record, int index, float value)
{
    memcpy(record + 8 + 4 * index, &value, sizeof value);
}

// One dab as a ball that combs along x.
static coif_hair_stroke dab(uint32_t tool, uint32_t flags, coif_vec3 at, float radius)
{
    static unsigned char record[COIF_DAB_BYTES];
    memset(record, 0, sizeof record);
    memcpy(record, &tool, 4);
    memcpy(record + 4, &flags, 4);
    const float values[17] = {at.x, at.y, at.z, 0, 0,      0,    0,    0.08f, 0,
                              0,    0,    1,    0, radius, 1.0f, 0.5f, 0};
    for (int i = 0; i < 17; ++i) {
        put_float(record, i, values[i]);
    }
    return (coif_hair_stroke){record, sizeof record, NULL};
}

static coif_groom *strands_of(coif_studio *studio, int32_t limit)
{
    coif_error error = {0};
    coif_scene *scene = coif_arena_new(&arena, 1, coif_scene);
    const coif_overrides none = {NULL, 0};
    CHECK_OK(coif_studio_snapshot(scene, NULL, studio, &none, &arena, &error), error);
    coif_body *bodies;
    int32_t count;
    CHECK_OK(coif_bodies_load(&bodies, &count, scene, &arena, &error), error);
    coif_groom *groom = coif_arena_new(&arena, 1, coif_groom);
    const coif_groom_generate_desc desc = {.scene = scene,
                                           .node =
                                               &coif_node_at(scene->root, "grooms")->children[0],
                                           .body = &bodies[0],
                                           .max_strands = limit};
    CHECK_OK(coif_groom_generate(groom, &desc, &arena, NULL, &error), error);
    return groom;
}

static coif_edited_guides *begin(coif_studio *studio, const char *name)
{
    open_studio(studio, write_scene(name));
    coif_error error = {0};
    CHECK_OK(coif_studio_add_guides(studio, 0, "s1", strands_of(studio, LIMIT), &error), error);
    return &studio->hair.items[0];
}

static void comb(coif_studio *studio, const char *stroke, coif_vec3 at)
{
    coif_error error = {0};
    const coif_hair_stroke part = dab(COIF_BRUSH_COMB, 0, at, 0.3f);
    CHECK_OK(coif_studio_brush(studio, 0, stroke, &part, &error), error);
}

static bool same_strands(const coif_groom *a, const coif_groom *b)
{
    return a->rest.point_count == b->rest.point_count &&
           memcmp(a->rest.points, b->rest.points,
                  sizeof(coif_vec4) * (size_t)a->rest.point_count) == 0;
}

static const coif_vec3 HERE = {0.2f, 0.15f, 0.1f}, THERE = {-0.5f, 0.15f, -0.4f};

TEST(making_guides_moves_no_strand_and_a_stroke_only_those_near_it)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("comb.json"));
    const coif_groom *before = strands_of(studio, 0);
    coif_error error = {0};
    CHECK_OK(coif_studio_add_guides(studio, 0, "s1", strands_of(studio, LIMIT), &error), error);
    CHECK(same_strands(before, strands_of(studio, 0)));
    CHECK_CONTAINS(studio->text, "\"edits\": \"comb_hair.guides\"");
    comb(studio, "s1", HERE);
    const coif_groom *after = strands_of(studio, 0);
    int32_t moved = 0;
    for (int32_t s = 0; s < after->rest.strand_count; ++s) {
        const int32_t first = after->rest.first[s], count = coif_strands_length(&after->rest, s);
        const coif_vec4 *was = before->rest.points + first, *is = after->rest.points + first;
        CHECK(memcmp(was, is, sizeof *is) == 0);
        if (memcmp(was, is, sizeof *is * (size_t)count) == 0) {
            continue;
        }
        ++moved;
        CHECK(fabsf(was->x - HERE.x) < 0.45f && fabsf(was->z - HERE.z) < 0.45f);
        for (int32_t k = 1; k < count; ++k) {
            const float length =
                coif_length(coif_sub(coif_vec4_xyz(is[k]), coif_vec4_xyz(is[k - 1])));
            const float wanted =
                coif_length(coif_sub(coif_vec4_xyz(was[k]), coif_vec4_xyz(was[k - 1])));
            CHECK_NEAR(length / wanted, 1.0, 1e-4);
            CHECK(is[k].y > 0.0f);
        }
        CHECK(is[count - 1].x > was[count - 1].x - 1e-3f);
    }
    CHECK(moved > 100 && moved < after->rest.strand_count / 4);
    coif_studio_close(studio);
}

TEST(strokes_on_hair_are_undone_and_redone_to_the_bit_with_the_guides)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    const coif_edited_guides *edited = begin(studio, "undo_hair.json");
    const uint64_t none = coif_edited_guides_digest(edited);
    comb(studio, "s1", HERE);
    comb(studio, "s1", HERE); // the same stroke
    const uint64_t one = coif_edited_guides_digest(edited);
    comb(studio, "s2", THERE);
    const uint64_t two = coif_edited_guides_digest(edited);
    CHECK(studio->history.done == 2); // the first with the scene text
    coif_error error = {0};
    bool done;
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK(coif_edited_guides_digest(edited) == one && one != two);
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK(coif_edited_guides_digest(edited) == none && none != one);
    CHECK(strstr(studio->text, "edits") == NULL && !coif_studio_dirty(studio));
    CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    CHECK(done && coif_edited_guides_digest(edited) == two);
    CHECK_CONTAINS(studio->text, "undo_hair_hair.guides");
    coif_studio_close(studio);
}

TEST(guides_that_were_never_saved_leave_no_file)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    begin(studio, "unsaved.json");
    CHECK(coif_path_exists(coif_test_path("unsaved_hair.guides")));
    coif_error error = {0};
    bool done;
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    coif_studio_close(studio);
    CHECK(!coif_path_exists(coif_test_path("unsaved_hair.guides")));
}

TEST(strokes_on_hair_are_restored_after_a_crash)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    const coif_edited_guides *edited = begin(studio, "crash_hair.json");
    comb(studio, "s1", HERE);
    comb(studio, "s2", THERE);
    comb(studio, "s3", HERE);
    coif_error error = {0};
    bool done;
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    const uint64_t digest = coif_edited_guides_digest(edited);
    close(studio->journal.descriptor); // killed

    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, coif_test_path("crash_hair.json"));
    CHECK(again->hair.count == 1 && coif_edited_guides_digest(&again->hair.items[0]) == digest);
    CHECK_OK(coif_studio_redo(again, &done, &error), error);
    CHECK(done && coif_edited_guides_digest(&again->hair.items[0]) != digest);
    CHECK_OK(coif_studio_undo(again, &done, &error), error);
    // Saved, then changed, then a step before the save is undone: the journal holds its result.
    CHECK_OK(coif_studio_save(again, false, &modified, &error), error);
    CHECK(!coif_studio_dirty(again));
    CHECK_OK(coif_studio_undo(again, &done, &error), error);
    const uint64_t undone = coif_edited_guides_digest(&again->hair.items[0]);
    CHECK(undone != digest);
    close(again->journal.descriptor);

    coif_studio *third = coif_arena_new(&arena, 1, coif_studio);
    open_studio(third, coif_test_path("crash_hair.json"));
    CHECK(coif_edited_guides_digest(&third->hair.items[0]) == undone);
    comb(third, "s4", THERE);
    CHECK_OK(coif_studio_save(third, false, &modified, &error), error);
    const uint64_t saved = coif_edited_guides_digest(&third->hair.items[0]);
    coif_studio_close(third);
    coif_studio *last = coif_arena_new(&arena, 1, coif_studio);
    open_studio(last, coif_test_path("crash_hair.json"));
    CHECK(last->replayed == 0 && coif_edited_guides_digest(&last->hair.items[0]) == saved);
    coif_studio_close(last);
}

TEST(strokes_are_applied_once_when_a_save_was_interrupted_after_the_guides)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    coif_edited_guides *edited = begin(studio, "interrupted.json");
    comb(studio, "s1", HERE);
    comb(studio, "s2", HERE);
    const uint64_t digest = coif_edited_guides_digest(edited);
    coif_error error = {0};
    CHECK_OK(coif_edited_guides_save(edited, &error), error);
    close(studio->journal.descriptor);
    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, coif_test_path("interrupted.json"));
    CHECK(!again->journal.quarantined);
    CHECK(coif_edited_guides_digest(&again->hair.items[0]) == digest);
    coif_studio_close(again);
}

TEST(malformed_dabs_change_nothing)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    const coif_edited_guides *edited = begin(studio, "malformed.json");
    const uint64_t digest = coif_edited_guides_digest(edited);
    coif_hair_stroke part = dab(COIF_HAIR_TOOLS, 0, HERE, 0.3f);
    coif_error error = {0};
    CHECK(coif_studio_brush(studio, 0, "s2", &part, &error) == COIF_ERR_FORMAT);
    part = dab(COIF_BRUSH_COMB, 0, HERE, NAN);
    error = (coif_error){0};
    CHECK(coif_studio_brush(studio, 0, "s2", &part, &error) == COIF_ERR_FORMAT);
    part.size = 75;
    error = (coif_error){0};
    CHECK(coif_studio_brush(studio, 0, "s2", &part, &error) == COIF_ERR_FORMAT);
    CHECK(coif_edited_guides_digest(edited) == digest && studio->history.done == 1);
    coif_studio_close(studio);
}

TEST(pinned_and_masked_guides_stay)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    coif_edited_guides *edited = begin(studio, "pinned.json");
    coif_error error = {0};
    coif_hair_stroke part = dab(COIF_BRUSH_PIN, 0, HERE, 0.3f);
    CHECK_OK(coif_studio_brush(studio, 0, "pin", &part, &error), error);
    const uint64_t pinned = coif_edited_guides_digest(edited);
    comb(studio, "s2", HERE);
    CHECK(coif_edited_guides_digest(edited) == pinned);
    part = dab(COIF_BRUSH_PIN, 1, HERE, 0.3f); // inverted
    CHECK_OK(coif_studio_brush(studio, 0, "unpin", &part, &error), error);
    // The map is 1 where u and v are small; roots elsewhere are masked.
    const coif_new_paint_map desc = {.groom = 0, .name = "mask", .size = 256, .value = 0};
    CHECK_OK(coif_studio_add_map(studio, &desc, &error), error);
    const coif_edit edit = {"/grooms/0/density", "{\"map\": \"mask\", \"range\": [1, 1]}"};
    CHECK_OK(coif_studio_edit(studio, &edit, 1, "", &error), error);
    paint(studio, "a", uniform_tile(2, 2, 65535)); // x 0 to 0.5, z 0 to 0.5, mirrored by v or not
    part = dab(COIF_BRUSH_COMB, 0, coif_vec3_of(0.0f, 0.1f, 0.0f), 2.0f);
    part.mask = coif_edited_guides_mask(edited, &studio->maps.items[0], 65535, &arena);
    CHECK_OK(coif_studio_brush(studio, 0, "s3", &part, &error), error);
    int32_t moved = 0;
    const coif_strands *guides = &edited->guides.edited;
    for (int32_t g = 0; g < guides->strand_count; ++g) {
        const float u = guides->root_uv[2 * g], v = 1.0f - guides->root_uv[2 * g + 1];
        const bool in = u > 0.5f && u < 0.75f && v > 0.5f && v < 0.75f;
        const bool changed = edited->revisions[g] == studio->revision;
        CHECK(changed == in || fabsf(u - 0.5f) < 0.004f || fabsf(u - 0.75f) < 0.004f ||
              fabsf(v - 0.5f) < 0.004f || fabsf(v - 0.75f) < 0.004f);
        moved += changed;
    }
    CHECK(moved > 30);
    coif_studio_close(studio);
}

TEST(cut_and_deleted_hair_is_shorter_and_fewer_in_the_groom)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    begin(studio, "cut.json");
    const int32_t before = strands_of(studio, 0)->rest.strand_count;
    coif_error error = {0};
    coif_hair_stroke part = dab(COIF_BRUSH_CUT, 0, coif_vec3_of(0.5f, 0.3f, 0.5f), 0.25f);
    CHECK_OK(coif_studio_brush(studio, 0, "cut", &part, &error), error);
    const coif_groom *cut = strands_of(studio, 0);
    CHECK(cut->rest.strand_count == before);
    float shortest = 1.0f;
    for (int32_t s = 0; s < before; ++s) {
        const float tip = cut->rest.points[cut->rest.first[s + 1] - 1].y;
        shortest = tip < shortest ? tip : shortest;
    }
    CHECK_NEAR(shortest, 0.05, 0.02); // where strands enter the ball
    part = dab(COIF_BRUSH_DELETE, 0, coif_vec3_of(-0.5f, 0.1f, -0.5f), 0.3f);
    CHECK_OK(coif_studio_brush(studio, 0, "delete", &part, &error), error);
    const int32_t left = strands_of(studio, 0)->rest.strand_count;
    CHECK_NEAR((float)(before - left) / (float)before, 3.14159 * 0.09 / 4.0, 0.015);
    coif_studio_close(studio);
}

// Dabs of a line from a root upwards and along x, the length of which is 0.25.
static coif_hair_stroke line_from(coif_vec3 root, uint32_t flags, float radius)
{
    enum { COUNT = 12 };
    static unsigned char records[COUNT * COIF_DAB_BYTES];
    for (int i = 0; i < COUNT; ++i) {
        const float t = 0.25f * (float)i / (COUNT - 1);
        const coif_hair_stroke one =
            dab(COIF_BRUSH_DRAW, flags, coif_vec3_of(root.x + 0.6f * t, root.y + 0.8f * t, root.z),
                radius);
        memcpy(records + i * COIF_DAB_BYTES, one.dabs, COIF_DAB_BYTES);
    }
    return (coif_hair_stroke){records, sizeof records, NULL};
}

static void draw(coif_studio *studio, const char *stroke, coif_vec3 root, uint32_t flags)
{
    coif_error error = {0};
    const coif_hair_stroke part = line_from(root, flags, 0.1f);
    CHECK_OK(coif_studio_brush(studio, 0, stroke, &part, &error), error);
}

// Whether a strand of the groom has its root there and ends where the line of draw() does.
static bool has_drawn(const coif_groom *groom, coif_vec3 root)
{
    const coif_vec3 tip = {root.x + 0.15f, root.y + 0.2f, root.z};
    for (int32_t s = 0; s < groom->rest.strand_count; ++s) {
        const coif_vec4 *points = groom->rest.points + groom->rest.first[s];
        const coif_vec4 end = points[coif_strands_length(&groom->rest, s) - 1];
        if (coif_length(coif_sub(coif_vec4_xyz(points[0]), root)) < 1e-5f &&
            coif_length(coif_sub(coif_vec4_xyz(end), tip)) < 1e-3f) {
            return true;
        }
    }
    return false;
}

TEST(a_drawn_guide_is_a_new_strand_on_the_surface_that_hair_around_it_follows)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    coif_edited_guides *edited = begin(studio, "drawn.json");
    const int32_t guides = edited->guides.edited.strand_count;
    const coif_groom *before = strands_of(studio, 0);
    const uint64_t none = coif_edited_guides_digest(edited);
    const coif_vec3 root = {0.2f, 0.0f, 0.1f}, off = {0.2f, 0.015f, 0.1f};
    draw(studio, "s2", off, 0); // the line begins above the surface
    CHECK(edited->guides.edited.strand_count == guides + 1);
    const coif_groom *after = strands_of(studio, 0);
    CHECK(after->rest.strand_count == before->rest.strand_count + 1);
    CHECK(after->simulated_count == before->simulated_count + 1);
    const int32_t added = before->rest.strand_count;
    const coif_vec4 at = after->rest.points[after->rest.first[added]];
    CHECK(coif_length(coif_sub(coif_vec4_xyz(at), root)) < 1e-5f);
    int32_t moved = 0, far = 0;
    for (int32_t s = 0; s < added; ++s) {
        const int32_t first = before->rest.first[s];
        const size_t bytes = sizeof(coif_vec4) * (size_t)coif_strands_length(&before->rest, s);
        const bool same =
            memcmp(before->rest.points + first, after->rest.points + first, bytes) == 0;
        moved += !same;
        far +=
            !same && coif_length(coif_sub(coif_vec4_xyz(before->rest.points[first]), root)) > 0.2f;
    }
    CHECK(moved > 0 && moved < 100 && far == 0);

    // Undone, redone, undone and drawn elsewhere.
    coif_error error = {0};
    bool done;
    const uint64_t drawn = coif_edited_guides_digest(edited);
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    CHECK(done && same_strands(before, strands_of(studio, 0)));
    CHECK_OK(coif_studio_redo(studio, &done, &error), error);
    CHECK(coif_edited_guides_digest(edited) == drawn && drawn != none);
    CHECK(same_strands(after, strands_of(studio, 0)));
    CHECK_OK(coif_studio_undo(studio, &done, &error), error);
    const coif_vec3 other = {-0.3f, 0.0f, 0.5f};
    draw(studio, "s3", other, 2); // mirrored at x
    const coif_groom *pair = strands_of(studio, 0);
    CHECK(pair->rest.strand_count == before->rest.strand_count + 2);
    CHECK(has_drawn(pair, other) && !has_drawn(pair, root));

    // After a crash and after a save.
    const uint64_t digest = coif_edited_guides_digest(edited);
    close(studio->journal.descriptor);
    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, coif_test_path("drawn.json"));
    CHECK(coif_edited_guides_digest(&again->hair.items[0]) == digest);
    CHECK(same_strands(pair, strands_of(again, 0)));
    comb(again, "s4", HERE);
    CHECK_OK(coif_studio_undo(again, &done, &error), error);
    CHECK_OK(coif_studio_save(again, false, &modified, &error), error);
    coif_studio_close(again);
    coif_studio *last = coif_arena_new(&arena, 1, coif_studio);
    open_studio(last, coif_test_path("drawn.json"));
    CHECK(last->replayed == 0 && same_strands(pair, strands_of(last, 0)));
    coif_studio_close(last);
}

TEST(drawn_guides_survive_a_save_that_was_interrupted_after_them)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    coif_edited_guides *edited = begin(studio, "interrupted_draw.json");
    comb(studio, "s1", HERE);
    draw(studio, "s2", coif_vec3_of(0.2f, 0.0f, 0.1f), 0);
    const uint64_t digest = coif_edited_guides_digest(edited);
    coif_error error = {0};
    CHECK_OK(coif_edited_guides_save(edited, &error), error);
    close(studio->journal.descriptor);
    coif_studio *again = coif_arena_new(&arena, 1, coif_studio);
    open_studio(again, coif_test_path("interrupted_draw.json"));
    CHECK(!again->journal.quarantined);
    CHECK(coif_edited_guides_digest(&again->hair.items[0]) == digest);
    coif_studio_close(again);
}

TEST(guides_are_drawn_where_no_hair_grows_but_only_on_the_scalp)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("bald.json"));
    const coif_edit bald = {"/grooms/0/density", "0"};
    coif_error error = {0};
    CHECK_OK(coif_studio_edit(studio, &bald, 1, "", &error), error);
    coif_brush_session *session;
    CHECK_OK(coif_brush_session_open(&session, 2, &arena, &error), error);
    coif_brush_query query = {.groom = 0, .limit = 2000};
    const coif_vec3 root = {0.4f, 0.0f, -0.4f};
    coif_hair_stroke part = dab(COIF_BRUSH_COMB, 0, root, 0.3f);
    coif_brush_request request = {"s1", part.dabs, part.size, -1, 0};
    coif_strbuf packet;
    coif_strbuf_init(&packet, &arena);
    CHECK(coif_brush_session_apply(&packet, session, studio, &query, &request, &error) ==
          COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "no hair grows here yet");
    part = line_from(root, 0, 0.1f);
    request = (coif_brush_request){"s2", part.dabs, part.size, -1, 0};
    error = (coif_error){0};
    coif_strbuf_init(&packet, &arena);
    CHECK_OK(coif_brush_session_apply(&packet, session, studio, &query, &request, &error), error);
    uint32_t header[8];
    memcpy(header, packet.data, sizeof header);
    CHECK(header[4] == 1 && header[5] == 1 && header[6] == 1);
    CHECK(packet.data[sizeof header] == COIF_GUIDE_ADDED);
    // Undone, the session has no strand; redone, it has it again.
    for (int redo = 0; redo < 2; ++redo) {
        bool done;
        CHECK_OK((redo ? coif_studio_redo : coif_studio_undo)(studio, &done, &error), error);
        query.session = header[1];
        query.since = header[2];
        coif_strbuf_init(&packet, &arena);
        CHECK_OK(coif_brush_session_read(&packet, session, studio, &query, &error), error);
        memcpy(header, packet.data, sizeof header);
        CHECK(header[4] == 1 && header[5] == (uint32_t)redo && header[6] == (uint32_t)redo);
    }
    CHECK(has_drawn(strands_of(studio, 0), root));
    const uint64_t digest = coif_edited_guides_digest(&studio->hair.items[0]);
    part = line_from(coif_vec3_of(0.4f, 0.1f, 0.4f), 0, 0.1f);
    error = (coif_error){0};
    CHECK(coif_studio_brush(studio, 0, "s3", &part, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "begin it on the scalp");
    CHECK(coif_edited_guides_digest(&studio->hair.items[0]) == digest);
    coif_brush_session_close(session);
    CHECK_OK(coif_studio_save(studio, false, &modified, &error), error);
    coif_studio_close(studio);
    open_studio(studio, coif_test_path("bald.json"));
    CHECK(has_drawn(strands_of(studio, 0), root));
    coif_studio_close(studio);
}

static uint32_t word(const coif_strbuf *packet, int index)
{
    uint32_t value;
    memcpy(&value, packet->data + 4 * index, sizeof value);
    return value;
}

// A large brush changes more strands than one request deforms; the rest comes with the next ones.
TEST(strands_of_a_large_brush_follow_in_several_requests)
{
    enum { LIMIT_OF_VIEW = 4000 };
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("large.json"));
    const coif_edit points = {"/grooms/0/points", "100"};
    coif_error error = {0};
    CHECK_OK(coif_studio_edit(studio, &points, 1, "", &error), error);
    coif_brush_session *session;
    CHECK_OK(coif_brush_session_open(&session, 2, &arena, &error), error);
    coif_strbuf packet;
    coif_strbuf_init(&packet, &arena);
    coif_brush_query query = {.groom = 0, .limit = LIMIT_OF_VIEW};
    CHECK_OK(coif_brush_session_read(&packet, session, studio, &query, &error), error);
    query.session = word(&packet, 1);
    const coif_hair_stroke part = dab(COIF_BRUSH_COMB, 0, HERE, 3.0f);
    const coif_brush_request request = {"s1", part.dabs, part.size, -1, 0};
    coif_strbuf_init(&packet, &arena);
    CHECK_OK(coif_brush_session_apply(&packet, session, studio, &query, &request, &error), error);
    CHECK(word(&packet, 5) > 500 && word(&packet, 5) < LIMIT_OF_VIEW / 2);
    CHECK(word(&packet, 7) > LIMIT_OF_VIEW / 2);
    uint32_t total = word(&packet, 5);
    for (int requests = 0; word(&packet, 7) > 0 && requests < 100; ++requests) {
        query.since = word(&packet, 2);
        coif_strbuf_init(&packet, &arena);
        CHECK_OK(coif_brush_session_read(&packet, session, studio, &query, &error), error);
        CHECK(word(&packet, 4) == 0);
        total += word(&packet, 5);
    }
    CHECK(word(&packet, 7) == 0 && total == LIMIT_OF_VIEW);
    coif_brush_session_close(session);
    coif_studio_close(studio);
}

TEST(a_session_sends_the_strands_that_the_groom_would_have)
{
    coif_studio *studio = coif_arena_new(&arena, 1, coif_studio);
    open_studio(studio, write_scene("session.json"));
    coif_brush_session *session;
    coif_error error = {0};
    CHECK_OK(coif_brush_session_open(&session, 2, &arena, &error), error);
    coif_strbuf all, changed, rest;
    coif_strbuf_init(&all, &arena);
    coif_strbuf_init(&changed, &arena);
    coif_strbuf_init(&rest, &arena);
    coif_brush_query query = {.groom = 0, .limit = 2000};
    CHECK_OK(coif_brush_session_read(&all, session, studio, &query, &error), error);
    CHECK(word(&all, 4) == 1 && word(&all, 5) == 2000 && word(&all, 6) == 0);
    query.session = word(&all, 1);
    const coif_hair_stroke part = dab(COIF_BRUSH_COMB, 0, HERE, 0.3f);
    const coif_brush_request request = {"s1", part.dabs, part.size, -1, 0};
    CHECK_OK(coif_brush_session_apply(&changed, session, studio, &query, &request, &error), error);
    CHECK(word(&changed, 4) == 0 && word(&changed, 5) > 20 && word(&changed, 5) < 500);
    CHECK(word(&changed, 6) == COIF_MAX_EDIT_GUIDES || word(&changed, 6) > 3000);
    query.since = word(&changed, 2);
    CHECK_OK(coif_brush_session_read(&rest, session, studio, &query, &error), error);
    CHECK(word(&rest, 5) == 0);
    // Positions of a changed strand are those of the groom.
    const coif_groom *groom = strands_of(studio, 2000);
    const int32_t count = (int32_t)word(&changed, 5), strand = (int32_t)word(&changed, 8);
    float box[6];
    memcpy(box, all.data + 32 + 2000 + 20, sizeof box);
    const char *values = changed.data + 32 + 4 * count + (count + 3) / 4 * 4;
    const coif_vec4 *points = groom->rest.points + groom->rest.first[strand];
    for (int32_t k = 0; k < coif_strands_length(&groom->rest, strand); ++k) {
        uint16_t at[3];
        memcpy(at, values + 6 * k, sizeof at);
        CHECK_NEAR(box[0] + box[3] * (float)at[0], points[k].x, 1e-4);
        CHECK_NEAR(box[1] + box[4] * (float)at[1], points[k].y, 1e-4);
        CHECK_NEAR(box[2] + box[5] * (float)at[2], points[k].z, 1e-4);
    }
    // A drawn guide is the first of all strands, the others keep their flags.
    const coif_hair_stroke line = line_from(coif_vec3_of(-0.3f, 0.0f, 0.2f), 0, 0.1f);
    const coif_brush_request drawing = {"s2", line.dabs, line.size, -1, 0};
    coif_strbuf_init(&all, &arena);
    CHECK_OK(coif_brush_session_apply(&all, session, studio, &query, &drawing, &error), error);
    CHECK(word(&all, 4) == 1 && word(&all, 5) == 2001);
    CHECK(all.data[32] == COIF_GUIDE_ADDED && all.data[33] == 0);
    coif_brush_session_close(session);
    coif_studio_close(studio);
}
