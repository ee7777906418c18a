// USD text: layers, transforms, primvars and errors.
#include "core/archive/usd/usd_archive.h"
#include "core/base/arena.h"
#include "tests/support/test.h"

static coif_arena arena;
static coif_error error;

// Opens a layer with the given metadata and prims.
static coif_status open_layer(coif_archive **archive, const char *metadata, const char *prims)
{
    coif_arena_init(&arena, "USD test");
    error = (coif_error){0};
    const char *text = coif_arena_print(&arena, "#usda 1.0\n(\n%s\n)\n%s\n", metadata, prims);
    const coif_bytes bytes = {"a.usda", text, strlen(text)};
    return coif_usd_archive_open_bytes(archive, &bytes, NULL, &arena, &error);
}

static const char METRES[] = "metersPerUnit = 1 upAxis = \"Y\" timeCodesPerSecond = 24";

static coif_archive *open_prims(const char *prims)
{
    coif_archive *archive;
    CHECK_OK(open_layer(&archive, METRES, prims), error);
    return archive;
}

static void check_error(const char *prims, const char *part)
{
    coif_archive *archive;
    CHECK(open_layer(&archive, METRES, prims) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, part);
    coif_arena_free(&arena);
}

// Error of reading the only object, a mesh or curves.
static void check_read_error(const char *prims, const char *part)
{
    coif_archive *archive = open_prims(prims);
    coif_archive_curves curves;
    coif_archive_mesh mesh;
    CHECK(archive->object_count == 1);
    const coif_status status = archive->objects[0].kind == COIF_ARCHIVE_MESH
                                   ? coif_usd_read_mesh(archive, 0, 0, &mesh, &arena, &error)
                                   : coif_usd_read_curves(archive, 0, 0, &curves, &arena, &error);
    CHECK(status == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, part);
    coif_arena_free(&arena);
}

static coif_archive_curves read_curves(const coif_archive *archive, int32_t sample)
{
    coif_archive_curves curves = {.curve_count = 0};
    CHECK_OK(coif_usd_read_curves(archive, 0, sample, &curves, &arena, &error), error);
    return curves;
}

static coif_archive_mesh read_mesh(const coif_archive *archive, int32_t sample)
{
    coif_archive_mesh mesh = {.vertex_count = 0};
    CHECK_OK(coif_usd_read_mesh(archive, 0, sample, &mesh, &arena, &error), error);
    return mesh;
}

static void check_point(coif_vec3 p, double x, double y, double z)
{
    CHECK_NEAR((double)p.x, x, 1e-6);
    CHECK_NEAR((double)p.y, y, 1e-6);
    CHECK_NEAR((double)p.z, z, 1e-6);
}

TEST(curves_have_counts_points_and_widths)
{
    const coif_archive *archive = open_prims(
        "def Scope \"a\" { def BasisCurves \"hair\" ( doc = \"x)\" ) {\n"
        "  uniform token type = \"cubic\" # comment ]\n"
        "  uniform token basis = 'catmullRom'; uniform token wrap = \"pinned\"\n"
        "  int[] curveVertexCounts = [3, 2]\n"
        "  point3f[] points = [(0, 0, 0), (0, 1, 0), (0, 2.5e0, 0), (1, 0, 0), (1, -1, .5),]\n"
        "  vector3f[] velocities = [(1,0,0), (1,0,0), (1,0,0), (1,0,0), (2,0,0)]\n"
        "  float[] widths = [0.25, 0.5] ( interpolation = \"uniform\" )\n"
        "  color3f[] primvars:displayColor = [(1, 0.5, 0)] ( interpolation = \"constant\" )\n"
        "  texCoord2f[] primvars:st = [(0.5, 0.25), (1, 1)] ( interpolation = \"uniform\" )\n"
        "  int[] primvars:st:indices = [1, 0]\n"
        "  int[] primvars:groom_id = [7, 9] ( interpolation = \"uniform\" )\n"
        "  int[] primvars:groom_closest_guides = [1, 2, 3, 4, 5, 6] ( elementSize = 3 )\n"
        "  uniform token purpose = \"guide\" } }");
    CHECK(archive->object_count == 1);
    CHECK_TEXT(archive->objects[0].path, "/a/hair");
    CHECK(archive->objects[0].is_guide && archive->objects[0].constant_topology);
    CHECK(archive->objects[0].sample_count == 1 && archive->objects[0].times[0] == 0.0);
    const coif_archive_curves curves = read_curves(archive, 0);
    CHECK(curves.basis == COIF_BASIS_CATMULL_ROM && curves.pinned && !curves.periodic);
    CHECK(curves.curve_count == 2 && curves.counts[0] == 3 && curves.counts[1] == 2);
    CHECK(curves.point_count == 5);
    check_point(curves.points[2], 0, 2.5, 0);
    check_point(curves.points[4], 1, -1, 0.5);
    check_point(curves.velocities[4], 2, 0, 0);
    CHECK(curves.widths[2] == 0.25f && curves.widths[3] == 0.5f);
    check_point(curves.colors[3], 1, 0.5, 0);
    CHECK(curves.uv[0] == 1.0f && curves.uv[3] == 0.25f);
    CHECK(curves.ids[1] == 9 && curves.closest_guides[5] == 6);
    coif_arena_free(&arena);
}

