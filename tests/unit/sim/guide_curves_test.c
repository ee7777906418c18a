// Guide curves: strands follow the curves around them, never across the border of a region.
#include "core/base/log.h"
#include "core/hair/formats/hair_file.h"
#include "sim/groom/groom_generate.h"
#include "tests/support/sim_scene.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static const char *guides = "guides.obj";
static int strand_count = 500;

static grown_scene try_grow(const char *rows)
{
    write_ball("ball.obj", true, &arena);
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"length_variation\": 0, "
        "\"group\": \"scalp\", \"count\": %d, \"points\": 8, \"guides\": \"%s\", %s}]}",
        strand_count, guides, rows);
    return grow_scene(text, &arena);
}

static coif_groom grow(const char *rows)
{
    const grown_scene result = try_grow(rows);
    CHECK_OK(result.status, result.error);
    return result.groom;
}

// An arc from the ball outwards that bends to one side by `lean` radians, in steps of a centimetre.
static void write_guide(FILE *file, coif_vec3 normal, coif_vec3 side, double lean, int points)
{
    coif_vec3 at = coif_scale(normal, 0.1f);
    for (int k = 0; k < points; ++k) {
        fprintf(file, "v %.9g %.9g %.9g\n", (double)at.x, (double)at.y, (double)at.z);
        const double angle = lean * (k + 0.5) / (points - 1);
        at = coif_mad(at, 0.01f * (float)cos(angle), normal);
        at = coif_mad(at, 0.01f * (float)sin(angle), side);
    }
    fprintf(file, "l");
    for (int k = 0; k < points; ++k) {
        fprintf(file, " %d", k - points);
    }
    fprintf(file, "\n");
}

// Guides on a raster around the pole; hair for x < 0 bends to -x, for x > 0 to x.
static void write_guides(const char *left, const char *right)
{
    strand_count = 500;
    FILE *file = fopen(coif_test_path("guides.obj"), "w");
    for (int half = 0; half < 2; ++half) {
        const char *name = half == 0 ? left : right;
        const float direction = half == 0 ? -1.0f : 1.0f;
        if (name != NULL) {
            fprintf(file, "g %s\n", name);
        }
        for (int i = 0; i < 4; ++i) {
            for (int k = -3; k <= 3; ++k) {
                const coif_vec3 normal = coif_normalize(
                    coif_vec3_of(direction * (0.1f + 0.2f * (float)i), 1.0f, 0.25f * (float)k));
                const coif_vec3 across = coif_vec3_of(direction, 0.0f, 0.0f);
                const coif_vec3 side =
                    coif_normalize(coif_mad(across, -coif_dot(across, normal), normal));
                write_guide(file, normal, side, 1.2, 11);
            }
        }
    }
    fclose(file);
}

static coif_vec3 point_of(const coif_groom *groom, int32_t strand, int32_t k)
{
    return coif_vec4_xyz(groom->rest.points[groom->rest.first[strand] + k]);
}

static double length_of(const coif_groom *groom, int32_t strand)
{
    double length = 0.0;
    for (int32_t k = 0; k + 1 < coif_strands_length(&groom->rest, strand); ++k) {
        length += coif_length(coif_sub(point_of(groom, strand, k + 1), point_of(groom, strand, k)));
    }
    return length;
}

// All guides are one arc in the frame of their root, so every strand must be that arc.
TEST(strands_between_alike_guides_are_like_them)
{
    write_guides(NULL, NULL);
    const coif_groom groom = grow("\"clearance\": 0");
    CHECK(groom.region == NULL);
    int32_t seen = 0;
    for (int32_t s = 0; s < groom.rest.strand_count; ++s) {
        const coif_vec3 root = point_of(&groom, s, 0);
        CHECK(coif_strands_length(&groom.rest, s) == 11);
        CHECK_NEAR(length_of(&groom, s), 0.1, 1e-4);
        if (fabsf(root.x) < 0.03f || fabsf(root.x) > 0.055f || fabsf(root.z) > 0.05f) {
            continue; // near the change of sides, or outside of the guides
        }
        ++seen;
        const float *n = groom.root_frame + 9 * s + 6;
        const coif_vec3 normal = coif_vec3_of(n[0], n[1], n[2]);
        const coif_vec3 across = coif_vec3_of(root.x > 0.0f ? 1.0f : -1.0f, 0.0f, 0.0f);
        const coif_vec3 side = coif_normalize(coif_mad(across, -coif_dot(across, normal), normal));
        coif_vec3 at = root;
        for (int k = 0; k < 10; ++k) {
            const double angle = 1.2 * (k + 0.5) / 10.0;
            at = coif_mad(at, 0.01f * (float)cos(angle), normal);
            at = coif_mad(at, 0.01f * (float)sin(angle), side);
            CHECK_NEAR(coif_length(coif_sub(point_of(&groom, s, k + 1), at)), 0.0, 0.004);
        }
    }
    CHECK(seen > 50);
}

