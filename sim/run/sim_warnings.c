#include "sim/run/sim_warnings.h"

#include "core/base/log.h"
#include "sim/run/sim_params.h"
#include "sim/solver/method.h"

#include <string.h>

// Whether a number or vector is not 0 at some frame or root.
static bool is_set(const coif_node *sim, const char *name)
{
    const coif_value *value = coif_values_find(&sim->values, name);
    bool set = value->map != NULL;
    for (int32_t i = 0; i < 3 * value->key_count; ++i) {
        set |= value->numbers[i] != 0.0;
    }
    return set;
}

// A parameter acts with the settings of a groom.
typedef bool acts(const coif_scene *scene, const coif_node *groom, const coif_node *sim,
                  const coif_value *value);

static bool something_collides(const coif_scene *scene, const coif_node *groom,
                               const coif_node *sim, const coif_value *value)
{
    (void)groom;
    (void)sim;
    (void)value;
    bool collides = coif_node_at(scene->root, "colliders")->child_count > 0;
    const coif_node *bodies = coif_node_at(scene->root, "bodies");
    for (int32_t b = 0; b < bodies->child_count; ++b) {
        collides |= coif_values_find(&bodies->children[b].values, "collide")->numbers[0] != 0.0;
    }
    return collides;
}

// Under methods without material a uniform mass cancels, but for forces that do not grow with it.
static bool mass_counts(const coif_scene *scene, const coif_node *groom, const coif_node *sim,
                        const coif_value *value)
{
    static const char *const forces[] = {"drag_coefficient", "tip_force", "wind_attenuation"};
    (void)scene;
    (void)groom;
    const int32_t method = (int32_t)coif_values_find(&sim->values, "solver")->numbers[0];
    const coif_solver_vtable *vtable = coif_solver_vtable_at(method);
    bool counts = vtable != &COIF_METHOD_PBD && vtable != &COIF_METHOD_FTL;
    counts |= value->map != NULL || value->ramp_count > 0;
    for (size_t i = 0; i < COIF_COUNT_OF(forces); ++i) {
        counts |= is_set(sim, forces[i]);
    }
    return counts;
}

// A cohesion below 0 acts on strands of a file alone. One of 0 is a case of applies_to.
static bool strands_interact(const coif_scene *scene, const coif_node *groom, const coif_node *sim,
                             const coif_value *value)
{
    static const char *const forces[] = {"interaction_friction", "interaction_stiffness",
                                         "wind_attenuation"};
    (void)scene;
    (void)value;
    const coif_value *cohesion = coif_values_find(&sim->values, "cohesion");
    const coif_value *file = coif_values_find(&groom->values, "file");
    bool interact = cohesion->map != NULL || (file->text != NULL && file->text[0] != '\0');
    for (int32_t k = 0; k < cohesion->key_count; ++k) {
        interact |= cohesion->numbers[3 * (size_t)k] >= 0.0;
    }
    for (size_t i = 0; i < COIF_COUNT_OF(forces); ++i) {
        interact |= is_set(sim, forces[i]);
    }
    return interact;
}

static const struct {
    const char *param;
    acts *acts;
    const char *why;
} RULES[] = {
    {"friction", something_collides, "no body or collider touches hair"},
    {"restitution", something_collides, "no body or collider touches hair"},
    {"max_depenetration_speed", something_collides, "no body or collider touches hair"},
    {"contact_margin", something_collides, "no body or collider touches hair"},
    {"hair_radius", mass_counts,
     "under pbd and ftl it only matters with drag_coefficient, tip_force or wind_attenuation"},
    {"hair_density", mass_counts,
     "under pbd and ftl it only matters with drag_coefficient, tip_force or wind_attenuation"},
    {"interaction_interval", strands_interact, "strands do not interact"},
};

// Settings of a groom: its own section, or that of the scene.
static const coif_node *settings_of(const coif_scene *scene, const coif_node *groom)
{
    const coif_node *own = coif_node_find(groom, "sim");
    return own != NULL ? own : coif_node_at(scene->root, "sim");
}

// Warns about the parameters of a section that act in none of the grooms that take them from it.
static int32_t warn_section(const coif_scene *scene, const coif_node *section)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    int32_t count = 0;
    for (size_t r = 0; r < COIF_COUNT_OF(RULES); ++r) {
        const coif_value *value = coif_values_find(&section->values, RULES[r].param);
        const uint32_t row = (uint32_t)(value - section->values.values);
        int32_t users = 0, active = 0;
        for (int32_t g = 0; value->given && g < grooms->child_count; ++g) {
            const coif_node *groom = &grooms->children[g];
            const coif_node *sim = settings_of(scene, groom);
            const bool uses = coif_node_giving(sim, row) == section;
            users += uses;
            active += uses && RULES[r].acts(scene, groom, sim, value);
        }
        if (users > 0 && active == 0) {
            coif_log(COIF_LOG_WARNING, "%s: %s/%s: no effect: %s", scene->path, section->path,
                     RULES[r].param, RULES[r].why);
            ++count;
        }
    }
    return count;
}

int32_t coif_sim_warn_values_without_effect(const coif_scene *scene)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    int32_t count = warn_section(scene, coif_node_at(scene->root, "sim"));
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const coif_node *own = coif_node_find(&grooms->children[g], "sim");
        count += own != NULL ? warn_section(scene, own) : 0;
    }
    return count;
}
