// contact, sampled: points in the coordinates of a part that moves as one piece, where the body
// stands still and only points move.
#include "sim/contact_plane.h"
#include "sim/four.h"
#include "sim/shell.h"

// A part during a substep.
typedef struct stance {
    const coif_shell *shell;
    int32_t part;
    coif_rigid begin, end;
    coif_rigid begin_back, end_back;
} stance;

// What is known of the surface near a place of the rest pose.
typedef struct surface {
    float distance;
    coif_vec3 normal;
} surface;

// What sampled distances may be wrong by, see shell_build.c.
static const float UNSURE = 3e-4f;

// False: nothing of this part within reach; then distance is how far away it is, at least.
static bool look(surface *out, const stance *s, coif_vec3 place, float reach)
{
    coif_shell_answer answer;
    const coif_shell_says says = coif_shell_look(&answer, s->shell, s->part, place);
    if (says == COIF_SHELL_SURE) {
        *out = (surface){answer.distance, coif_normalize(answer.slope)};
        return out->distance < reach;
    }
    out->distance = answer.distance;
    if (says == COIF_SHELL_OTHERS || answer.distance >= reach) {
        return false;
    }
    const coif_search search = {.place = place,
                                .reach = reach > CONTACT_SEARCH ? reach : CONTACT_SEARCH,
                                .hint = answer.hint};
    coif_nearest nearest;
    if (!coif_collider_find_in_tree(&nearest, s->shell->still, &search) ||
        coif_shell_part_of(s->shell, nearest.triangle) != s->part) {
        return false;
    }
    *out = (surface){nearest.distance, nearest.normal};
    return nearest.distance < reach;
}

