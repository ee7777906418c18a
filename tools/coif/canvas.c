#include "tools/coif/canvas.h"

#include "core/image.h"
#include "tools/coif/font.h"

#include <math.h>

void coif_canvas_init(coif_canvas *canvas, int32_t width, int32_t height, coif_arena *arena)
{
    *canvas = (coif_canvas){.width = width, .height = height};
    canvas->pixels = coif_arena_new(arena, 3 * (int64_t)width * height, float);
    canvas->mask = coif_arena_new(arena, (int64_t)width * height, float);
    for (int64_t i = 0; i < 3 * (int64_t)width * height; ++i) {
        canvas->pixels[i] = 1.0f;
    }
    coif_canvas_clip_none(canvas);
    canvas->dirty[0] = width;
    canvas->dirty[1] = height;
}

void coif_canvas_clip(coif_canvas *canvas, float left, float top, float right, float bottom)
{
    const float clip[4] = {fmaxf(left, 0.0f), fmaxf(top, 0.0f), fminf(right, (float)canvas->width),
                           fminf(bottom, (float)canvas->height)};
    for (int i = 0; i < 4; ++i) {
        canvas->clip[i] = clip[i];
    }
}

void coif_canvas_clip_none(coif_canvas *canvas)
{
    coif_canvas_clip(canvas, 0.0f, 0.0f, (float)canvas->width, (float)canvas->height);
}

typedef struct area {
    int32_t left, top, right, bottom;
} area;

// Pixels that a shape within these bounds may touch; they become part of what is dirty.
static area touch(coif_canvas *canvas, float left, float top, float right, float bottom)
{
    const float *clip = canvas->clip;
    // Bounds that are not numbers or far outside give an empty area.
    const area a = {(int32_t)floorf(fminf(fmaxf(left - 1.0f, clip[0]), clip[2])),
                    (int32_t)floorf(fminf(fmaxf(top - 1.0f, clip[1]), clip[3])),
                    (int32_t)ceilf(fmaxf(fminf(right + 1.0f, clip[2]), clip[0])),
                    (int32_t)ceilf(fmaxf(fminf(bottom + 1.0f, clip[3]), clip[1]))};
    int32_t *dirty = canvas->dirty;
    dirty[0] = a.left < dirty[0] ? a.left : dirty[0];
    dirty[1] = a.top < dirty[1] ? a.top : dirty[1];
    dirty[2] = a.right > dirty[2] ? a.right : dirty[2];
    dirty[3] = a.bottom > dirty[3] ? a.bottom : dirty[3];
    return a;
}

// Inside is how far within the shape the middle of the pixel is.
static void cover(coif_canvas *canvas, int32_t x, int32_t y, float inside)
{
    float *mask = &canvas->mask[(int64_t)y * canvas->width + x];
    *mask = fmaxf(*mask, coif_clamp(inside + 0.5f, 0.0f, 1.0f));
}

void coif_canvas_segment(coif_canvas *canvas, coif_vec2 a, coif_vec2 b, float width)
{
    if (!isfinite(a.x) || !isfinite(a.y) || !isfinite(b.x) || !isfinite(b.y)) {
        return;
    }
    const float half = 0.5f * width;
    const area all = touch(canvas, fminf(a.x, b.x) - half, fminf(a.y, b.y) - half,
                           fmaxf(a.x, b.x) + half, fmaxf(a.y, b.y) + half);
    const coif_vec2 d = {b.x - a.x, b.y - a.y};
    const float square = fmaxf(d.x * d.x + d.y * d.y, 1e-12f);
    for (int32_t y = all.top; y < all.bottom; ++y) {
        for (int32_t x = all.left; x < all.right; ++x) {
            const coif_vec2 p = {(float)x + 0.5f - a.x, (float)y + 0.5f - a.y};
            const float t = coif_clamp((p.x * d.x + p.y * d.y) / square, 0.0f, 1.0f);
            cover(canvas, x, y, half - hypotf(p.x - t * d.x, p.y - t * d.y));
        }
    }
}

