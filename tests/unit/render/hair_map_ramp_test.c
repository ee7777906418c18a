// Maps and textures on "hair": a map of one half on one side gives strands there exactly the result
// of the halved parameter, and leaves the others unchanged; for every mappable parameter.
#include "core/base/rng.h"
#include "render/shading/hair_varying_params.h"
#include "tests/support/map_ramp_cases.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/render_cache.h"
#include "tests/support/test.h"

enum { STRANDS = 60, POINTS = 3 };

static coif_arena arena;
static coif_mesh square;
static coif_groom groom;

static void make_groom(void)
{
    int32_t lengths[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        lengths[s] = POINTS;
    }
    coif_error error = {0};
    square = shape_plane(1.0f, 2, &arena);
    CHECK_OK(coif_groom_init(&groom, lengths, STRANDS, &arena, &error), error);
    for (int32_t s = 0; s < STRANDS; ++s) {
        groom.root_triangle[s] = s % square.triangle_count;
        groom.root_barycentric[2 * s] = groom.root_barycentric[2 * s + 1] = 0.3f;
        groom.random[s] = coif_random_word(2, (uint64_t)s, 0);
        const coif_vec3 root = coif_mesh_at(&square, groom.root_triangle[s], 0.3f, 0.3f).position;
        for (int32_t k = 0; k < POINTS; ++k) {
            groom.rest.points[POINTS * s + k] =
                (coif_vec4){root.x, root.y + 0.1f * (float)k, root.z, 1e-3f};
        }
    }
}

static bool is_on_right(int32_t strand)
{
    return groom.rest.points[POINTS * strand].x > 0.0f;
}

// The lower end of the range on the left, the upper end on the right.
static coif_status eval_map(const coif_map_query *query, float *values, coif_error *error)
{
    (void)error;
    const coif_value *value = &query->node->values.values[query->row];
    for (int32_t s = 0; s < query->count; ++s) {
        values[s] = (float)value->range[query->roots[s].position.x > 0.0f][query->axis];
    }
    return COIF_OK;
}

// Results per strand: colours, fibre and ribbon parameters.
typedef struct outcome {
    const coif_strand_color *colors;
    coif_hair_params params[STRANDS];
} outcome;

static outcome *paint(const coif_node *node)
{
    outcome *made = coif_arena_new(&arena, 1, outcome);
    coif_hair_params params;
    coif_node_read(coif_node_at(node, "hair"), 1.0, &params);
    coif_hair_material fibre;
    coif_hair_material_init(&fibre, &params, COIF_WORKING_REC709);
    coif_hair_maps maps;
    coif_texture_cache textures = {.arena = &arena};
    const coif_hair_maps_desc query = {.groom = &groom,
                                       .node = node,
                                       .mesh = &square,
                                       .eval_map = eval_map,
                                       .textures = &textures};
    const coif_strand_color_desc desc = {
        .groom = &groom, .node = node, .mesh = &square, .maps = &maps};
    coif_error error = {0};
    CHECK_OK(coif_hair_maps_evaluate(&maps, &query, &arena, &error), error);
    made->colors = coif_strand_colors_compute(&fibre, &desc, &arena);
    const coif_hair_varying_params *varying =
        coif_hair_varying_params_of(coif_node_at(node, "hair"), &maps, &arena);
    for (int32_t s = 0; s < STRANDS; ++s) {
        made->params[s] = varying != NULL ? coif_hair_varying_params_eval(varying, &fibre, s, 0.5f)
                                          : fibre.params;
        // Parameters of the geometry.
        static const size_t shapes[] = {
            offsetof(coif_hair_params, ribbon_tilt), offsetof(coif_hair_params, ribbon_twist),
            offsetof(coif_hair_params, opacity), offsetof(coif_hair_params, ellipticity)};
        for (size_t i = 0; i < COIF_COUNT_OF(shapes); ++i) {
            const coif_hair_map *map = coif_hair_maps_find(&maps, (uint32_t)shapes[i]);
            if (map != NULL) {
                memcpy((char *)&made->params[s] + shapes[i], &map->values[s], sizeof(float));
            }
        }
    }
    return made;
}

static const coif_node *groom_with(const char *hair)
{
    const char *const sets[] = {coif_arena_print(&arena, "grooms/0/hair={%s}", hair)};
    return &coif_node_at(ball_scene(sets, 1, &arena)->root, "grooms")->children[0];
}

// Colour parameters change the colours.
static const char *hair_with(const coif_param *row, const double numbers[3])
{
    const char *by = strcmp(row->name, "reflectance") == 0  ? "reflectance"
                     : strcmp(row->name, "absorption") == 0 ? "absorption"
                                                            : "melanin";
    static const char *const others[] = {"dye_amount", "streak_fraction", "streak_amount",
                                         "tip_amount", "variation",       "tip_lightening"};
    const char *text = coif_arena_print(
        &arena, row->type == COIF_PARAM_FLOAT ? "\"%s\": %.9g" : "\"%s\": [%.9g, %.9g, %.9g]",
        row->name, numbers[0], numbers[1], numbers[2]);
    for (size_t i = 0; i < COIF_COUNT_OF(others); ++i) {
        if (strcmp(others[i], row->name) != 0) {
            text = coif_arena_print(&arena, "%s, \"%s\": 0.5", text, others[i]);
        }
    }
    return coif_arena_print(&arena, "%s, \"color_model\": \"%s\"", text, by);
}

