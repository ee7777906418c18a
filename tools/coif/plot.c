#include "tools/coif/plot.h"

#include <math.h>
#include <stdio.h>

enum { LEFT = 100, RIGHT = 28, TOP = 84, BOTTOM = 78, TICKS_MOST = 64 };

static const coif_vec3 INK = {0.13f, 0.14f, 0.17f};
static const coif_vec3 PALE = {0.90f, 0.91f, 0.93f};

// Told apart well, also by people who see fewer colours (after Okabe and Ito 2008).
coif_vec3 coif_plot_color(int32_t index)
{
    static const coif_vec3 colors[] = {
        {0.13f, 0.14f, 0.17f}, {0.00f, 0.45f, 0.70f}, {0.84f, 0.37f, 0.00f}, {0.00f, 0.62f, 0.45f},
        {0.80f, 0.47f, 0.65f}, {0.90f, 0.62f, 0.00f}, {0.34f, 0.71f, 0.91f}};
    return colors[index % (int32_t)COIF_COUNT_OF(colors)];
}

typedef struct scale {
    double low, high; // of the logarithm where it is logarithmic
    bool logarithmic;
    float begin, end; // pixels
    double ticks[TICKS_MOST];
    bool labelled[TICKS_MOST];
    int32_t tick_count;
} scale;

static double along(const scale *s, double value)
{
    return s->logarithmic ? (value > 0.0 ? log10(value) : NAN) : value;
}

static float pixel_of(const scale *s, double value)
{
    const double share = (along(s, value) - s->low) / (s->high - s->low);
    return s->begin + (float)share * (s->end - s->begin);
}

static scale scale_of(const coif_plot *plot, int which)
{
    const coif_axis *axis = which == 0 ? &plot->x : &plot->y;
    scale s = {.low = INFINITY, .high = -INFINITY, .logarithmic = axis->logarithmic};
    for (int32_t c = 0; c < plot->curve_count; ++c) {
        const double *values = which == 0 ? plot->curves[c].x : plot->curves[c].y;
        for (int32_t i = 0; i < plot->curves[c].count; ++i) {
            const double value = along(&s, values[i]);
            if (isfinite(value)) {
                s.low = fmin(s.low, value);
                s.high = fmax(s.high, value);
            }
        }
    }
    const double room = 0.04 * (s.high - s.low);
    s.low -= room;
    s.high += room;
    if (axis->low < axis->high) {
        s.low = along(&s, axis->low);
        s.high = along(&s, axis->high);
    }
    if (!(s.high - s.low > 1e-12)) {
        s.low = isfinite(s.low) ? s.low - 1.0 : 0.0;
        s.high = s.low + 2.0;
    }
    return s;
}

static void add_tick(scale *s, double value, bool labelled)
{
    const double place = along(s, value);
    const double slack = 1e-9 * (s->high - s->low);
    if (s->tick_count < TICKS_MOST && place >= s->low - slack && place <= s->high + slack) {
        s->ticks[s->tick_count] = value;
        s->labelled[s->tick_count++] = labelled;
    }
}

static void add_ticks(scale *s)
{
    const double span = s->high - s->low;
    if (s->logarithmic) {
        for (double decade = floor(s->low); decade <= s->high; decade += 1.0) {
            for (int digit = 1; digit <= 9; ++digit) {
                const bool few = span < 1.2 && (digit == 2 || digit == 5);
                if (span < 4.0 || digit == 1) {
                    add_tick(s, digit * pow(10.0, decade), digit == 1 || few);
                }
            }
        }
        return;
    }
    const double rough = span / 7.0;
    const double unit = pow(10.0, floor(log10(rough)));
    const double step = rough < 1.5 * unit   ? unit
                        : rough < 3.5 * unit ? 2.0 * unit
                        : rough < 7.5 * unit ? 5.0 * unit
                                             : 10.0 * unit;
    for (double value = ceil(s->low / step) * step; value <= s->high + 1e-9 * span; value += step) {
        add_tick(s, fabs(value) < 1e-9 * step ? 0.0 : value, true);
    }
}