void coif_canvas_disc(coif_canvas *canvas, coif_vec2 centre, float radius, int32_t sides,
                      float angle)
{
    if (!isfinite(centre.x) || !isfinite(centre.y)) {
        return;
    }
    const area all =
        touch(canvas, centre.x - radius, centre.y - radius, centre.x + radius, centre.y + radius);
    const float half_turn = sides > 0 ? (float)M_PI / (float)sides : 0.0f;
    for (int32_t y = all.top; y < all.bottom; ++y) {
        for (int32_t x = all.left; x < all.right; ++x) {
            const coif_vec2 p = {(float)x + 0.5f - centre.x, (float)y + 0.5f - centre.y};
            float inside = radius - hypotf(p.x, p.y);
            for (int32_t i = 0; i < sides; ++i) {
                const float turn = angle + half_turn * (float)(2 * i + 1);
                const float face = radius * cosf(half_turn);
                inside = fminf(i == 0 ? 1e9f : inside, face - p.x * cosf(turn) - p.y * sinf(turn));
            }
            cover(canvas, x, y, inside);
        }
    }
}

void coif_canvas_box(coif_canvas *canvas, float left, float top, float right, float bottom)
{
    const area all = touch(canvas, left, top, right, bottom);
    for (int32_t y = all.top; y < all.bottom; ++y) {
        for (int32_t x = all.left; x < all.right; ++x) {
            const float px = (float)x + 0.5f;
            const float py = (float)y + 0.5f;
            cover(canvas, x, y, fminf(fminf(px - left, right - px), fminf(py - top, bottom - py)));
        }
    }
}

void coif_canvas_paint(coif_canvas *canvas, coif_vec3 color, float opacity)
{
    for (int32_t y = canvas->dirty[1]; y < canvas->dirty[3]; ++y) {
        for (int32_t x = canvas->dirty[0]; x < canvas->dirty[2]; ++x) {
            const int64_t at = (int64_t)y * canvas->width + x;
            const float share = opacity * canvas->mask[at];
            float *pixel = canvas->pixels + 3 * at;
            pixel[0] += share * (color.x - pixel[0]);
            pixel[1] += share * (color.y - pixel[1]);
            pixel[2] += share * (color.z - pixel[2]);
            canvas->mask[at] = 0.0f;
        }
    }
    canvas->dirty[0] = canvas->width;
    canvas->dirty[1] = canvas->height;
    canvas->dirty[2] = canvas->dirty[3] = 0;
}

typedef struct pen {
    coif_canvas *canvas;
    coif_vec2 place;
    float unit, width;
    bool upwards;
} pen;

static coif_vec2 on_page(const pen *p, coif_vec2 at)
{
    const float x = p->unit * at.x;
    const float y = p->unit * at.y;
    return p->upwards ? (coif_vec2){p->place.x - y, p->place.y - x}
                      : (coif_vec2){p->place.x + x, p->place.y - y};
}

static void draw_stroke(void *context, coif_vec2 a, coif_vec2 b)
{
    const pen *p = context;
    coif_canvas_segment(p->canvas, on_page(p, a), on_page(p, b), p->width);
}

void coif_canvas_text(coif_canvas *canvas, coif_vec2 place, const char *text,
                      const coif_lettering *style)
{
    pen p = {.canvas = canvas,
             .place = place,
             .unit = style->size / COIF_FONT_CAPITAL,
             .width = fmaxf(style->size * (style->bold ? 0.19f : 0.125f), 1.1f),
             .upwards = style->upwards};
    const float back = style->align * coif_canvas_text_width(text, style->size);
    *(style->upwards ? &p.place.y : &p.place.x) -= style->upwards ? -back : back;
    coif_font_draw(text, draw_stroke, &p);
    coif_canvas_paint(canvas, style->color, 1.0f);
}

float coif_canvas_text_width(const char *text, float size)
{
    return coif_font_width(text) * size / COIF_FONT_CAPITAL;
}

coif_status coif_canvas_save(const coif_canvas *canvas, const char *path, coif_error *error)
{
    const coif_image_desc desc = {.width = canvas->width,
                                  .height = canvas->height,
                                  .channel_count = 3,
                                  .pixels = canvas->pixels};
    return coif_image_save(path, &desc, error);
}