TEST(varying_widths_follow_segments)
{
    const coif_archive *archive = open_prims(
        "def BasisCurves \"b\" { uniform token basis = \"bspline\" int[] curveVertexCounts = [5]\n"
        "  point3f[] points = [(0,0,0), (0,1,0), (0,2,0), (0,3,0), (0,4,0)]\n"
        "  float[] widths = [1, 2, 3] ( interpolation = \"varying\" ) }");
    const coif_archive_curves curves = read_curves(archive, 0);
    const float widths[] = {1, 1, 2, 3, 3};
    CHECK(curves.basis == COIF_BASIS_BSPLINE);
    CHECK(memcmp(curves.widths, widths, sizeof widths) == 0);
    coif_arena_free(&arena);
}

TEST(units_and_up_axis_are_applied)
{
    coif_archive *archive;
    CHECK_OK(open_layer(&archive,
                        "metersPerUnit = 0.01\nupAxis = \"Z\"\ndoc = \"\"\"Maker 3\nx\"\"\"",
                        "def BasisCurves \"b\" { uniform token type = \"linear\"\n"
                        "  int[] curveVertexCounts = [2] point3f[] points = [(0,0,0), (1,2,3)]\n"
                        "  float[] widths = [0.5] ( interpolation = \"constant\" ) }"),
             error);
    CHECK(archive->meters_per_unit == 0.01 && archive->up_axis == 'z' && archive->states_units);
    CHECK_TEXT(archive->application, "Maker 3");
    const coif_archive_curves curves = read_curves(archive, 0);
    check_point(curves.points[1], 0.01, 0.03, -0.02);
    CHECK_NEAR((double)curves.widths[0], 0.005, 1e-9);
    coif_arena_free(&arena);
    // The fallbacks of USD.
    CHECK_OK(open_layer(&archive, "", "def Xform \"x\" {}"), error);
    CHECK(archive->meters_per_unit == 0.01 && archive->up_axis == 'y' && !archive->states_units);
    coif_arena_free(&arena);
}

// A mesh of one triangle whose third vertex is `p`, below parents with transforms.
static coif_vec3 transformed(const char *parent, const char *own, const char *p)
{
    char prims[2000];
    snprintf(
        prims, sizeof prims,
        "def Xform \"a\" { %s\n def Mesh \"m\" { uniform token subdivisionScheme = \"none\" %s\n"
        "int[] faceVertexCounts = [3] int[] faceVertexIndices = [0, 1, 2]\n"
        "point3f[] points = [(0,0,0), (1,0,0), %s] } }",
        parent, own, p);
    const coif_archive *archive = open_prims(prims);
    const coif_archive_mesh mesh = read_mesh(archive, 0);
    const coif_vec3 point = mesh.positions[2];
    coif_arena_free(&arena);
    return point;
}