// As long a unit on both axes; the one with room to spare shows more.
static void make_equal(scale *x, scale *y)
{
    const double per_x = (x->high - x->low) / fabs((double)x->end - (double)x->begin);
    const double per_y = (y->high - y->low) / fabs((double)y->end - (double)y->begin);
    scale *wide = per_x < per_y ? x : y;
    const double factor = fmax(per_x, per_y) / fmin(per_x, per_y);
    const double middle = 0.5 * (wide->low + wide->high);
    const double half = 0.5 * factor * (wide->high - wide->low);
    wide->low = middle - half;
    wide->high = middle + half;
}

static void draw_axes(coif_canvas *canvas, const coif_plot *plot, const scale *x, const scale *y)
{
    for (int pass = 0; pass < 2; ++pass) {
        const scale *s = pass == 0 ? x : y;
        for (int32_t i = 0; i < s->tick_count; ++i) {
            const float at = pixel_of(s, s->ticks[i]);
            const coif_vec2 a = pass == 0 ? (coif_vec2){at, y->begin} : (coif_vec2){x->begin, at};
            const coif_vec2 b = pass == 0 ? (coif_vec2){at, y->end} : (coif_vec2){x->end, at};
            coif_canvas_segment(canvas, a, b, s->labelled[i] ? 1.3f : 0.7f);
        }
    }
    coif_canvas_paint(canvas, PALE, 1.0f);
    const coif_vec2 corners[5] = {{x->begin, y->begin},
                                  {x->end, y->begin},
                                  {x->end, y->end},
                                  {x->begin, y->end},
                                  {x->begin, y->begin}};
    for (int i = 0; i < 4; ++i) {
        coif_canvas_segment(canvas, corners[i], corners[i + 1], i == 0 || i == 3 ? 1.6f : 0.8f);
    }
    coif_canvas_paint(canvas, INK, 1.0f);

    char text[32];
    for (int32_t i = 0; i < x->tick_count; ++i) {
        if (x->labelled[i]) {
            snprintf(text, sizeof text, "%.4g", x->ticks[i]);
            coif_canvas_text(canvas, (coif_vec2){pixel_of(x, x->ticks[i]), y->begin + 24.0f}, text,
                             &(coif_lettering){.size = 12.0f, .color = INK, .align = 0.5f});
        }
    }
    for (int32_t i = 0; i < y->tick_count; ++i) {
        if (y->labelled[i]) {
            snprintf(text, sizeof text, "%.4g", y->ticks[i]);
            coif_canvas_text(canvas, (coif_vec2){x->begin - 10.0f, pixel_of(y, y->ticks[i]) + 6.0f},
                             text, &(coif_lettering){.size = 12.0f, .color = INK, .align = 1.0f});
        }
    }
    const float middle_x = 0.5f * (x->begin + x->end);
    const float middle_y = 0.5f * (y->begin + y->end);
    const coif_lettering label = {.size = 13.0f, .color = INK, .align = 0.5f};
    coif_lettering upright = label;
    upright.upwards = true;
    coif_canvas_text(canvas, (coif_vec2){middle_x, y->begin + 56.0f}, plot->x.label, &label);
    coif_canvas_text(canvas, (coif_vec2){28.0f, middle_y}, plot->y.label, &upright);
    coif_canvas_text(canvas, (coif_vec2){x->begin, 38.0f}, plot->title,
                     &(coif_lettering){.size = 17.0f, .color = INK, .bold = true});
    if (plot->note != NULL) {
        coif_canvas_text(canvas, (coif_vec2){x->begin, 66.0f}, plot->note,
                         &(coif_lettering){.size = 11.5f, .color = {0.36f, 0.38f, 0.42f}});
    }
}

static void draw_mark(coif_canvas *canvas, coif_vec2 at, coif_plot_mark mark, coif_vec3 color)
{
    static const int32_t sides[] = {0, 0, 4, 3, 4, 5};
    static const float angles[] = {0.0f, 0.0f, 0.785398f, -1.570796f, 0.0f, -1.570796f};
    static const float sizes[] = {0.0f, 5.6f, 7.0f, 7.6f, 7.0f, 6.6f};
    // A white rim keeps marks apart that lie on each other.
    coif_canvas_disc(canvas, at, sizes[mark] + 1.6f, sides[mark], angles[mark]);
    coif_canvas_paint(canvas, coif_vec3_of(1.0f, 1.0f, 1.0f), 1.0f);
    coif_canvas_disc(canvas, at, sizes[mark], sides[mark], angles[mark]);
    coif_canvas_paint(canvas, color, 1.0f);
}

