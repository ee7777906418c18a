// eyelashes: one strand per lash, rooted on the lid margins.
#include "tools/assets/mannequin/eyes.h"
#include "tools/assets/shared/generator.h"
#include "tools/assets/shared/value_noise.h"

static const double MARGIN = 0.8; // distance of the roots from the opening
static const double ROOT_THICKNESS = 8.5e-5, TIP_THICKNESS = 1.5e-5; // metres

// y of the lid margin at x.
static double margin_height(double x, bool upper)
{
    const coif_vec3d center = eyeball_center();
    const double step = upper ? 0.02 : -0.02;
    double y = center.y + 0.07 * (x - center.x);
    while (fabs(y - center.y) < 12.0 && eye_opening_distance(xyz(x, y, 0)) < MARGIN) {
        y += step;
    }
    return y;
}

// The first intersection of the surface with a ray along -z, by marching and bisection.
static coif_vec3d surface_at(const head_sdf *sdf, double x, double y)
{
    double outside = 110.0, inside = 50.0;
    for (double z = outside; z > inside; z -= 0.5) {
        if (head_sdf_distance(sdf, xyz(x, y, z)) < 0.0) {
            inside = z;
            break;
        }
        outside = z;
    }
    for (int iteration = 0; iteration < 24; ++iteration) {
        const double half = 0.5 * (outside + inside);
        *(head_sdf_distance(sdf, xyz(x, y, half)) < 0.0 ? &inside : &outside) = half;
    }
    return xyz(x, y, inside);
}

void eyelash_points(const head_sdf *sdf, int side, bool upper, int n,
                    coif_vec3d point[EYELASH_POINTS])
{
    const int count = upper ? EYELASHES_UPPER : EYELASHES_LOWER, stream = 40 + 2 * upper;
    const coif_vec3d center = eyeball_center();
    const double jitter = lattice_random(n, side, 0, stream) - 0.5;
    const double s = (n + 0.5 + 0.8 * jitter) / count; // 0 at the nose, 1 at the temple
    const double across = (upper ? -11.5 : -8.0) + s * (upper ? 25.5 : 21.5);
    const double x = center.x + across;
    const coif_vec3d root = surface_at(sdf, x, margin_height(x, upper));
    // Lashes lean together in clumps of four.
    const double clump = (floor(s * count / 4.0) + 0.5) * 4.0 / count;
    const double lean = (clump - s) * (upper ? 16.0 : 9.0) + 1.1 * jitter;
    const double length =
        (upper ? 6.0 + 3.6 * smootherstep(-0.1, 0.75, s) : 3.0 + 1.8 * smootherstep(-0.1, 0.8, s)) *
        (0.78 + 0.32 * lattice_random(n, side, 1, stream));
    const double outwards = across / 17.0; // the surface curves away towards the temple
    const coif_vec3d direction =
        coif_vec3d_normalize(xyz(0.75 * outwards, upper ? 0.05 : -0.42, 1.0));
    const double rise = (upper ? 0.78 : -0.30) * (0.85 + 0.3 * lattice_random(n, side, 2, stream));
    for (int i = 0; i < EYELASH_POINTS; ++i) {
        const double t = (double)i / (EYELASH_POINTS - 1);
        coif_vec3d p = coif_vec3d_mad(root, length * (t - 0.30 * t * t), direction);
        p.y += length * rise * t * t;
        p.x += length * (0.35 * outwards * t * t) + lean * t;
        point[i] = xyz(side * p.x, p.y, p.z);
    }
}

static void put(coif_strbuf *file, const void *bytes, size_t size)
{
    coif_strbuf_add_bytes(file, bytes, size);
}

// Cem Yuksel's .hair format, little endian: a header of 128 bytes, points, thickness. All strands
// have the default number of segments, so there is no array of them (core/hair always writes one).
coif_status eyelashes_save(const head_sdf *sdf, const char *folder, coif_arena *arena,
                           coif_error *error)
{
    enum { STRANDS = 2 * (EYELASHES_UPPER + EYELASHES_LOWER), POINTS = 2, THICKNESS = 4 };
    const uint32_t counts[4] = {STRANDS, STRANDS * EYELASH_POINTS, POINTS | THICKNESS,
                                EYELASH_POINTS - 1};
    const float defaults[5] = {(float)ROOT_THICKNESS, 0, 0.05f, 0.04f, 0.03f};
    const char information[88] = "Lashes of the mannequin of coif, in metres.";
    coif_strbuf file;
    coif_strbuf_init(&file, arena);
    put(&file, "HAIR", 4);
    put(&file, counts, sizeof counts);
    put(&file, defaults, sizeof defaults);
    put(&file, information, sizeof information);
    for (int s = 0; s < STRANDS; ++s) {
        const int side = s % 2 == 0 ? 1 : -1;
        const bool upper = s / 2 < EYELASHES_UPPER;
        coif_vec3d point[EYELASH_POINTS];
        eyelash_points(sdf, side, upper, upper ? s / 2 : s / 2 - EYELASHES_UPPER, point);
        for (int i = 0; i < EYELASH_POINTS; ++i) {
            const float metres[3] = {(float)(1e-3 * point[i].x), (float)(1e-3 * point[i].y),
                                     (float)(1e-3 * point[i].z)};
            put(&file, metres, sizeof metres);
        }
    }
    for (int i = 0; i < STRANDS * EYELASH_POINTS; ++i) {
        const double t = (double)(i % EYELASH_POINTS) / (EYELASH_POINTS - 1);
        const float thickness = (float)(ROOT_THICKNESS + (TIP_THICKNESS - ROOT_THICKNESS) * t * t);
        put(&file, &thickness, sizeof thickness);
    }
    return asset_save(&file, folder, "lashes.hair", error);
}
