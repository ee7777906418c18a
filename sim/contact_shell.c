// contact, sampled: points in the coordinates of a part that moves as one piece, where the body
// stands still and only points move.
#include "sim/contact_plane.h"
#include "sim/shell.h"

typedef float float4 __attribute__((vector_size(16), may_alias));
typedef int32_t mask4 __attribute__((vector_size(16), may_alias));

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

// False: nothing of this part within reach.
static bool look(surface *out, const stance *s, coif_vec3 place, float reach)
{
    coif_shell_answer answer;
    const coif_shell_says says = coif_shell_look(&answer, s->shell, s->part, place);
    if (says == COIF_SHELL_SURE) {
        *out = (surface){answer.distance, coif_normalize(answer.slope)};
        return out->distance < reach;
    }
    if (says == COIF_SHELL_OTHERS) {
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

static void meet(const coif_contacts *contacts, int32_t i, const stance *s, coif_vec3 from,
                 coif_vec3 to)
{
    const float reach = contacts->reach[i];
    const float interest = reach + CONTACT_EARLY + coif_length(coif_sub(to, from));
    surface near;
    if (!look(&near, s, to, interest)) {
        return;
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
    if (!(near.distance < reach + CONTACT_EARLY)) {
        return;
    }
    const coif_vec3 n = coif_mat3_apply_transposed(&s->end_back.turn, near.normal);
    const float scale = 1.0f / coif_length(n);
    contact_plane plane = {.point = coif_rigid_apply(&s->end, point),
                           .normal = coif_scale(n, scale),
                           .distance = near.distance * scale};
    plane.motion = coif_sub(plane.point, coif_rigid_apply(&s->begin, point));
    contact_write(contacts, i, &plane);
}

typedef struct four3 {
    float4 x, y, z;
} four3;

static inline four3 apply4(const coif_rigid *rigid, const float *x, const float *y, const float *z)
{
    const float4 px = *(const float4 *)x;
    const float4 py = *(const float4 *)y;
    const float4 pz = *(const float4 *)z;
    const coif_vec3 *m = rigid->turn.row;
    return (four3){m[0].x * px + m[0].y * py + m[0].z * pz + rigid->shift.x,
                   m[1].x * px + m[1].y * py + m[1].z * pz + rigid->shift.y,
                   m[2].x * px + m[2].y * py + m[2].z * pz + rigid->shift.z};
}

// Far points, which are most, are done with here: nothing is nearer to the block of the target than
// what the point has to do with.
static void meet_part(const coif_contacts *contacts, const stance *s)
{
    for (int32_t i = 0; i < contacts->count; i += 4) {
        const four3 to = apply4(&s->end_back, contacts->px + i, contacts->py + i, contacts->pz + i);
        const four3 from =
            apply4(&s->begin_back, contacts->x + i, contacts->y + i, contacts->z + i);
        const float4 wx = to.x - from.x;
        const float4 wy = to.y - from.y;
        const float4 wz = to.z - from.z;
        const float4 way2 = wx * wx + wy * wy + wz * wz;
        for (int k = 0; k < 4; ++k) {
            const coif_vec3 place = {to.x[k], to.y[k], to.z[k]};
            const float bound = coif_shell_bound(s->shell, s->part, place);
            const float spare = bound - contacts->reach[i + k] - CONTACT_EARLY;
            // What is not a number touches nothing.
            if (contacts->reach[i + k] > 0.0f && bound > -CONTACT_SEARCH &&
                (spare < 0.0f || spare * spare < way2[k]) &&
                way2[k] < CONTACT_LONGEST_WAY * CONTACT_LONGEST_WAY) {
                meet(contacts, i + k, s, coif_vec3_of(from.x[k], from.y[k], from.z[k]), place);
            }
        }
    }
}

void coif_contacts_meet_shell(const coif_contacts *contacts, const coif_shell *shell)
{
    for (int32_t p = 0; p < shell->part_count; ++p) {
        const coif_shell_part *part = &shell->parts[p];
        stance s = {.shell = shell,
                    .part = p,
                    .begin = coif_rigid_between(&part->begin, &part->end, contacts->begin),
                    .end = coif_rigid_between(&part->begin, &part->end, contacts->end)};
        s.begin_back = coif_rigid_inverse(&s.begin);
        s.end_back = coif_rigid_inverse(&s.end);
        meet_part(contacts, &s);
    }
}
