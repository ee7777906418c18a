// contact, sampled: points where they would be if the body rested, so that it stands still and only
// points move.
#include "sim/contact_plane.h"
#include "sim/shell.h"

// A body during a substep.
typedef struct passing {
    const coif_shell *shell;
    coif_stance begin, end;
} passing;

// What is known of the surface near a place of the rest pose.
typedef struct surface {
    float distance;
    coif_vec3 normal;
} surface;

// What sampled distances may be wrong by, see shell_build.c.
static const float UNSURE = 3e-4f;

// No step along a way is shorter, metres: thinner than a hair.
static const float SHORTEST_STEP = 5e-5f;

// False: nothing within reach; then distance is how far away it is, at least.
static bool look(surface *out, const coif_shell *shell, coif_vec3 place, float reach)
{
    coif_shell_answer answer;
    if (coif_shell_look(&answer, shell, place)) {
        *out = (surface){answer.distance, coif_normalize(answer.slope)};
        return out->distance < reach;
    }
    out->distance = answer.distance;
    if (answer.distance >= reach) {
        return false;
    }
    const coif_search search = {.place = place,
                                .reach = reach > CONTACT_SEARCH ? reach : CONTACT_SEARCH,
                                .hint = answer.hint};
    coif_nearest nearest;
    if (!coif_collider_find_in_tree(&nearest, shell->still, &search)) {
        return false;
    }
    *out = (surface){nearest.distance, nearest.normal};
    return nearest.distance < reach;
}

// Walks from a place outside towards another in steps that cannot pass a surface unseen, and stops
// where the point would touch. False when the way is free or begins inside.
static bool march(surface *touched, coif_vec3 *at, const coif_shell *shell, const coif_vec3 ways[2],
                  float touch)
{
    const coif_vec3 way = coif_sub(ways[1], ways[0]);
    const float length = coif_length(way);
    float gone = 0.0f;
    for (int step = 0; step < CONTACT_STEPS && gone < length; ++step) {
        *at = coif_mad(ways[0], gone / length, way);
        float free = coif_shell_bound(shell, *at);
        if (!(free > touch)) {
            const bool found = look(touched, shell, *at, CONTACT_SEARCH);
            if (found && touched->distance <= touch) {
                return step > 0 || touched->distance > 0.0f;
            }
            free = found ? touched->distance : CONTACT_SEARCH;
        }
        const float least = 0.25f * touch;
        gone += free - 0.9f * touch > least ? free - 0.9f * touch : least;
    }
    return false;
}

// Whether a way that ends outside, where the surface is so far away at least, may lead through the
// body. It is followed backwards, in steps that cannot pass a surface unseen.
static bool leads_through(const coif_shell *shell, coif_vec3 from, coif_vec3 to, float free)
{
    const coif_vec3 way = coif_sub(to, from);
    const float length = coif_length(way);
    float left = length;
    for (int step = 0; step < CONTACT_STEPS; ++step) {
        left -= free > SHORTEST_STEP ? free : SHORTEST_STEP;
        if (left <= 0.0f) {
            return false;
        }
        const coif_vec3 at = coif_mad(from, left / length, way);
        free = coif_shell_bound(shell, at);
        surface near;
        if (!(free > SHORTEST_STEP) && look(&near, shell, at, CONTACT_SEARCH)) {
            free = near.distance;
        }
        if (!(free > 0.0f)) {
            return true;
        }
    }
    return true;
}

