// Painted maps from the file to the roots: stretched texture coordinates, tiles, formats, edges,
// and that painting one spot keeps the others.
#include "core/image/image.h"
#include "sim/groom/groom_generate.h"
#include "tests/support/sim_scene.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { SIDE = 40, CANDIDATES = 20000 };

// A square metre in the plane y = 0. Texture coordinates are stretched: the left half of it has a
// fifth of u, the right half the rest. With tiles the right half lies in tile 1002 and is not
// stretched, with a seam between them.
static void write_square(const char *name, bool tiles)
{
    FILE *file = fopen(coif_test_path(name), "w");
    for (int half = 0; half < 2; ++half) {
        for (int z = 0; z <= SIDE; ++z) {
            for (int x = 0; x <= SIDE / 2; ++x) {
                const double across = (double)x / (SIDE / 2);
                const double at = 0.5 * (half + across);
                const double stretched = half == 0 ? 0.2 * across : 0.2 + 0.8 * across;
                fprintf(file, "v %.9g 0 %.9g\nvt %.9g %.9g\n", at, (double)z / SIDE,
                        tiles ? half + 0.999 * across : stretched, 0.999 * z / SIDE);
            }
        }
    }
    const int row = SIDE / 2 + 1, sheet = row * (SIDE + 1);
    for (int half = 0; half < 2; ++half) {
        for (int z = 0; z < SIDE; ++z) {
            for (int x = 0; x < SIDE / 2; ++x) {
                const int a = 1 + half * sheet + z * row + x;
                fprintf(file, "f %d/%d %d/%d %d/%d %d/%d\n", a, a, a + row, a + row, a + row + 1,
                        a + row + 1, a + 1, a + 1);
            }
        }
    }
    fclose(file);
}

static coif_groom grow(const char *mesh, const char *rows)
{
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"square\", \"mesh\": \"%s\"}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"square\", \"count\": %d, \"points\": 3,\n"
        " \"density\": {\"map\": \"paint\"}, \"maps\": [{\"name\": \"paint\", \"plugin\": "
        "\"density.texture\", %s}]}]}",
        mesh, CANDIDATES, rows);
    const grown_scene result = grow_scene(text, &arena);
    CHECK_OK(result.status, result.error);
    return result.groom;
}

// A picture of ten columns and ten rows; columns have these values, from left to right. In colour
// the values are in green, and red and blue are full.
static void write_columns(const char *name, const float values[10], int32_t channels)
{
    float pixels[10 * 10 * 3];
    for (int32_t i = 0; i < 100; ++i) {
        for (int32_t c = 0; c < channels; ++c) {
            pixels[channels * i + c] = channels == 1 || c == 1 ? values[i % 10] : 1.0f;
        }
    }
    coif_error error = {0};
    const coif_image_desc desc = {
        .width = 10, .height = 10, .channel_count = channels, .pixels = pixels};
    CHECK_OK(coif_image_save(coif_test_path(name), &desc, &error), error);
}

static float root_x(const coif_groom *groom, int32_t strand)
{
    return groom->rest.points[groom->rest.first[strand]].x;
}

static int32_t count_between(const coif_groom *groom, double low, double high)
{
    int32_t count = 0;
    for (int32_t s = 0; s < groom->rest.strand_count; ++s) {
        count += root_x(groom, s) >= low && root_x(groom, s) < high;
    }
    return count;
}

// u 0 to 0.2 is half of the square: what was painted there covers it, whatever the texture says of
// its size. Counts against area times density by chi-square, away from the blends between texels.
TEST(counts_follow_paint_under_stretched_coordinates)
{
    write_square("square.obj", false);
    static const float values[10] = {1, 0.25f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0, 0, 1};
    write_columns("columns.exr", values, 1);
    const coif_groom groom = grow("square.obj", "\"path\": \"columns.exr\"");
    // Blends begin in the middle of a texel: u 0 to 0.05 is full, 0.25 to 0.65 half, 0.7 to 0.9
    // none.
    const double positions[3][2] = {{0.0, 0.125}, {0.53125, 0.78125}, {0.8125, 0.9375}};
    const double full = CANDIDATES * 0.125, half = CANDIDATES * 0.25 * 0.5;
    const double a = count_between(&groom, positions[0][0], positions[0][1]) - full;
    const double b = count_between(&groom, positions[1][0], positions[1][1]) - half;
    // Two degrees of freedom: 13.8 is passed by chance once in a thousand.
    CHECK(a * a / full + b * b / half < 13.8);
    CHECK(count_between(&groom, positions[2][0], positions[2][1]) == 0);
}

