// coif/polyline.h: polylines given as text "x y z, x y z, ...", closest-point queries on them, and
// partings.
//
// For hairlines, partings and other features along a line on the scalp. Parsed once in init [main],
// queried by workers. density.parting and groom.part evaluate the same parting, so a bare line and
// the hair combed away from it match when their parameters are equal.
#ifndef COIF_PLUGIN_POLYLINE_H
#define COIF_PLUGIN_POLYLINE_H

#include <coif/shorten.h>
#include <coif/strand.h>

enum { COIF_KIT_POLYLINE_MAX = 256, COIF_KIT_POLYLINE_SEGMENTS = 8 };

// COIF_KIT_POLYLINE_MAX points of the user, each span divided into _SEGMENTS when smoothed. A value
// type without pointers; 0 is the empty polyline.
typedef struct coif_kit_polyline {
    int32_t count;  // number of points; 0: no line
    int32_t closed; // 1: the last point connects to the first
    coif_kit_vec points[COIF_KIT_POLYLINE_SEGMENTS * COIF_KIT_POLYLINE_MAX];
} coif_kit_polyline;

// Parses the next number, |number| < 1e6, and advances; separators are skipped by the caller.
static inline int coif_kit_polyline_parse_number(const coif_host *host, const char **text,
                                                 float *number)
{
    return host->struct_size > offsetof(coif_host, parse_float) &&
           host->parse_float(host, text, number) && *number > -1e6f && *number < 1e6f;
}

// Point i of a polyline; outside [0, count) it is periodic (closed) or extrapolated linearly.
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

// Replaces the polyline by a Catmull-Rom spline through its points, sampled at
// COIF_KIT_POLYLINE_SEGMENTS segments per span. [main]
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

// Parses the value of the STRING parameter `name`; NULL and "" give an empty polyline. Errors are
// reported through coif_host.set_error. [main]
static inline coif_status coif_kit_polyline_read(coif_kit_polyline *line, const coif_host *host,
                                                 const char *name, const char *text)
{
    line->count = 0;
    text = text != NULL ? text : "";
    text += strspn(text, " \t\n");
    while (*text != '\0') {
        float position[3];
        if (line->count == COIF_KIT_POLYLINE_MAX) {
            host->set_error(host, "%s: more than %d points", name, (int)COIF_KIT_POLYLINE_MAX);
            return COIF_ERR_SCENE;
        }
        for (int a = 0; a < 3; ++a) {
            if (!coif_kit_polyline_parse_number(host, &text, &position[a])) {
                host->set_error(host,
                                "%s: point %d is not three numbers; expected \"x y z, x y z\"",
                                name, (int)line->count + 1);
                return COIF_ERR_SCENE;
            }
        }
        line->points[line->count++] = coif_kit_vec_make(position[0], position[1], position[2]);
        text += strspn(text, " \t\n,;");
    }
    if (line->count == 1) {
        host->set_error(host, "%s: a line needs at least two points", name);
        return COIF_ERR_SCENE;
    }
    return COIF_OK;
}

// Reads the polyline and replaces it by a spline if spline is not 0. [main]
static inline coif_status coif_kit_polyline_init(coif_kit_polyline *line, const coif_host *host,
                                                 const char *name, const char *text, int32_t spline)
{
    const coif_status status = coif_kit_polyline_read(line, host, name, text);
    if (status == COIF_OK && spline) {
        coif_kit_polyline_smooth(line);
    }
    return status;
}

// Projects the polyline along the unit vector `up`. Query points must be projected as well.
static inline void coif_kit_polyline_project(coif_kit_polyline *line, coif_kit_vec up)
{
    for (int32_t i = 0; i < line->count; ++i) {
        line->points[i] = coif_kit_perpendicular(line->points[i], up);
    }
}

// Closest point on a polyline.
typedef struct coif_kit_polyline_point {
    float distance;       // to the query point, m
    float arc_length;     // from the start of the polyline, m
    coif_kit_vec offset;  // from the closest point to the query point, m
    coif_kit_vec tangent; // unit, of the segment
} coif_kit_polyline_point;