// Walks from a place outside towards another in steps that cannot pass a surface unseen, and stops
// where the point would touch. False when the way is free or begins inside.
static bool march(surface *touched, coif_vec3 *at, const stance *s, const coif_vec3 ways[2],
                  float touch)
{
    const coif_vec3 way = coif_sub(ways[1], ways[0]);
    const float length = coif_length(way);
    float gone = 0.0f;
    for (int step = 0; step < CONTACT_STEPS && gone < length; ++step) {
        *at = coif_mad(ways[0], gone / length, way);
        float free = coif_shell_bound(s->shell, s->part, *at);
        if (!(free > touch)) {
            const bool found = look(touched, s, *at, CONTACT_SEARCH);
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

// Gives how far away the part is from where the point wants to go, at least.
static float meet(const coif_contacts *contacts, int32_t i, const stance *s, coif_vec3 from,
                  coif_vec3 to)
{
    const float reach = contacts->reach[i];
    const float interest = reach + contacts->early + coif_length(coif_sub(to, from));
    surface near;
    const bool found = look(&near, s, to, interest);
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
        if (march(&touched, &at, s, ways, reach)) {
            point = coif_mad(at, -touched.distance, touched.normal);
            near = (surface){coif_dot(touched.normal, coif_sub(to, point)), touched.normal};
        }
    }
    if (!(near.distance < reach + contacts->early)) {
        return least;
    }
    const coif_vec3 n = coif_mat3_apply_transposed(&s->end_back.turn, near.normal);
    const float scale = 1.0f / coif_length(n);
    contact_plane plane = {.point = coif_rigid_apply(&s->end, point),
                           .normal = coif_scale(n, scale),
                           .distance = near.distance * scale};
    plane.motion = coif_sub(plane.point, coif_rigid_apply(&s->begin, point));
    contact_write(contacts, i, &plane);
    return least;
}

static inline four3 apply4(const coif_rigid *rigid, four3 p)
{
    const coif_vec3 *m = rigid->turn.row;
    return (four3){m[0].x * p.x + m[0].y * p.y + m[0].z * p.z + rigid->shift.x,
                   m[1].x * p.x + m[1].y * p.y + m[1].z * p.z + rigid->shift.y,
                   m[2].x * p.x + m[2].y * p.y + m[2].z * p.z + rigid->shift.z};
}

// coif_shell_bound of four places.
static inline float4 bounds4(const coif_shell *shell, const float *bound, four3 p)
{
    const float scale = 1.0f / (COIF_SHELL_CELLS * shell->cell);
    const float4 x = (p.x - shell->low.x) * scale;
    const float4 y = (p.y - shell->low.y) * scale;
    const float4 z = (p.z - shell->low.z) * scale;
    const mask4 within = (x >= 0.0f) & (y >= 0.0f) & (z >= 0.0f) & (x < (float)shell->size[0]) &
                         (y < (float)shell->size[1]) & (z < (float)shell->size[2]);
    // What is not within may not fit into an integer.
    const float4 none = {0};
    const mask4 column = __builtin_convertvector(select4(within, x, none), mask4);
    const mask4 row = __builtin_convertvector(select4(within, y, none), mask4);
    const mask4 layer = __builtin_convertvector(select4(within, z, none), mask4);
    const mask4 at = (layer * shell->size[1] + row) * shell->size[0] + column;
    const float4 found = {bound[at[0]], bound[at[1]], bound[at[2]], bound[at[3]]};
    return select4(within, found, none + shell->beyond);
}

// No way of a point is longer than this, seen from the part: its own, turned and perhaps drawn out
// as the part is between two poses, and that of the part itself where the points are.
static float longest_way(const contact_bounds *bounds, const stance *s)
{
    const coif_vec3 middle = coif_scale(coif_add(bounds->low, bounds->high), 0.5f);
    const coif_vec3 away = coif_sub(bounds->high, middle);
    const coif_vec3 carried =
        coif_sub(coif_rigid_apply(&s->end_back, middle), coif_rigid_apply(&s->begin_back, middle));
    float turned = 0.0f;
    float drawn = 0.0f;
    for (int r = 0; r < 3; ++r) {
        const coif_vec3 end = s->end_back.turn.row[r];
        const coif_vec3 change = coif_sub(end, s->begin_back.turn.row[r]);
        turned += coif_dot(change, change);
        drawn += coif_dot(end, end);
    }
    const float way =
        sqrtf(drawn) * bounds->way + coif_length(carried) + sqrtf(turned) * coif_length(away);
    return 1.001f * way + 1e-5f;
}

// Far points, which are most, are done with here, four at a time: nothing is nearer to the block of
// the target than what the point has to do with.
static void meet_part(const coif_contacts *contacts, const contact_bounds *bounds, const stance *s)
{
    const float most = longest_way(bounds, s);
    const float *bound = s->shell->parts[s->part].bound;
    const float longest = CONTACT_LONGEST_WAY * CONTACT_LONGEST_WAY;
    for (int32_t i = 0; i < contacts->count; i += 4) {
        const four3 to =
            apply4(&s->end_back, load4(contacts->px + i, contacts->py + i, contacts->pz + i));
        const float4 reach = *(const float4 *)(contacts->reach + i);
        const float4 least = bounds4(s->shell, bound, to);
        const float4 spare = least - reach - contacts->early;
        float4 *nearest = contacts->free != NULL ? (float4 *)(contacts->free + i) : NULL;
        if (!any4(~(spare > most))) {
            if (nearest != NULL) {
                *nearest = min4(least, *nearest);
            }
            continue;
        }
        const four3 from =
            apply4(&s->begin_back, load4(contacts->x + i, contacts->y + i, contacts->z + i));
        const four3 way = sub4(to, from);
        const float4 way2 = dot4(way, way);
        // What is not a number touches nothing.
        const mask4 near = (reach > 0.0f) & (least > -CONTACT_SEARCH) &
                           ((spare < 0.0f) | (spare * spare < way2)) & (way2 < longest);
        float4 free = least;
        for (int k = 0; any4(near) && k < 4; ++k) {
            if (near[k] != 0) {
                const float found =
                    meet(contacts, i + k, s, coif_vec3_of(from.x[k], from.y[k], from.z[k]),
                         coif_vec3_of(to.x[k], to.y[k], to.z[k]));
                free[k] = found > free[k] ? found : free[k];
            }
        }
        if (nearest != NULL) {
            *nearest = min4(free, *nearest);
        }
    }
}

void coif_contacts_meet_shell(const coif_contacts *contacts, const contact_bounds *bounds,
                              const coif_shell *shell)
{
    for (int32_t p = 0; p < shell->part_count; ++p) {
        const coif_shell_part *part = &shell->parts[p];
        stance s = {.shell = shell,
                    .part = p,
                    .begin = coif_rigid_between(&part->begin, &part->end, contacts->begin),
                    .end = coif_rigid_between(&part->begin, &part->end, contacts->end)};
        s.begin_back = coif_rigid_inverse(&s.begin);
        s.end_back = coif_rigid_inverse(&s.end);
        meet_part(contacts, bounds, &s);
    }
}
