// groom_bind: which simulated strands each other strand follows.
//
// Roots of simulated strands are sorted into a uniform grid, cells about twice as wide as the roots
// lie apart; a child looks through shells of cells around its own until no nearer root can follow.
// Where one of those found is across a gap, it looks again, for roots it can reach on the skin.
#include "core/base/arena.h"
#include "core/base/rng.h"
#include "core/hair/guide_selection.h"
#include "core/mesh/surface_path.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS_PER_AXIS = 128, RANDOM_BEND = 110, RANDOM_REACH = 111 };

// Shells that are looked through beyond those of the nearest, for roots that can be reached.
enum { SHELLS_BEYOND = 2 };

// A way along the skin may be so many times as long as the straight line. Half round a ball it is
// 1.57 times.
static const float MOST_DETOUR = 1.6f;

typedef struct root_grid {
    coif_vec3 low;
    float cell;
    int32_t size[3];
    int32_t *begin; // per cell and one more: first entry in roots
    int32_t *roots; // simulated indices, ascending inside a cell
    const coif_groom *groom;
    const int32_t *region; // per strand, or NULL
    bool match_orientation;
    coif_surface_paths ways; // without a mesh: straight lines only
} root_grid;

// The nearest so far, nearest first; distances are squared.
typedef struct nearest {
    int32_t count;
    int32_t guide[COIF_GUIDES_PER_CHILD];
    float distance[COIF_GUIDES_PER_CHILD];
} nearest;

static coif_vec3 root_of(const coif_groom *groom, int32_t strand)
{
    return coif_vec4_xyz(groom->rest.points[groom->rest.first[strand]]);
}

static int32_t cell_on_axis(const root_grid *grid, float place, float low, int axis)
{
    const float at = floorf((place - low) / grid->cell);
    const float last = (float)(grid->size[axis] - 1);
    return (int32_t)coif_clamp(at, 0.0f, last);
}

static void cell_of(const root_grid *grid, coif_vec3 place, int32_t cell[3])
{
    cell[0] = cell_on_axis(grid, place.x, grid->low.x, 0);
    cell[1] = cell_on_axis(grid, place.y, grid->low.y, 1);
    cell[2] = cell_on_axis(grid, place.z, grid->low.z, 2);
}

static int64_t cell_index(const root_grid *grid, const int32_t cell[3])
{
    return ((int64_t)cell[2] * grid->size[1] + cell[1]) * grid->size[0] + cell[0];
}

static void size_grid(root_grid *grid)
{
    const coif_groom *groom = grid->groom;
    coif_vec3 low = root_of(groom, 0), high = low;
    for (int32_t s = 1; s < groom->rest.strand_count; ++s) {
        const coif_vec3 p = root_of(groom, s);
        low = (coif_vec3){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
        high = (coif_vec3){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
    }
    const coif_vec3 extent = coif_sub(high, low);
    const float widest = fmaxf(extent.x, fmaxf(extent.y, extent.z));
    // Roots lie on a surface, so n of them are about widest / sqrt(n) apart.
    const float across = sqrtf((float)groom->simulated_count) / 2.0f;
    const float cells = coif_clamp(across, 1.0f, MOST_CELLS_PER_AXIS);
    grid->low = low;
    grid->cell = fmaxf(widest / cells, 1e-12f);
    const float extents[3] = {extent.x, extent.y, extent.z};
    for (int axis = 0; axis < 3; ++axis) {
        const float count = floorf(extents[axis] / grid->cell) + 1.0f;
        grid->size[axis] = (int32_t)coif_clamp(count, 1.0f, MOST_CELLS_PER_AXIS + 1);
    }
}

// A counting sort: how many per cell, where each cell begins, then every root to its place.
static void fill_grid(root_grid *grid, coif_arena *scratch)
{
    const coif_groom *groom = grid->groom;
    const int64_t cells = (int64_t)grid->size[0] * grid->size[1] * grid->size[2];
    grid->begin = coif_arena_new(scratch, cells + 2, int32_t);
    grid->roots = coif_arena_new(scratch, groom->simulated_count, int32_t);
    int32_t cell[3];
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        cell_of(grid, root_of(groom, groom->simulated[i]), cell);
        ++grid->begin[cell_index(grid, cell) + 2];
    }
    for (int64_t c = 2; c < cells + 2; ++c) {
        grid->begin[c] += grid->begin[c - 1];
    }
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        cell_of(grid, root_of(groom, groom->simulated[i]), cell);
        grid->roots[grid->begin[cell_index(grid, cell) + 1]++] = i;
    }
}

static bool is_nearer(float distance, int32_t guide, const nearest *found, int32_t place)
{
    const float other = found->distance[place];
    return distance < other || (distance == other && guide < found->guide[place]);
}