static void draw_line(coif_canvas *canvas, coif_vec2 a, coif_vec2 b, float width, float *run,
                      bool dashed)
{
    if (!dashed) {
        coif_canvas_segment(canvas, a, b, width);
        return;
    }
    const float length = hypotf(b.x - a.x, b.y - a.y);
    for (float at = 0.0f; at < length;) {
        const float phase = fmodf(*run, 14.0f);
        const float step = fminf((phase < 8.0f ? 8.0f : 14.0f) - phase + 1e-3f, length - at);
        const coif_vec2 p = {a.x + (b.x - a.x) * at / length, a.y + (b.y - a.y) * at / length};
        const coif_vec2 q = {a.x + (b.x - a.x) * (at + step) / length,
                             a.y + (b.y - a.y) * (at + step) / length};
        if (phase < 8.0f) {
            coif_canvas_segment(canvas, p, q, width);
        }
        at += step;
        *run += step;
    }
}

static void draw_curve(coif_canvas *canvas, const coif_curve *curve, const scale *x, const scale *y)
{
    const coif_vec3 color = coif_plot_color(curve->color);
    const bool line = curve->mark == COIF_MARK_NONE || curve->joined;
    coif_canvas_clip(canvas, x->begin, y->end, x->end, y->begin);
    float run = 0.0f;
    for (int32_t i = 0; line && i + 1 < curve->count; ++i) {
        const coif_vec2 a = {pixel_of(x, curve->x[i]), pixel_of(y, curve->y[i])};
        const coif_vec2 b = {pixel_of(x, curve->x[i + 1]), pixel_of(y, curve->y[i + 1])};
        if (isfinite(a.x) && isfinite(a.y) && isfinite(b.x) && isfinite(b.y)) {
            draw_line(canvas, a, b, curve->mark == COIF_MARK_NONE ? 2.4f : 1.3f, &run,
                      curve->dashed);
        }
    }
    coif_canvas_paint(canvas, color, 1.0f);
    coif_canvas_clip(canvas, x->begin - 8.0f, y->end - 8.0f, x->end + 8.0f, y->begin + 8.0f);
    for (int32_t i = 0; curve->mark != COIF_MARK_NONE && i < curve->count; ++i) {
        const coif_vec2 at = {pixel_of(x, curve->x[i]), pixel_of(y, curve->y[i])};
        const bool inside = at.x >= x->begin - 1.0f && at.x <= x->end + 1.0f &&
                            at.y >= y->end - 1.0f && at.y <= y->begin + 1.0f;
        if (inside) {
            draw_mark(canvas, at, curve->mark, color);
        }
    }
    coif_canvas_clip_none(canvas);
}

// How many points of curves lie in a box of pixels.
static int32_t crowd_of(const coif_plot *plot, const scale *x, const scale *y, coif_vec2 low,
                        coif_vec2 high)
{
    int32_t count = 0;
    for (int32_t c = 0; c < plot->curve_count; ++c) {
        const coif_curve *curve = &plot->curves[c];
        for (int32_t i = 0; i < curve->count; ++i) {
            // Lines cover ground between their points as well.
            for (int32_t k = 0; k < (i + 1 < curve->count ? 8 : 1); ++k) {
                const float share = (float)k / 8.0f;
                const int32_t next = i + 1 < curve->count ? i + 1 : i;
                const float px =
                    pixel_of(x, curve->x[i]) * (1.0f - share) + pixel_of(x, curve->x[next]) * share;
                const float py =
                    pixel_of(y, curve->y[i]) * (1.0f - share) + pixel_of(y, curve->y[next]) * share;
                count += px > low.x && px < high.x && py > low.y && py < high.y;
            }
        }
    }
    return count;
}

