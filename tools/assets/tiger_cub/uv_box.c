// atlas: pieces that face one of six ways, each laid down flat, stacked on shelves.
#include "tools/assets/tiger_cub/cub_mesh.h"

#include <stdlib.h>

typedef struct piece {
    int way;
    double low[2], high[2]; // in millimetres as seen from there
    double at[2];           // where it lies
    int number;
} piece;

static const head_vec WAYS[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                 {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

static head_vec face_normal(const head_mesh *mesh, int f)
{
    const int *c = mesh->face[f].corner;
    return vec_unit(vec_cross(vec_sub(mesh->point[c[2]], mesh->point[c[0]]),
                              vec_sub(mesh->point[c[3]], mesh->point[c[1]])));
}

static void seen_from(int way, head_vec p, double at[2])
{
    at[0] = way < 2 ? (way == 0 ? -p.z : p.z) : way == 5 ? -p.x : p.x;
    at[1] = way < 2 || way > 3 ? p.y : way == 2 ? -p.z : p.z;
}

// Each face takes the way it faces most, then the way of most of its neighbours when it faces there
// well enough: ragged borders would make many small pieces.
static void choose_ways(const head_mesh *mesh, const head_edges *edges, int *way)
{
    for (int f = 0; f < mesh->face_count; ++f) {
        const head_vec n = face_normal(mesh, f);
        way[f] = 0;
        for (int w = 1; w < 6; ++w) {
            way[f] = vec_dot(n, WAYS[w]) > vec_dot(n, WAYS[way[f]]) ? w : way[f];
        }
    }
    int(*votes)[6] = head_allocate((size_t)mesh->face_count, sizeof *votes);
    for (int round = 0; round < 12; ++round) {
        for (int f = 0; f < mesh->face_count; ++f) {
            for (int w = 0; w < 6; ++w) {
                votes[f][w] = w == way[f];
            }
        }
        for (int e = 0; e < edges->count; ++e) {
            const int a = edges->edge[e].face[0], b = edges->edge[e].face[1];
            if (a >= 0 && b >= 0) {
                ++votes[a][way[b]];
                ++votes[b][way[a]];
            }
        }
        for (int f = 0; f < mesh->face_count; ++f) {
            const head_vec n = face_normal(mesh, f);
            for (int w = 0; w < 6; ++w) {
                if (votes[f][w] > votes[f][way[f]] && vec_dot(n, WAYS[w]) > 0.3) {
                    way[f] = w;
                }
            }
        }
    }
    free(votes);
}

static int root_of(int *parent, int f)
{
    while (parent[f] != f) {
        f = parent[f] = parent[parent[f]];
    }
    return f;
}

static int taller(const void *a, const void *b)
{
    const piece *p = a, *q = b;
    const double h = p->high[1] - p->low[1], g = q->high[1] - q->low[1];
    return h > g ? -1 : h < g ? 1 : p->number - q->number;
}

// The height of all shelves in a square of the given width.
static double stack(piece *pieces, int count, double width, double gap)
{
    double x = gap, y = gap, shelf = 0.0;

    for (int i = 0; i < count; ++i) {
        const double w = pieces[i].high[0] - pieces[i].low[0],
                     h = pieces[i].high[1] - pieces[i].low[1];
        if (x + w + gap > width) {
            x = gap;
            y += shelf + gap;
            shelf = 0.0;
        }
        pieces[i].at[0] = x;
        pieces[i].at[1] = y;
        x += w + gap;
        shelf = fmax(shelf, h);
    }
    return y + shelf + gap;
}

static int gather(piece *pieces, const head_mesh *mesh, const head_edges *edges, const int *way,
                  int *piece_of)
{
    int count = 0;
    int *parent = head_allocate((size_t)mesh->face_count, sizeof *parent);

    for (int f = 0; f < mesh->face_count; ++f) {
        parent[f] = f;
    }
    for (int e = 0; e < edges->count; ++e) {
        const int a = edges->edge[e].face[0], b = edges->edge[e].face[1];
        if (a >= 0 && b >= 0 && way[a] == way[b]) {
            parent[root_of(parent, a)] = root_of(parent, b);
        }
    }
    for (int f = 0; f < mesh->face_count; ++f) {
        if (root_of(parent, f) == f) {
            pieces[count] = (piece){way[f], {1e9, 1e9}, {-1e9, -1e9}, {0, 0}, count};
            piece_of[f] = count++;
        }
    }
    for (int f = 0; f < mesh->face_count; ++f) {
        piece_of[f] = piece_of[root_of(parent, f)];
        piece *own = &pieces[piece_of[f]];
        for (int c = 0; c < 4; ++c) {
            double at[2];
            seen_from(own->way, mesh->point[mesh->face[f].corner[c]], at);
            for (int a = 0; a < 2; ++a) {
                own->low[a] = fmin(own->low[a], at[a]);
                own->high[a] = fmax(own->high[a], at[a]);
            }
        }
    }
    free(parent);
    return count;
}

void cub_atlas_build(cub_atlas *atlas, const head_mesh *mesh, double gap)
{
    const size_t faces = (size_t)mesh->face_count;
    int *way = head_allocate(faces, sizeof *way),
        *piece_of = head_allocate(faces, sizeof *piece_of);
    piece *pieces = head_allocate(faces, sizeof *pieces),
          *place = head_allocate(faces, sizeof *place);
    head_edges edges;
    double low = 100.0, high = 20000.0;

    head_edges_build(&edges, mesh);
    choose_ways(mesh, &edges, way);
    const int count = gather(pieces, mesh, &edges, way, piece_of);
    qsort(pieces, (size_t)count, sizeof *pieces, taller);
    while (high - low > 1.0) {
        const double width = 0.5 * (low + high);
        *(stack(pieces, count, width, gap * width) > width ? &low : &high) = width;
    }
    stack(pieces, count, high, gap * high);
    for (int i = 0; i < count; ++i) {
        place[pieces[i].number] = pieces[i];
    }
    atlas->uv = head_allocate(faces * 8, sizeof *atlas->uv);
    for (int f = 0; f < mesh->face_count; ++f) {
        const piece *own = &place[piece_of[f]];
        for (int c = 0; c < 4; ++c) {
            double at[2];
            seen_from(own->way, mesh->point[mesh->face[f].corner[c]], at);
            for (int a = 0; a < 2; ++a) {
                const double uv = (own->at[a] + at[a] - own->low[a]) / high;
                atlas->uv[8 * (size_t)f + 2 * (size_t)c + (size_t)a] = round(uv * 1e5) / 1e5;
            }
        }
    }
    head_edges_free(&edges);
    free(way);
    free(piece_of);
    free(pieces);
    free(place);
}
