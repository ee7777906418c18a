// Guide binding: nearest simulated strands of each child.
//
// Roots of simulated strands are in a grid with cells of about twice their spacing. If a guide
// found is across a gap, the search is repeated for roots that are reachable along the surface.
#include "core/base/arena.h"
#include "core/base/point_grid.h"
#include "core/base/rng.h"
#include "core/hair/groom.h"
#include "core/mesh/surface_path.h"

#include <stdlib.h>
#include <string.h>

typedef struct region_count {
    int32_t region, guides;
} region_count;

// Regions of a groom and their number of guides.
typedef struct region_counts {
    region_count *all; // ascending region
    int32_t count;
} region_counts;

static int by_region(const void *left, const void *right)
{
    const int32_t a = ((const region_count *)left)->region;
    const int32_t b = ((const region_count *)right)->region;
    return (a > b) - (a < b);
}

static region_count *region_of(const region_counts *counts, int32_t region)
{
    const region_count key = {.region = region};
    return bsearch(&key, counts->all, (size_t)counts->count, sizeof key, by_region);
}

static region_counts regions_list(const int32_t *region, int32_t strands, coif_arena *scratch)
{
    region_counts counts = {coif_arena_new(scratch, strands, region_count), 0};
    for (int32_t s = 0; s < strands; ++s) {
        counts.all[s].region = region != NULL ? region[s] : 0;
    }
    qsort(counts.all, (size_t)strands, sizeof *counts.all, by_region);
    for (int32_t s = 0; s < strands; ++s) {
        if (counts.count == 0 || counts.all[counts.count - 1].region != counts.all[s].region) {
            counts.all[counts.count++] = counts.all[s];
        }
    }
    return counts;
}

// Counts the guides of every region; in a region without guides the first strand becomes one.
static void ensure_region_guides(bool *guides, const region_counts *counts, const int32_t *region,
                                 int32_t strands)
{
    for (int32_t s = 0; s < strands; ++s) {
        region_of(counts, region != NULL ? region[s] : 0)->guides += guides[s];
    }
    for (int32_t s = 0; s < strands && region != NULL; ++s) {
        region_count *own = region_of(counts, region[s]);
        if (own->guides == 0) {
            own->guides = 1;
            guides[s] = true;
        }
    }
}

// Number of guides for a fraction of the strands.
static int32_t guide_count(double fraction, int32_t count)
{
    // Tolerance: 0.1f is slightly more than a tenth and must not add a strand.
    const double guides = ceil(fraction * count - 2e-7 * count);
    return guides < 0.0 ? 0 : guides > count ? count : (int32_t)guides;
}

static void select_guides(coif_groom *groom, const coif_guide_binding_desc *binding, bool *guides,
                          const region_counts *counts)
{
    const int32_t count = groom->rest.strand_count;
    bool any = false;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t s = binding->order != NULL ? binding->order[i] : i;
        const double own = binding->fractions != NULL ? (double)binding->fractions[s] : 1.0;
        guides[s] = i < guide_count(binding->fraction * own, count);
        any |= guides[s];
    }
    if (any) {
        ensure_region_guides(guides, counts, binding->region, count);
    }
    int32_t found = 0;
    for (int32_t s = 0; s < count; ++s) {
        if (guides[s]) {
            groom->simulated[found++] = s;
        }
    }
    groom->simulated_count = found;
}

enum { MAX_CELLS_PER_AXIS = 128, RANDOM_BEND = 110, RANDOM_LENGTH = 111 };

// Additional shells searched for reachable roots.
enum { EXTRA_SHELLS = 2 };

// Maximum ratio of surface path to straight distance; on a half circle it is 1.57.
static const float MAX_DETOUR = 1.6f;

typedef struct root_grid {
    coif_point_grid roots; // of simulated strands
    const coif_groom *groom;
    const int32_t *region; // per strand, or NULL
    bool match_orientation;
    coif_surface_paths paths; // without a mesh: straight distances only
} root_grid;

// Nearest guides so far in ascending order of squared distance.
typedef struct nearest {
    int32_t count;
    int32_t guide[COIF_GUIDES_PER_CHILD];
    float distance[COIF_GUIDES_PER_CHILD];
} nearest;

static coif_vec3 root_of(const coif_groom *groom, int32_t strand)
{
    return coif_vec4_xyz(groom->rest.points[groom->rest.first[strand]]);
}

