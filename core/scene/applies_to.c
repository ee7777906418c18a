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

bool coif_has_word(const char *list, const char *wanted)
{
    char word[WORD_SIZE];
    while (coif_next_word(&list, word, sizeof word)) {
        if (strcmp(word, wanted) == 0) {
            return true;
        }
    }
    return false;
}

static const coif_applies_to *find_rule(const coif_applies_to *rule, const char *param)
{
    while (rule != NULL && rule->params != NULL && !coif_has_word(rule->params, param)) {
        ++rule;
    }
    return rule != NULL && rule->params != NULL ? rule : NULL;
}

const coif_applies_to *coif_section_applies_to(const coif_section *section, const char *param)
{
    return find_rule(section->applies_to, param);
}

const coif_applies_to *coif_section_next_rule(const coif_applies_to *rule, const char *param)
{
    return find_rule(rule + 1, param);
}

// "a, b or c" for "a b c".
static void add_words(coif_strbuf *text, const char *list)
{
    char word[WORD_SIZE];
    for (int32_t i = 0; coif_next_word(&list, word, sizeof word); ++i) {
        const bool last = list[strspn(list, " ")] == '\0';
        coif_strbuf_print(text, "%s%s", i == 0 ? "" : last ? " or " : ", ", word);
    }
}

static const char *choice_text(const coif_applies_to *rule, coif_arena *arena)
{
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    add_words(&text, rule->choice);
    return text.data;
}

const char *coif_applies_to_text(const coif_applies_to *rule, coif_arena *arena)
{
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    add_words(&text, rule->choice);
    coif_strbuf_add(&text, rule->values[0] != '\0' ? " " : "");
    add_words(&text, rule->values);
    return text.data;
}

// Whether a number is mapped, or not 0 at some keyframe.
static bool is_not_zero(const coif_value *value)
{
    bool set = value->map != NULL;
    for (int32_t k = 0; k < value->key_count; ++k) {
        set |= value->numbers[3 * (size_t)k] != 0.0;
    }
    return set;
}

static bool is_set(const coif_param *row, const coif_value *value)
{
    return row->type == COIF_PARAM_FLOAT ? is_not_zero(value)
                                         : value->text != NULL && value->text[0] != '\0';
}

// Whether the choice has one of the values of the rule at some keyframe. The first other value, for
// the message, goes to other.
static bool rule_holds(const coif_applies_to *rule, const coif_values *values, const char **other)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_param *row = &values->rows[i];
        if (!coif_has_word(rule->choice, row->name)) {
            continue;
        }
        const coif_value *choice = &values->values[i];
        if (rule->values[0] == '\0') {
            if (is_set(row, choice)) {
                return true;
            }
            *other = row->type == COIF_PARAM_FLOAT ? "0" : "unset";
            continue;
        }
        for (int32_t k = 0; k < choice->key_count; ++k) {
            const char *name = row->choices[(size_t)choice->numbers[3 * k]];
            if (coif_has_word(rule->values, name)) {
                return true;
            }
            *other = name;
        }
    }
    COIF_ASSERT((*other)[0] != '\0' && "the choice of a rule is a parameter of its section");
    return false;
}

// The first rule of a parameter that does not hold; NULL: it has an effect.
static const coif_applies_to *broken_rule(const coif_node *node, const char *name,
                                          const char **other)
{
    const coif_applies_to *rule = coif_section_applies_to(node->section, name);
    while (rule != NULL && rule_holds(rule, &node->values, other)) {
        rule = coif_section_next_rule(rule, name);
    }
    return rule;
}

bool coif_param_has_effect(const coif_node *node, const char *param)
{
    const char *other = "";
    return broken_rule(node, param, &other) == NULL;
}

// Use of a value by the nodes that inherit it.
typedef struct inherited_use {
    int32_t nodes;               // that could inherit it
    int32_t effective;           // that do, with an effect
    const coif_applies_to *rule; // that does not hold where it has none
    const char *other;           // value of the choice there
} inherited_use;

static void add_use(inherited_use *use, const coif_node *node, uint32_t row)
{
    const char *other = "";
    const coif_applies_to *rule = broken_rule(node, node->values.rows[row].name, &other);
    if (rule == NULL) {
        ++use->effective;
    } else {
        use->rule = rule;
        use->other = other;
    }
}

static void find_uses(inherited_use *use, const coif_node *base, uint32_t row,
                      const coif_node *node)
{
    if (node->base == base) {
        ++use->nodes;
        if (coif_node_giving(node, row) == base) {
            add_use(use, node, row);
        }
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        find_uses(use, base, row, &node->children[i]);
    }
}

// Warns about a parameter without effect. One that other nodes inherit acts through them.
static bool warn_param(const coif_scene *scene, const coif_node *node, uint32_t row,
                       coif_arena *arena)
{
    const char *name = node->values.rows[row].name;
    const bool global = (node->values.rows[row].flags & COIF_PARAM_GLOBAL) != 0;
    inherited_use use = {.nodes = 0};
    if (!global) {
        find_uses(&use, node, row, scene->root);
    }
    if (use.nodes == 0) {
        add_use(&use, node, row);
    }
    if (use.effective > 0) {
        return false;
    }
    if (use.rule == NULL) {
        coif_log(COIF_LOG_WARNING, "%s: %s/%s: no effect: every groom has a value of its own",
                 scene->path, node->path, name);
    } else {
        coif_log(COIF_LOG_WARNING, "%s: %s/%s: no effect with %s %s; applies to %s", scene->path,
                 node->path, name, choice_text(use.rule, arena), use.other,
                 coif_applies_to_text(use.rule, arena));
    }
    return true;
}

static int32_t warn_node(const coif_scene *scene, const coif_node *node, coif_arena *arena)
{
    int32_t count = 0;
    for (uint32_t i = 0; !node->list && i < node->values.row_count; ++i) {
        count += node->values.values[i].given && warn_param(scene, node, i, arena);
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
