#include "tools/coif/font.h"

#include <string.h>

// A glyph is its width and strokes with a blank between them. A point is two characters: x from '0'
// = 0 on, y from 'e' = 0 (the baseline) with 'o' = 10 for the height of small letters and 's' = 14
// for that of capitals. A ~ makes the point behind it the control point of a curve to the next one.
typedef struct glyph {
    char letter;
    int width;
    const char *strokes;
} glyph;

static const glyph GLYPHS[] = {
    {' ', 5, ""},
    {'a', 8, "8o8e 8j~8o4o~0o0j~0e4e~8e8j"},
    {'b', 8, "0s0e 0j~0o4o~8o8j~8e4e~0e0j"},
    {'c', 8, "8m~7o4o~0o0j~0e4e~7e8g"},
    {'d', 8, "8s8e 8j~8o4o~0o0j~0e4e~8e8j"},
    {'e', 8, "0j8j~8o4o~0o0j~0e4e~7e8g"},
    {'f', 6, "6s~3s3p3e 0o6o"},
    {'g', 8, "8o8d~8a4a~1a0c 8j~8o4o~0o0j~0e4e~8e8j"},
    {'h', 8, "0s0e 0j~0o4o~8o8k8e"},
    {'i', 2, "1o1e 1r1s"},
    {'j', 3, "2o2c~2a0a 2r2s"},
    {'k', 7, "0s0e 7o0h 3j7e"},
    {'l', 2, "1s1e"},
    {'m', 12, "0o0e 0k~0o3o~6o6k6e 6k~6o9o~<o<k<e"},
    {'n', 8, "0o0e 0j~0o4o~8o8k8e"},
    {'o', 8, "0j~0o4o~8o8j~8e4e~0e0j"},
    {'p', 8, "0o0a 0j~0o4o~8o8j~8e4e~0e0j"},
    {'q', 8, "8o8a 8j~8o4o~0o0j~0e4e~8e8j"},
    {'r', 5, "0o0e 0j~0o5o"},
    {'s', 7, "7m~7o4o~0o0m~0k4j~7i7g~7e4e~0e0g"},
    {'t', 6, "3s3h~3e6e 0o6o"},
    {'u', 8, "0o0i~0e4e~8e8j 8o8e"},
    {'v', 8, "0o4e8o"},
    {'w', 12, "0o3e6o9e<o"},
    {'x', 8, "0o8e 8o0e"},
    {'y', 8, "0o4e 8o3b~2a0a"},
    {'z', 7, "0o7o0e7e"},
    {'A', 10, "0e5s:e 2i8i"},
    {'B', 9, "0e0s4s~8s8o~8l4l0l 4l~9l9i~9e4e0e"},
    {'C', 9, "9p~8s5s~0s0l~0e5e~8e9h"},
    {'D', 9, "0e0s3s~9s9l~9e3e0e"},
    {'E', 8, "8s0s0e8e 0l6l"},
    {'F', 8, "8s0s0e 0l6l"},
    {'G', 9, "9p~8s5s~0s0l~0e5e~9e9k5k"},
    {'H', 9, "0s0e 9s9e 0l9l"},
    {'I', 2, "1s1e"},
    {'J', 6, "6s6i~6e3e~0e0h"},
    {'K', 8, "0s0e 8s0j 3m8e"},
    {'L', 7, "0s0e7e"},
    {'M', 10, "0e0s5h:s:e"},
    {'N', 9, "0e0s9e9s"},
    {'O', 10, "0l~0s5s~:s:l~:e5e~0e0l"},
    {'P', 9, "0e0s5s~9s9o~9k5k0k"},
    {'Q', 10, "0l~0s5s~:s:l~:e5e~0e0l 6h:d"},
    {'R', 9, "0e0s5s~9s9o~9k5k0k 4k9e"},
    {'S', 9, "8q~8s4s~0s0p~0m4l~9k9h~9e4e~0e0g"},
    {'T', 8, "0s8s 4s4e"},
    {'U', 10, "0s0i~0e5e~:e:i:s"},
    {'V', 10, "0s5e:s"},
    {'W', 12, "0s3e6s9e<s"},
    {'X', 9, "0s9e 9s0e"},
    {'Y', 8, "0s4l8s 4l4e"},
    {'Z', 9, "0s9s0e9e"},
    {'0', 8, "0l~0s4s~8s8l~8e4e~0e0l"},
    {'1', 8, "1p5s5e"},
    {'2', 8, "0p~0s4s~8s8p~8m0e8e"},
    {'3', 8, "0q~1s4s~8s8o~8l4l 4l~8l8i~8e4e~1e0g"},
    {'4', 8, "6e6s0i8i"},
    {'5', 8, "8s1s0m~2n4n~8n8i~8e4e~1e0g"},
    {'6', 8, "7r~6s4s~0s0k0i~0e4e~8e8i~8m4m~0m0i"},
    {'7', 8, "0s8s3e"},
    {'8', 8, "4l~0l0p~0s4s~8s8p~8l4l~0l0i~0e4e~8e8i~8l4l"},
    {'9', 8, "1f~2e4e~8e8m8o~8s4s~0s0o~0k4k~8k8o"},
    {'.', 2, "1e1f"},
    {',', 3, "2f1c"},
    {':', 2, "1e1f 1m1n"},
    {';', 3, "2f1c 2m2n"},
    {'-', 6, "0j6j"},
    {'+', 8, "0j8j 4n4f"},
    {'=', 8, "0l8l 0h8h"},
    {'/', 7, "0d7t"},
    {'%', 10, "9s1e 2s~0s0q~0o2o~4o4q~4s2s 8i~6i6g~6e8e~:e:g~:i8i"},
    {'(', 3, "3u~0q0l~0f3b"},
    {')', 3, "0u~3q3l~3f0b"},
    {'[', 3, "3u0u0b3b"},
    {']', 3, "0u3u3b0b"},
    {'_', 8, "0c8c"},
    {'*', 8, "4q4i 1o7k 7o1k"},
    {'^', 8, "1o4s7o"},
    {'<', 8, "8n0j8f"},
    {'>', 8, "0n8j0f"},
    {'\'', 2, "1s1p"},
    {'|', 2, "1u1b"},
    {'?', 8, "0q~0s4s~8s8p~8m4k4i 4e4f"},
    {'!', 2, "1s1i 1e1f"},
};

