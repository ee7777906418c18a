// applies_to: parameters that have an effect only for some values of a choice, such as those of one
// solver.
#ifndef COIF_CORE_SCENE_APPLIES_TO_H
#define COIF_CORE_SCENE_APPLIES_TO_H

#include "core/scene/scene.h"

// The next word of a list separated by spaces, into word; false at its end.
bool coif_next_word(const char **list, char *word, size_t size);

// Whether a list has the word.
bool coif_has_word(const char *list, const char *word);

// The first rule of a parameter, and the one after another; NULL: none.
const coif_applies_to *coif_section_applies_to(const coif_section *section, const char *param);
const coif_applies_to *coif_section_next_rule(const coif_applies_to *rule, const char *param);

// The values of a rule for people: "solver pbd or ftl".
const char *coif_applies_to_text(const coif_applies_to *rule, coif_arena *arena);

// Whether a parameter has an effect with the choices of its node, at some frame.
bool coif_param_has_effect(const coif_node *node, const char *param);

// Logs a warning for each given parameter that has no effect at any frame, as in "bob.json:
// /sim/iterations: no effect with solver der; applies to solver pbd or xpbd". Returns their number.
int32_t coif_scene_warn_without_effect(const coif_scene *scene, coif_arena *arena);

#endif