// Gives how far away the body is from where the point wants to go, at least; free is what is known
// of that. From and to are where the point would be if the body rested.
static float meet(const coif_contacts *contacts, int32_t i, const passing *s, coif_vec3 from,
                  coif_vec3 to, float free)
{
    const coif_passage *passage = s->shell->passage;
    const float reach = contacts->reach[i];
    const float kept = reach + contacts->early;
    const float widest = coif_passage_widest(passage, to);
    const float interest = kept * widest + coif_length(coif_sub(to, from));
    // Farther away than distances are sampled, only what lies between may be met.
    if (free > kept * widest && !coif_shell_samples(s->shell, to) &&
        !leads_through(s->shell, from, to, free)) {
        return free;
    }
    surface near;
    const bool found = look(&near, s->shell, to, interest);
    const float least = near.distance - UNSURE;
    if (!found) {
        return least;
    }
    coif_vec3 point = coif_mad(to, -near.distance, near.normal);
    // One that comes from behind the surface it is now next to has passed through something.
    if (coif_dot(near.normal, coif_sub(from, point)) < 0.0f) {
        surface touched;
        coif_vec3 at;
        const coif_vec3 ways[2] = {from, to};
        if (march(&touched, &at, s->shell, ways, reach)) {
            point = coif_mad(at, -touched.distance, touched.normal);
            near = (surface){coif_dot(touched.normal, coif_sub(to, point)), touched.normal};
        }
    }
    if (!(near.distance < interest)) {
        return least;
    }
    const coif_vec3 target = contact_target(contacts, i);
    const coif_vec3 n = coif_stance_slope(&s->end, target, to, near.normal);
    const float scale = 1.0f / coif_length(n);
    contact_plane plane = {.normal = coif_scale(n, scale), .distance = near.distance * scale};
    if (!(plane.distance < kept)) {
        return least;
    }
    plane.point = coif_stance_world(&s->end, point);
    plane.motion = coif_sub(plane.point, coif_stance_world(&s->begin, point));
    contact_write(contacts, i, &plane);
    return least;
}

// No way of a point is longer than this, seen from the body: its own, turned and perhaps drawn out
// as the body is between two poses, and that of the body itself where the points are.
static float longest_way(const contact_bounds *bounds, const passing *s)
{
    const coif_passage *passage = s->shell->passage;
    if (passage->flexes) {
        return coif_passage_longest(passage, bounds->low, bounds->high, bounds->way,
                                    s->end.moment - s->begin.moment);
    }
    const coif_rigid *ends[2] = {&s->begin.above_back, &s->end.above_back};
    const coif_vec3 middle = coif_scale(coif_add(bounds->low, bounds->high), 0.5f);
    const coif_vec3 away = coif_sub(bounds->high, middle);
    const coif_vec3 carried =
        coif_sub(coif_rigid_apply(ends[1], middle), coif_rigid_apply(ends[0], middle));
    float turned = 0.0f;
    float drawn = 0.0f;
    for (int r = 0; r < 3; ++r) {
        const coif_vec3 end = ends[1]->turn.row[r];
        const coif_vec3 change = coif_sub(end, ends[0]->turn.row[r]);
        turned += coif_dot(change, change);
        drawn += coif_dot(end, end);
    }
    const float way =
        sqrtf(drawn) * bounds->way + coif_length(carried) + sqrtf(turned) * coif_length(away);
    return 1.001f * way + 1e-5f;
}

// Far points, which are most, are done with here, four at a time: nothing is nearer to the block of
// the target than what the point has to do with.
static void meet_shell(const coif_contacts *contacts, const contact_bounds *bounds,
                       const coif_shell *shell)
{
    const coif_passage *passage = shell->passage;
    const passing s = {shell, coif_stance_at(passage, contacts->begin),
                       coif_stance_at(passage, contacts->end)};
    const float most = longest_way(bounds, &s);
    const float longest = CONTACT_LONGEST_WAY * CONTACT_LONGEST_WAY;
    const mask4 all = {-1, -1, -1, -1};
    const int32_t *spared = contacts->vicinity.x != NULL ? contacts->vicinity.spared : NULL;
    for (int32_t i = 0; i < contacts->count; i += 4) {
        const float4 reach = *(const float4 *)(contacts->reach + i);
        if (spared != NULL ? spared[i] != 0 : contacts->free == NULL && !any4(reach > 0.0f)) {
            continue;
        }
        const four3 target = load4(contacts->px + i, contacts->py + i, contacts->pz + i);
        const four3 to = coif_stance_rest4(&s.end, target, all);
        const float4 bound = coif_shell_bound4(shell, to);
        const float4 least = coif_passage_least4(passage, to, bound);
        const float4 spare = least - reach - contacts->early;
        float4 *nearest = contacts->free != NULL ? (float4 *)(contacts->free + i) : NULL;
        mask4 close = ~(spare > most);
        const four3 x = load4(contacts->x + i, contacts->y + i, contacts->z + i);
        if (passage->flexes && any4(close)) {
            const four3 gone = sub4(target, x);
            const float part = s.end.moment - s.begin.moment;
            close &= ~(spare > coif_passage_longest4(passage, to, root4(dot4(gone, gone)), part));
        }
        if (!any4(close)) {
            if (nearest != NULL) {
                *nearest = min4(least, *nearest);
            }
            continue;
        }
        const four3 from = coif_stance_rest4(&s.begin, x, close);
        const four3 way = sub4(to, from);
        const float4 way2 = dot4(way, way);
        // What is not a number touches nothing.
        const mask4 near = close & (reach > 0.0f) & (least > -CONTACT_SEARCH) &
                           ((spare < 0.0f) | (spare * spare < way2)) & (way2 < longest);
        float4 free = least;
        for (int k = 0; any4(near) && k < 4; ++k) {
            if (near[k] != 0) {
                const coif_vec3 p = {to.x[k], to.y[k], to.z[k]};
                const coif_vec3 start = {from.x[k], from.y[k], from.z[k]};
                const float found = meet(contacts, i + k, &s, start, p, bound[k]);
                const float known = coif_passage_least(passage, p, found);
                free[k] = known > free[k] ? known : free[k];
            }
        }
        if (nearest != NULL) {
            *nearest = min4(free, *nearest);
        }
    }
}