static const glyph BOX = {'\0', 8, "0e0s8s8e0e"};

// Between two letters.
static const float GAP = 4.0f;

enum { CURVE_PIECES = 6 };

static const glyph *find_glyph(char letter)
{
    for (size_t i = 0; i < COIF_COUNT_OF(GLYPHS); ++i) {
        if (GLYPHS[i].letter == letter) {
            return &GLYPHS[i];
        }
    }
    return &BOX;
}

float coif_font_width(const char *text)
{
    float width = 0.0f;
    for (const char *c = text; *c != '\0'; ++c) {
        width += (float)find_glyph(*c)->width + (c > text ? GAP : 0.0f);
    }
    return width;
}

static coif_vec2 point_of(const char *code, float left)
{
    return (coif_vec2){left + (float)(code[0] - '0'), (float)(code[1] - 'e')};
}

static coif_vec2 on_curve(coif_vec2 a, coif_vec2 control, coif_vec2 b, float t)
{
    const float s = 1.0f - t;
    return (coif_vec2){s * s * a.x + 2.0f * s * t * control.x + t * t * b.x,
                       s * s * a.y + 2.0f * s * t * control.y + t * t * b.y};
}

void coif_font_draw(const char *text, void (*stroke)(void *context, coif_vec2 a, coif_vec2 b),
                    void *context)
{
    float left = 0.0f;
    for (const char *c = text; *c != '\0'; ++c) {
        const glyph *g = find_glyph(*c);
        const char *code = g->strokes;
        while (*code != '\0') {
            coif_vec2 at = point_of(code, left);
            for (code += 2; *code != '\0' && *code != ' ';) {
                const bool curve = *code == '~';
                const coif_vec2 control = curve ? point_of(code + 1, left) : at;
                code += curve ? 3 : 0;
                const coif_vec2 end = point_of(code, left);
                code += 2;
                const int pieces = curve ? CURVE_PIECES : 1;
                for (int i = 1; i <= pieces; ++i) {
                    const float from = (float)(i - 1) / (float)pieces;
                    const float to = (float)i / (float)pieces;
                    stroke(context, curve ? on_curve(at, control, end, from) : at,
                           curve ? on_curve(at, control, end, to) : end);
                }
                at = end;
            }
            code += *code == ' ';
        }
        left += (float)g->width + GAP;
    }
}
