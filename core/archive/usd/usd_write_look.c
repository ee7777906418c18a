// Writer of USD text: MaterialX look of hair.
//
// ND_chiang_hair_bsdf of MaterialX 1.39: roughness is (variance v, logistic scale s) per lobe, and
// its cuticle angle runs from 0 to 1 for -90 to 90 degrees. Absorption is per fibre radius.
#include "core/archive/usd/usd_write.h"

const char COIF_USD_LOOK_PATH[] = "/looks/hair";

void coif_usd_put_look(coif_text_writer *text, const coif_archive_hair_look *look)
{
    static const char *const lobes[] = {"R", "TT", "TRT"};
    const float variance_scales[] = {1.0f, 0.25f, 4.0f};
    coif_put_text(text, "\ndef Scope \"looks\"\n{\n\ndef Material \"hair\" (\n"
                        "    prepend apiSchemas = [\"MaterialXConfigAPI\"]\n)\n{\n"
                        "    uniform string config:mtlx:version = \"1.39\"\n"
                        "    token outputs:mtlx:surface.connect = "
                        "</looks/hair/surface.outputs:out>\n\n"
                        "def Shader \"surface\"\n{\n"
                        "    uniform token info:id = \"ND_surface\"\n"
                        "    token inputs:bsdf.connect = </looks/hair/fibre.outputs:out>\n"
                        "    token outputs:out\n}\n\n"
                        "def Shader \"fibre\"\n{\n"
                        "    uniform token info:id = \"ND_chiang_hair_bsdf\"\n");
    const double v = (double)look->longitudinal_variance, s = (double)look->azimuthal_scale;
    for (int i = 0; i < 3; ++i) {
        coif_put_format(text, "    color3f inputs:tint_%s = (%.9g, %.9g, %.9g)\n", lobes[i],
                        (double)look->tint[i].x, (double)look->tint[i].y, (double)look->tint[i].z);
        coif_put_format(text, "    float2 inputs:roughness_%s = (%.9g, %.9g)\n", lobes[i],
                        v * (double)variance_scales[i], s);
    }
    coif_put_format(text,
                    "    float inputs:ior = %.9g\n    float inputs:cuticle_angle = %.9g\n"
                    "    float3 inputs:absorption_coefficient = (%.9g, %.9g, %.9g)\n"
                    "    token outputs:out\n}\n}\n}\n",
                    (double)look->ior, 0.5 - (double)look->cuticle_angle / 180.0,
                    (double)look->absorption.x, (double)look->absorption.y,
                    (double)look->absorption.z);
}