static bool is_sampled(const coif_collider *body)
{
    return body->shell != NULL && body->shell->holds;
}

// Nobody minds if a point is this much farther away than it is known to be, metres.
static const float STALE = 0.002f;

// Four points are spared if what is known of their vicinity still tells enough: nothing is on their
// way, and nobody wants to know how far away they are.
static void spare_points(const coif_contacts *contacts, float carry)
{
    const coif_vicinity *known = &contacts->vicinity;
    for (int32_t i = 0; i < contacts->count; i += 4) {
        const four3 p = load4(contacts->px + i, contacts->py + i, contacts->pz + i);
        const four3 since = sub4(p, load4(known->x + i, known->y + i, known->z + i));
        const four3 way = sub4(p, load4(contacts->x + i, contacts->y + i, contacts->z + i));
        float4 *distance = (float4 *)(known->distance + i);
        *distance -= carry; // bodies move too
        const float4 moved = 1.0001f * root4(dot4(since, since));
        const float4 free = *distance - moved;
        const float4 stale = moved + (float)(known->spared[i] + 1) * carry;
        const float4 spare =
            0.9999f * (free - *(const float4 *)(contacts->reach + i) - (contacts->early + carry));
        const mask4 spared = ((free > contacts->far) | (stale < STALE)) & (spare > 0.0f) &
                             (spare * spare > dot4(way, way));
        known->spared[i] = any4(~spared) ? 0 : known->spared[i] + 1;
        if (known->spared[i] != 0) {
            *(float4 *)(contacts->free + i) = free;
        }
    }
}

static void note_vicinity(const coif_contacts *contacts)
{
    const coif_vicinity *known = &contacts->vicinity;
    for (int32_t i = 0; i < contacts->count; i += 4) {
        if (known->spared[i] == 0) {
            *(float4 *)(known->x + i) = *(const float4 *)(contacts->px + i);
            *(float4 *)(known->y + i) = *(const float4 *)(contacts->py + i);
            *(float4 *)(known->z + i) = *(const float4 *)(contacts->pz + i);
            *(float4 *)(known->distance + i) = *(const float4 *)(contacts->free + i);
        }
    }
}

void coif_contacts_meet_shells(const coif_contacts *contacts, const contact_bounds *bounds,
                               const coif_collider *bodies, int32_t body_count)
{
    bool any = false;
    float fastest = 0.0f;
    for (int32_t b = 0; b < body_count; ++b) {
        any = any || is_sampled(&bodies[b]);
        fastest = is_sampled(&bodies[b]) ? fmaxf(fastest, bodies[b].fastest) : fastest;
    }
    const bool knows = any && contacts->vicinity.x != NULL;
    if (knows) {
        spare_points(contacts, fastest * (contacts->end - contacts->begin));
    }
    for (int32_t b = 0; b < body_count; ++b) {
        if (is_sampled(&bodies[b])) {
            meet_shell(contacts, bounds, bodies[b].shell);
        }
    }
    if (knows) {
        note_vicinity(contacts);
    }
}
