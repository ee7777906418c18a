// render: a lock of hair, rendered in memory to a float buffer: render [image.pfm [threads]]
#include <coif/render.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STRANDS = 6000, CLUMPS = 90, POINTS = 24, WIDTH = 240, HEIGHT = 320, SAMPLES = 16 };

static int32_t first[STRANDS + 1];
static float points[STRANDS * POINTS * 3], image[WIDTH * HEIGHT * 3];

static float jitter(uint32_t seed) // a number between -1 and 1
{
    seed = ((seed + 1) * 0x9e3779b1u ^ (seed >> 3)) * 0x2c1b3c6du;
    return (float)(seed ^ (seed >> 15)) * 4.656613e-10f - 1.0f;
}

// Wavy strands of 26 cm that hang from a strip of 8 cm, in clumps.
static void make_strands(void)
{
    for (int s = 0; s < STRANDS; ++s) {
        const uint32_t own = 8u * (uint32_t)s + 7u, clump = 8u * (uint32_t)(s % CLUMPS);
        const float x = 0.04f * jitter(clump), z = 0.012f * jitter(clump + 1);
        const float phase = 0.8f * jitter(clump + 2) + 0.1f * jitter(own);
        const float dx = 0.008f * jitter(own + 1), dz = 0.008f * jitter(own + 2);
        first[s + 1] = first[s] + POINTS;
        for (int k = 0; k < POINTS; ++k) {
            const float t = (float)k / (POINTS - 1), wave = 0.012f * t, narrow = 1.0f - 0.8f * t;
            float *p = &points[3 * (first[s] + k)];
            p[0] = (1.0f - 0.4f * t) * x + narrow * dx + wave * sinf(18.0f * t + phase);
            p[1] = 0.13f - (0.26f + 0.02f * jitter(own + 3)) * t;
            p[2] = z + narrow * dz + wave * cosf(18.0f * t + phase);
        }
    }
}

static void check(coif_status status)
{
    if (status != COIF_OK) {
        fprintf(stderr, "%s\n", coif_last_error());
        exit(1);
    }
}

int main(int argc, char **argv)
{
    make_strands();
    coif_renderer *renderer;
    coif_renderer_desc desc;
    coif_renderer_desc_init(&desc, sizeof desc);
    desc.width = WIDTH, desc.height = HEIGHT, desc.denoise = 1;
    desc.threads = argc > 2 ? atoi(argv[2]) : 0; // 0: one per processor
    check(coif_renderer_create(&renderer, &desc));
    coif_renderer_strands strands;
    coif_renderer_strands_init(&strands, sizeof strands);
    strands.strand_count = STRANDS, strands.first_point = first, strands.points = points;
    check(coif_renderer_add_strands(renderer, &strands));
    coif_renderer_light light;
    coif_renderer_light_init(&light, sizeof light);
    light.intensity = 40.0f;
    check(coif_renderer_add_light(renderer, &light));
    light.type = "environment", light.intensity = 0.5f;
    check(coif_renderer_add_light(renderer, &light));
    coif_renderer_camera camera; // looks at the origin
    coif_renderer_camera_init(&camera, sizeof camera);
    camera.position[2] = 0.7f;
    check(coif_renderer_set_camera(renderer, &camera));
    check(coif_renderer_commit(renderer));
    check(coif_renderer_render(renderer, SAMPLES, NULL, NULL));
    check(coif_renderer_denoise(renderer));
    check(coif_renderer_read(renderer, "denoised", image)); // "rgba" is the image with its noise
    coif_renderer_destroy(renderer);
    FILE *file = fopen(argc > 1 ? argv[1] : "hair.pfm", "wb");
    int failed = file == NULL || fprintf(file, "PF\n%d %d\n-1\n", WIDTH, HEIGHT) < 0;
    for (int y = HEIGHT - 1; !failed && y >= 0; --y) { // the bottom row comes first
        failed = fwrite(&image[3 * WIDTH * y], sizeof *image, 3 * WIDTH, file) != 3 * WIDTH;
    }
    return failed || fclose(file) != 0;
}