// Black is 0 up to its edge, on both sides, though texels are blended.
TEST(black_has_no_roots_up_to_its_edge)
{
    write_square("square.obj", false);
    static const float values[10] = {1, 1, 1, 1, 0, 0, 1, 1, 1, 1};
    write_columns("stripe.png", values, 1);
    const coif_groom groom = grow("square.obj", "\"path\": \"stripe.png\"");
    const double low = 0.5 + (0.4 - 0.2) / 1.6, high = 0.5 + (0.6 - 0.2) / 1.6;
    CHECK(count_between(&groom, low, high) == 0);
    CHECK(count_between(&groom, low - 0.02, low) > 0);
    CHECK(count_between(&groom, high, high + 0.02) > 0);
}

TEST(tiles_and_seams_are_honoured)
{
    write_square("tiles.obj", true);
    static const float first[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const float second[10] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    write_columns("map.1001.png", first, 1);
    write_columns("map.1002.png", second, 1);
    const coif_groom groom = grow("tiles.obj", "\"path\": \"map.<UDIM>.png\"");
    // Tile 1001 is the left half, the black of 1002 the third quarter.
    CHECK_NEAR(count_between(&groom, 0.0, 0.5), 0.5 * CANDIDATES, 100.0);
    CHECK(count_between(&groom, 0.501, 0.749) == 0);
    CHECK_NEAR(count_between(&groom, 0.78, 1.0), 0.22 * CANDIDATES, 100.0);
    // Up to the seam the left half is full: its neighbour in the picture is another tile.
    CHECK_NEAR(count_between(&groom, 0.48, 0.5), 0.02 * CANDIDATES, 40.0);
}

// One painting in eight, sixteen and thirty-two bits, as a channel of colour, and upside down.
TEST(formats_channels_and_inversion_agree)
{
    write_square("square.obj", false);
    float values[10], inverse[10];
    for (int i = 0; i < 10; ++i) {
        values[i] = (float)(i % 2);
        inverse[i] = 1.0f - values[i];
    }
    write_columns("a.png", values, 1);
    write_columns("a.tif", values, 1);
    write_columns("a.exr", values, 1);
    write_columns("color.png", values, 3);
    static const char *const ROWS[] = {"\"path\": \"a.png\"", "\"path\": \"a.tif\"",
                                       "\"path\": \"a.exr\"",
                                       "\"path\": \"color.png\", \"channel\": \"green\""};
    const coif_groom first = grow("square.obj", ROWS[0]);
    CHECK(first.rest.strand_count > CANDIDATES / 4);
    for (size_t i = 1; i < COIF_COUNT_OF(ROWS); ++i) {
        const coif_groom other = grow("square.obj", ROWS[i]);
        CHECK(other.rest.strand_count == first.rest.strand_count);
        CHECK(memcmp(other.rest.points, first.rest.points,
                     sizeof(coif_vec4) * (size_t)first.rest.point_count) == 0);
    }
    // Inverted, what was white is black; no root is in both.
    write_columns("inverse.png", inverse, 1);
    const coif_groom inverted = grow("square.obj", "\"path\": \"inverse.png\", \"invert\": true");
    CHECK(inverted.rest.strand_count >= first.rest.strand_count);
    const coif_groom nearest = grow("square.obj", "\"path\": \"a.png\", \"filter\": \"nearest\"");
    // Unblended, a texel is all or nothing.
    CHECK_NEAR(count_between(&nearest, 0.25, 0.5), 0.25 * CANDIDATES, 60.0);
    CHECK(count_between(&nearest, 0.0, 0.249) == 0);
}

// An erased spot removes its own strands and keeps all others, bit for bit.
TEST(painting_one_spot_keeps_all_other_strands)
{
    write_square("square.obj", false);
    float values[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    write_columns("whole.png", values, 1);
    values[4] = 0.0f;
    write_columns("spot.png", values, 1);
    const coif_groom whole = grow("square.obj", "\"path\": \"whole.png\", \"filter\": \"nearest\"");
    const coif_groom spot = grow("square.obj", "\"path\": \"spot.png\", \"filter\": \"nearest\"");
    const float low = 0.5f + 0.2f / 1.6f, high = 0.5f + 0.3f / 1.6f;
    int32_t kept = 0;
    for (int32_t s = 0; s < whole.rest.strand_count; ++s) {
        const float x = root_x(&whole, s);
        if (x > low && x < high) {
            continue;
        }
        const bool same =
            kept < spot.rest.strand_count && spot.random[kept] == whole.random[s] &&
            memcmp(spot.rest.points + spot.rest.first[kept],
                   whole.rest.points + whole.rest.first[s], 3 * sizeof(coif_vec4)) == 0;
        CHECK(same || fabsf(x - low) < 1e-5f || fabsf(x - high) < 1e-5f);
        kept += same;
    }
    CHECK(kept == spot.rest.strand_count && kept < whole.rest.strand_count - 500);
}

static grown_scene grow_border(const char *mesh, const char *group)
{
    return grow_scene(
        coif_arena_print(&arena,
                         "{\"bodies\": [{\"name\": \"b\", \"mesh\": \"%s\"}],\n"
                         " \"grooms\": [{\"name\": \"hair\", \"body\": \"b\", \"group\": \"%s\",\n"
                         "   \"count\": 20000, \"points\": 2, \"density\": {\"map\": \"edge\"},\n"
                         "   \"maps\": [{\"name\": \"edge\", \"plugin\": \"density.border\",\n"
                         "     \"width\": 0.2, \"bare_width\": 0.05, \"edge_noise\": 0}]}]}",
                         mesh, group),
        &arena);
}

// Density is full beyond the falloff distance from the border, half at half of it, and the seam
// through the middle of the mesh is no border.
TEST(hair_thins_out_towards_the_border)
{
    write_square("square.obj", false);
    const grown_scene grown = grow_border("square.obj", "");
    CHECK_OK(grown.status, grown.error);
    int32_t counts[10] = {0}; // by distance, 5 cm each
    for (int32_t s = 0; s < grown.groom.rest.strand_count; ++s) {
        const coif_vec4 p = grown.groom.rest.points[grown.groom.rest.first[s]];
        const double side = fmin(fmin(p.x, 1.0 - p.x), fmin(p.z, 1.0 - p.z));
        ++counts[side < 0.0 ? 0 : (int)(side / 0.05 * 0.99999)];
    }
    CHECK(counts[0] == 0);
    for (int i = 1; i < 10; ++i) {
        const double t = fmin((0.05 * i + 0.025 - 0.05) / 0.2, 1.0);
        const double outer = 1.0 - 0.1 * i, inner = outer - 0.1;
        const double wanted = 20000.0 * (outer * outer - inner * inner) * t * t * (3.0 - 2.0 * t);
        CHECK_NEAR(counts[i], wanted, 0.05 * wanted + 30.0);
    }
}

TEST(a_closed_mesh_has_no_border)
{
    write_ball("closed.obj", false, &arena);
    const grown_scene closed = grow_border("closed.obj", "");
    CHECK(closed.status == COIF_ERR_SCENE);
    CHECK_CONTAINS(closed.error.text,
                   "/grooms/0/maps/0: the body's whole mesh, which is closed, has no border");
    const grown_scene part = grow_border("closed.obj", "scalp");
    CHECK_OK(part.status, part.error);
}

static coif_groom grow_with(const char *row)
{
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"count\": 500, \"points\": 5, "
        "%s,\n"
        " \"modifiers\": [{\"plugin\": \"groom.comb\", \"lift_angle\": 0, \"head_radius\": "
        "0.03}],\n"
        " \"maps\": [{\"name\": \"right\", \"plugin\": \"density.hairline\", \"normal\": [1, 0, "
        "0], "
        "\"width\": 0, \"edge_noise\": 0}]}]}",
        row);
    write_ball("ball.obj", false, &arena);
    const grown_scene result = grow_scene(text, &arena);
    CHECK_OK(result.status, result.error);
    return result.groom;
}

static bool is_simulated(const coif_groom *groom, int32_t strand)
{
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        if (groom->simulated[i] == strand) {
            return true;
        }
    }
    return false;
}

