// coif/polyline.h: a line through places that the user wrote down, as "x y z, x y z, ...".
//
// For hairlines, partings and whatever else follows a line on the skin. Read it once, in init; ask
// it from any thread. A parting has two sides and wanders a little, as no comb draws a straight
// line; a bare one in the density and hair that is combed away from it agree when they are given
// the same numbers.
#ifndef COIF_PLUGIN_POLYLINE_H
#define COIF_PLUGIN_POLYLINE_H

#include <coif/shorten.h>
#include <coif/strand.h>

#include <stdlib.h>

enum { COIF_KIT_POLYLINE_MAX = 256, COIF_KIT_POLYLINE_SEGMENTS = 8 };

typedef struct coif_kit_polyline {
    int32_t count; // 0: no line is given
    int32_t closed;
    coif_kit_vec points[COIF_KIT_POLYLINE_SEGMENTS * COIF_KIT_POLYLINE_MAX];
} coif_kit_polyline;

// The next number of a list; what stands between numbers is skipped by the caller.
static inline int coif_kit_polyline_parse_number(const char **text, float *number)
{
    char *end;
    *number = strtof(*text, &end);
    const int found = end != *text && *number > -1e6f && *number < 1e6f;
    *text = end;
    return found;
}

// Point i of a line, past its ends as it would go on.
static inline coif_kit_vec coif_kit_polyline_extended(const coif_kit_vec *points, int32_t count,
                                                      int32_t closed, int32_t i)
{
    if (closed) {
        return points[(i + count) % count];
    }
    if (i < 0 || i >= count) {
        const int32_t end = i < 0 ? 0 : count - 1, in = i < 0 ? 1 : count - 2;
        return coif_kit_mad(points[end], 1.0f, coif_kit_sub(points[end], points[in]));
    }
    return points[i];
}

// The line becomes a curve through all its points, of short straight pieces (Catmull and Rom
// 1974).
static inline void coif_kit_polyline_smooth(coif_kit_polyline *line)
{
    coif_kit_vec points[COIF_KIT_POLYLINE_MAX];
    const int32_t count = line->count, spans = line->closed ? count : count - 1;
    if (count < 3 || count > COIF_KIT_POLYLINE_MAX) {
        return;
    }
    memcpy(points, line->points, sizeof points[0] * (size_t)count);
    for (int32_t i = 0; i < spans; ++i) {
        coif_kit_vec p[4];
        for (int32_t k = 0; k < 4; ++k) {
            p[k] = coif_kit_polyline_extended(points, count, line->closed, i - 1 + k);
        }
        for (int32_t k = 0; k < COIF_KIT_POLYLINE_SEGMENTS; ++k) {
            line->points[COIF_KIT_POLYLINE_SEGMENTS * i + k] =
                coif_kit_catmull_rom(p, (float)k / (float)COIF_KIT_POLYLINE_SEGMENTS);
        }
    }
    line->count = COIF_KIT_POLYLINE_SEGMENTS * spans;
    if (!line->closed) {
        line->points[line->count++] = points[count - 1];
    }
}

// Reads the text of a parameter called `name`, NULL or empty for no line; what is wrong with it is
// explained. [main]
static inline coif_status coif_kit_polyline_read(coif_kit_polyline *line, const coif_host *host,
                                                 const char *name, const char *text)
{
    line->count = 0;
    text = text != NULL ? text : "";
    text += strspn(text, " \t\n");
    while (*text != '\0') {
        float place[3];
        if (line->count == COIF_KIT_POLYLINE_MAX) {
            host->set_error(host, "%s: more than %d points", name, (int)COIF_KIT_POLYLINE_MAX);
            return COIF_ERR_SCENE;
        }
        for (int a = 0; a < 3; ++a) {
            if (!coif_kit_polyline_parse_number(&text, &place[a])) {
                host->set_error(host, "%s: point %d is not three numbers; wanted \"x y z, x y z\"",
                                name, (int)line->count + 1);
                return COIF_ERR_SCENE;
            }
        }
        line->points[line->count++] = coif_kit_vec_make(place[0], place[1], place[2]);
        text += strspn(text, " \t\n,;");
    }
    if (line->count == 1) {
        host->set_error(host, "%s: one point makes no line; wanted two or more", name);
        return COIF_ERR_SCENE;
    }
    return COIF_OK;
}

