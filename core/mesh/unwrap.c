#include "core/mesh/unwrap.h"

#include "core/base/arena.h"
#include "core/mesh/unwrap_charts.h"

#include <math.h>
#include <stdlib.h>

typedef struct placement {
    double x, y; // of the lower left corner, including the margin
} placement;

typedef struct shelf_entry {
    double width, height; // enlarged
    int32_t chart;
} shelf_entry;

static int highest_first(const void *a, const void *b)
{
    const shelf_entry *p = a, *q = b;
    return p->height != q->height ? (p->height < q->height) - (p->height > q->height)
                                  : (p->chart > q->chart) - (p->chart < q->chart);
}

// Places the charts at a scale on shelves of width 1; whether they fit into a square of side 1.
static bool place(placement *placements, const shelf_entry *entries, int32_t count, double scale,
                  double margin)
{
    double x = margin, shelf = margin, top = margin;
    for (int32_t i = 0; i < count; ++i) {
        const double width = scale * entries[i].width, height = scale * entries[i].height;
        if (x + width + margin > 1.0) {
            x = margin;
            shelf = top;
        }
        if (x + width + margin > 1.0 || shelf + height + margin > 1.0) {
            return false;
        }
        placements[entries[i].chart] = (placement){x, shelf};
        x += width + margin;
        top = fmax(top, shelf + height + margin);
    }
    return true;
}

// The largest scale at which everything fits, by bisection.
static double pack(placement *placements, const shelf_entry *entries, int32_t count, double margin)
{
    double largest = 1e-30;
    for (int32_t i = 0; i < count; ++i) {
        largest = fmax(largest, fmax(entries[i].width, entries[i].height));
    }
    double low = 0.0, high = 1.0 / largest;
    for (int step = 0; step < 48; ++step) {
        const double middle = 0.5 * (low + high);
        *(place(placements, entries, count, middle, margin) ? &low : &high) = middle;
    }
    place(placements, entries, count, low, margin);
    return low;
}

static double polygon_area(const coif_obj *obj, int32_t face)
{
    double twice = 0.0;
    for (int32_t c = obj->first[face]; c < obj->first[face + 1]; ++c) {
        const int32_t next = c + 1 < obj->first[face + 1] ? c + 1 : obj->first[face];
        const coif_vec2 a = obj->uvs[obj->corners[c].uv], b = obj->uvs[obj->corners[next].uv];
        twice += (double)a.x * (double)b.y - (double)b.x * (double)a.y;
    }
    return 0.5 * fabs(twice);
}

// A vertex has one pair of coordinates per chart.
static double write_chart(coif_obj *obj, const coif_charts *charts, int32_t index,
                          const placement *at, double scale, int32_t *last_chart, int32_t *uv_of)
{
    const coif_chart *chart = &charts->items[index];
    double area = 0.0;
    for (int32_t i = 0; i < chart->count; ++i) {
        const int32_t face = charts->faces[chart->first + i];
        for (int32_t c = obj->first[face]; c < obj->first[face + 1]; ++c) {
            const int32_t vertex = obj->corners[c].position;
            if (last_chart[vertex] != index + 1) {
                const coif_vec3 p = obj->positions[vertex];
                last_chart[vertex] = index + 1;
                uv_of[vertex] = obj->uv_count;
                obj->uvs[obj->uv_count++] = (coif_vec2){
                    (float)(at->x + scale * (double)(coif_dot(p, chart->u) - chart->low_u)),
                    (float)(at->y + scale * (double)(coif_dot(p, chart->v) - chart->low_v))};
            }
            obj->corners[c].uv = uv_of[vertex];
        }
        area += polygon_area(obj, face);
    }
    return area;
}

coif_unwrap_stats coif_obj_unwrap(coif_obj *obj, const coif_unwrap_desc *desc, coif_arena *arena)
{
    COIF_SCOPED_ARENA(scratch, "unwrap");
    const coif_charts charts =
        coif_charts_of(obj, desc->max_angle, desc->labels, desc->label_scale, &scratch);
    shelf_entry *entries = coif_arena_new(&scratch, charts.count, shelf_entry);
    placement *placements = coif_arena_new(&scratch, charts.count, placement);
    for (int32_t i = 0; i < charts.count; ++i) {
        const coif_chart *chart = &charts.items[i];
        entries[i] = (shelf_entry){(double)chart->scale * (double)chart->width,
                                   (double)chart->scale * (double)chart->height, i};
    }
    qsort(entries, (size_t)charts.count, sizeof *entries, highest_first);
    // Many small charts: the margins alone must not fill the image.
    const double margin = fmin((double)desc->margin, 0.25 / sqrt((double)charts.count + 1.0));
    const double scale = pack(placements, entries, charts.count, margin);
    coif_unwrap_stats stats = {.charts = charts.count};
    int32_t *last_chart = coif_arena_new(&scratch, obj->position_count, int32_t);
    int32_t *uv_of = coif_arena_new(&scratch, obj->position_count, int32_t);
    obj->uvs = coif_arena_new(arena, obj->corner_count, coif_vec2);
    obj->uv_count = 0;
    for (int32_t i = 0; i < charts.count; ++i) {
        stats.coverage += write_chart(obj, &charts, i, &placements[i],
                                      scale * (double)charts.items[i].scale, last_chart, uv_of);
    }
    return stats;
}
