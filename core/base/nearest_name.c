// Name similarity by edit distance.
#include "core/base/nearest_name.h"

#include <ctype.h>
#include <string.h>

// Longer names are not compared.
enum { MAX_NAME_LENGTH = 48 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Edit distance: insertions, deletions, substitutions and transpositions (optimal string alignment,
// restricted Damerau-Levenshtein), ignoring case.
static size_t edit_distance(const char *a, const char *b)
{
    const size_t length = strlen(b);
    size_t rows[3][MAX_NAME_LENGTH + 1];
    size_t *above2 = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= length; ++j) {
        above[j] = j;
    }
    for (size_t i = 1; a[i - 1] != '\0'; ++i) {
        row[0] = i;
        for (size_t j = 1; j <= length; ++j) {
            const int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            row[j] = smaller(smaller(row[j - 1], above[j]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2])) {
                row[j] = smaller(row[j], above2[j - 2] + 1);
            }
        }
        size_t *oldest = above2;
        above2 = above;
        above = row;
        row = oldest;
    }
    return above[length];
}

const char *coif_nearest_name(const char *name, const char *const *names, size_t count)
{
    const size_t length = strlen(name);
    const char *nearest = NULL;
    // At most one edit per three letters.
    size_t best = (length + 2) / 3 + 1;
    if (length > MAX_NAME_LENGTH) {
        return NULL;
    }
    for (size_t i = 0; i < count; ++i) {
        if (strlen(names[i]) > MAX_NAME_LENGTH) {
            continue;
        }
        const size_t distance = edit_distance(name, names[i]);
        // A short name with every letter changed is not similar.
        if (distance < best && distance < strlen(names[i])) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