// The corner of the axes where the fewest points are.
static coif_vec2 emptiest_corner(const coif_plot *plot, const scale *x, const scale *y,
                                 coif_vec2 size)
{
    coif_vec2 best = {0.0f, 0.0f};
    int32_t least = INT32_MAX;
    for (int i = 0; i < 4; ++i) {
        const coif_vec2 low = {i % 2 == 0 ? x->begin + 14.0f : x->end - size.x - 14.0f,
                               i / 2 == 0 ? y->end + 14.0f : y->begin - size.y - 14.0f};
        const coif_vec2 high = {low.x + size.x, low.y + size.y};
        const int32_t crowd = crowd_of(plot, x, y, low, high);
        if (crowd < least) {
            least = crowd;
            best = low;
        }
    }
    return best;
}

static void draw_entry(coif_canvas *canvas, const coif_curve *curve, float left, float at)
{
    const coif_vec3 color = coif_plot_color(curve->color);
    float run = 0.0f;
    if (curve->mark == COIF_MARK_NONE || curve->joined) {
        draw_line(canvas, (coif_vec2){left + 12.0f, at - 6.0f},
                  (coif_vec2){left + 48.0f, at - 6.0f}, curve->mark == COIF_MARK_NONE ? 2.4f : 1.3f,
                  &run, curve->dashed);
        coif_canvas_paint(canvas, color, 1.0f);
    }
    if (curve->mark != COIF_MARK_NONE) {
        draw_mark(canvas, (coif_vec2){left + 30.0f, at - 6.0f}, curve->mark, color);
    }
    coif_canvas_text(canvas, (coif_vec2){left + 60.0f, at}, curve->label,
                     &(coif_lettering){.size = 12.0f, .color = INK});
}

static void draw_legend(coif_canvas *canvas, const coif_plot *plot, const scale *x, const scale *y)
{
    float widest = 0.0f;
    int32_t rows = 0;
    for (int32_t c = 0; c < plot->curve_count; ++c) {
        if (plot->curves[c].label != NULL) {
            widest = fmaxf(widest, coif_canvas_text_width(plot->curves[c].label, 12.0f));
            ++rows;
        }
    }
    if (rows == 0) {
        return;
    }
    const coif_vec2 size = {widest + 74.0f, 26.0f * (float)rows + 12.0f};
    const coif_vec2 corner = emptiest_corner(plot, x, y, size);
    coif_canvas_box(canvas, corner.x, corner.y, corner.x + size.x, corner.y + size.y);
    coif_canvas_paint(canvas, coif_vec3_of(1.0f, 1.0f, 1.0f), 0.9f);
    float at = corner.y + 22.0f;
    for (int32_t c = 0; c < plot->curve_count; ++c) {
        if (plot->curves[c].label != NULL) {
            draw_entry(canvas, &plot->curves[c], corner.x, at);
            at += 26.0f;
        }
    }
}

void coif_plot_draw(coif_canvas *canvas, const coif_plot *plot, coif_arena *arena)
{
    coif_canvas_init(canvas, COIF_PLOT_WIDTH, COIF_PLOT_HEIGHT, arena);
    scale x = scale_of(plot, 0);
    scale y = scale_of(plot, 1);
    x.begin = LEFT;
    x.end = COIF_PLOT_WIDTH - RIGHT;
    y.begin = COIF_PLOT_HEIGHT - BOTTOM;
    y.end = TOP;
    if (plot->same_scale) {
        make_equal(&x, &y);
    }
    add_ticks(&x);
    add_ticks(&y);
    draw_axes(canvas, plot, &x, &y);
    for (int32_t c = 0; c < plot->curve_count; ++c) {
        draw_curve(canvas, &plot->curves[c], &x, &y);
    }
    draw_legend(canvas, plot, &x, &y);
}

coif_status coif_plot_save(const coif_plot *plot, const char *path, coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "plot");
    coif_canvas canvas;
    coif_plot_draw(&canvas, plot, &arena);
    const coif_status status = coif_canvas_save(&canvas, path, error);
    coif_arena_free(&arena);
    return status;
}