TEST(transforms_are_products_of_their_operations)
{
    // Translation, rotation, scale: the scale comes first.
    check_point(transformed("double3 xformOp:translate = (1, 2, 3) float xformOp:rotateZ = 90\n"
                            "float3 xformOp:scale = (2, 3, 4) uniform token[] xformOpOrder = "
                            "[\"xformOp:translate\", \"xformOp:rotateZ\", \"xformOp:scale\"]",
                            "", "(1, 1, 1)"),
                1 - 3, 2 + 2, 3 + 4);
    // XYZ: x first. (0, 0, 1) about x by 90 is (0, -1, 0), about z by 90 is (1, 0, 0).
    check_point(transformed("float3 xformOp:rotateXYZ = (90, 0, 90)\n"
                            "uniform token[] xformOpOrder = [\"xformOp:rotateXYZ\"]",
                            "", "(0, 0, 1)"),
                1, 0, 0);
    // ZYX: z first, which does not move (0, 0, 1).
    check_point(transformed("float3 xformOp:rotateZYX = (90, 0, 90)\n"
                            "uniform token[] xformOpOrder = [\"xformOp:rotateZYX\"]",
                            "", "(0, 0, 1)"),
                0, -1, 0);
    // A quaternion of 90 degrees about y, real part first.
    check_point(transformed("quatf xformOp:orient = (0.70710678, 0, 0.70710678, 0)\n"
                            "uniform token[] xformOpOrder = [\"xformOp:orient\"]",
                            "", "(0, 0, 1)"),
                1, 0, 0);
    // Rows of a matrix are the images of the axes; parents come last.
    check_point(transformed("double3 xformOp:translate = (10, 0, 0)\n"
                            "uniform token[] xformOpOrder = [\"xformOp:translate\"]",
                            "matrix4d xformOp:transform = ((0, 2, 0, 0), (-1, 0, 0, 0), (0, 0, 1, "
                            "0), (5, 6, 7, 1))\n"
                            "uniform token[] xformOpOrder = [\"xformOp:transform\"]",
                            "(1, 1, 1)"),
                10 - 1 + 5, 2 + 6, 1 + 7);
    // A pivot: its translation and the inverse.
    check_point(transformed("float3 xformOp:translate:pivot = (1, 0, 0)\n"
                            "double xformOp:rotateY:spin = 180\n"
                            "uniform token[] xformOpOrder = [\"xformOp:translate:pivot\", "
                            "\"xformOp:rotateY:spin\", \"!invert!xformOp:translate:pivot\"]",
                            "", "(3, 1, 0)"),
                -1, 1, 0);
    // Operations that are not in the order do not count, and ancestors before a reset.
    check_point(transformed("double3 xformOp:translate = (10, 0, 0)\n"
                            "uniform token[] xformOpOrder = [\"xformOp:translate\"]",
                            "double3 xformOp:scale = (9, 9, 9) double xformOp:translateX = 4\n"
                            "uniform token[] xformOpOrder = [\"!resetXformStack!\", "
                            "\"xformOp:translateX\"]",
                            "(1, 1, 1)"),
                5, 1, 1);
}

TEST(samples_of_transforms_are_samples_of_the_object)
{
    const coif_archive *archive = open_prims(
        "def Xform \"a\" { double3 xformOp:translate.timeSamples = { 24: (2, 0, 0), 0: (0, 0, 0), "
        "}\n"
        "  uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
        "  def BasisCurves \"c\" { uniform token type = \"linear\" int[] curveVertexCounts = [2]\n"
        "    point3f[] points.timeSamples = { 0: [(0,0,0), (0,1,0)], 12: [(0,0,0), (0,3,0)] }\n"
        "    vector3f[] velocities = [(1,1,1), (1,1,1)] } }");
    const coif_archive_object *object = &archive->objects[0];
    CHECK(object->sample_count == 3 && object->constant_topology);
    CHECK(object->times[1] == 0.5 && object->times[2] == 1.0);
    check_point(read_curves(archive, 1).points[1], 1, 3, 0);
    check_point(read_curves(archive, 2).points[1], 2, 3, 0);
    coif_arena_free(&arena);
}

// v' = R v + dM/dt p: a turn of 90 degrees about y in the first second, then a translation.
TEST(velocities_contain_the_motion_of_transforms)
{
    const coif_archive *archive = open_prims(
        "def Xform \"a\" { double xformOp:rotateY.timeSamples = { 0: 0, 24: 90 }\n"
        "  double3 xformOp:translate.timeSamples = { 24: (0, 0, 0), 48: (0, 3, 0) }\n"
        "  uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateY\"]\n"
        "  def BasisCurves \"c\" { uniform token type = \"linear\" int[] curveVertexCounts = [2]\n"
        "    point3f[] points = [(0,0,0), (2,0,0)]\n"
        "    vector3f[] velocities = [(1,0,0), (0,0,5)] } }");
    const double rate = 3.14159265 / 2.0;
    const coif_archive_curves first = read_curves(archive, 0), last = read_curves(archive, 2);
    const double length = (double)coif_length(
        coif_sub(first.velocities[1], (coif_vec3){0.0f, 0.0f, (float)(5.0 - 2.0 * rate)}));
    CHECK_NEAR(length, 0.0, 0.01);
    CHECK_NEAR(first.velocities[0].x, 1.0, 1e-5);
    CHECK_NEAR(last.velocities[0].z, -1.0, 1e-5);
    CHECK_NEAR(last.velocities[0].y, 3.0, 1e-4);
    CHECK_NEAR(last.velocities[1].x, 5.0, 1e-4);
    coif_arena_free(&arena);
}