// Seen along the unit vector `up` from now on: only places without that part may be asked for.
static inline void coif_kit_polyline_project(coif_kit_polyline *line, coif_kit_vec up)
{
    for (int32_t i = 0; i < line->count; ++i) {
        line->points[i] = coif_kit_perpendicular(line->points[i], up);
    }
}

// Where a line is nearest.
typedef struct coif_kit_polyline_point {
    float distance;     // from there
    float run;          // along the line, from its beginning
    coif_kit_vec away;  // from there to the place
    coif_kit_vec ahead; // unit, where the line goes
} coif_kit_polyline_point;

// The line must have two points or more. [worker]
static inline coif_kit_polyline_point coif_kit_polyline_closest(const coif_kit_polyline *line,
                                                                coif_kit_vec place)
{
    coif_kit_polyline_point nearest;
    memset(&nearest, 0, sizeof nearest);
    nearest.distance = 1e30f;
    const int32_t pieces = line->closed ? line->count : line->count - 1;
    float run = 0.0f, square_off = -1.0f;
    for (int32_t i = 0; i < pieces; ++i) {
        const coif_kit_vec from = line->points[i];
        const coif_kit_vec along = coif_kit_sub(line->points[(i + 1) % line->count], from);
        const coif_kit_vec to_place = coif_kit_sub(place, from);
        const float square = coif_kit_dot(along, along), length = sqrtf(square);
        const float share = square > 0.0f
                                ? coif_kit_clamp(coif_kit_dot(to_place, along) / square, 0.0f, 1.0f)
                                : 0.0f;
        const coif_kit_vec away = coif_kit_mad(to_place, -share, along);
        const float distance = coif_kit_length(away);
        const coif_kit_vec ahead = coif_kit_normalize(along, coif_kit_vec_make(0.0f, 0.0f, 0.0f));
        // Outside a corner both pieces are as near: the one that is met more squarely knows which
        // side it is.
        const float off = coif_kit_length(coif_kit_perpendicular(away, ahead));
        if (distance < nearest.distance - 1e-6f ||
            (distance < nearest.distance + 1e-6f && off > square_off)) {
            nearest.distance = distance < nearest.distance ? distance : nearest.distance;
            nearest.run = run + share * length;
            nearest.away = away;
            nearest.ahead = ahead;
            square_off = off;
        }
        run += length;
    }
    return nearest;
}

// A parting, seen along the unit vector up.
typedef struct coif_kit_parting_desc {
    const coif_kit_polyline *line; // flattened along up
    coif_kit_vec up;
    float ragged, size; // how far it wanders, over which distance
    uint32_t seed;
} coif_kit_parting_desc;

// How far a place is to the left of a parting (to the right below zero), how far past its ends, and
// which way is left.
typedef struct coif_kit_parting_sample {
    float side, past;
    coif_kit_vec left;
} coif_kit_parting_sample;

static inline coif_kit_parting_sample coif_kit_parting_query(const coif_kit_parting_desc *parting,
                                                             coif_kit_vec place)
{
    const coif_kit_polyline_point near =
        coif_kit_polyline_closest(parting->line, coif_kit_perpendicular(place, parting->up));
    coif_kit_parting_sample parted;
    parted.left = coif_kit_cross(parting->up, near.ahead);
    parted.side = coif_kit_dot(near.away, parted.left) +
                  parting->ragged * coif_kit_noise1(near.run / parting->size, parting->seed);
    parted.past = coif_kit_dot(near.away, near.ahead);
    return parted;
}

#endif