// Without regions hair between the sides is a mixture; with groups every strand is of one side.
TEST(groups_of_guides_are_regions)
{
    write_guides("left", "right");
    const coif_groom groom = grow("\"clearance\": 0");
    CHECK(groom.region != NULL);
    for (int32_t s = 0; s < groom.rest.strand_count; ++s) {
        const coif_vec3 root = point_of(&groom, s, 0);
        const coif_vec3 direction = coif_sub(point_of(&groom, s, 10), root);
        const float wanted = groom.region[s] == 0 ? -1.0f : 1.0f;
        // Nobody bends to the other side, and the border is where both are as near.
        CHECK(wanted * direction.x > 0.02f);
        CHECK(fabsf(root.x) < 0.002f || wanted * root.x > 0.0f);
    }
}

// A map of regions says more than groups: here the border lies at x = 0.02.
TEST(painted_regions_are_borders)
{
    write_guides("left", "right");
    static const char MAPS[] =
        "\"clearance\": 0, \"region\": {\"map\": \"sides\", \"range\": [0, 7]},\n"
        "\"maps\": [{\"name\": \"sides\", \"plugin\": \"density.hairline\", \"point\": [0.02, 0, "
        "0],"
        " \"normal\": [1, 0, 0], \"width\": 0, \"edge_noise\": 0}]";
    const coif_groom groom = grow(MAPS);
    int32_t left = 0;
    for (int32_t s = 0; s < groom.rest.strand_count; ++s) {
        const coif_vec3 root = point_of(&groom, s, 0);
        CHECK(groom.region[s] == 0 || groom.region[s] == 7);
        CHECK(fabsf(root.x - 0.02f) < 0.001f || (root.x > 0.02f) == (groom.region[s] == 7));
        left += groom.region[s] == 0;
        // Guides of the right side that begin left of the border belong to the left region.
        if (groom.region[s] == 7) {
            CHECK(point_of(&groom, s, 10).x > root.x);
        }
    }
    CHECK(left > 100 && left < 400);
    // It goes into the file, and comes back.
    coif_groom saved = groom, loaded;
    coif_error error = {0};
    CHECK_OK(coif_groom_save(&saved, coif_test_path("r.groom"), &error), error);
    CHECK_OK(coif_groom_load(&loaded, coif_test_path("r.groom"), &arena, &error), error);
    CHECK(loaded.region != NULL && memcmp(loaded.region, groom.region,
                                          sizeof(int32_t) * (size_t)groom.rest.strand_count) == 0);
}

TEST(lengths_follow_guides_and_maps)
{
    write_guides(NULL, NULL);
    const coif_groom half = grow("\"guide_length\": 0.5");
    for (int32_t s = 0; s < half.rest.strand_count; s += 17) {
        CHECK_NEAR(length_of(&half, s), 0.05, 1e-4);
    }
    // Strands that only comb along guides grow as long as the groom says.
    const coif_groom straight = grow("\"guide_shape\": false, \"length\": 0.07");
    CHECK_NEAR(length_of(&straight, 3), 0.07, 1e-5);
}

TEST(hair_files_are_guides_too)
{
    write_guides(NULL, NULL);
    const int32_t lengths[2] = {5, 5};
    coif_hair_file file = {.default_thickness = 1e-4f};
    coif_error error = {0};
    CHECK_OK(coif_strands_init(&file.strands, lengths, 2, &arena, &error), error);
    for (int32_t i = 0; i < 10; ++i) {
        file.strands.points[i] =
            (coif_vec4){i < 5 ? 3.0f : -3.0f, 10.0f + (float)(i % 5), 0.0f, 0.005f};
    }
    CHECK_OK(coif_hair_file_save(&file, coif_test_path("two.hair"), &error), error);
    guides = "two.hair";
    const coif_groom groom = grow("\"file_scale\": 0.01");
    CHECK_NEAR(length_of(&groom, 5), 0.04, 1e-4);
    guides = "guides.obj";
}

TEST(invalid_input_is_an_error_with_its_location)
{
    write_guides(NULL, NULL);
    const grown_scene far = try_grow("\"file_scale\": 0.01");
    CHECK(far.status == COIF_ERR_FORMAT);
    CHECK_CONTAINS(far.error.text, "guides.obj: curve 1 begins at ");
    CHECK_CONTAINS(far.error.text, "from the scalp; wanted within 0.05 m, in the space of");
    const grown_scene both = try_grow("\"file\": \"two.hair\"");
    CHECK(both.status == COIF_ERR_SCENE);
    CHECK_CONTAINS(both.error.text, "/grooms/0/guides: strands from a file cannot follow guides");
    guides = "ball.obj";
    const grown_scene none = try_grow("\"clearance\": 0");
    CHECK(none.status == COIF_ERR_FORMAT);
    CHECK_CONTAINS(none.error.text, "ball.obj: no polyline in this file");
    guides = "guides.obj";
}