static const char QUAD[] =
    "def Mesh \"m\" { uniform token subdivisionScheme = \"none\" %s\n"
    "  int[] faceVertexCounts = [3, 3] int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]\n"
    "  point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)] %s }";

static coif_archive_mesh read_quad(const char *own, const char *more)
{
    char prims[2000];
    snprintf(prims, sizeof prims, QUAD, own, more);
    return read_mesh(open_prims(prims), 0);
}

TEST(meshes_have_uv_normals_and_groups)
{
    const coif_archive_mesh mesh = read_quad(
        "texCoord2f[] primvars:map = [(0,0), (1,0), (1,1)] ( interpolation = \"faceVarying\" )\n"
        "int[] primvars:map:indices = [0, 1, 2, 2, 1, 0]\n"
        "normal3f[] normals = [(0,0,2), (0,0,1), (0,0,1), (1,0,0)]",
        "def GeomSubset \"skin\" { int[] indices = [1] uniform token elementType = \"face\" }\n"
        "def GeomSubset \"points\" { int[] indices = [9] uniform token elementType = \"point\" }");
    CHECK(mesh.vertex_count == 4 && mesh.face_count == 2 && mesh.corner_count == 6);
    CHECK(mesh.uv[2] == 1.0f && mesh.uv[6] == 1.0f && mesh.uv[7] == 1.0f && mesh.uv[11] == 0.0f);
    check_point(mesh.normals[0], 0, 0, 1);
    check_point(mesh.normals[5], 1, 0, 0);
    CHECK(mesh.group_count == 1);
    CHECK_TEXT(mesh.group_names[0], "skin");
    CHECK(mesh.face_group[0] == -1 && mesh.face_group[1] == 0);
    coif_arena_free(&arena);
}

TEST(left_handed_and_mirrored_faces_are_reversed)
{
    coif_archive_mesh mesh = read_quad("uniform token orientation = \"leftHanded\"", "");
    CHECK(mesh.corners[0] == 0 && mesh.corners[1] == 2 && mesh.corners[2] == 1);
    coif_arena_free(&arena);
    mesh = read_quad("float3 xformOp:scale = (-1, 1, 1) uniform token[] xformOpOrder = "
                     "[\"xformOp:scale\"]\n uniform token orientation = \"leftHanded\"",
                     "");
    CHECK(mesh.corners[1] == 1);
    coif_arena_free(&arena);
    mesh = read_quad("float3 xformOp:scale = (-1, 1, 1) uniform token[] xformOpOrder = "
                     "[\"xformOp:scale\"]\n normal3f[] normals = [(1,0,1)] ( interpolation = "
                     "\"constant\" )\n float2[] primvars:st = [(0,0), (1,0), (1,1), (0,1), (0,1), "
                     "(0,1)] ( interpolation = \"faceVarying\" )",
                     "");
    CHECK(mesh.corners[1] == 2 && mesh.uv[2] == 1.0f && mesh.uv[3] == 1.0f);
    check_point(mesh.normals[0], -sqrt(0.5), 0, sqrt(0.5));
    coif_arena_free(&arena);
}

TEST(cameras_are_in_millimetres)
{
    coif_archive *archive;
    coif_archive_camera camera;
    CHECK_OK(
        open_layer(&archive, "metersPerUnit = 0.01 upAxis = \"Z\" timeCodesPerSecond = 25",
                   "def Camera \"c\" { float focalLength = 85 float horizontalAperture = 36\n"
                   "  float verticalAperture = 24 float focusDistance = 250 float fStop = 2.8\n"
                   "  double shutter:close = 0.5 double3 xformOp:translate = (0, -300, 100)\n"
                   "  float xformOp:rotateX = 90 uniform token[] xformOpOrder = "
                   "[\"xformOp:translate\", \"xformOp:rotateX\"] }"),
        error);
    CHECK_OK(coif_usd_read_camera(archive, 0, 0, &camera, &arena, &error), error);
    CHECK_NEAR((double)camera.focal_length, 85, 1e-5);
    CHECK_NEAR((double)camera.film_width, 36, 1e-5);
    CHECK_NEAR((double)camera.focus_distance, 2.5, 1e-6);
    CHECK_NEAR((double)camera.shutter_close, 0.02, 1e-7);
    // Looks along +y of the file, -z here; its up is z there, y here.
    const float expected[12] = {1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 3};
    for (int i = 0; i < 12; ++i) {
        CHECK_NEAR((double)camera.to_world[i], (double)expected[i], 1e-6);
    }
    coif_arena_free(&arena);
}

