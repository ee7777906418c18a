#include "sim/contact.h"

// How far around a point is searched. Deeper inside a body than this a point is not found again;
// farther outside it is left alone until it could have come near.
static const float SEARCH = 0.03f;

// Planes are also made a little before they are needed, because projections move a point on.
static const float EARLY = 0.002f;

// A way longer than this could have passed through a thin part such as an ear.
static const float LONG_WAY = 0.004f;

// Nothing sane goes this far in a substep, in metres.
static const float LONGEST_WAY = 1.0f;

enum { MARCH_STEPS = 6 };

static float largest(float a, float b)
{
    return a > b ? a : b;
}

static coif_vec3 place_at(const coif_contacts *contacts, int32_t i)
{
    return coif_vec3_of(contacts->x[i], contacts->y[i], contacts->z[i]);
}

static coif_vec3 target_at(const coif_contacts *contacts, int32_t i)
{
    return coif_vec3_of(contacts->px[i], contacts->py[i], contacts->pz[i]);
}

// The nearest of all bodies within SEARCH; the plane with the smallest signed distance wins.
static int32_t find_nearest(coif_nearest *nearest, const coif_collider *bodies, int32_t body_count,
                            const coif_search *search, int32_t hinted_body)
{
    int32_t body = -1;
    *nearest = (coif_nearest){.triangle = -1, .distance = search->reach};
    for (int32_t b = 0; b < body_count; ++b) {
        coif_search own = *search;
        own.hint = b == hinted_body ? search->hint : -1;
        coif_nearest found;
        if (coif_collider_find(&found, &bodies[b], &own) && found.distance < nearest->distance) {
            *nearest = found;
            body = b;
        }
    }
    return body;
}

// Walks from x towards p in steps that cannot pass a surface unseen and stops where the point
// would touch. False when the way is free.
static bool march(coif_nearest *nearest, const coif_contacts *contacts, int32_t i,
                  const coif_collider *bodies, int32_t body_count)
{
    const coif_vec3 x = place_at(contacts, i);
    const coif_vec3 way = coif_sub(target_at(contacts, i), x);
    const float length = coif_length(way);
    const float touch = contacts->reach[i];
    float gone = 0.0f;
    for (int step = 0; step < MARCH_STEPS && gone < length; ++step) {
        const float share = gone / length;
        const coif_search search = {.place = coif_mad(x, share, way),
                                    .moment =
                                        contacts->begin + share * (contacts->end - contacts->begin),
                                    .reach = SEARCH,
                                    .hint = -1};
        const int32_t body = find_nearest(nearest, bodies, body_count, &search, -1);
        if (body >= 0 && nearest->distance <= touch) {
            // A point that starts inside is not on its way in: the search at its end knows best.
            return step > 0 || nearest->distance > 0.0f;
        }
        gone += largest(nearest->distance - 0.9f * touch, 0.25f * touch);
    }
    return false;
}

static void write_plane(const coif_contacts *contacts, int32_t i, const coif_nearest *nearest)
{
    const float share = contacts->end - contacts->begin;
    const coif_vec3 n = nearest->normal;
    contacts->nx[i] = n.x;
    contacts->ny[i] = n.y;
    contacts->nz[i] = n.z;
    contacts->offset[i] = coif_dot(n, nearest->point) + contacts->reach[i];
    contacts->sx[i] = nearest->motion.x * share;
    contacts->sy[i] = nearest->motion.y * share;
    contacts->sz[i] = nearest->motion.z * share;
}

static void write_nothing(const coif_contacts *contacts, int32_t i)
{
    contacts->nx[i] = contacts->ny[i] = contacts->nz[i] = 0.0f;
    contacts->offset[i] = -1.0f;
    contacts->sx[i] = contacts->sy[i] = contacts->sz[i] = 0.0f;
}

