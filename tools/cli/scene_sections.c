// scene_sections: the section tree of scene files.
//
// The libraries define the parameter tables. Some table sizes are only known to the linker, so that
// the tree is built at run time.
#include "core/body/body.h"
#include "render/driver/render_frames.h"
#include "sim/groom/groom_generate.h"
#include "sim/run/collider_params.h"
#include "sim/run/constraint_params.h"
#include "sim/run/force_params.h"
#include "sim/run/sim_params.h"
#include "tools/cli/command.h"

#include <string.h>

static const coif_section *const BODY_CHILDREN[] = {&COIF_MATERIAL_SECTION, NULL};
static const char *const BODY_REQUIRED[] = {"name", "mesh", NULL};

static const coif_reference BODY_REFERENCES[] = {
    {"parent", "bodies"}, {"affects", "grooms"}, {NULL, NULL}};

static const coif_section *const GROOM_CHILDREN[] = {
    &COIF_MAPS_SECTION,      &COIF_MODIFIERS_SECTION,   &COIF_HAIR_SECTION,
    &COIF_GROOM_SIM_SECTION, &COIF_CONSTRAINTS_SECTION, NULL};
static const char *const GROOM_REQUIRED[] = {"name", "body", NULL};
static const coif_reference GROOM_REFERENCES[] = {{"body", "bodies"}, {NULL, NULL}};

static coif_section *copy_section(coif_section section, coif_arena *arena)
{
    coif_section *copy = coif_arena_new(arena, 1, coif_section);
    *copy = section;
    return copy;
}

const coif_section *coif_scene_tree(coif_arena *arena)
{
    const coif_section *const children[] = {
        copy_section((coif_section){.name = "bodies",
                                    .basic = "name mesh scale translate rotate include_groups "
                                             "exclude_groups collide friction visible",
                                    .help = "Meshes on which hair grows and with which it collides",
                                    .form = COIF_SECTION_ARRAY,
                                    .params = COIF_BODY_PARAMS,
                                    .param_count = COIF_BODY_PARAM_COUNT,
                                    .children = BODY_CHILDREN,
                                    .required = BODY_REQUIRED,
                                    .references = BODY_REFERENCES,
                                    .unique = "name"},
                     arena),
        copy_section((coif_section){.name = "grooms",
                                    .basic = "name body group file guides count strands_per_cm2 "
                                             "density length length_variation radius region",
                                    .help = "Hair: root placement, shape and appearance",
                                    .form = COIF_SECTION_ARRAY,
                                    .params = COIF_GROOM_PARAMS,
                                    .param_count = COIF_GROOM_PARAM_COUNT,
                                    .children = GROOM_CHILDREN,
                                    .required = GROOM_REQUIRED,
                                    .references = GROOM_REFERENCES,
                                    .applies_to = COIF_GROOM_APPLIES_TO,
                                    .unique = "name"},
                     arena),
        &COIF_COLLIDERS_SECTION,
        &COIF_SIM_SECTION,
        &COIF_FORCES_SECTION,
        &COIF_INSTANCES_SECTION,
        &COIF_CAMERA_SECTION,
        &COIF_LIGHTS_SECTION,
        &COIF_IMAGE_SECTION,
        NULL,
    };
    const coif_section **copies =
        coif_arena_new(arena, COIF_COUNT_OF(children), const coif_section *);
    memcpy(copies, children, sizeof children);
    return copy_section(
        (coif_section){
            .name = "", .help = "Scene of coif", .form = COIF_SECTION_OBJECT, .children = copies},
        arena);
}
