// Text export of strands.
#include "core/hair/formats/strand_text.h"

#include "core/base/error.h"
#include "core/base/fs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER = 1 << 16, MAX_PRINT = 512 };

// Buffered text writer; keeps the first error.
typedef struct writer {
    coif_file file;
    coif_status status;
    coif_error *error;
    size_t used;
    char buffer[BUFFER];
} writer;

static void flush(writer *to)
{
    if (to->status == COIF_OK && to->used > 0) {
        to->status = coif_file_write(&to->file, to->buffer, to->used, to->error);
    }
    to->used = 0;
}

COIF_PRINTF(2, 3) static void put(writer *to, const char *format, ...)
{
    if (to->used + MAX_PRINT > BUFFER) {
        flush(to);
    }
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(to->buffer + to->used, MAX_PRINT, format, list);
    va_end(list);
    to->used += length < MAX_PRINT ? (size_t)length : MAX_PRINT - 1;
}

typedef void put_all(writer *to, const coif_strands *strands, const char *name);

static coif_status save(const coif_strands *strands, const char *name, const char *path,
                        put_all *all, coif_error *error)
{
    writer to = {.status = COIF_OK, .error = error};
    COIF_TRY(coif_file_open(&to.file, path, COIF_FILE_WRITE, error));
    all(&to, strands, name);
    flush(&to);
    if (to.status == COIF_OK) {
        to.status = coif_file_commit(&to.file, error);
    }
    coif_file_close(&to.file);
    return to.status;
}

static const char *comma(int32_t i)
{
    return i == 0 ? "" : ", ";
}

static void put_points(writer *to, const coif_strands *strands)
{
    put(to, "    int[] curveVertexCounts = [");
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        put(to, "%s%d", comma(s), coif_strands_length(strands, s));
    }
    put(to, "]\n    point3f[] points = [");
    for (int32_t i = 0; i < strands->point_count; ++i) {
        const coif_vec4 p = strands->points[i];
        put(to, "%s(%.9g, %.9g, %.9g)", comma(i), (double)p.x, (double)p.y, (double)p.z);
    }
    put(to, "]\n    float[] widths = [");
    for (int32_t i = 0; i < strands->point_count; ++i) {
        put(to, "%s%.9g", comma(i), 2.0 * (double)strands->points[i].w);
    }
    put(to, "] (\n        interpolation = \"vertex\"\n    )\n");
}

static void put_extent(writer *to, const coif_strands *strands)
{
    const coif_strands_stats stats = coif_strands_measure(strands);
    const double thick = (double)stats.thickest;
    put(to, "    float3[] extent = [(%.9g, %.9g, %.9g), ", (double)stats.low.x - thick,
        (double)stats.low.y - thick, (double)stats.low.z - thick);
    put(to, "(%.9g, %.9g, %.9g)]\n", (double)stats.high.x + thick, (double)stats.high.y + thick,
        (double)stats.high.z + thick);
}

static void put_usd(writer *to, const coif_strands *strands, const char *name)
{
    char prim[128];
    size_t length = 0;
    for (; name[length] != '\0' && length + 1 < sizeof prim; ++length) {
        const char c = name[length];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        prim[length] = letter || (length > 0 && c >= '0' && c <= '9') ? c : '_';
    }
    prim[length] = '\0';
    put(to,
        "#usda 1.0\n(\n    defaultPrim = \"%s\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\n",
        prim);
    put(to, "def BasisCurves \"%s\"\n{\n    uniform token type = \"cubic\"\n", prim);
    put(to, "    uniform token basis = \"catmullRom\"\n    uniform token wrap = \"pinned\"\n");
    put_extent(to, strands);
    put_points(to, strands);
    if (strands->colors != NULL) {
        put(to, "    color3f[] primvars:displayColor = [");
        for (int32_t i = 0; i < strands->point_count; ++i) {
            const coif_vec3 c = strands->colors[i];
            put(to, "%s(%.9g, %.9g, %.9g)", comma(i), (double)c.x, (double)c.y, (double)c.z);
        }
        put(to, "] (\n        interpolation = \"vertex\"\n    )\n");
    }
    if (strands->root_uv != NULL) {
        put(to, "    texCoord2f[] primvars:st = [");
        for (int32_t s = 0; s < strands->strand_count; ++s) {
            const float *uv = strands->root_uv + 2 * (int64_t)s;
            put(to, "%s(%.9g, %.9g)", comma(s), (double)uv[0], (double)uv[1]);
        }
        put(to, "] (\n        interpolation = \"uniform\"\n    )\n");
    }
    put(to, "}\n");
}

static void put_obj(writer *to, const coif_strands *strands, const char *name)
{
    put(to, "# %d strands, metres, y up\ng %.200s\n", strands->strand_count, name);
    for (int32_t i = 0; i < strands->point_count; ++i) {
        const coif_vec4 p = strands->points[i];
        put(to, "v %.9g %.9g %.9g\n", (double)p.x, (double)p.y, (double)p.z);
    }
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        put(to, "l");
        for (int32_t i = strands->first[s]; i < strands->first[s + 1]; ++i) {
            put(to, " %d", i + 1);
        }
        put(to, "\n");
    }
}

coif_status coif_strands_save_usd(const coif_strands *strands, const char *name, const char *path,
                                  coif_error *error)
{
    return save(strands, name, path, put_usd, error);
}

coif_status coif_strands_save_obj(const coif_strands *strands, const char *name, const char *path,
                                  coif_error *error)
{
    return save(strands, name, path, put_obj, error);
}