// Closest point to `position`; the polyline must have at least two points. [worker]
static inline coif_kit_polyline_point coif_kit_polyline_closest(const coif_kit_polyline *line,
                                                                coif_kit_vec position)
{
    coif_kit_polyline_point nearest;
    memset(&nearest, 0, sizeof nearest);
    nearest.distance = 1e30f;
    const int32_t segments = line->closed ? line->count : line->count - 1;
    float arc_length = 0.0f, perpendicular_distance = -1.0f;
    for (int32_t i = 0; i < segments; ++i) {
        const coif_kit_vec from = line->points[i];
        const coif_kit_vec along = coif_kit_sub(line->points[(i + 1) % line->count], from);
        const coif_kit_vec to_position = coif_kit_sub(position, from);
        const float length_squared = coif_kit_dot(along, along), length = sqrtf(length_squared);
        const float t =
            length_squared > 0.0f
                ? coif_kit_clamp(coif_kit_dot(to_position, along) / length_squared, 0.0f, 1.0f)
                : 0.0f;
        const coif_kit_vec offset = coif_kit_mad(to_position, -t, along);
        const float distance = coif_kit_length(offset);
        const coif_kit_vec tangent = coif_kit_normalize(along, coif_kit_vec_make(0.0f, 0.0f, 0.0f));
        // At a corner both segments are equally close; the side is that of the segment with the
        // larger perpendicular distance.
        const float perpendicular = coif_kit_length(coif_kit_perpendicular(offset, tangent));
        if (distance < nearest.distance - 1e-6f ||
            (distance < nearest.distance + 1e-6f && perpendicular > perpendicular_distance)) {
            nearest.distance = distance < nearest.distance ? distance : nearest.distance;
            nearest.arc_length = arc_length + t * length;
            nearest.offset = offset;
            nearest.tangent = tangent;
            perpendicular_distance = perpendicular;
        }
        arc_length += length;
    }
    return nearest;
}

// A parting: a polyline projected along `up`, displaced sideways by noise.
typedef struct coif_kit_parting_desc {
    const coif_kit_polyline *line; // projected along up; owned by the caller
    coif_kit_vec up;               // unit
    float amplitude;               // of the displacement, m
    float wavelength;              // of the displacement, m
    uint32_t seed;
} coif_kit_parting_desc;

// Sets the line of a parting, from start to end if it is empty, and its projection direction.
static inline void coif_kit_parting_init(coif_kit_parting_desc *parting, coif_kit_polyline *line,
                                         const float start[3], const float end[3],
                                         const float up[3])
{
    if (line->count == 0) {
        line->count = 2;
        line->points[0] = coif_kit_vec_make(start[0], start[1], start[2]);
        line->points[1] = coif_kit_vec_make(end[0], end[1], end[2]);
    }
    parting->up = coif_kit_normalize(coif_kit_vec_make(up[0], up[1], up[2]),
                                     coif_kit_vec_make(0.0f, 1.0f, 0.0f));
    parting->line = line;
    coif_kit_polyline_project(line, parting->up);
}

// Position relative to a parting.
typedef struct coif_kit_parting_sample {
    float side;        // signed distance, m: positive on the left
    float past;        // distance beyond an end along the line, m; 0 between the ends
    coif_kit_vec left; // unit direction to the left
} coif_kit_parting_sample;

// Evaluates a parting at a position. [worker]
static inline coif_kit_parting_sample coif_kit_parting_query(const coif_kit_parting_desc *parting,
                                                             coif_kit_vec position)
{
    const coif_kit_polyline_point nearest =
        coif_kit_polyline_closest(parting->line, coif_kit_perpendicular(position, parting->up));
    coif_kit_parting_sample sample;
    sample.left = coif_kit_cross(parting->up, nearest.tangent);
    sample.side = coif_kit_dot(nearest.offset, sample.left) +
                  parting->amplitude *
                      coif_kit_noise1(nearest.arc_length / parting->wavelength, parting->seed);
    sample.past = coif_kit_dot(nearest.offset, nearest.tangent);
    return sample;
}

#endif
