// Fuzz target: USD text.
#include "tests/fuzz/archive_seed.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/usd_read.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_layer(data, size);
    return 0;
}

size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity)
{
    static const char *const seeds[] = {
        "#usda 1.0\n(\n doc = \"x\"\n metersPerUnit = 0.01\n upAxis = \"Z\"\n)\n"
        "def Xform \"a\" ( prepend references = @x@</y> ( offset = 1 ) )\n{\n"
        " double3 xformOp:translate.timeSamples = { 1: (0, 0, 1), 2: (1e3, 2, .5), }\n"
        " float3 xformOp:rotateXYZ:p = (10, 20, 30)\n quatf xformOp:orient = (1, 0, 0, 0)\n"
        " uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateXYZ:p\", "
        "\"!invert!xformOp:rotateXYZ:p\", \"xformOp:orient\"]\n"
        " def BasisCurves \"c\" {\n  uniform token basis = \"bspline\"\n"
        "  int[] curveVertexCounts = [4, 5]\n"
        "  point3f[] points.timeSamples = { 1: [(0,0,0), (1,0,0), (2,0,0), (3,0,0), (0,0,1), "
        "(0,0,2), (0,0,3), (0,0,4), (0,0,5)], 3: None }\n"
        "  float[] widths = [1, 2, 3, 4, 5] ( interpolation = \"varying\" )\n"
        "  int[] primvars:groom_id = [1, 2]\n"
        "  float2[] primvars:st = [(0, 1), (1, 0)] ( interpolation = \"uniform\" )\n"
        "  int[] primvars:st:indices = [1, 0]\n } }\n",
        "#usda 1.0\ndef Mesh \"m\"\n{\n int[] faceVertexCounts = [3, 4]\n"
        " int[] faceVertexIndices = [0, 1, 2, 0, 2, 3, 4]\n"
        " point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0), (0,2,-1)]\n"
        " normal3f[] normals = [(0,0,1), (0,1,0)] ( interpolation = \"uniform\" )\n"
        " uniform token orientation = \"leftHanded\"\n rel material:binding = </x>\n"
        " matrix4d xformOp:transform = ((1,0,0,0), (0,1,0,0), (0,0,1,0), (1,2,3,1))\n"
        " uniform token[] xformOpOrder = [\"!resetXformStack!\", \"xformOp:transform\"]\n"
        " def GeomSubset \"s\" { int[] indices = [0] }\n"
        " variantSet \"v\" = { \"a\" { } }\n}\n"
        "def Camera \"c\" { float focalLength.timeSamples = { 1: 50, 2: 60 } }\n"};
    const int count = (int)(sizeof seeds / sizeof seeds[0]);
    if (index >= count) {
        return archive_seed(&COIF_ARCHIVE_WRITE_USDA, index - count, data, capacity);
    }
    if (strlen(seeds[index]) > capacity) {
        return 0;
    }
    memcpy(data, seeds[index], strlen(seeds[index]));
    return strlen(seeds[index]);
}
