// former_names: keys and choices of earlier scene formats and their present names.
//
// A scene that still uses a former name is an error that names the present one, in every reader:
// `coif lint`, `--set` and the studio use the validation that searches this list.
#ifndef COIF_CORE_SCENE_FORMER_NAMES_H
#define COIF_CORE_SCENE_FORMER_NAMES_H

// The present name of a key, NULL when it was never renamed. Scope is the name of a section
// ("sim", "hair") or the id of a plugin ("groom.comb").
const char *coif_former_key(const char *scope, const char *key);

// The present name of a choice or list entry of a key, NULL when it was never renamed.
const char *coif_former_choice(const char *key, const char *choice);

#endif
