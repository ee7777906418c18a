// Brushes on strands: lengths and roots stay, no point enters the body, results do not depend on
// threads, and a mirrored dab gives mirrored bits.
#include "sim/groom/strand_brush.h"

#include "core/base/jobs.h"
#include "core/collision/primitive_colliders.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { RINGS = 6, PER_RING = 24, STRANDS = RINGS * PER_RING, POINTS = 16 };

static const float HEAD = 0.1f, LENGTH = 0.15f, CLEARANCE = 0.001f;

// Strands on the upper half of a ball, straight outwards. Strand 2i + 1 is strand 2i mirrored.
typedef struct brushed {
    coif_strands strands;
    coif_brush_strands target;
    coif_vec4 *before;
    float *lengths;
    float weights[STRANDS];
    coif_primitive primitive;
    coif_collider head;
    coif_brush_body body;
} brushed;

static coif_vec3 root_direction(int32_t strand)
{
    const int32_t pair = strand / 2;
    const float up = 0.12f + 0.8f * (float)(pair % RINGS) / RINGS;
    const float around = 3.0f * ((float)(pair / RINGS) + 0.37f) / (PER_RING / 2.0f) - 1.5f;
    const float across = sqrtf(1.0f - up * up);
    const coif_vec3 right = {across * cosf(around), up, across * sinf(around)};
    return strand % 2 == 0 ? right : coif_vec3_of(-right.x, right.y, right.z);
}

static brushed *make_head(void)
{
    brushed *b = coif_arena_new(&arena, 1, brushed);
    int32_t counts[STRANDS];
    coif_error error = {0};
    for (int32_t s = 0; s < STRANDS; ++s) {
        counts[s] = POINTS;
    }
    CHECK_OK(coif_strands_init(&b->strands, counts, STRANDS, &arena, &error), error);
    coif_vec3 *normals = coif_arena_new(&arena, STRANDS, coif_vec3);
    for (int32_t s = 0; s < STRANDS; ++s) {
        normals[s] = root_direction(s);
        b->weights[s] = 1.0f;
        for (int32_t k = 0; k < POINTS; ++k) {
            const float up = HEAD + LENGTH * (float)k / (POINTS - 1);
            b->strands.points[s * POINTS + k] =
                (coif_vec4){up * normals[s].x, up * normals[s].y, up * normals[s].z, 4e-5f};
        }
    }
    b->before = coif_arena_new(&arena, STRANDS * POINTS, coif_vec4);
    memcpy(b->before, b->strands.points, sizeof *b->before * STRANDS * POINTS);
    b->target = (coif_brush_strands){.strand_count = STRANDS,
                                     .first = b->strands.first,
                                     .points = b->strands.points,
                                     .segments = coif_arena_new(&arena, STRANDS * POINTS, float),
                                     .normals = normals,
                                     .weights = b->weights,
                                     .deleted = coif_arena_new(&arena, STRANDS, uint8_t),
                                     .changed = coif_arena_new(&arena, STRANDS, uint8_t)};
    coif_strand_brush_measure(b->target.segments, &b->strands);
    const coif_primitive_pose pose = {.radius = HEAD};
    b->primitive.shape = COIF_PRIMITIVE_SPHERE;
    coif_primitive_move(&b->head, &b->primitive, &pose, &pose);
    b->body = (coif_brush_body){.collider = &b->head, .clearance = CLEARANCE};
    return b;
}

static void apply(brushed *b, const coif_strand_dab *dabs, int32_t count, coif_jobs *jobs)
{
    COIF_SCOPED_ARENA(scratch, "dabs");
    coif_strand_brush_apply(&b->target, dabs, count, &b->body, &scratch, jobs);
}

// At the end of a strand that is 0.15 m long: in front of the head, seen from the front.
static coif_strand_dab dab_of(coif_brush_tool tool)
{
    return (coif_strand_dab){.tool = tool,
                             .position = {0.09f, 0.12f, 0.1f},
                             .view = {0.0f, 0.0f, -1.0f},
                             .front = 0.2f,
                             .drag = {0.006f, -0.012f, -0.004f},
                             .normal = {0.4f, 0.7f, 0.6f},
                             .radius = 0.05f,
                             .strength = 0.8f,
                             .hardness = 0.4f};
}

static double length_of(const coif_vec4 *points)
{
    double length = 0.0;
    for (int32_t k = 1; k < POINTS; ++k) {
        length +=
            (double)coif_length(coif_sub(coif_vec4_xyz(points[k]), coif_vec4_xyz(points[k - 1])));
    }
    return length;
}

static double height_of(coif_vec4 point)
{
    return (double)coif_length(coif_vec4_xyz(point)) - (double)HEAD;
}