// A value and half of it, within the range of the parameter.
static void choose(const coif_param *row, double whole[3], double half[3])
{
    for (int i = 0; i < 3; ++i) {
        whole[i] = row->fallback[i] > 0.0 ? row->fallback[i] : 0.75 * fmin(row->high, 1.0);
        half[i] = fmax(0.5 * whole[i], row->low);
        whole[i] = half[i] < whole[i] ? whole[i] : 2.0 * whole[i];
    }
}

static bool same(const outcome *a, const outcome *b, int32_t s, const coif_param *row)
{
    if (coif_hair_param_is_optical(row->offset)) {
        return memcmp(&a->params[s], &b->params[s], sizeof a->params[s]) == 0;
    }
    return memcmp(&a->colors[s], &b->colors[s], sizeof a->colors[s]) == 0 &&
           a->params[s].opacity == b->params[s].opacity &&
           a->params[s].ellipticity == b->params[s].ellipticity &&
           a->params[s].ribbon_tilt == b->params[s].ribbon_tilt &&
           a->params[s].ribbon_twist == b->params[s].ribbon_twist;
}

static void check_row(uint32_t index, const coif_param *row)
{
    double whole[3], half[3];
    choose(row, whole, half);
    const outcome *wholes = paint(groom_with(hair_with(row, whole)));
    const outcome *halves = paint(groom_with(hair_with(row, half)));
    const coif_node *node = groom_with(hair_with(row, whole));
    // The test scene has no maps; the name is set directly.
    coif_value *value = &coif_node_at(node, "hair")->values.values[index];
    value->map = "half";
    memcpy(value->range[0], half, sizeof half);
    memcpy(value->range[1], whole, sizeof whole);
    const outcome *mapped = paint(node);
    int32_t wrong = 0, different = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        wrong += !same(mapped, is_on_right(s) ? wholes : halves, s, row);
        different += !same(wholes, halves, s, row);
    }
    if (wrong > 0 || different < STRANDS / 20) {
        coif_test_failed(__FILE__, __LINE__, "hair.%s: %d wrong, %d different", row->name, wrong,
                         different);
    }
}

TEST(map_of_one_half_equals_the_halved_parameter)
{
    make_groom();
    int32_t rows = 0;
    for (uint32_t r = 0; r < COIF_HAIR_SECTION.param_count; ++r) {
        const coif_param *row = &COIF_HAIR_SECTION.params[r];
        const bool varies = (row->flags & COIF_PARAM_MAPPABLE) != 0;
        rows += varies;
        if (varies) {
            check_row(r, row);
        }
        // Numbers and colours are mappable.
        CHECK(varies || (row->type != COIF_PARAM_FLOAT && row->type != COIF_PARAM_COLOR &&
                         row->type != COIF_PARAM_VEC3));
    }
    CHECK(rows >= 31);
}

TEST(textures_give_strand_colours)
{
    static const char OTHERS[] = "\"dye_amount\": 0.5, \"streak_fraction\": 0.5, \"tip_amount\": "
                                 "0.5, \"color_model\": \"%s\"";
    make_groom();
    write_halves("halves.bmp");
    const char *path = coif_arena_copy_text(&arena, coif_test_path("halves.bmp"));
    // Roots at the centres of the two texels, without interpolation.
    for (int32_t t = 0; t < 3 * square.triangle_count; ++t) {
        square.uvs[t].x = square.uvs[t].x - 0.5f > 0.0f || t / 3 % 4 > 1 ? 0.75f : 0.25f;
    }
    for (uint32_t r = 0; r < COIF_HAIR_SECTION.param_count; ++r) {
        const coif_param *row = &COIF_HAIR_SECTION.params[r];
        if (row->type != COIF_PARAM_COLOR) {
            continue;
        }
        const char *others = coif_arena_print(
            &arena, OTHERS, strcmp(row->name, "reflectance") == 0 ? "reflectance" : "melanin");
        const char *values[3] = {"[0, 0, 0]", "[1, 1, 1]",
                                 coif_arena_print(&arena, "{\"texture\": \"%s\"}", path)};
        const outcome *made[3];
        for (int i = 0; i < 3; ++i) {
            made[i] = paint(groom_with(
                coif_arena_print(&arena, "\"%s\": %s, %s", row->name, values[i], others)));
        }
        int32_t sides[2] = {0};
        for (int32_t s = 0; s < STRANDS; ++s) {
            const coif_vec2 uv = coif_mesh_at(&square, groom.root_triangle[s], 0.3f, 0.3f).uv;
            if (uv.x == 0.25f || uv.x == 0.75f) {
                CHECK(same(made[2], made[uv.x > 0.5f], s, row));
                sides[uv.x > 0.5f] += !same(made[0], made[1], s, row);
            }
        }
        CHECK(sides[0] > 3 && sides[1] > 3);
    }
}

TEST(errors_name_the_parameter)
{
    make_groom();
    write_halves("halves.bmp");
    square.uvs = NULL;
    const char *path = coif_arena_copy_text(&arena, coif_test_path("halves.bmp"));
    const coif_node *node =
        groom_with(coif_arena_print(&arena, "\"dye\": {\"texture\": \"%s\"}", path));
    coif_hair_maps maps;
    coif_texture_cache textures = {.arena = &arena, .scene = "s.json"};
    const coif_hair_maps_desc query = {.groom = &groom,
                                       .node = node,
                                       .mesh = &square,
                                       .eval_map = eval_map,
                                       .textures = &textures};
    coif_error error = {0};
    CHECK(coif_hair_maps_evaluate(&maps, &query, &arena, &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "/grooms/0/hair/dye/texture");
    CHECK_CONTAINS(error.text, "no texture coordinates");
}
