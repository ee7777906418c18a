// The sections of a scene.
#include "core/scene/applies_to.h"
#include "tests/support/test.h"
#include "tools/cli/command.h"

static coif_arena arena = {.name = "test"};

static bool has_row(const coif_section *section, const char *name)
{
    bool found = false;
    for (uint32_t i = 0; i < section->param_count && !found; ++i) {
        found = strcmp(section->params[i].name, name) == 0;
    }
    return found;
}

static int32_t check_basic(const coif_section *section)
{
    int32_t count = 0;
    char word[64];
    for (const char *list = section->basic; list != NULL && coif_next_word(&list, word, 64);) {
        if (!has_row(section, word)) {
            coif_test_failed(__FILE__, __LINE__, "%s has no parameter %s", section->name, word);
        }
        ++count;
    }
    for (size_t i = 0; section->children != NULL && section->children[i] != NULL; ++i) {
        count += check_basic(section->children[i]);
    }
    return count;
}

TEST(basic_parameters_exist)
{
    CHECK(check_basic(coif_scene_tree(&arena)) > 80);
}
