#include "render/geometry/instance.h"

#include "render/math/fast_math.h"

// clang-format off
static const coif_param ROWS[] = {
    COIF_PARAM_ROW(coif_instance_params, name, COIF_PARAM_STRING, "Name of the instance; its Cryptomatte names are NAME/BODY and NAME/GROOM.", "", 0, 0, 0),
    COIF_PARAM_ROW(coif_instance_params, body, COIF_PARAM_STRING, "Body to instance together with its grooms.", "", 0, 0, 0),
    COIF_PARAM_ROW(coif_instance_params, translate, COIF_PARAM_VEC3, "Translation of the instance.", "m", 0, 0, 0),
    COIF_PARAM_ROW(coif_instance_params, rotate, COIF_PARAM_VEC3, "Euler rotation about x, then y, then z, around the origin.", "deg", 0, -36000, 36000),
    COIF_PARAM_ROW(coif_instance_params, scale, COIF_PARAM_FLOAT, "Uniform scale of the instance, hair included.", "", 1, 1e-4, 1e4),
};
// clang-format on

static const char *const REQUIRED[] = {"body", NULL};
static const coif_reference REFERENCES[] = {{"body", "bodies"}, {NULL, NULL}};

const coif_section COIF_INSTANCES_SECTION = {
    .name = "instances",
    .help = "Rendered instances of bodies with their hair; not simulated",
    .form = COIF_SECTION_ARRAY,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .required = REQUIRED,
    .references = REFERENCES,
};

coif_transform coif_transform_identity(void)
{
    return (coif_transform){
        .linear = {{{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}}}, .scale = 1.0f};
}

// Turns a about one axis.
static coif_vec3 turned(coif_vec3 a, int axis, float degrees)
{
    float sine, cosine;
    coif_fast_sincos_turns(degrees / 360.0f, &sine, &cosine);
    float c[3] = {a.x, a.y, a.z};
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const float was = c[i];
    c[i] = cosine * was - sine * c[j];
    c[j] = sine * was + cosine * c[j];
    return (coif_vec3){c[0], c[1], c[2]};
}

coif_transform coif_instance_transform(const coif_node *node, double frame)
{
    coif_instance_params params;
    coif_node_read(node, frame, &params);
    coif_vec3 columns[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    for (int k = 0; k < 3; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            columns[k] = turned(columns[k], axis, params.rotate[axis]);
        }
        columns[k] = coif_scale(columns[k], params.scale);
    }
    return (coif_transform){
        .linear = {{{columns[0].x, columns[1].x, columns[2].x},
                    {columns[0].y, columns[1].y, columns[2].y},
                    {columns[0].z, columns[1].z, columns[2].z}}},
        .translation = {params.translate[0], params.translate[1], params.translate[2]},
        .scale = params.scale,
        .is_transformed = true,
    };
}

coif_transform coif_transform_lerp(const coif_transform *a, const coif_transform *b, float t)
{
    coif_transform placement = *a;
    for (int i = 0; i < 3; ++i) {
        placement.linear.row[i] = coif_lerp(a->linear.row[i], b->linear.row[i], t);
    }
    placement.translation = coif_lerp(a->translation, b->translation, t);
    placement.scale = a->scale + t * (b->scale - a->scale);
    return placement;
}
