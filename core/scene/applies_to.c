#include "core/scene/applies_to.h"

#include "core/base/arena.h"
#include "core/base/log.h"
#include "core/base/strbuf.h"

#include <string.h>

enum { WORD_SIZE = 64 };

bool coif_next_word(const char **list, char *word, size_t size)
{
    const char *begin = *list + strspn(*list, " ");
    const size_t length = strcspn(begin, " ");
    const size_t kept = length < size ? length : size - 1;
    memcpy(word, begin, kept);
    word[kept] = '\0';
    *list = begin + length;
    return length > 0;
}

static bool contains_word(const char *list, const char *wanted)
{
    char word[WORD_SIZE];
    while (coif_next_word(&list, word, sizeof word)) {
        if (strcmp(word, wanted) == 0) {
            return true;
        }
    }
    return false;
}

const coif_applies_to *coif_section_applies_to(const coif_section *section, const char *param)
{
    for (const coif_applies_to *rule = section->applies_to; rule != NULL && rule->params != NULL;
         ++rule) {
        if (contains_word(rule->params, param)) {
            return rule;
        }
    }
    return NULL;
}

const char *coif_applies_to_text(const coif_applies_to *rule, coif_arena *arena)
{
    char word[WORD_SIZE];
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    coif_strbuf_add(&text, rule->choice);
    const char *list = rule->values;
    for (int32_t i = 0; coif_next_word(&list, word, sizeof word); ++i) {
        const bool last = list[strspn(list, " ")] == '\0';
        coif_strbuf_print(&text, "%s %s", i == 0 ? "" : last ? " or" : ",", word);
    }
    return text.data;
}

// Whether the choice has one of the values of the rule at some keyframe. The first other value, for
// the message, goes to other.
static bool rule_holds(const coif_applies_to *rule, const coif_values *values, const char **other)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_param *row = &values->rows[i];
        if (strcmp(row->name, rule->choice) != 0) {
            continue;
        }
        const coif_value *choice = &values->values[i];
        for (int32_t k = 0; k < choice->key_count; ++k) {
            const char *name = row->choices[(size_t)choice->numbers[3 * k]];
            if (contains_word(rule->values, name)) {
                return true;
            }
            *other = name;
        }
        return false;
    }
    COIF_ASSERT(false && "the choice of a rule is a parameter of its section");
    return true;
}

static int32_t warn_node(const coif_scene *scene, const coif_node *node, coif_arena *arena)
{
    int32_t count = 0;
    for (uint32_t i = 0; !node->list && i < node->values.row_count; ++i) {
        const char *name = node->values.rows[i].name;
        const coif_applies_to *rule = coif_section_applies_to(node->section, name);
        const char *other = "";
        if (rule != NULL && node->values.values[i].given &&
            !rule_holds(rule, &node->values, &other)) {
            coif_log(COIF_LOG_WARNING, "%s: %s/%s: no effect with %s %s; applies to %s",
                     scene->path, node->path, name, rule->choice, other,
                     coif_applies_to_text(rule, arena));
            ++count;
        }
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        count += warn_node(scene, &node->children[i], arena);
    }
    return count;
}

int32_t coif_scene_warn_without_effect(const coif_scene *scene, coif_arena *arena)
{
    return warn_node(scene, scene->root, arena);
}