static int32_t changed_count(const brushed *b)
{
    int32_t count = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const size_t size = sizeof(coif_vec4) * POINTS;
        const bool same = memcmp(b->before + s * POINTS, b->strands.points + s * POINTS, size) == 0;
        CHECK(same || b->target.changed[s]);
        count += b->target.changed[s];
    }
    return count;
}

// Of all strands; a tool that keeps lengths keeps each segment.
static void check_invariants(const brushed *b, bool keeps_lengths)
{
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec4 *p = b->strands.points + s * POINTS, *q = b->before + s * POINTS;
        CHECK(memcmp(&p[0], &q[0], sizeof *p) == 0);
        for (int32_t k = 1; k < POINTS; ++k) {
            CHECK(height_of(p[k]) > 0.0);
            CHECK(p[k].w == q[k].w);
            const double segment =
                (double)coif_length(coif_sub(coif_vec4_xyz(p[k]), coif_vec4_xyz(p[k - 1])));
            CHECK_NEAR(segment, (double)b->target.segments[s * POINTS + k], 1e-4 * segment + 1e-7);
        }
        if (keeps_lengths) {
            CHECK_NEAR(length_of(p), length_of(q), 1e-4 * (double)LENGTH);
        }
    }
}

// Two hundred dabs in one place, into the head: far more than a stroke needs.
TEST(tools_that_move_points_keep_lengths_and_stay_outside)
{
    for (int tool = COIF_BRUSH_COMB; tool <= COIF_BRUSH_PART; ++tool) {
        for (int invert = 0; invert < 2; ++invert) {
            brushed *b = make_head();
            coif_strand_dab dab = dab_of((coif_brush_tool)tool);
            if (tool == COIF_BRUSH_PART) {
                dab.position = coif_vec3_of(0.02f, 0.098f, 0.0f);
                dab.drag = coif_vec3_of(0.0f, 0.0f, 0.01f);
            }
            dab.invert = invert != 0;
            dab.mirror = true;
            for (int i = 0; i < 200; ++i) {
                apply(b, &dab, 1, NULL);
            }
            check_invariants(b, true);
            // Straight hair along the normals has nothing to smooth or to raise.
            CHECK(tool == COIF_BRUSH_SMOOTH || tool == COIF_BRUSH_PUFF ||
                  (changed_count(b) > 4 && changed_count(b) < 100));
        }
    }
}

TEST(a_dab_changes_only_what_is_in_its_volume)
{
    brushed *b = make_head();
    coif_strand_dab dab = dab_of(COIF_BRUSH_COMB);
    apply(b, &dab, 1, NULL);
    int32_t inside = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        bool touched = false;
        for (int32_t k = 1; k < POINTS; ++k) {
            const coif_vec4 p = b->before[s * POINTS + k];
            const float x = p.x - dab.position.x, y = p.y - dab.position.y;
            const float depth = dab.position.z - p.z; // along the view
            touched |= x * x + y * y < dab.radius * dab.radius && depth <= dab.radius &&
                       depth >= -dab.front;
            // Towards the root the bend begins before the brush.
            if (!touched) {
                const coif_vec3 step =
                    coif_sub(coif_vec4_xyz(b->strands.points[s * POINTS + k]), coif_vec4_xyz(p));
                CHECK(coif_length(step) < 0.7f * coif_length(dab.drag));
            }
        }
        CHECK(touched == (b->target.changed[s] != 0));
        inside += touched;
    }
    CHECK(inside > 4 && inside < STRANDS / 2);

    brushed *ball = make_head();
    dab.view = coif_vec3_of(0.0f, 0.0f, 0.0f);
    apply(ball, &dab, 1, NULL);
    CHECK(changed_count(ball) > 2 && changed_count(ball) < inside);
}

TEST(combing_moves_points_along_the_drag)
{
    brushed *b = make_head();
    const coif_strand_dab dab = dab_of(COIF_BRUSH_COMB);
    apply(b, &dab, 1, NULL);
    double most = 0.0;
    for (int32_t i = 0; i < STRANDS * POINTS; ++i) {
        const coif_vec3 step =
            coif_sub(coif_vec4_xyz(b->strands.points[i]), coif_vec4_xyz(b->before[i]));
        most = fmax(most, (double)coif_dot(step, coif_normalize(dab.drag)));
    }
    CHECK(most > 0.3 * 0.8 * 0.014 && most < 0.8 * 0.0141);
}

// Largest angle between neighbouring segments, degrees.
static double sharpest_bend(const coif_vec4 *points)
{
    double sharpest = 0.0;
    for (int32_t k = 1; k + 1 < POINTS; ++k) {
        const coif_vec3 a = coif_sub(coif_vec4_xyz(points[k]), coif_vec4_xyz(points[k - 1]));
        const coif_vec3 b = coif_sub(coif_vec4_xyz(points[k + 1]), coif_vec4_xyz(points[k]));
        const double cosine = (double)coif_dot(coif_normalize(a), coif_normalize(b));
        sharpest = fmax(sharpest, acos(fmin(cosine, 1.0)) * 180.0 / 3.14159265358979);
    }
    return sharpest;
}

