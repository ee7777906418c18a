// AOVs of the fur model.
#include "tests/support/render_exr.h"

static coif_arena arena;

// The medulla lobes count as hair_multiple.
TEST(lobe_aovs_of_fur_add_up_to_the_beauty_image)
{
    static const char *const sets[] = {"grooms/0/hair/model=fur", "image/width=32",
                                       "image/height=32"};
    static const char *const aovs[] = {"R", "TT", "TRT", "hair_multiple", "surface", "background"};
    const coif_image image = render_exr("hair_lobes", sets, COIF_COUNT_OF(sets), &arena);
    const int32_t beauty = channel_of(&image, "G");
    double worst = 0.0, lobes[6] = {0.0};
    for (int64_t i = 0; i < (int64_t)image.width * image.height; ++i) {
        const float *pixel = image.pixels + i * image.channel_count;
        double sum = 0.0;
        for (size_t k = 0; k < COIF_COUNT_OF(aovs); ++k) {
            const double part =
                (double)pixel[channel_of(&image, coif_arena_print(&arena, "%s.G", aovs[k]))];
            sum += part;
            lobes[k] += part;
        }
        worst = fmax(worst, fabs(sum - (double)pixel[beauty]) / ((double)pixel[beauty] + 0.01));
    }
    CHECK_NEAR(worst, 0.0, 3e-6);
    CHECK(lobes[0] > 0.1 && lobes[2] > 0.002 && lobes[3] > 0.1);
}
