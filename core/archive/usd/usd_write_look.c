// Writer of USD: MaterialX look of hair.
//
// ND_chiang_hair_bsdf of MaterialX 1.39: roughness is (variance v, logistic scale s) per lobe, and
// its cuticle angle runs from 0 to 1 for -90 to 90 degrees. Absorption is per fibre radius.
#include "core/archive/usd/usd_write.h"
#include "core/base/arena.h"
#include "core/base/error.h"

const char COIF_USD_LOOKS_PATH[] = "/looks";

static coif_status put_text(coif_archive_writer *writer, coif_usd_out_prim *prim, const char *name,
                            const char *type, const char *text, coif_error *error)
{
    const coif_usd_out_desc desc = {.name = name, .type = type, .uniform = true};
    return coif_usd_put(writer, prim, &desc, -1, &text, 1, error);
}

static coif_status put_floats(coif_archive_writer *writer, coif_usd_out_prim *prim,
                              const char *name, const char *type, const float *values,
                              coif_error *error)
{
    const coif_usd_out_desc desc = {.name = name, .type = type};
    return coif_usd_put(writer, prim, &desc, -1, values, 1, error);
}

// An attribute without a value, or connected to the one of that path.
static coif_status put_token(coif_archive_writer *writer, coif_usd_out_prim *prim, const char *name,
                             const char *target, coif_error *error)
{
    const coif_usd_out_desc desc = {.name = name, .type = "token", .target = target};
    return coif_usd_put(writer, prim, &desc, -1, NULL, 0, error);
}

static coif_status put_fibre(coif_archive_writer *writer, coif_usd_out_prim *fibre,
                             const coif_archive_hair_look *look, coif_error *error)
{
    static const char *const tints[] = {"inputs:tint_R", "inputs:tint_TT", "inputs:tint_TRT"};
    static const char *const roughness[] = {"inputs:roughness_R", "inputs:roughness_TT",
                                            "inputs:roughness_TRT"};
    static const float variance_scales[] = {1.0f, 0.25f, 4.0f};
    const float cuticle = 0.5f - look->cuticle_angle / 180.0f;
    COIF_TRY(put_text(writer, fibre, "info:id", "token", "ND_chiang_hair_bsdf", error));
    for (int i = 0; i < 3; ++i) {
        const float lobe[] = {look->longitudinal_variance * variance_scales[i],
                              look->azimuthal_scale};
        COIF_TRY(put_floats(writer, fibre, tints[i], "color3f", &look->tint[i].x, error));
        COIF_TRY(put_floats(writer, fibre, roughness[i], "float2", lobe, error));
    }
    COIF_TRY(put_floats(writer, fibre, "inputs:ior", "float", &look->ior, error));
    COIF_TRY(put_floats(writer, fibre, "inputs:cuticle_angle", "float", &cuticle, error));
    COIF_TRY(put_floats(writer, fibre, "inputs:absorption_coefficient", "float3",
                        &look->absorption.x, error));
    return put_token(writer, fibre, "outputs:out", NULL, error);
}

// A prim below the material, and the path of its output.
static coif_usd_out_prim *add_shader(coif_archive_writer *writer, const char *path,
                                     const char *name, const char **output)
{
    const char *shader = coif_arena_print(writer->arena, "%s/%s", path, name);
    *output = coif_arena_print(writer->arena, "%s.outputs:out", shader);
    return coif_usd_add_out_prim(writer, shader, "Shader");
}

coif_status coif_usd_write_look(coif_archive_writer *writer, const char *path,
                                const coif_archive_hair_look *look, coif_error *error)
{
    const char *surface_output, *fibre_output;
    coif_usd_out_prim *material = coif_usd_add_out_prim(writer, path, "Material");
    coif_usd_out_prim *surface = add_shader(writer, path, "surface", &surface_output);
    coif_usd_out_prim *fibre = add_shader(writer, path, "fibre", &fibre_output);
    material->api_schema = "MaterialXConfigAPI";
    COIF_TRY(put_text(writer, material, "config:mtlx:version", "string", "1.39", error));
    COIF_TRY(put_token(writer, material, "outputs:mtlx:surface", surface_output, error));
    COIF_TRY(put_text(writer, surface, "info:id", "token", "ND_surface", error));
    COIF_TRY(put_token(writer, surface, "inputs:bsdf", fibre_output, error));
    COIF_TRY(put_token(writer, surface, "outputs:out", NULL, error));
    return put_fibre(writer, fibre, look, error);
}