// A brush dragged by more than its radius across the middle of straight strands.
TEST(a_strong_stroke_of_the_comb_bends_strands_in_an_arc)
{
    enum { DABS = 20 };
    brushed *b = make_head();
    coif_strand_dab dabs[DABS];
    for (int32_t i = 0; i < DABS; ++i) {
        dabs[i] = dab_of(COIF_BRUSH_COMB);
        dabs[i].position = coif_vec3_of(-0.03f + 0.004f * (float)i, 0.15f, 0.1f);
        dabs[i].drag = coif_vec3_of(0.004f, 0.0f, 0.0f);
        dabs[i].radius = 0.03f;
        dabs[i].strength = 1.0f;
    }
    apply(b, dabs, DABS, NULL);
    double sharpest = 0.0, farthest = 0.0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec4 *p = b->strands.points + s * POINTS, *q = b->before + s * POINTS;
        sharpest = fmax(sharpest, sharpest_bend(p));
        farthest = fmax(farthest, (double)(p[POINTS - 1].x - q[POINTS - 1].x));
    }
    CHECK(changed_count(b) > 5 && farthest > 0.02);
    CHECK(sharpest < 25.0);
    check_invariants(b, true);
}

TEST(lengthening_and_shortening_are_inverse)
{
    brushed *b = make_head();
    coif_strand_dab dab = dab_of(COIF_BRUSH_LENGTHEN);
    apply(b, &dab, 1, NULL);
    check_invariants(b, false);
    double longest = 0.0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        longest = fmax(longest, length_of(b->strands.points + s * POINTS));
        CHECK(length_of(b->strands.points + s * POINTS) > 0.99999 * (double)LENGTH);
    }
    CHECK(longest > 1.04 * (double)LENGTH && longest < 1.06 * (double)LENGTH);

    dab.invert = true;
    dab.position.z = 0.0f; // every strand that crosses the brush, whatever its depth
    for (int i = 0; i < 400; ++i) {
        apply(b, &dab, 1, NULL);
    }
    check_invariants(b, false);
    double shortest = 1.0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        shortest = fmin(shortest, length_of(b->strands.points + s * POINTS));
    }
    CHECK(shortest >= 0.00099 && shortest < 0.13);
}

TEST(a_cut_ends_strands_at_the_brush)
{
    brushed *b = make_head();
    coif_strand_dab dab = dab_of(COIF_BRUSH_CUT);
    dab.strength = 1.0f;
    apply(b, &dab, 1, NULL);
    check_invariants(b, false);
    const int32_t cut = changed_count(b);
    CHECK(cut > 4 && cut < STRANDS / 2);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec4 *p = b->strands.points + s * POINTS;
        CHECK(length_of(p) < 1.00001 * (double)LENGTH);
        if (b->target.changed[s]) {
            // The tip lies on the boundary of the brush: on the side, or at the far end.
            const float x = p[POINTS - 1].x - dab.position.x, y = p[POINTS - 1].y - dab.position.y;
            const double side = (double)(sqrtf(x * x + y * y) - dab.radius);
            const double end = (double)(dab.position.z - p[POINTS - 1].z - dab.radius);
            CHECK_NEAR(fmax(side, end), 0.0, 1e-4);
        }
    }
    // The same cut again finds nothing in the brush.
    memset(b->target.changed, 0, STRANDS);
    memcpy(b->before, b->strands.points, sizeof *b->before * STRANDS * POINTS);
    apply(b, &dab, 1, NULL);
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK_NEAR(length_of(b->strands.points + s * POINTS), length_of(b->before + s * POINTS),
                   1e-4);
    }
}

TEST(deleted_strands_are_skipped)
{
    brushed *b = make_head();
    coif_strand_dab dab = dab_of(COIF_BRUSH_DELETE);
    apply(b, &dab, 1, NULL);
    const int32_t deleted = changed_count(b);
    CHECK(deleted > 4 && deleted < STRANDS / 2);
    memset(b->target.changed, 0, STRANDS);
    dab.tool = COIF_BRUSH_COMB;
    apply(b, &dab, 1, NULL);
    for (int32_t s = 0; s < STRANDS; ++s) {
        CHECK(!b->target.deleted[s] || !b->target.changed[s]);
    }
    CHECK(memcmp(b->before, b->strands.points, sizeof *b->before * STRANDS * POINTS) == 0);
}