static void offer(nearest *found, int32_t guide, float distance)
{
    int32_t place = found->count;
    if (place == COIF_GUIDES_PER_CHILD) {
        --place;
        if (!is_nearer(distance, guide, found, place)) {
            return;
        }
    } else {
        ++found->count;
    }
    for (; place > 0 && is_nearer(distance, guide, found, place - 1); --place) {
        found->guide[place] = found->guide[place - 1];
        found->distance[place] = found->distance[place - 1];
    }
    found->guide[place] = guide;
    found->distance[place] = distance;
}

static coif_vec3 tip_of(const coif_groom *groom, int32_t strand)
{
    const int32_t last = groom->rest.first[strand + 1] - 1;
    return coif_sub(coif_vec4_xyz(groom->rest.points[last]), root_of(groom, strand));
}

static coif_vec3 normal_of(const coif_groom *groom, int32_t strand)
{
    const float *n = groom->root_frame + 9 * (int64_t)strand + 6;
    return (coif_vec3){n[0], n[1], n[2]};
}

// Squared distance of two strands, never less than that of their roots:
//
//   |a - b|^2 (1 + 3 (1 - n_a . n_b)) + min(|t_a - t_b|^2 / 4, 4 cell^2) + 16 cell^2 f
//
// with normals n and ways t from root to tip. Skin that turns away is further along the scalp than
// through the air, and hair combed apart does not move match_orientation. Beyond 60 degrees f grows
// from 0 to 1 at a right angle: the other side of an ear or of a fold may be a hair's breadth away,
// and is taken only where there is nothing else near.
static float distance_of(const root_grid *grid, int32_t strand, int32_t guide)
{
    const coif_groom *groom = grid->groom;
    const coif_vec3 to = coif_sub(root_of(groom, guide), root_of(groom, strand));
    const float near = coif_dot(to, to);
    if (!grid->match_orientation) {
        return near;
    }
    const float turn = 1.0f - coif_dot(normal_of(groom, strand), normal_of(groom, guide));
    const coif_vec3 apart = coif_sub(tip_of(groom, guide), tip_of(groom, strand));
    return near * (1.0f + 3.0f * coif_clamp(turn, 0.0f, 2.0f)) +
           fminf(0.25f * coif_dot(apart, apart), 4.0f * grid->cell * grid->cell) +
           16.0f * grid->cell * grid->cell * coif_clamp(2.0f * turn - 1.0f, 0.0f, 1.0f);
}

static coif_surface_location place_of(const coif_groom *groom, int32_t strand)
{
    const float *b = groom->root_barycentric + 2 * (int64_t)strand;
    return (coif_surface_location){groom->root_triangle[strand], b[0], b[1]};
}

static bool is_reached(const root_grid *grid, int32_t strand, int32_t guide)
{
    const coif_groom *groom = grid->groom;
    return coif_surface_paths_within(&grid->ways, place_of(groom, strand),
                                     place_of(groom, groom->simulated[guide]), MOST_DETOUR);
}

// What a strand looks for.
typedef struct search {
    const root_grid *grid;
    int32_t strand, most;
    bool reached; // along the skin
} search;

static void look_at(nearest *found, const search *own, int32_t guide)
{
    const root_grid *grid = own->grid;
    const float distance = distance_of(grid, own->strand, grid->groom->simulated[guide]);
    const int32_t last = COIF_GUIDES_PER_CHILD - 1;
    const bool wanted = found->count <= last || is_nearer(distance, guide, found, last);
    if (wanted && (!own->reached || is_reached(grid, own->strand, guide))) {
        offer(found, guide, distance);
    }
}

static void look_in_cell(nearest *found, const search *own, const int32_t cell[3])
{
    const root_grid *grid = own->grid;
    const int64_t index = cell_index(grid, cell);
    for (int32_t k = grid->begin[index]; k < grid->begin[index + 1]; ++k) {
        const int32_t guide = grid->roots[k];
        const int32_t other = grid->groom->simulated[guide];
        if (grid->region == NULL || grid->region[other] == grid->region[own->strand]) {
            look_at(found, own, guide);
        }
    }
}

// Cells whose greatest distance from the middle along an axis is exactly shell.
static void look_in_shell(nearest *found, const search *own, const int32_t middle[3], int32_t shell)
{
    const root_grid *grid = own->grid;
    int32_t from[3], to[3], cell[3];
    for (int axis = 0; axis < 3; ++axis) {
        from[axis] = middle[axis] > shell ? middle[axis] - shell : 0;
        const int32_t last = grid->size[axis] - 1;
        to[axis] = middle[axis] + shell < last ? middle[axis] + shell : last;
    }
    for (cell[2] = from[2]; cell[2] <= to[2]; ++cell[2]) {
        for (cell[1] = from[1]; cell[1] <= to[1]; ++cell[1]) {
            const bool edge =
                abs(cell[2] - middle[2]) == shell || abs(cell[1] - middle[1]) == shell;
            for (cell[0] = from[0]; cell[0] <= to[0]; ++cell[0]) {
                if (edge || abs(cell[0] - middle[0]) == shell) {
                    look_in_cell(found, own, cell);
                }
            }
        }
    }
}

