#include "sim/contact.h"

// How far around a point is searched. Deeper inside a body than this a point is not found again;
// farther outside it is left alone until it could have come near.
static const float SEARCH = 0.04f;

// Planes are also made a little before they are needed, because projections move a point on.
static const float EARLY = 0.002f;

// A way longer than this could have passed through a thin part such as an ear.
static const float LONG_WAY = 0.004f;

// Nothing sane goes this far in a substep, in metres.
static const float LONGEST_WAY = 1.0f;

// A point keeps its plane until it has gone this far along the surface.
static const float SAME_PLANE = 0.0003f;

// Other parts of a turning body move otherwise than the part next to a point; this share of its
// fastest motion is allowed for.
static const float UNEVEN = 0.25f;

// What a neighbour knows is used when it will be of use for this far.
static const float WORTH_KNOWING = 0.003f;

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

// How far a place is from that of the last search, seen from the surface that was nearest then.
static float gone_since(const coif_clearance *known, coif_vec3 place, float moment)
{
    const coif_vec3 way = coif_sub(place, known->place);
    return coif_length(coif_mad(way, known->moment - moment, known->nearest.motion));
}

// What is known already: a plane that still holds, or that nothing can be touched.
typedef enum knowledge { NOT_KNOWN, NOTHING_NEAR, SAME_AS_BEFORE } knowledge;

static knowledge recall(const coif_contacts *contacts, int32_t i, float fastest)
{
    const coif_clearance *known = &contacts->clearances[i];
    if (!known->known) {
        return NOT_KNOWN;
    }
    const float gone = largest(gone_since(known, place_at(contacts, i), contacts->begin),
                               gone_since(known, target_at(contacts, i), contacts->end));
    const float uneven = UNEVEN * fastest * (contacts->end - known->moment);
    if (known->distance - gone - uneven > contacts->reach[i] + EARLY) {
        return NOTHING_NEAR;
    }
    return known->nearest.triangle >= 0 && gone + uneven < SAME_PLANE ? SAME_AS_BEFORE : NOT_KNOWN;
}

static void search(const coif_contacts *contacts, int32_t i, const coif_collider *bodies,
                   int32_t body_count)
{
    coif_clearance *known = &contacts->clearances[i];
    const coif_search nearby = {.place = target_at(contacts, i),
                                .moment = contacts->end,
                                .reach = SEARCH,
                                .hint = known->hint - 1};
    const int32_t body = find_nearest(&known->nearest, bodies, body_count, &nearby, known->body);
    known->known = 1;
    known->place = nearby.place;
    known->moment = nearby.moment;
    known->distance = largest(known->nearest.distance, 0.0f);
    if (body >= 0) {
        known->body = body;
        known->hint = known->nearest.triangle + 1;
    }
}

// Nothing is nearer to a point than to the one before it, less the way between them. True when that
// settles it.
static bool learn_from_neighbour(const coif_contacts *contacts, int32_t i)
{
    const coif_clearance *before =
        i < contacts->lanes ? NULL : &contacts->clearances[i - contacts->lanes];
    if (before == NULL || !before->known || before->moment != contacts->end) {
        return false;
    }
    const coif_vec3 target = target_at(contacts, i);
    const float between = coif_length(coif_sub(target, before->place));
    const float longest =
        largest(between, coif_length(coif_sub(place_at(contacts, i), before->place)));
    if (!(before->distance - longest > contacts->reach[i] + EARLY + WORTH_KNOWING)) {
        return false;
    }
    coif_clearance *known = &contacts->clearances[i];
    known->known = 1;
    known->place = target;
    known->moment = contacts->end;
    known->distance = before->distance - between;
    known->nearest = (coif_nearest){.triangle = -1, .motion = before->nearest.motion};
    return true;
}

static bool find_contact(const coif_contacts *contacts, int32_t i, const coif_collider *bodies,
                         int32_t body_count)
{
    coif_clearance *known = &contacts->clearances[i];
    const float way = coif_length(coif_sub(target_at(contacts, i), place_at(contacts, i)));
    // Also false for what is not a number; such a point is not worth a search.
    if (!(way < LONGEST_WAY)) {
        return false;
    }
    if (learn_from_neighbour(contacts, i)) {
        return false;
    }
    search(contacts, i, bodies, body_count);
    if (way > LONG_WAY && known->nearest.distance < way) {
        coif_nearest touched;
        if (march(&touched, contacts, i, bodies, body_count)) {
            known->known = 0;
            write_plane(contacts, i, &touched);
            return true;
        }
    }
    if (known->nearest.triangle < 0 || known->nearest.distance > contacts->reach[i] + EARLY) {
        return false;
    }
    write_plane(contacts, i, &known->nearest);
    return true;
}

// The plane of the last search, where it is by now. False when the point is too far above it.
static bool reuse_plane(const coif_contacts *contacts, int32_t i)
{
    const coif_clearance *known = &contacts->clearances[i];
    coif_nearest now = known->nearest;
    if (now.distance > contacts->reach[i] + EARLY) {
        return false;
    }
    now.point = coif_mad(now.point, contacts->end - known->moment, now.motion);
    write_plane(contacts, i, &now);
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
        const knowledge knows =
            contacts->reach[i] <= 0.0f ? NOTHING_NEAR : recall(contacts, i, fastest);
        const bool touches = knows == NOT_KNOWN ? find_contact(contacts, i, bodies, body_count)
                             : knows == SAME_AS_BEFORE ? reuse_plane(contacts, i)
                                                       : false;
        if (!touches) {
            write_nothing(contacts, i);
        }
        any = any || touches;
    }
    return any;
}

void coif_clearances_forget(coif_clearance *clearances, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        clearances[i].known = 0;
    }
}
