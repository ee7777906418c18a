#include "core/mesh/unwrap_charts.h"

#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/base/deterministic_math.h"
#include "core/mesh/unwrap_overlap.h"

#include <math.h>
#include <stdlib.h>

static const float RADIANS = 0.017453292519943295f; // per degree

// A face across an edge of a corner waits for its chart; nearest normals first, then oldest.
typedef struct candidate {
    float cost;
    int32_t order, face;
} candidate;

typedef struct chart_builder {
    const coif_obj *obj;
    float max_angle; // degrees
    const uint8_t *labels;
    coif_vec3 *normals; // twice the area times the unit normal
    int32_t *across;    // per corner: face across the edge to the next corner, -1 at a border
    int32_t *chart;     // per face, -1: not yet in one
    candidate *heap;
    size_t heap_count, heap_capacity;
    int32_t pushed;
    int32_t *grown; // faces of the chart being built
    coif_arena *arena;
} chart_builder;

static coif_vec3 face_normal(const coif_obj *obj, int32_t face)
{
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    const int32_t first = obj->first[face], end = obj->first[face + 1];
    const coif_vec3 origin = obj->positions[obj->corners[first].position];
    for (int32_t c = first + 1; c + 1 < end; ++c) {
        sum = coif_add(sum,
                       coif_cross(coif_sub(obj->positions[obj->corners[c].position], origin),
                                  coif_sub(obj->positions[obj->corners[c + 1].position], origin)));
    }
    return sum;
}

// ---- adjacency

typedef struct position_key {
    coif_vec3 position;
    int32_t index;
} position_key;

static int compare_floats(float a, float b)
{
    return (a > b) - (a < b);
}

static int by_position(const void *a, const void *b)
{
    const position_key *p = a, *q = b;
    const int x = compare_floats(p->position.x, q->position.x);
    const int y = compare_floats(p->position.y, q->position.y);
    const int z = compare_floats(p->position.z, q->position.z);
    return x != 0 ? x : y != 0 ? y : z != 0 ? z : (p->index > q->index) - (p->index < q->index);
}

// Vertices at one position get the lowest index.
static int32_t *weld(const coif_obj *obj, coif_arena *arena)
{
    int32_t *welded = coif_arena_new(arena, obj->position_count, int32_t);
    position_key *keys = coif_arena_new(arena, obj->position_count, position_key);
    for (int32_t i = 0; i < obj->position_count; ++i) {
        keys[i] = (position_key){obj->positions[i], i};
    }
    qsort(keys, (size_t)obj->position_count, sizeof *keys, by_position);
    for (int32_t i = 0; i < obj->position_count; ++i) {
        const bool same = i > 0 &&
                          compare_floats(keys[i].position.x, keys[i - 1].position.x) == 0 &&
                          compare_floats(keys[i].position.y, keys[i - 1].position.y) == 0 &&
                          compare_floats(keys[i].position.z, keys[i - 1].position.z) == 0;
        welded[keys[i].index] = same ? welded[keys[i - 1].index] : keys[i].index;
    }
    return welded;
}

typedef struct edge {
    int32_t low, high, face, corner;
} edge;

static int by_vertices(const void *a, const void *b)
{
    const edge *p = a, *q = b;
    return p->low != q->low     ? (p->low > q->low) - (p->low < q->low)
           : p->high != q->high ? (p->high > q->high) - (p->high < q->high)
                                : (p->corner > q->corner) - (p->corner < q->corner);
}

// Edges of two faces connect them; all others are borders.
static void connect_faces(chart_builder *builder)
{
    const coif_obj *obj = builder->obj;
    const int32_t *welded = weld(obj, builder->arena);
    edge *edges = coif_arena_new(builder->arena, obj->corner_count, edge);
    for (int32_t f = 0; f < obj->face_count; ++f) {
        for (int32_t c = obj->first[f]; c < obj->first[f + 1]; ++c) {
            const int32_t next = c + 1 < obj->first[f + 1] ? c + 1 : obj->first[f];
            const int32_t a = welded[obj->corners[c].position];
            const int32_t b = welded[obj->corners[next].position];
            edges[c] = (edge){a < b ? a : b, a < b ? b : a, f, c};
            builder->across[c] = -1;
        }
    }
    qsort(edges, (size_t)obj->corner_count, sizeof *edges, by_vertices);
    for (int32_t i = 0; i < obj->corner_count;) {
        int32_t end = i + 1;
        while (end < obj->corner_count && edges[end].low == edges[i].low &&
               edges[end].high == edges[i].high) {
            ++end;
        }
        if (end - i == 2) {
            builder->across[edges[i].corner] = edges[i + 1].face;
            builder->across[edges[i + 1].corner] = edges[i].face;
        }
        i = end;
    }
}

