// Polylines of OBJ files.
#include "core/mesh/obj_polylines.h"

#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static coif_obj_polylines read(const char *text)
{
    coif_obj_polylines curves = {0};
    coif_error error = {0};
    CHECK_OK(coif_obj_polylines_read(&curves, "guides.obj", coif_arena_copy_text(&arena, text),
                                     strlen(text), &arena, &error),
             error);
    return curves;
}

TEST(polylines_are_read_with_their_groups)
{
    const coif_obj_polylines curves = read("# curves\nv 0 0 0\nv 0 1 0\nv 0 2 0\nvn 0 0 1\nvt 0 0\n"
                                           "l 1 2 3\ng left side \nv 5 0 0\nl -1/1 1/2\nf 1 2 3\n");
    CHECK(curves.count == 2 && curves.point_count == 5);
    CHECK(curves.first[1] == 3 && curves.first[2] == 5);
    CHECK(curves.points[2].y == 2.0f && curves.points[3].x == 5.0f);
    CHECK(curves.group_names.count == 2 && curves.groups[0] == 0 && curves.groups[1] == 1);
    CHECK_TEXT(curves.group_names.names[0], "default");
    CHECK_TEXT(curves.group_names.names[1], "left side");
}

// Some programs write every edge on a line of its own.
TEST(edges_are_joined)
{
    const coif_obj_polylines curves = read("v 0 0 0\nv 0 1 0\nv 0 2 0\nv 1 0 0\nv 1 1 0\n"
                                           "l 1 2\nl 2 3\nl 4 5\no other\nl 5 4\n");
    CHECK(curves.count == 3);
    CHECK(curves.first[1] == 3 && curves.first[2] == 5 && curves.first[3] == 7);
}

static void expect(const char *text, const char *part)
{
    coif_obj_polylines curves;
    coif_error error = {0};
    CHECK(coif_obj_polylines_read(&curves, "guides.obj", coif_arena_copy_text(&arena, text),
                                  strlen(text), &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, part);
}

TEST(errors_are_reported)
{
    expect("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "guides.obj: no polyline in this file");
    expect("", "no polyline in this file");
    expect("v 0 0\n", "line 1: found \"\", expected a number");
    expect("v 0 0 nan\n", "line 1: found \"nan\", expected a number");
    expect("v 0 0 0\nv 1 1 1\nl 1 3\n", "line 3: vertex 3 does not exist: 2 vertices");
    expect("v 0 0 0\nv 1 1 1\nl 1 -3\n", "line 3: vertex -3 does not exist");
    expect("v 0 0 0\nv 1 1 1\nl 1\n", "line 3: curve of 1 points, expected two or more");
    expect("v 0 0 0\nv 1 1 1\nl 1 two\n", "line 3: found \"two\", expected a vertex index");
    expect("v 0 0 0\nv 1 1 1\nl 0 1\n", "line 3: found \"0\", expected a vertex index");
    expect("v 0 0 0\nv 1 1 1\nl 1 99999999999999999999\n", "line 3: ");
    expect("v 0 0 0\nl 1 1\n", "curve 1 has zero length");
}