// Two guides that coil around each other, as the locks of a rope do.
static void write_rope(void)
{
    strand_count = 20000;
    FILE *file = fopen(coif_test_path("guides.obj"), "w");
    for (int lock = 0; lock < 2; ++lock) {
        for (int k = 0; k < 41; ++k) {
            const double angle = 0.3 * k + 3.14159265358979 * lock;
            fprintf(file, "v %.9g %.9g %.9g\n", 0.01 * cos(angle), 0.0995 + 0.004 * k,
                    0.01 * sin(angle));
        }
        fprintf(file, "l");
        for (int k = 0; k < 41; ++k) {
            fprintf(file, " %d", k - 41);
        }
        fprintf(file, "\n");
    }
    fclose(file);
}

static coif_vec3 rope_at(int lock, double k)
{
    const double angle = 0.3 * k + 3.14159265358979 * lock;
    return coif_vec3_of((float)(0.01 * cos(angle)), (float)(0.0995 + 0.004 * k),
                        (float)(0.01 * sin(angle)));
}

// Largest distance of the points of a strand from its guide, from point `from` on.
static double distance_from_guide(const coif_groom *groom, int32_t strand, int lock, int from)
{
    double largest = 0.0;
    for (int k = from; k < coif_strands_length(&groom->rest, strand); ++k) {
        double nearest = 1.0;
        for (int i = 0; i <= 400; ++i) {
            nearest = fmin(nearest, (double)coif_length(coif_sub(point_of(groom, strand, k),
                                                                 rope_at(lock, 0.1 * i))));
        }
        largest = fmax(largest, nearest);
    }
    return largest;
}

static const char NEAREST[] = "\"clearance\": 0, \"guide_mode\": \"nearest\", \"guide_radius\": "
                              "0.008, \"guide_regions\": \"guides\"";

// Interpolated, strands between two coiling locks are straight; each must stay in its own lock.
TEST(a_strand_follows_its_nearest_guide_through_a_rope)
{
    write_rope();
    const coif_groom groom = grow(NEAREST);
    CHECK(groom.rest.strand_count > 50);
    for (int32_t s = 0; s < groom.rest.strand_count; ++s) {
        const int lock = point_of(&groom, s, 0).x > 0.0f ? 0 : 1;
        CHECK(groom.region[s] == lock);
        CHECK(distance_from_guide(&groom, s, lock, 0) < 0.0085);
    }
}

TEST(strands_grow_only_around_the_roots_of_guides)
{
    write_rope();
    const coif_groom groom = grow(NEAREST);
    for (int32_t s = 0; s < groom.rest.strand_count; ++s) {
        const coif_vec3 root = point_of(&groom, s, 0);
        const float to_first = coif_length(coif_sub(root, rope_at(0, 0.0)));
        const float to_second = coif_length(coif_sub(root, rope_at(1, 0.0)));
        CHECK(fminf(to_first, to_second) < 0.0081f);
    }
}

// A spread that falls to zero gathers a lock at its guide; roots stay.
TEST(a_ramp_of_the_spread_gathers_a_lock)
{
    write_rope();
    const coif_groom wide = grow(NEAREST);
    const coif_groom groom = grow(coif_arena_print(
        &arena, "%s, \"guide_spread\": {\"value\": 1, \"ramp\": [[0, 1], [0.5, 0], [1, 0]]}",
        NEAREST));
    CHECK(groom.rest.strand_count == wide.rest.strand_count);
    for (int32_t s = 0; s < groom.rest.strand_count; ++s) {
        const int lock = groom.region[s];
        const coif_vec3 root = point_of(&groom, s, 0);
        CHECK(coif_length(coif_sub(root, point_of(&wide, s, 0))) == 0.0f);
        CHECK(distance_from_guide(&groom, s, lock, 22) < 0.0005);
    }
}

// Half the guide length ends halfway along the guide.
TEST(a_shorter_strand_ends_earlier_on_its_guide)
{
    write_rope();
    const coif_groom groom =
        grow(coif_arena_print(&arena, "%s, \"guide_length\": 0.5, \"guide_spread\": 0", NEAREST));
    for (int32_t s = 0; s < groom.rest.strand_count; ++s) {
        const int32_t tip = coif_strands_length(&groom.rest, s) - 1;
        const coif_vec3 end = point_of(&groom, s, tip);
        CHECK_NEAR(coif_length(coif_sub(end, rope_at(groom.region[s], 20.0))), 0.0, 0.0005);
    }
}
