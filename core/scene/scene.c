// Node access and digests of a scene.
#include "core/scene/scene.h"

#include "core/base/hash64.h"

#include <string.h>

static uint64_t digest_text(uint64_t digest, const char *text)
{
    return coif_hash64_extend(digest, text, strlen(text));
}

static uint64_t digest_numbers(uint64_t digest, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        const double number = numbers[i] + 0.0; // -0 is 0
        digest = coif_hash64_extend(digest, &number, sizeof number);
    }
    return digest;
}

// A choice counts by name: indices change when a choice is added.
static uint64_t digest_choices(uint64_t digest, const coif_param *row, const coif_value *value)
{
    for (int32_t i = 0; i < value->key_count; ++i) {
        const size_t index = (size_t)value->numbers[3 * (size_t)i];
        if (index < coif_param_choice_count(row)) {
            digest = digest_text(digest, row->choices[index]);
        }
    }
    return digest;
}

// Path as written in the scene, not as resolved.
static const char *written_texture(const coif_value *value)
{
    const coif_json *path = value->source != NULL ? coif_json_find(value->source, "texture") : NULL;
    return path != NULL && path->kind == COIF_JSON_STRING ? path->text : value->texture;
}

uint64_t coif_value_digest(uint64_t digest, const coif_param *row, const coif_value *value)
{
    const size_t keys = (size_t)value->key_count;
    digest = digest_text(digest, row->name);
    if (row->type == COIF_PARAM_STRING) {
        return digest_text(digest, value->text != NULL ? value->text : "");
    }
    if (row->type == COIF_PARAM_PATH) {
        const bool written = value->source != NULL && value->source->kind == COIF_JSON_STRING;
        return digest_text(digest, written ? value->source->text : "");
    }
    if (keys > 1) {
        digest = digest_numbers(digest, value->frames, keys);
    }
    if (row->type == COIF_PARAM_CHOICE) {
        digest = digest_choices(digest, row, value);
    } else if (value->map != NULL) {
        digest = digest_text(digest, value->map);
        const bool three = row->type == COIF_PARAM_VEC3 || row->type == COIF_PARAM_COLOR;
        const double ends[2] = {value->range[0][0], value->range[1][0]};
        digest = digest_numbers(digest, three ? value->range[0] : ends, three ? 6 : 2);
    } else if (value->texture != NULL) {
        digest = digest_text(digest, written_texture(value));
    } else if (row->type == COIF_PARAM_VEC3 || row->type == COIF_PARAM_COLOR) {
        digest = digest_numbers(digest, value->numbers, 3 * keys);
    } else {
        for (size_t i = 0; i < keys; ++i) {
            digest = digest_numbers(digest, value->numbers + 3 * i, 1);
        }
    }
    return coif_hash64_extend(digest, value->ramp, 2 * sizeof(float) * (size_t)value->ramp_count);
}

static uint64_t digest_values(uint64_t digest, const coif_values *values)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        digest = coif_value_digest(digest, &values->rows[i], &values->values[i]);
    }
    return digest;
}

static bool is_excepted(const char *name, const char *const *except)
{
    for (; except != NULL && *except != NULL; ++except) {
        if (strcmp(*except, name) == 0) {
            return true;
        }
    }
    return false;
}

static uint64_t digest_node(uint64_t digest, const coif_node *node, const char *const *except)
{
    digest = digest_text(digest, node->section->name);
    digest = digest_values(digest, &node->values);
    if (node->plugin != NULL) {
        digest = digest_text(digest, node->plugin->id);
        digest = digest_text(digest, node->plugin->version);
        digest = digest_values(digest, &node->plugin_values);
    }
    digest = coif_hash64_extend(digest, &node->child_count, sizeof node->child_count);
    for (int32_t i = 0; i < node->child_count; ++i) {
        if (node->list || !is_excepted(node->children[i].section->name, except)) {
            digest = digest_node(digest, &node->children[i], except);
        }
    }
    return digest;
}

uint64_t coif_node_digest(const coif_node *node, const char *const *except)
{
    return digest_node(0, node, except);
}

// A change of hair colour or of the simulation does not invalidate the groom.
static const char *const OTHER_SECTIONS[] = {"hair", "sim", "constraints", NULL};

uint64_t coif_groom_settings_digest(const coif_node *groom)
{
    return coif_node_digest(groom, OTHER_SECTIONS);
}

// Maps of curvature follow the motion of the body.
static bool is_animated(const coif_node *node, const char *const *except)
{
    if (coif_params_are_animated(&node->values) ||
        (node->plugin != NULL && (coif_params_are_animated(&node->plugin_values) ||
                                  (node->plugin->needs & COIF_NEEDS_CURVATURE) != 0))) {
        return true;
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        if ((node->list || !is_excepted(node->children[i].section->name, except)) &&
            is_animated(&node->children[i], except)) {
            return true;
        }
    }
    return false;
}

bool coif_groom_is_animated(const coif_node *groom)
{
    return is_animated(groom, OTHER_SECTIONS);
}

bool coif_node_is_animated(const coif_node *node)
{
    static const char *const none[] = {NULL};
    return is_animated(node, none);
}

const coif_param_preset *coif_section_preset(const coif_section *section, const char *name)
{
    for (const coif_param_preset *preset = section->presets; preset != NULL && preset->name != NULL;
         ++preset) {
        if (strcmp(preset->name, name) == 0) {
            return preset;
        }
    }
    return NULL;
}

const coif_node *coif_node_find(const coif_node *node, const char *name)
{
    for (int32_t i = 0; i < node->child_count && !node->list; ++i) {
        if (strcmp(node->children[i].section->name, name) == 0) {
            return &node->children[i];
        }
    }
    return NULL;
}

double coif_scene_fps(const coif_scene *scene)
{
    const coif_node *sim = coif_node_find(scene->root, "sim");
    const coif_value *fps = sim != NULL ? coif_values_find(&sim->values, "fps") : NULL;
    return fps != NULL ? fps->numbers[0] : 24.0;
}

const coif_node *coif_node_at(const coif_node *node, const char *name)
{
    const coif_node *found = coif_node_find(node, name);
    COIF_REQUIRE(found != NULL && "the section tree has a section of this name");
    return found;
}

const coif_node *coif_node_giving(const coif_node *node, uint32_t row)
{
    // Inherited values are copies.
    const bool inherited =
        node->base != NULL && !node->values.values[row].given &&
        node->values.values[row].numbers == node->base->values.values[row].numbers;
    return inherited ? node->base : node;
}

void coif_node_read(const coif_node *node, double frame, void *params)
{
    coif_values_at(&node->values, frame, params);
}