TEST(hidden_abstract_and_inactive_prims_are_not_read)
{
    const char *curves = "int[] curveVertexCounts = [2] point3f[] points = [(0,0,0), (1,0,0)]";
    char prims[2000];
    snprintf(prims, sizeof prims,
             "def Xform \"a\" { token visibility = \"invisible\" def BasisCurves \"c\" { %s } }\n"
             "class \"b\" { def BasisCurves \"c\" { %s } }\n"
             "def \"d\" ( active = false ) { def BasisCurves \"c\" { %s } }\n"
             "def BasisCurves \"e\" ( add references = @x.usd@</y> ( offset = 1 ) ) { }\n"
             "def \"f\" { variantSet \"v\" = { \"x\" { def BasisCurves \"c\" { %s } } }\n"
             "  def BasisCurves \"g\" { %s } }",
             curves, curves, curves, curves, curves);
    const coif_archive *archive = open_prims(prims);
    CHECK(archive->object_count == 1);
    CHECK_TEXT(archive->objects[0].path, "/f/g");
    coif_arena_free(&arena);
}

TEST(syntax_errors_name_line_and_column)
{
    check_error("def Xform \"a\" {\n  float x = ", "a.usda:7:1: expected a value");
    check_error("def Xform \"a\" {\n float[] x = [1, 2)\n}", "a.usda:6:19: expected ']'");
    check_error("def Xform \"a\" { string s = \"abc\n\" }",
                "a.usda:5:28: expected a string that ends");
    check_error("define \"a\" { }", "a.usda:5:1: expected def, over or class, found 'define");
    check_error("def \"a\" { float x.timeSamples = { 1 2 } }", "expected ':'");
    check_error(
        "def \"a\" { float x = ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
        "(0",
        "at most 64 nested brackets");
}

TEST(wrong_values_name_the_attribute)
{
    check_read_error("def BasisCurves \"c\" { int[] curveVertexCounts = [3]\n"
                     " point3f[] points = [(0,0,0), (1,0,0)] }",
                     "a.usda: /c.curveVertexCounts: the counts do not add up to the 2 points");
    check_read_error("def BasisCurves \"c\" { int[] curveVertexCounts = [2]\n"
                     " point3f[] points = [(0,0,0), (1,0 0)] }",
                     "a.usda:6:36: expected ','");
    check_read_error(
        "def BasisCurves \"c\" { string[] curveVertexCounts = [\"2\"]\n"
        " point3f[] points = [(0,0,0), (1,0,0)] }",
        "/c.curveVertexCounts: expected 1 integers per element, found type 'string[]'");
    check_read_error("def BasisCurves \"c\" { int[] curveVertexCounts = [-2, 2]\n"
                     " point3f[] points = [] }",
                     "curve 0 has -2 points");
    check_read_error(
        "def Mesh \"m\" { int[] faceVertexCounts = [3] int[] faceVertexIndices = [0,1,2]\n"
        " point3f[] points = [(0,0,0), (1,0,0)] }",
        "/m.faceVertexIndices: vertex 2 of 2 at corner 2");
    check_read_error(
        "def Mesh \"m\" { int[] faceVertexCounts = [3] int[] faceVertexIndices = [0,1,1]\n"
        " point3f[] points = [(0,0,0), (1,0,0)] float2[] primvars:st = [(0,0)]\n"
        " int[] primvars:st:indices = [0, 1, 0] }",
        "/m.primvars:st:indices: index 1 at 1; there are 1 values");
    check_read_error("def BasisCurves \"c\" { int[] curveVertexCounts = [2]\n"
                     " point3f[] points = [(0,0,0), (inf,0,0)] }",
                     "/c.points: point 1 is not finite");
    check_read_error("def BasisCurves \"c\" { int[] curveVertexCounts = [2]\n"
                     " point3f[] points = [(0,0,0), (1,0,0)] float xformOp:rotateX = nan\n"
                     " uniform token[] xformOpOrder = [\"xformOp:rotateX\"] }",
                     "/c.xformOp:rotateX: a number is not finite");
    check_read_error(
        "def BasisCurves \"c\" { token basis = \"nurbs\" int[] curveVertexCounts = [2]\n"
        " point3f[] points = [(0,0,0), (1,0,0)] }",
        "found 'nurbs'");
}
