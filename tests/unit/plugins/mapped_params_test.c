// Rows of groom modifiers that say they follow maps and ramps do: every one of every modifier.
#include "core/base/fs.h"
#include "tests/support/head_groom_fixture.h"

#include <coif/noise_scale.h>

enum { HALF = POINTS / 2 };

static float plain[4][TOTAL], other[4][TOTAL];
static float flow[3 * STRANDS];
static float values_of_strands[STRANDS], values_of_points[TOTAL];

static const char *sheet(void)
{
    static const char text[] = "v -1 0.02 -1\nv 1 0.02 -1\nv 1 0.02 1\nv -1 0.02 1\nf 1 2 3 4\n";
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("vary.obj"), text, strlen(text), &error), error);
    return coif_arena_copy_text(&arena, coif_test_path("vary.obj"));
}

// Whether all strands of a style share one tie, head and tail.
static bool gathers(const char *id)
{
    return strcmp(id, "groom.ponytail") == 0 || strcmp(id, "groom.braid") == 0 ||
           strcmp(id, "groom.bun") == 0;
}

// What makes all rows of a modifier count.
static const plugin_value *values_for(const char *id)
{
    static const plugin_value clump[] = {{"levels", {4}, NULL},
                                         {"count", {10}, NULL},
                                         {"twist", {90}, NULL},
                                         {"radius", {0.003}, NULL},
                                         {"strength", {0.5}, NULL},
                                         {"subclumps", {2}, NULL},
                                         {0}};
    static const plugin_value comb[] = {{"guides", {1}, NULL},
                                        {"part_strength", {0.5}, NULL},
                                        {"whorl_angle", {60}, NULL},
                                        {"whorl_radius", {0.3}, NULL},
                                        {"part_x", {0.02}, NULL},
                                        {"part_width", {0.03}, NULL},
                                        {0}};
    static const plugin_value curl[] = {
        {"clump_coherence", {0.5}, NULL}, {"flatness", {0.5}, NULL},
        {"fade_length", {0.1}, NULL},     {"points_per_turn", {5}, NULL},
        {"wavelength", {0.15}, NULL},     {0}};
    static const plugin_value length[] = {
        {"surface", {2}, NULL},       {"radius", {0.19}, NULL},   {"point", {0, -0.1, 0}, NULL},
        {"randomness", {0.03}, NULL}, {"variation", {0.5}, NULL}, {0}};
    static const plugin_value flyaway[] = {{"fraction", {0.9}, NULL}, {"start", {0.1}, NULL}, {0}};
    static const plugin_value strays[] = {{"stray_fraction", {0.2}, NULL}, {0}};
    static const plugin_value twist[] = {{"stray_fraction", {0.2}, NULL},
                                         {"count", {20}, NULL},
                                         {"turns", {2}, NULL},
                                         {"radius", {0.003}, NULL},
                                         {0}};
    static const plugin_value taper[] = {
        {"variation", {0.5}, NULL}, {"root_scale", {0.5}, NULL}, {0}};
    static plugin_value cut[] = {{"mesh", {0}, NULL}, {"randomness", {0.01}, NULL}, {0}};
    if (strcmp(id, "groom.cut") == 0) {
        cut[0].text = sheet();
        return cut;
    }
    return strcmp(id, "groom.clump") == 0     ? clump
           : strcmp(id, "groom.comb") == 0    ? comb
           : strcmp(id, "groom.curl") == 0    ? curl
           : strcmp(id, "groom.length") == 0  ? length
           : strcmp(id, "groom.flyaway") == 0 ? flyaway
           : gathers(id)                      ? strays
           : strcmp(id, "groom.twist") == 0   ? twist
           : strcmp(id, "groom.taper") == 0   ? taper
                                              : NULL;
}