// ---- growing

static bool is_before(const candidate *a, const candidate *b)
{
    return a->cost != b->cost ? a->cost < b->cost : a->order < b->order;
}

static void push(chart_builder *builder, float cost, int32_t face)
{
    builder->heap = coif_array_grow(builder->heap, builder->heap_count, 1, &builder->heap_capacity,
                                    sizeof *builder->heap, builder->arena);
    candidate *heap = builder->heap;
    size_t at = builder->heap_count++;
    const candidate added = {cost, builder->pushed++, face};
    for (; at > 0 && is_before(&added, &heap[(at - 1) / 2]); at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = added;
}

static int32_t pop(chart_builder *builder)
{
    candidate *heap = builder->heap;
    const int32_t face = heap[0].face;
    const candidate last = heap[--builder->heap_count];
    const size_t count = builder->heap_count;
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && is_before(&heap[child + 1], &heap[child]);
        if (!is_before(&heap[child], &last)) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = last;
    return face;
}

// Cosine of the angle to a unit normal; 1 for faces without area, which fit everywhere.
static float cosine_to(const chart_builder *builder, int32_t face, coif_vec3 normal)
{
    const float length = coif_length(builder->normals[face]);
    return length > 0.0f ? coif_dot(builder->normals[face], normal) / length : 1.0f;
}

static coif_vec3 unit_or_up(coif_vec3 vector)
{
    return coif_length(vector) > 0.0f ? coif_normalize(vector) : coif_vec3_of(0.0f, 1.0f, 0.0f);
}

// Faces connected to the seed whose normals are near the mean of those before; returns their
// number.
static int32_t grow(chart_builder *builder, int32_t seed, int32_t chart)
{
    const coif_obj *obj = builder->obj;
    const uint8_t *labels = builder->labels;
    const float limit = coif_det_cos(RADIANS * builder->max_angle);
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    int32_t count = 0;
    builder->heap_count = 0;
    push(builder, 0.0f, seed);
    while (builder->heap_count > 0) {
        const int32_t face = pop(builder);
        if (builder->chart[face] >= 0 ||
            (count > 0 && cosine_to(builder, face, unit_or_up(sum)) < limit)) {
            continue;
        }
        builder->chart[face] = chart;
        builder->grown[count++] = face;
        sum = coif_add(sum, builder->normals[face]);
        const coif_vec3 mean = unit_or_up(sum);
        for (int32_t c = obj->first[face]; c < obj->first[face + 1]; ++c) {
            const int32_t other = builder->across[c];
            if (other >= 0 && builder->chart[other] < 0 &&
                (labels == NULL || labels[other] == labels[seed])) {
                push(builder, 1.0f - cosine_to(builder, other, mean), other);
            }
        }
    }
    return count;
}

// ---- projection

static coif_vec2 project(const coif_chart *chart, coif_vec3 position)
{
    return (coif_vec2){coif_dot(position, chart->u), coif_dot(position, chart->v)};
}

static void measure(coif_chart *chart, const coif_obj *obj, const int32_t *faces)
{
    float high_u = -INFINITY, high_v = -INFINITY;
    chart->low_u = chart->low_v = INFINITY;
    for (int32_t i = 0; i < chart->count; ++i) {
        for (int32_t c = obj->first[faces[i]]; c < obj->first[faces[i] + 1]; ++c) {
            const coif_vec2 p = project(chart, obj->positions[obj->corners[c].position]);
            chart->low_u = fminf(chart->low_u, p.x);
            chart->low_v = fminf(chart->low_v, p.y);
            high_u = fmaxf(high_u, p.x);
            high_v = fmaxf(high_v, p.y);
        }
    }
    chart->width = high_u - chart->low_u;
    chart->height = high_v - chart->low_v;
}

// Turns the plane to the smallest bounding box, wider than high.
static void orient(coif_chart *chart, const coif_obj *obj, const int32_t *faces)
{
    enum { STEPS = 18 };
    const coif_vec3 u = chart->u, v = chart->v;
    coif_chart best = *chart;
    best.width = best.height = INFINITY;
    for (int step = 0; step < STEPS; ++step) {
        const float angle = RADIANS * 90.0f / STEPS * (float)step;
        const float cosine = coif_det_cos(angle), sine = coif_det_sin(angle);
        coif_chart turned = *chart;
        turned.u = coif_mad(coif_scale(u, cosine), sine, v);
        turned.v = coif_mad(coif_scale(v, cosine), -sine, u);
        measure(&turned, obj, faces);
        if (turned.width * turned.height < best.width * best.height) {
            best = turned;
        }
    }
    if (best.height > best.width) {
        const coif_vec3 first = best.u;
        best.u = best.v;
        best.v = coif_scale(first, -1.0f);
        measure(&best, obj, faces);
    }
    *chart = best;
}

// Moves the grown faces to the chart that face its plane and overlap no other face there; the
// others wait for another chart.
static void keep_flat_faces(coif_chart *chart, chart_builder *builder, int32_t grown,
                            int32_t *faces)
{
    static const float MIN_COSINE = 0.15f;
    const coif_obj *obj = builder->obj;
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < grown; ++i) {
        sum = coif_add(sum, builder->normals[builder->grown[i]]);
    }
    coif_vec3 normal = unit_or_up(sum);
    if (cosine_to(builder, builder->grown[0], normal) < MIN_COSINE) {
        normal = unit_or_up(builder->normals[builder->grown[0]]);
    }
    coif_frame_around(normal, &chart->u, &chart->v);
    COIF_SCOPED_ARENA(scratch, "unwrap");
    coif_overlap_grid grid;
    coif_overlap_grid_init(&grid, obj, chart->u, chart->v, builder->grown, grown, &scratch);
    chart->count = 0;
    for (int32_t i = 0; i < grown; ++i) {
        const int32_t face = builder->grown[i];
        const bool flat = cosine_to(builder, face, normal) >= MIN_COSINE;
        if (flat && coif_overlap_grid_add(&grid, face)) {
            faces[chart->count++] = face;
        } else {
            builder->chart[face] = -1;
        }
    }
}