// Whether what is known rules out any contact on the way.
static bool is_clear(const coif_contacts *contacts, int32_t i, float fastest)
{
    const coif_clearance *known = &contacts->clearances[i];
    if (known->distance <= 0.0f) {
        return false;
    }
    const float gone = largest(coif_length(coif_sub(place_at(contacts, i), known->place)),
                               coif_length(coif_sub(target_at(contacts, i), known->place)));
    const float body_gone = (contacts->end - known->moment) * fastest;
    return known->distance - gone - body_gone > contacts->reach[i] + EARLY;
}

static bool find_contact(const coif_contacts *contacts, int32_t i, const coif_collider *bodies,
                         int32_t body_count)
{
    coif_clearance *known = &contacts->clearances[i];
    const coif_vec3 target = target_at(contacts, i);
    const float way = coif_length(coif_sub(target, place_at(contacts, i)));
    // Also false for what is not a number; such a point is not worth a search.
    if (!(way < LONGEST_WAY)) {
        return false;
    }
    const coif_search search = {
        .place = target, .moment = contacts->end, .reach = SEARCH, .hint = known->hint - 1};
    coif_nearest nearest;
    const int32_t body = find_nearest(&nearest, bodies, body_count, &search, known->body);
    known->place = target;
    known->moment = contacts->end;
    known->distance = largest(nearest.distance, 0.0f);
    if (body >= 0) {
        known->body = body;
        known->hint = nearest.triangle + 1;
    }

    if (way > LONG_WAY && nearest.distance < way) {
        coif_nearest touched;
        if (march(&touched, contacts, i, bodies, body_count)) {
            known->distance = 0.0f;
            write_plane(contacts, i, &touched);
            return true;
        }
    }
    if (body < 0 || nearest.distance > contacts->reach[i] + EARLY) {
        return false;
    }
    write_plane(contacts, i, &nearest);
    return true;
}

typedef struct box {
    coif_vec3 low, high;
} box;

static void grow(box *bounds, float x, float y, float z)
{
    bounds->low.x = x < bounds->low.x ? x : bounds->low.x;
    bounds->low.y = y < bounds->low.y ? y : bounds->low.y;
    bounds->low.z = z < bounds->low.z ? z : bounds->low.z;
    bounds->high.x = x > bounds->high.x ? x : bounds->high.x;
    bounds->high.y = y > bounds->high.y ? y : bounds->high.y;
    bounds->high.z = z > bounds->high.z ? z : bounds->high.z;
}

// Broad phase: whether the points, all together, come near any body.
static bool near_any_body(const coif_contacts *contacts, const coif_collider *bodies,
                          int32_t body_count)
{
    box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    float reach = 0.0f;
    for (int32_t i = 0; i < contacts->count; ++i) {
        grow(&all, contacts->x[i], contacts->y[i], contacts->z[i]);
        grow(&all, contacts->px[i], contacts->py[i], contacts->pz[i]);
        reach = largest(reach, contacts->reach[i]);
    }
    reach += EARLY;
    for (int32_t b = 0; b < body_count; ++b) {
        const coif_vec3 low = bodies[b].low;
        const coif_vec3 high = bodies[b].high;
        if (all.low.x < high.x + reach && all.high.x > low.x - reach &&
            all.low.y < high.y + reach && all.high.y > low.y - reach &&
            all.low.z < high.z + reach && all.high.z > low.z - reach) {
            return true;
        }
    }
    return false;
}

bool coif_contacts_find(const coif_contacts *contacts, const coif_collider *bodies,
                        int32_t body_count)
{
    if (!near_any_body(contacts, bodies, body_count)) {
        return false;
    }
    float fastest = 0.0f;
    for (int32_t b = 0; b < body_count; ++b) {
        fastest = largest(fastest, bodies[b].fastest);
    }
    bool any = false;
    for (int32_t i = 0; i < contacts->count; ++i) {
        const bool skip = contacts->reach[i] <= 0.0f || is_clear(contacts, i, fastest);
        if (skip || !find_contact(contacts, i, bodies, body_count)) {
            write_nothing(contacts, i);
        } else {
            any = true;
        }
    }
    return any;
}

void coif_clearances_forget(coif_clearance *clearances, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        clearances[i].distance = 0.0f;
    }
}