static void init_roots(root_grid *grid, coif_arena *scratch)
{
    const coif_groom *groom = grid->groom;
    coif_vec3 *all = coif_arena_new(scratch, groom->rest.strand_count, coif_vec3);
    coif_vec3 *simulated = coif_arena_new(scratch, groom->simulated_count, coif_vec3);
    for (int32_t s = 0; s < groom->rest.strand_count; ++s) {
        all[s] = root_of(groom, s);
    }
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        simulated[i] = all[groom->simulated[i]];
    }
    // Roots lie on a surface, so n of them are about extent / sqrt(n) apart.
    const coif_point_grid_desc desc = {.points = simulated,
                                       .count = groom->simulated_count,
                                       .bounded = all,
                                       .bounded_count = groom->rest.strand_count,
                                       .cells = sqrtf((float)groom->simulated_count) / 2.0f,
                                       .max_cells = MAX_CELLS_PER_AXIS};
    coif_point_grid_init(&grid->roots, &desc, scratch);
}

static bool is_nearer(float distance, int32_t guide, const nearest *found, int32_t rank)
{
    const float other = found->distance[rank];
    return distance < other || (distance == other && guide < found->guide[rank]);
}

static void insert(nearest *found, int32_t guide, float distance)
{
    int32_t rank = found->count;
    if (rank == COIF_GUIDES_PER_CHILD) {
        --rank;
        if (!is_nearer(distance, guide, found, rank)) {
            return;
        }
    } else {
        ++found->count;
    }
    for (; rank > 0 && is_nearer(distance, guide, found, rank - 1); --rank) {
        found->guide[rank] = found->guide[rank - 1];
        found->distance[rank] = found->distance[rank - 1];
    }
    found->guide[rank] = guide;
    found->distance[rank] = distance;
}

static coif_vec3 root_to_tip(const coif_groom *groom, int32_t strand)
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
// with normals n and root-to-tip vectors t. Differently oriented skin is further along the surface
// than in space, and hair combed apart does not move together. Beyond 60 degrees f grows from 0 to
// 1 at a right angle: the other side of an ear or a fold is used only if there is no other guide
// nearby.
static float distance_of(const root_grid *grid, int32_t strand, int32_t guide)
{
    const coif_groom *groom = grid->groom;
    const float cell = grid->roots.cell;
    const coif_vec3 to = coif_sub(root_of(groom, guide), root_of(groom, strand));
    const float near = coif_dot(to, to);
    if (!grid->match_orientation) {
        return near;
    }
    const float turn = 1.0f - coif_dot(normal_of(groom, strand), normal_of(groom, guide));
    const coif_vec3 apart = coif_sub(root_to_tip(groom, guide), root_to_tip(groom, strand));
    return near * (1.0f + 3.0f * coif_clamp(turn, 0.0f, 2.0f)) +
           fminf(0.25f * coif_dot(apart, apart), 4.0f * cell * cell) +
           16.0f * cell * cell * coif_clamp(2.0f * turn - 1.0f, 0.0f, 1.0f);
}

static coif_surface_location location_of(const coif_groom *groom, int32_t strand)
{
    const float *b = groom->root_barycentric + 2 * (int64_t)strand;
    return (coif_surface_location){groom->root_triangle[strand], b[0], b[1]};
}

static bool is_reachable(const root_grid *grid, int32_t strand, int32_t guide)
{
    const coif_groom *groom = grid->groom;
    return coif_surface_paths_within(&grid->paths, location_of(groom, strand),
                                     location_of(groom, groom->simulated[guide]), MAX_DETOUR);
}

// Parameters of a search.
typedef struct search {
    const root_grid *grid;
    int32_t strand, max_guides;
    bool reachable_only; // along the surface
    nearest found;
} search;

static void consider(search *query, int32_t guide)
{
    const root_grid *grid = query->grid;
    nearest *found = &query->found;
    const float distance = distance_of(grid, query->strand, grid->groom->simulated[guide]);
    const int32_t last = COIF_GUIDES_PER_CHILD - 1;
    const bool nearer = found->count <= last || is_nearer(distance, guide, found, last);
    if (nearer && (!query->reachable_only || is_reachable(grid, query->strand, guide))) {
        insert(found, guide, distance);
    }
}

static void consider_cell(void *context, const int32_t *guides, int32_t count)
{
    search *query = context;
    const root_grid *grid = query->grid;
    for (int32_t k = 0; k < count; ++k) {
        const int32_t other = grid->groom->simulated[guides[k]];
        if (grid->region == NULL || grid->region[other] == grid->region[query->strand]) {
            consider(query, guides[k]);
        }
    }
}

// Searches up to `shells` shells, fewer when no nearer root is possible; returns their number.
static int32_t search_shells(search *query, int32_t shells)
{
    const root_grid *grid = query->grid;
    int32_t centre[3], shell = 0;
    coif_point_grid_cell(&grid->roots, root_of(grid->groom, query->strand), centre);
    while (shell < shells) {
        coif_point_grid_visit_shell(&grid->roots, centre, shell, consider_cell, query);
        // Lower bound of the distance of all further shells, with a tolerance for rounding.
        const float bound = 0.999f * (float)shell++ * grid->roots.cell;
        if (query->found.count == query->max_guides &&
            query->found.distance[query->max_guides - 1] < bound * bound) {
            break;
        }
    }
    return shell;
}