// Hair that has been combed and gathered, and then the modifier with the tables of the head.
static void run(const coif_plugin *plugin, const plugin_value *values)
{
    const float *strands[ROWS], *points[ROWS];
    memcpy(strands, head.per_strand, sizeof strands);
    memcpy(points, head.per_point, sizeof points);
    plant_all();
    static const plugin_value locks[] = {{"count", {20}, NULL}, {"stray_fraction", {0}, NULL}, {0}};
    apply("groom.comb", NULL);
    apply("groom.clump", locks);
    memcpy(head.per_strand, strands, sizeof strands);
    memcpy(head.per_point, points, sizeof points);
    coif_groom_batch batch = whole_head();
    batch.guide_direction = flow;
    coif_plugin_instance *instance = plugin_instance(head.plugins, plugin->id, values, &arena);
    coif_error error = {0};
    CHECK_OK(coif_plugin_instance_prepare(instance, &batch, &error), error);
    CHECK(coif_plugin_eval_groom(instance, &batch));
}

static void keep_as(float to[4][TOTAL])
{
    memcpy(to[0], head.x, sizeof head.x);
    memcpy(to[1], head.y, sizeof head.y);
    memcpy(to[2], head.z, sizeof head.z);
    memcpy(to[3], head.radius, sizeof head.radius);
}

static bool differs(float from[4][TOTAL], int32_t i)
{
    return head.x[i] != from[0][i] || head.y[i] != from[1][i] || head.z[i] != from[2][i] ||
           head.radius[i] != from[3][i];
}

static bool is_moved(int32_t i)
{
    return differs(plain, i);
}

// The values for a modifier, but for one row.
static const plugin_value *values_with(const char *id, const char *name, double number)
{
    enum { MOST = 16 };
    plugin_value *values = coif_arena_new(&arena, MOST, plugin_value);
    int count = 0;
    for (const plugin_value *v = values_for(id); v != NULL && v->name != NULL; ++v) {
        if (strcmp(v->name, name) != 0) {
            values[count++] = *v;
        }
    }
    CHECK(count + 1 < MOST);
    values[count] = (plugin_value){name, {number}, NULL};
    return values;
}

// The value that a row has for the plain run.
static double value_of(const coif_plugin *plugin, const coif_param *row)
{
    const plugin_value *value = values_for(plugin->id);
    for (; value != NULL && value->name != NULL; ++value) {
        if (strcmp(value->name, row->name) == 0) {
            return value->numbers[0];
        }
    }
    return row->fallback[0];
}

static double another(const coif_param *row, double value)
{
    return value != 0.0 ? 0.6 * value : fmin(0.1, row->high);
}

// Odd strands have another value: many of them lie otherwise, all as they would if all had it, and
// no even one does, but those that curl with their lock.
static void check_map(const coif_plugin *plugin, uint32_t index, const coif_param *row)
{
    const double value = value_of(plugin, row);
    for (int32_t s = 0; s < STRANDS; ++s) {
        values_of_strands[s] = (float)(s % 2 == 1 ? another(row, value) : value);
    }
    memset(head.per_strand, 0, sizeof head.per_strand);
    memset(head.per_point, 0, sizeof head.per_point);
    run(plugin, values_with(plugin->id, row->name, another(row, value)));
    keep_as(other);
    head.per_strand[index] = values_of_strands;
    run(plugin, values_for(plugin->id));
    int32_t changed = 0, strangers = 0, wrong = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        bool moved = false;
        for (int k = 0; k < POINTS; ++k) {
            moved = moved || is_moved(s * POINTS + k);
            wrong += s % 2 == 1 && differs(other, s * POINTS + k);
        }
        changed += s % 2 == 1 && moved;
        strangers += s % 2 == 0 && moved;
    }
    if (changed < 10 || (strangers + wrong > 0 && strcmp(plugin->id, "groom.curl") != 0)) {
        coif_test_failed(__FILE__, __LINE__,
                         "%s, %s: a map changes %d strands and %d others, %d points wrongly",
                         plugin->id, row->name, changed, strangers, wrong);
    }
}