TEST(a_part_separates_strands_by_the_side_of_their_roots)
{
    brushed *b = make_head();
    coif_strand_dab dab = dab_of(COIF_BRUSH_PART);
    dab.position = coif_vec3_of(0.0f, HEAD, 0.0f);
    dab.drag = coif_vec3_of(0.0f, 0.0f, 0.01f);
    dab.normal = coif_vec3_of(0.0f, 1.0f, 0.0f);
    dab.radius = 0.09f;
    for (int i = 0; i < 30; ++i) {
        apply(b, &dab, 1, NULL);
    }
    int32_t parted = 0;
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec4 *p = b->strands.points + s * POINTS, *q = b->before + s * POINTS;
        CHECK(p[POINTS - 1].x * q[0].x > 0.0f);
        parted += fabsf(p[POINTS - 1].x) > fabsf(q[POINTS - 1].x) + 0.005f;
    }
    CHECK(parted > 20);
    check_invariants(b, true);
}

TEST(the_mask_limits_a_dab)
{
    brushed *b = make_head();
    for (int32_t s = 0; s < STRANDS; s += 2) {
        b->weights[s] = 0.0f;
    }
    coif_strand_dab dab = dab_of(COIF_BRUSH_COMB);
    dab.mirror = true;
    apply(b, &dab, 1, NULL);
    CHECK(changed_count(b) > 2);
    for (int32_t s = 0; s < STRANDS; s += 2) {
        CHECK(!b->target.changed[s]);
    }
}

// A stroke of all tools, across the middle.
static int32_t stroke(coif_strand_dab *dabs)
{
    int32_t count = 0;
    for (int tool = COIF_BRUSH_COMB; tool <= COIF_BRUSH_CUT; ++tool) {
        for (int i = 0; i < 4; ++i) {
            dabs[count] = dab_of((coif_brush_tool)tool);
            dabs[count].position.x -= 0.03f * (float)i;
            dabs[count].strength = 0.5f;
            dabs[count++].mirror = true;
        }
    }
    return count;
}

TEST(mirrored_strands_stay_mirrored_to_the_bit)
{
    brushed *b = make_head();
    coif_strand_dab dabs[64];
    const int32_t count = stroke(dabs);
    apply(b, dabs, count, NULL);
    CHECK(changed_count(b) > 20);
    for (int32_t s = 0; s < STRANDS; s += 2) {
        CHECK(b->target.changed[s] == b->target.changed[s + 1]);
        for (int32_t k = 0; k < POINTS; ++k) {
            const coif_vec4 p = b->strands.points[s * POINTS + k];
            const coif_vec4 q = b->strands.points[(s + 1) * POINTS + k];
            CHECK(p.x == -q.x && p.y == q.y && p.z == q.z);
        }
    }
}

TEST(dabs_have_the_same_bits_on_any_number_of_threads)
{
    coif_strand_dab dabs[64];
    const int32_t count = stroke(dabs);
    brushed *one = make_head();
    apply(one, dabs, count, NULL);
    for (int threads = 2; threads < 5; ++threads) {
        coif_jobs *jobs;
        coif_error error = {0};
        CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
        brushed *many = make_head();
        apply(many, dabs, count, jobs);
        CHECK(memcmp(one->strands.points, many->strands.points,
                     sizeof(coif_vec4) * STRANDS * POINTS) == 0);
        CHECK(memcmp(one->target.changed, many->target.changed, STRANDS) == 0);
        coif_jobs_close(jobs);
    }
    // In batches as in one call.
    brushed *single = make_head();
    for (int32_t i = 0; i < count; ++i) {
        apply(single, &dabs[i], 1, NULL);
    }
    CHECK(memcmp(one->strands.points, single->strands.points,
                 sizeof(coif_vec4) * STRANDS * POINTS) == 0);
}

TEST(a_drawn_strand_begins_at_its_root_outside_the_body)
{
    const brushed *b = make_head();
    coif_vec4 points[POINTS] = {{0}};
    const coif_vec3 root = {0.0f, HEAD, 0.0f};
    // Through the head and out again.
    const coif_vec3 line[] = {{0, HEAD, 0}, {0.03f, 0.08f, 0.03f}, {0.1f, 0.05f, 0.06f}};
    CHECK(coif_strand_brush_draw(points, POINTS, line, 3, root, &b->body));
    CHECK(points[0].x == root.x && points[0].y == root.y && points[0].z == root.z);
    CHECK_NEAR(length_of(points), 0.0469 + 0.0818, 0.001);
    for (int32_t k = 1; k < POINTS; ++k) {
        CHECK(height_of(points[k]) > 0.0);
    }
    const coif_vec3 dot[] = {{0, HEAD, 0}, {0, HEAD + 1e-5f, 0}};
    CHECK(!coif_strand_brush_draw(points, POINTS, dot, 2, root, &b->body));
    CHECK(!coif_strand_brush_draw(points, POINTS, dot, 1, root, &b->body));
}