// Where the map says a fifth, those strands are simulated that would be if it were a fifth
// everywhere.
TEST(more_is_simulated_where_the_map_says_so)
{
    const coif_groom few = grow_with("\"simulated_fraction\": 0.2");
    const coif_groom many = grow_with("\"simulated_fraction\": 0.8");
    const coif_groom both =
        grow_with("\"simulated_fraction\": {\"map\": \"right\", \"range\": [0.2, 0.8]}");
    CHECK(few.simulated_count == 100 && many.simulated_count == 400);
    CHECK(both.simulated_count > 200 && both.simulated_count < 300);
    for (int32_t s = 0; s < both.rest.strand_count; ++s) {
        const bool right = both.rest.points[both.rest.first[s]].x > 0.0f;
        CHECK(is_simulated(&both, s) == is_simulated(right ? &many : &few, s));
        CHECK(both.guides[COIF_GUIDES_PER_CHILD * s] >= 0);
    }
}

static bool same_strand(const coif_groom *a, const coif_groom *b, int32_t s)
{
    const int32_t first = a->rest.first[s];
    return memcmp(a->rest.points + first, b->rest.points + first,
                  sizeof *a->rest.points * (size_t)(a->rest.first[s + 1] - first)) == 0;
}

// Halved on the left, rows of a groom give strands there what the half gives, bit for bit, and
// those on the right the whole.
TEST(a_map_that_halves_is_half_where_it_halves)
{
    static const struct {
        const char *name;
        double value;
    } rows[] = {{"length", 0.2}, {"length_variation", 0.8}, {"radius", 1e-4}, {"clearance", 0.008}};
    for (size_t i = 0; i < COIF_COUNT_OF(rows); ++i) {
        const char *name = rows[i].name;
        const double value = rows[i].value;
        const coif_groom whole = grow_with(coif_arena_print(&arena, "\"%s\": %.9g", name, value));
        const coif_groom half =
            grow_with(coif_arena_print(&arena, "\"%s\": %.9g", name, 0.5 * value));
        const coif_groom both = grow_with(
            coif_arena_print(&arena, "\"%s\": {\"map\": \"right\", \"range\": [%.9g, %.9g]}", name,
                             0.5 * value, value));
        int32_t wrong = 0, different = 0;
        for (int32_t s = 0; s < both.rest.strand_count; ++s) {
            const bool right = both.rest.points[both.rest.first[s]].x > 0.0f;
            wrong += !same_strand(&both, right ? &whole : &half, s);
            different += !same_strand(&whole, &half, s);
        }
        if (wrong > 0 || different < 50) {
            coif_test_failed(__FILE__, __LINE__, "%s: %d wrong, %d different", name, wrong,
                             different);
        }
    }
}

// Numbers of the groom support maps, except units and tolerances of files, the number of candidates
// and the radius around guides.
TEST(no_number_is_forgotten)
{
    for (uint32_t r = 0; r < COIF_GROOM_PARAM_COUNT; ++r) {
        const coif_param *row = &COIF_GROOM_PARAMS[r];
        const bool plain =
            strcmp(row->name, "file_scale") == 0 || strcmp(row->name, "guide_radius") == 0 ||
            strcmp(row->name, "lock_distance") == 0 || strcmp(row->name, "root_tolerance") == 0 ||
            strcmp(row->name, "strands_per_cm2") == 0;
        CHECK(((row->flags & COIF_PARAM_MAPPABLE) != 0) ==
              (row->type == COIF_PARAM_FLOAT && !plain));
    }
}