// The outer half of every strand has another value: only what lies there changes.
static void check_ramp(const coif_plugin *plugin, uint32_t index, const coif_param *row)
{
    const double value = value_of(plugin, row);
    for (int32_t i = 0; i < TOTAL; ++i) {
        values_of_points[i] = (float)(i % POINTS >= HALF ? another(row, value) : value);
    }
    memset(head.per_strand, 0, sizeof head.per_strand);
    memset(head.per_point, 0, sizeof head.per_point);
    head.per_point[index] = values_of_points;
    run(plugin, values_for(plugin->id));
    int32_t changed = 0, strangers = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        bool moved = false;
        for (int k = 0; k < POINTS; ++k) {
            strangers += k < HALF - 1 && is_moved(s * POINTS + k);
            moved = moved || (k >= HALF && is_moved(s * POINTS + k));
        }
        changed += moved;
    }
    // Smoothing carries what it does from segment to segment, towards the root as well; swings of
    // a ramped size are summed and not divided.
    const bool reaches =
        strcmp(plugin->id, "groom.smooth") == 0 ||
        (strcmp(plugin->id, "groom.frizz") == 0 && strcmp(row->name, "wavelength") == 0);
    if (changed < 10 || (strangers > 0 && !reaches)) {
        coif_test_failed(__FILE__, __LINE__, "%s, %s: a ramp changes %d strands, %d points before",
                         plugin->id, row->name, changed, strangers);
    }
}

// Numbers that hold for all locks, for a line as a whole, or for a file.
static bool is_plain(const char *id, const char *name)
{
    if (gathers(id)) {
        return true;
    }
    static const char *const rows[][2] = {
        {"groom.clump", "subclumps"}, {"groom.part", "edge_noise_scale"}, {"groom.cut", "scale"}};
    for (size_t i = 0; i < COIF_COUNT_OF(rows); ++i) {
        if (strcmp(rows[i][0], id) == 0 && strcmp(rows[i][1], name) == 0) {
            return true;
        }
    }
    return false;
}

TEST(every_row_that_may_vary_does)
{
    int32_t maps = 0, ramps = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        flow[3 * s + 2] = 1.0f;
    }
    plant_all();
    for (int32_t i = 0; i < coif_plugins_count(head.plugins); ++i) {
        const coif_plugin *plugin = coif_plugins_at(head.plugins, i);
        if (plugin->kind != COIF_KIND_GROOM) {
            continue;
        }
        memset(head.per_strand, 0, sizeof head.per_strand);
        memset(head.per_point, 0, sizeof head.per_point);
        run(plugin, values_for(plugin->id));
        keep_as(plain);
        for (uint32_t row = 0; row < plugin->param_count; ++row) {
            CHECK((plugin->params[row].flags & COIF_PARAM_MAPPABLE) != 0 ||
                  plugin->params[row].type != COIF_PARAM_FLOAT ||
                  is_plain(plugin->id, plugin->params[row].name));
            if (plugin->params[row].flags & COIF_PARAM_MAPPABLE) {
                ++maps;
                check_map(plugin, row, &plugin->params[row]);
            }
            if (plugin->params[row].flags & COIF_PARAM_RAMP) {
                ++ramps;
                check_ramp(plugin, row, &plugin->params[row]);
            }
        }
    }
    CHECK(maps >= 41 && ramps >= 17);
}

static float noise_of(float size, coif_kit_vec position)
{
    return coif_kit_noise3(position.x / size, position.y / size, position.z / size, 7u);
}

// Far from the origin a size that grows by a hundredth is other noise altogether; blends of a few
// sizes run smoothly from one to the next.
TEST(changing_radii_keep_lengths)
{
    const coif_kit_noise_scales sizes = {0.02f, 0.07f};
    const coif_kit_vec position = {2.03f, 1.62f, 0.31f};
    float before[2] = {0.0f, 0.0f}, steps[2] = {0.0f, 0.0f};
    for (int i = 0; i <= 125; ++i) {
        const float size = i < 125 ? sizes.low * coif_kit_exp(0.01f * (float)i) : sizes.high;
        const coif_kit_noise_scale blend = coif_kit_noise_scale_at(sizes, size);
        const float second = blend.second > 0.0f ? noise_of(blend.second, position) : 0.0f;
        const float now[2] = {
            noise_of(size, position),
            coif_kit_noise_scale_blend(&blend, noise_of(blend.first, position), second)};
        for (int variant = 0; variant < 2 && i > 0; ++variant) {
            steps[variant] = fmaxf(steps[variant], fabsf(now[variant] - before[variant]));
        }
        memcpy(before, now, sizeof before);
        CHECK((i > 0 && i < 125) || now[0] == now[1]);
    }
    CHECK(steps[0] > 0.3f && steps[1] < 0.05f);
}
