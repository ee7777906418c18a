// Digests of the inputs of groom generation and simulation.
#include "core/body/input_digest.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"

#include <string.h>

// A file counts by content, not by name. An unreadable file adds nothing; its reader reports it.
static uint64_t digest_paths(uint64_t digest, const coif_values *values)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "inputs");
    for (uint32_t r = 0; r < values->row_count; ++r) {
        const char *path = values->values[r].text;
        char *data;
        size_t size;
        coif_error ignored = {.status = COIF_OK};
        if (values->rows[r].type == COIF_PARAM_PATH && path != NULL && path[0] != '\0' &&
            coif_path_exists(path) &&
            coif_file_load(&data, &size, path, &scratch, &ignored) == COIF_OK) {
            digest = coif_hash64_extend(digest, data, size);
        }
    }
    coif_arena_free(&scratch);
    return digest;
}

static uint64_t digest_files(uint64_t digest, const coif_node *node)
{
    digest = digest_paths(digest, &node->values);
    digest = digest_paths(digest, &node->plugin_values);
    for (int32_t i = 0; i < node->child_count; ++i) {
        digest = digest_files(digest, &node->children[i]);
    }
    return digest;
}

static uint64_t digest_mesh(uint64_t digest, const coif_mesh *mesh)
{
    digest =
        coif_hash64_extend(digest, mesh->positions, sizeof(coif_vec3) * (size_t)mesh->vertex_count);
    return coif_hash64_extend(digest, mesh->indices,
                              3 * sizeof(int32_t) * (size_t)mesh->triangle_count);
}

// NULL when the section tree has no such section.
static const coif_node *find_child(const coif_node *node, const char *name)
{
    for (int32_t i = 0; !node->list && i < node->child_count; ++i) {
        if (strcmp(node->children[i].section->name, name) == 0) {
            return &node->children[i];
        }
    }
    return NULL;
}

static uint64_t digest_growth_files(uint64_t digest, const coif_node *groom)
{
    static const char *const lists[] = {"maps", "modifiers"};
    digest = digest_paths(digest, &groom->values);
    for (size_t i = 0; i < COIF_COUNT_OF(lists); ++i) {
        const coif_node *list = find_child(groom, lists[i]);
        digest = list != NULL ? digest_files(digest, list) : digest;
    }
    return digest;
}

uint64_t coif_groom_input_digest(const coif_node *groom, const coif_mesh *rest)
{
    uint64_t digest = digest_mesh(0, rest);
    if (rest->uvs != NULL) {
        digest = coif_hash64_extend(digest, rest->uvs,
                                    3 * sizeof(coif_vec2) * (size_t)rest->triangle_count);
    }
    return digest_growth_files(digest, groom);
}

// Excludes parameters that select frames but do not change the motion. The initial state is an
// output itself and digested by its reader.
static bool affects_motion(const char *name)
{
    return strcmp(name, "last_frame") != 0 && strcmp(name, "checkpoint_interval") != 0 &&
           strcmp(name, "initial_state") != 0;
}

static uint64_t digest_variation(uint64_t digest, const coif_param *row, const coif_value *value)
{
    if (value->map != NULL) {
        digest = coif_hash64_extend(digest, value->map, strlen(value->map));
        const double ends[2] = {value->range[0][0], value->range[1][0]};
        digest = row->type == COIF_PARAM_FLOAT
                     ? coif_hash64_extend(digest, ends, sizeof ends)
                     : coif_hash64_extend(digest, value->range, sizeof value->range);
    }
    return value->ramp_count == 0
               ? digest
               : coif_hash64_extend(digest, value->ramp,
                                    2 * sizeof(float) * (size_t)value->ramp_count);
}

static uint64_t digest_settings(uint64_t digest, const coif_values *values)
{
    for (uint32_t r = 0; r < values->row_count; ++r) {
        const coif_param *row = &values->rows[r];
        const coif_value *value = &values->values[r];
        const size_t keys = (size_t)value->key_count;
        if (!affects_motion(row->name)) {
            continue;
        }
        digest = coif_hash64_extend(digest, row->name, strlen(row->name));
        digest = coif_hash64_extend(digest, value->frames, keys * sizeof(double));
        digest = coif_hash64_extend(digest, value->numbers, 3 * keys * sizeof(double));
        if (row->type == COIF_PARAM_STRING && value->text != NULL) {
            digest = coif_hash64_extend(digest, value->text, strlen(value->text));
        }
        digest = digest_variation(digest, row, value);
    }
    return digest;
}

static bool any_is_mapped(const coif_values *values)
{
    for (uint32_t r = 0; r < values->row_count; ++r) {
        if (values->values[r].map != NULL) {
            return true;
        }
    }
    return false;
}

static uint64_t digest_node(uint64_t digest, const coif_node *node, const char *const *except)
{
    const uint64_t own = coif_node_digest(node, except);
    return coif_hash64_extend(digest, &own, sizeof own);
}

uint64_t coif_sim_settings_digest(const coif_sim_input_digest *inputs)
{
    static const char *const material_sections[] = {"material", NULL};
    const coif_node *root = inputs->scene->root;
    const coif_node *sim = find_child(root, "sim");
    const coif_node *forces = find_child(root, "forces");
    const coif_node *colliders = find_child(root, "colliders");
    const coif_node *maps = find_child(inputs->node, "maps");
    uint64_t digest = coif_hash64(COIF_VERSION, strlen(COIF_VERSION));
    digest = coif_hash64_extend(digest, &inputs->groom, sizeof inputs->groom);
    if (forces != NULL) {
        digest = digest_files(digest_node(digest, forces, NULL), forces);
    }
    if (colliders != NULL && colliders->child_count > 0) {
        digest = digest_node(digest, colliders, NULL);
    }
    if (sim != NULL) {
        digest = digest_settings(digest, &sim->values);
    }
    if (sim != NULL && maps != NULL && any_is_mapped(&sim->values)) {
        digest = digest_files(digest_node(digest, maps, NULL), maps);
    }
    // The groom file holds the first frame only; later frames depend on the scene and its files.
    if (coif_groom_is_animated(inputs->node)) {
        const uint64_t growth = coif_groom_settings_digest(inputs->node);
        digest = coif_hash64_extend(digest, &growth, sizeof growth);
        digest = digest_growth_files(digest, inputs->node);
    }
    for (int32_t b = 0; b < inputs->body_count; ++b) {
        digest = digest_node(digest, inputs->bodies[b].node, material_sections);
        digest = digest_mesh(digest, &inputs->bodies[b].rest);
    }
    return digest;
}