coif_charts coif_charts_of(const coif_obj *obj, float max_angle, const uint8_t *labels,
                           float label_scale, coif_arena *arena)
{
    COIF_SCOPED_ARENA(scratch, "unwrap");
    chart_builder builder = {.obj = obj,
                             .max_angle = max_angle,
                             .labels = labels,
                             .normals = coif_arena_new(&scratch, obj->face_count, coif_vec3),
                             .across = coif_arena_new(&scratch, obj->corner_count, int32_t),
                             .chart = coif_arena_new(&scratch, obj->face_count, int32_t),
                             .grown = coif_arena_new(&scratch, obj->face_count, int32_t),
                             .arena = &scratch};
    coif_charts charts = {.items = coif_arena_new(arena, obj->face_count, coif_chart),
                          .faces = coif_arena_new(arena, obj->face_count, int32_t)};
    for (int32_t f = 0; f < obj->face_count; ++f) {
        builder.normals[f] = face_normal(obj, f);
        builder.chart[f] = -1;
    }
    connect_faces(&builder);
    int32_t placed = 0;
    for (int32_t seed = 0; seed < obj->face_count;) {
        if (builder.chart[seed] >= 0) {
            ++seed;
            continue;
        }
        coif_chart *chart = &charts.items[charts.count];
        const int32_t grown = grow(&builder, seed, charts.count);
        chart->first = placed;
        chart->scale = labels != NULL && labels[seed] != 0 ? label_scale : 1.0f;
        keep_flat_faces(chart, &builder, grown, charts.faces + placed);
        orient(chart, obj, charts.faces + placed);
        placed += chart->count;
        ++charts.count;
    }
    return charts;
}