// Nearest guides that are reachable along the surface, or the nearest ones if none is reachable.
static nearest find_nearest(const root_grid *grid, int32_t strand, int32_t max_guides)
{
    search query = {.grid = grid, .strand = strand, .max_guides = max_guides};
    const int32_t *size = grid->roots.size;
    const int32_t shells = size[0] + size[1] + size[2];
    const int32_t searched = search_shells(&query, shells);
    bool all = true;
    for (int32_t i = 0; i < query.found.count && all && grid->paths.mesh != NULL; ++i) {
        all = is_reachable(grid, strand, query.found.guide[i]);
    }
    if (all) {
        return query.found;
    }
    search reachable = {
        .grid = grid, .strand = strand, .max_guides = max_guides, .reachable_only = true};
    const int32_t further = searched + EXTRA_SHELLS;
    search_shells(&reachable, further < shells ? further : shells);
    return reachable.found.count > 0 ? reachable.found : query.found;
}

static void bind_child(coif_groom *groom, int32_t strand, const nearest *found)
{
    int32_t *guides = groom->guides + COIF_GUIDES_PER_CHILD * (size_t)strand;
    float *weights = groom->guide_weights + COIF_GUIDES_PER_CHILD * (size_t)strand;
    float sum = 0.0f;
    for (int i = 0; i < COIF_GUIDES_PER_CHILD; ++i) {
        const bool used = i < found->count;
        // 0.1 micrometres keep the weight of a coincident guide finite.
        guides[i] = used ? found->guide[i] : -1;
        weights[i] = used ? 1.0f / (sqrtf(found->distance[i]) + 1e-7f) : 0.0f;
        sum += weights[i];
    }
    for (int i = 0; i < COIF_GUIDES_PER_CHILD && sum > 0.0f; ++i) {
        weights[i] /= sum;
    }
}

// Random factors of the guide's displacement (stiffness) and arc length (strand length).
static void set_clump_scale(coif_groom *groom, int32_t strand, bool guide, float variation)
{
    const float bend = coif_random_unit(groom->random[strand], 0, RANDOM_BEND);
    const float length = coif_random_unit(groom->random[strand], 0, RANDOM_LENGTH);
    float *scale = groom->clump_scale + 2 * (int64_t)strand;
    scale[0] = guide ? 1.0f : 1.0f + variation * (bend - 0.5f);
    scale[1] = guide ? 1.0f : 1.0f + variation * (length - 0.5f);
}

void coif_groom_bind_children(coif_groom *groom, const coif_guide_binding_desc *binding,
                              coif_arena *arena, coif_arena *scratch)
{
    const int32_t count = groom->rest.strand_count;
    groom->clump_scale = binding->clump ? coif_arena_new(arena, 2 * (int64_t)count, float) : NULL;
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    bool *guides = coif_arena_new(scratch, count, bool);
    const region_counts counts = regions_list(binding->region, count, scratch);
    select_guides(groom, binding, guides, &counts);
    root_grid grid = {
        .groom = groom, .region = binding->region, .match_orientation = binding->match_orientation};
    if (groom->simulated_count > 0 && groom->simulated_count < count) {
        init_roots(&grid, scratch);
        if (binding->mesh != NULL) {
            coif_surface_paths_open(&grid.paths, binding->mesh, scratch);
        }
    }
    for (int32_t s = 0, own = 0; s < count; ++s) {
        nearest found = {0};
        if (guides[s]) {
            found = (nearest){.count = 1, .guide = {own++}};
        } else if (groom->simulated_count > 0) {
            const int32_t region = binding->region != NULL ? binding->region[s] : 0;
            const int32_t available = region_of(&counts, region)->guides;
            const int32_t max_guides =
                available < COIF_GUIDES_PER_CHILD ? available : COIF_GUIDES_PER_CHILD;
            found = find_nearest(&grid, s, max_guides);
            found.count = binding->clump && found.count > 1 ? 1 : found.count;
        }
        bind_child(groom, s, &found);
        if (binding->clump) {
            set_clump_scale(groom, s, guides[s],
                            binding->variations != NULL ? binding->variations[s]
                                                        : binding->variation);
        }
    }
    coif_arena_rewind(scratch, mark);
}

void coif_groom_bind(coif_groom *groom, double fraction, coif_arena *scratch)
{
    const coif_guide_binding_desc binding = {.fraction = fraction};
    coif_groom_bind_children(groom, &binding, scratch, scratch);
}
