// Digests of the inputs of groom generation and simulation.
#include "core/body/input_digest.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/body/body_sequence.h"
#include "core/image/udim.h"

#include <string.h>

// A file counts by content, not by name; it is mapped, as an archive may be larger than the memory.
// An unreadable file adds nothing; its reader reports it.
static uint64_t digest_file(uint64_t digest, const char *path)
{
    coif_bytes bytes;
    coif_error ignored = {.status = COIF_OK};
    if (!coif_path_exists(path) || coif_file_map(&bytes, path, &ignored) != COIF_OK) {
        return digest;
    }
    digest = coif_hash64_extend(digest, bytes.data, bytes.size);
    coif_file_unmap(&bytes);
    return digest;
}

static uint64_t digest_paths(uint64_t digest, const coif_values *values)
{
    coif_arena scratch;
    coif_arena_init(&scratch, "inputs");
    for (uint32_t r = 0; r < values->row_count; ++r) {
        const char *path = values->values[r].text;
        if (values->rows[r].type != COIF_PARAM_PATH || path == NULL || path[0] == '\0') {
            continue;
        }
        const bool tiled = coif_path_is_udim(path);
        const int32_t last = tiled ? COIF_UDIM_LAST : COIF_UDIM_FIRST;
        for (int32_t tile = COIF_UDIM_FIRST; tile <= last; ++tile) {
            digest = digest_file(digest, coif_udim_tile_path(path, tile, &scratch));
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

static uint64_t digest_growth_files(uint64_t digest, const coif_node *groom)
{
    static const char *const lists[] = {"maps", "modifiers"};
    digest = digest_paths(digest, &groom->values);
    for (size_t i = 0; i < COIF_COUNT_OF(lists); ++i) {
        const coif_node *list = coif_node_find(groom, lists[i]);
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

static uint64_t digest_settings(uint64_t digest, const coif_values *values)
{
    for (uint32_t r = 0; r < values->row_count; ++r) {
        if (affects_motion(values->rows[r].name)) {
            digest = coif_value_digest(digest, &values->rows[r], &values->values[r]);
        }
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

static bool any_child_is_mapped(const coif_node *list)
{
    for (int32_t i = 0; i < list->child_count; ++i) {
        if (any_is_mapped(&list->children[i].values)) {
            return true;
        }
    }
    return false;
}

// Whether a parameter of the simulation or of a force is mapped.
static bool reads_maps(const coif_node *sim, const coif_node *forces)
{
    bool mapped = sim != NULL && any_is_mapped(&sim->values);
    for (int32_t f = 0; forces != NULL && f < forces->child_count; ++f) {
        mapped = mapped || any_is_mapped(&forces->children[f].values);
    }
    return mapped;
}

static uint64_t digest_node(uint64_t digest, const coif_node *node, const char *const *except)
{
    const uint64_t own = coif_node_digest(node, except);
    return coif_hash64_extend(digest, &own, sizeof own);
}

const char *coif_goal_cache_pattern(const char *path, const char *groom_name, coif_arena *arena)
{
    if (path == NULL || path[0] == '\0') {
        return NULL;
    }
    return coif_path_is_directory(path)
               ? coif_arena_print(arena, "%s/%s.####.strands", path, groom_name)
               : path;
}

// Every frame that there is.
static uint64_t digest_goal(uint64_t digest, const coif_node *sim, const coif_node *groom)
{
    const coif_value *path = coif_values_find(&sim->values, "goal_cache");
    const coif_value *name = coif_values_find(&groom->values, "name");
    coif_arena scratch;
    coif_arena_init(&scratch, "goal");
    const char *pattern =
        path != NULL ? coif_goal_cache_pattern(path->text, name->text, &scratch) : NULL;
    coif_error ignored = {.status = COIF_OK};
    int first = 0;
    int last = -1;
    if (pattern != NULL && !coif_body_sequence_is_pattern(pattern)) {
        last = 0;
    } else if (pattern != NULL) {
        // A gap is reported by what needs the frame.
        (void)coif_body_sequence_find(&first, &last, pattern, &scratch, &ignored);
    }
    for (int frame = first; frame <= last; ++frame) {
        const coif_arena_mark mark = coif_arena_mark_here(&scratch);
        const char *file = coif_body_sequence_path(pattern, frame, &scratch);
        digest = coif_hash64_extend(digest, &frame, sizeof frame);
        digest = digest_file(digest, file);
        coif_arena_rewind(&scratch, mark);
    }
    coif_arena_free(&scratch);
    return digest;
}

uint64_t coif_sim_settings_digest(const coif_sim_input_digest *inputs)
{
    static const char *const material_sections[] = {"material", NULL};
    const coif_node *root = inputs->scene->root;
    const coif_node *sim = coif_node_find(inputs->node, "sim");
    const coif_node *forces = coif_node_find(root, "forces");
    const coif_node *colliders = coif_node_find(root, "colliders");
    const coif_node *maps = coif_node_find(inputs->node, "maps");
    const coif_node *constraints = coif_node_find(inputs->node, "constraints");
    sim = sim != NULL ? sim : coif_node_find(root, "sim");
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
        digest = digest_goal(digest, sim, inputs->node);
    }
    const bool constrained = constraints != NULL && constraints->child_count > 0;
    if (constrained) {
        digest = digest_files(digest_node(digest, constraints, NULL), constraints);
    }
    if (maps != NULL &&
        (reads_maps(sim, forces) || (constrained && any_child_is_mapped(constraints)))) {
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