// Looks through so many shells, or fewer when nothing nearer can follow; returns how many.
static int32_t look_around(nearest *found, const search *own, int32_t shells)
{
    const root_grid *grid = own->grid;
    int32_t middle[3], shell = 0;
    cell_of(grid, root_of(grid->groom, own->strand), middle);
    while (shell < shells) {
        look_in_shell(found, own, middle, shell);
        // Whatever lies in the shells beyond is at least this far away; a little less for rounding.
        const float reach = 0.999f * (float)shell++ * grid->cell;
        if (found->count == own->most && found->distance[own->most - 1] < reach * reach) {
            break;
        }
    }
    return shell;
}

// So many, or all there are; fewer where others are across a gap. A strand that reaches none at
// all takes the nearest.
static nearest find_nearest(const root_grid *grid, int32_t strand, int32_t most)
{
    nearest found = {0}, reached = {0};
    search own = {.grid = grid, .strand = strand, .most = most};
    const int32_t shells = grid->size[0] + grid->size[1] + grid->size[2];
    const int32_t seen = look_around(&found, &own, shells);
    bool all = true;
    for (int32_t i = 0; i < found.count && all && grid->ways.mesh != NULL; ++i) {
        all = is_reached(grid, strand, found.guide[i]);
    }
    if (!all) {
        own.reached = true;
        const int32_t further = seen + SHELLS_BEYOND;
        look_around(&reached, &own, further < shells ? further : shells);
    }
    return reached.count > 0 ? reached : found;
}

static void bind_child(coif_groom *groom, int32_t strand, const nearest *found)
{
    int32_t *guides = groom->guides + COIF_GUIDES_PER_CHILD * (size_t)strand;
    float *weights = groom->guide_weights + COIF_GUIDES_PER_CHILD * (size_t)strand;
    float sum = 0.0f;
    for (int i = 0; i < COIF_GUIDES_PER_CHILD; ++i) {
        const bool used = i < found->count;
        // A tenth of a micrometre keeps the weight of a guide at the same place finite.
        guides[i] = used ? found->guide[i] : -1;
        weights[i] = used ? 1.0f / (sqrtf(found->distance[i]) + 1e-7f) : 0.0f;
        sum += weights[i];
    }
    for (int i = 0; i < COIF_GUIDES_PER_CHILD && sum > 0.0f; ++i) {
        weights[i] /= sum;
    }
}

// A clone bends more or less than its guide, as softer or stiffer hair would, and goes along with
// it as longer or shorter hair would.
static void vary_clone(coif_groom *groom, int32_t strand, bool guide, float variation)
{
    const float bend = coif_random_unit(groom->random[strand], 0, RANDOM_BEND);
    const float reach = coif_random_unit(groom->random[strand], 0, RANDOM_REACH);
    float *clone = groom->clump_scale + 2 * (int64_t)strand;
    clone[0] = guide ? 1.0f : 1.0f + variation * (bend - 0.5f);
    clone[1] = guide ? 1.0f : 1.0f + variation * (reach - 0.5f);
}

void coif_groom_bind_children(coif_groom *groom, const coif_guide_binding_desc *binding,
                              coif_arena *arena, coif_arena *scratch)
{
    const int32_t count = groom->rest.strand_count;
    groom->clump_scale = binding->clump ? coif_arena_new(arena, 2 * (int64_t)count, float) : NULL;
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    bool *guides = coif_arena_new(scratch, count, bool);
    const coif_region_counts counts = coif_regions_list(binding->region, count, scratch);
    coif_groom_select_guides(groom, binding, guides, &counts);
    root_grid grid = {
        .groom = groom, .region = binding->region, .match_orientation = binding->match_orientation};
    if (groom->simulated_count > 0 && groom->simulated_count < count) {
        size_grid(&grid);
        fill_grid(&grid, scratch);
        if (binding->mesh != NULL) {
            coif_surface_paths_open(&grid.ways, binding->mesh, scratch);
        }
    }
    for (int32_t s = 0, own = 0; s < count; ++s) {
        nearest found = {0};
        if (guides[s]) {
            found = (nearest){.count = 1, .guide = {own++}};
        } else if (groom->simulated_count > 0) {
            const int32_t region = binding->region != NULL ? binding->region[s] : 0;
            const int32_t there = coif_region_of(&counts, region)->guides;
            const int32_t most = there < COIF_GUIDES_PER_CHILD ? there : COIF_GUIDES_PER_CHILD;
            found = find_nearest(&grid, s, most);
            found.count = binding->clump && found.count > 1 ? 1 : found.count;
        }
        bind_child(groom, s, &found);
        if (binding->clump) {
            vary_clone(groom, s, guides[s],
                       binding->variations != NULL ? binding->variations[s] : binding->variation);
        }
    }
    coif_arena_rewind(scratch, mark);
}

void coif_groom_bind(coif_groom *groom, double share, coif_arena *scratch)
{
    const coif_guide_binding_desc binding = {.fraction = share};
    coif_groom_bind_children(groom, &binding, scratch, scratch);
}
