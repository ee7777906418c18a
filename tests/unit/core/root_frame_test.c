// root frames: hair on deforming skin turns with the rotation of the skin and with nothing else.
#include "core/base/fs.h"
#include "core/body/body.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { SIDE = 9 };

static coif_section bodies_section = {
    .name = "bodies", .form = COIF_SECTION_ARRAY, .params = COIF_BODY_PARAMS, .unique = "name"};
static const coif_section *const ROOT_CHILDREN[] = {&bodies_section, NULL};
static const coif_section ROOT = {.name = "", .children = ROOT_CHILDREN};

// A sheet of 8 x 8 squares in the plane y = 0, seen through a map of its points; u runs at an angle
// to x that is given by a rotation.
static void save_sheet(const char *name, coif_vec3 (*moved)(coif_vec3), float cosine, float sine)
{
    FILE *file = fopen(coif_test_path(name), "w");
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < SIDE * SIDE; ++i) {
            const coif_vec3 p = {0.01f * (float)(i % SIDE), 0.0f, 0.01f * (float)(i / SIDE)};
            const coif_vec3 q = moved != NULL ? moved(p) : p;
            if (pass == 0) {
                fprintf(file, "v %.9g %.9g %.9g\n", q.x, q.y, q.z);
            } else {
                fprintf(file, "vt %.9g %.9g\n", cosine * p.x + sine * p.z,
                        cosine * p.z - sine * p.x);
            }
        }
    }
    for (int i = 0; i + 1 < SIDE; ++i) {
        for (int k = 0; k + 1 < SIDE; ++k) {
            const int a = k * SIDE + i + 1;
            const int b = a + SIDE;
            fprintf(file, "f %d/%d %d/%d %d/%d %d/%d\n", a, a, b, b, b + 1, b + 1, a + 1, a + 1);
        }
    }
    fclose(file);
}

static coif_scene scene;
static coif_mesh rest;

// The second frame of a sequence whose first is the sheet.
static coif_mesh pose_sheet(coif_vec3 (*moved)(coif_vec3), float cosine, float sine)
{
    bodies_section.param_count = COIF_BODY_PARAM_COUNT;
    save_sheet("sheet.0001.obj", NULL, cosine, sine);
    save_sheet("sheet.0002.obj", moved, cosine, sine);
    const char *text = "{\"bodies\": [{\"name\": \"skin\", \"mesh\": \"sheet.####.obj\"}]}";
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_file_save(coif_test_path("scene.json"), text, strlen(text), &error), error);
    const coif_scene_desc desc = {
        .path = coif_arena_copy_text(&arena, coif_test_path("scene.json")), .tree = &ROOT};
    CHECK_OK(coif_scene_load(&scene, &desc, &arena, &error), error);
    coif_body *bodies;
    int32_t count;
    CHECK_OK(coif_bodies_load(&bodies, &count, &scene, &arena, &error), error);
    rest = bodies[0].rest;
    coif_mesh mesh;
    CHECK_OK(coif_body_pose(&mesh, &bodies[0], 2.0, &arena, &error), error);
    return mesh;
}

static const float SHEAR = 0.5f;

static coif_vec3 sheared(coif_vec3 p)
{
    return coif_vec3_of(p.x + SHEAR * p.z, 0.0f, p.z);
}

// Twice as long along the diagonal of x and z, and the same across it.
static coif_vec3 stretched(coif_vec3 p)
{
    return coif_vec3_of(p.x + 0.5f * (p.x + p.z), 0.0f, p.z + 0.5f * (p.x + p.z));
}

// Rolled up about an axis along z, with a radius of 6 cm.
static coif_vec3 bent(coif_vec3 p)
{
    const float angle = p.x / 0.06f;
    return coif_vec3_of(0.06f * sinf(angle), 0.06f * cosf(angle) - 0.06f, p.z);
}

static coif_vec3 turned(coif_vec3 p)
{
    return coif_vec3_of(p.z + 0.3f, p.y - 0.1f, -p.x);
}

static coif_vec3 identity(coif_vec3 v)
{
    return v;
}

// Sheared by k the skin turns by atan(k / 2): the mean of the lines that stay and those that lean.
static coif_vec3 turned_with_shear(coif_vec3 v)
{
    const float length = sqrtf(1.0f + 0.25f * SHEAR * SHEAR);
    const float c = 1.0f / length;
    const float s = 0.5f * SHEAR / length;
    return coif_vec3_of(c * v.x + s * v.z, v.y, c * v.z - s * v.x);
}

static void check_rotation(coif_vec3 (*moved)(coif_vec3), coif_vec3 (*rotation)(coif_vec3))
{
    for (int turn = 0; turn < 8; ++turn) {
        const float angle = 0.7853982f * (float)turn;
        const coif_mesh mesh = pose_sheet(moved, cosf(angle), sinf(angle));
        for (int32_t t = 0; t < mesh.triangle_count; t += 7) {
            const coif_mat3 before = coif_mesh_frame(&rest, t, 0.3f, 0.2f);
            const coif_mat3 after = coif_mesh_frame(&mesh, t, 0.3f, 0.2f);
            for (int r = 0; r < 3; ++r) {
                const coif_vec3 wanted = rotation(before.row[r]);
                CHECK(coif_length(coif_sub(after.row[r], wanted)) < 1e-4f);
            }
        }
    }
}

TEST(frames_turn_with_the_rotational_part_of_a_shear)
{
    check_rotation(sheared, turned_with_shear);
}

TEST(frames_do_not_spin_when_skin_is_stretched)
{
    check_rotation(stretched, identity);
}

// The normal of a bent sheet is radial and hair turns with it; there is no strain worth mentioning.
TEST(frames_turn_with_a_bend)
{
    for (int turn = 0; turn < 4; ++turn) {
        const float angle = 0.7853982f * (float)turn;
        const coif_mesh mesh = pose_sheet(bent, cosf(angle), sinf(angle));
        for (int32_t t = 0; t < mesh.triangle_count; t += 5) {
            const coif_mat3 before = coif_mesh_frame(&rest, t, 0.3f, 0.3f);
            const coif_mat3 after = coif_mesh_frame(&mesh, t, 0.3f, 0.3f);
            const float x = coif_mesh_at(&rest, t, 0.3f, 0.3f).position.x;
            const float roll = x / 0.06f;
            // Normals at the border are those of one side.
            for (int r = 0; r < 3 && x > 0.01f && x < 0.07f; ++r) {
                const coif_vec3 v = before.row[r];
                const coif_vec3 wanted = {cosf(roll) * v.x + sinf(roll) * v.y,
                                          cosf(roll) * v.y - sinf(roll) * v.x, v.z};
                CHECK(coif_length(coif_sub(after.row[r], wanted)) < 0.02f);
            }
        }
    }
}

TEST(frames_on_rigid_skin_keep_their_bits)
{
    const coif_mesh mesh = pose_sheet(turned, 0.6f, 0.8f);
    coif_mesh plain = mesh;
    plain.rest_positions = NULL;
    CHECK(mesh.rest_positions != NULL);
    for (int32_t t = 0; t < mesh.triangle_count; ++t) {
        const coif_mat3 frame = coif_mesh_frame(&mesh, t, 0.3f, 0.3f);
        const coif_mat3 wanted = coif_mesh_frame(&plain, t, 0.3f, 0.3f);
        CHECK(memcmp(&frame, &wanted, sizeof frame) == 0);
    }
}
