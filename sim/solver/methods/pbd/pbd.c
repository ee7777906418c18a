#include "sim/solver/methods/pbd/pbd.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/mesh/parse_float.h"

#include <string.h>

static const char SEPARATORS[] = " ,\t\n";

static const float MOST_SPAN = 100000.0f;
static const float MOST_SHARE = 2.0f;

// One word, "4", "4:0.9" or "last:0.5". Returns where it ends, NULL when it is none of these.
static const char *read_pair(int32_t *span, float *share, const char *word)
{
    coif_decimal_float number = {.value = 1.0f};
    const char *end = word + 4;
    *span = 0;
    if (strncmp(word, "last", 4) != 0) {
        end = coif_parse_float(&number, word);
        // Written so that what is too large for an int32_t fails before it is made one.
        if (end == NULL || !(number.value >= 2.0f) || !(number.value <= MOST_SPAN) ||
            number.value != (float)(int32_t)number.value) {
            return NULL;
        }
        *span = (int32_t)number.value;
    }
    *share = 1.0f;
    if (*end == ':') {
        end = coif_parse_float(&number, end + 1);
        if (end == NULL || !(number.value >= 0.0f) || !(number.value <= MOST_SHARE)) {
            return NULL;
        }
        *share = number.value;
    }
    return *end == '\0' || strchr(SEPARATORS, *end) != NULL ? end : NULL;
}

coif_status coif_bend_spans_parse(coif_bend_spans *pairs, const char *text, coif_error *error)
{
    *pairs = (coif_bend_spans){0};
    const char *at = text != NULL ? text : "";
    for (at += strspn(at, SEPARATORS); *at != '\0'; at += strspn(at, SEPARATORS)) {
        int32_t span;
        float share;
        const int size = (int)strcspn(at, SEPARATORS);
        const char *end = read_pair(&span, &share, at);
        if (end == NULL) {
            return coif_fail(error, COIF_ERR_SCENE,
                             "found \"%.*s\", wanted a number of segments from 2 on or \"last\", "
                             "with or without a share of the distance from 0 to %g: \"2 4:0.9 "
                             "last\"",
                             size, at, (double)MOST_SHARE);
        }
        if (pairs->count == COIF_BEND_SPANS_MAX) {
            return coif_fail(error, COIF_ERR_SCENE,
                             "\"%.*s\" is one more than the %d pairs there "
                             "can be",
                             size, at, COIF_BEND_SPANS_MAX);
        }
        pairs->spans[pairs->count] = span;
        pairs->shares[pairs->count++] = share;
        at = end;
    }
    if (pairs->count == 0) {
        *pairs = (coif_bend_spans){.count = 1, .spans = {2}, .shares = {1.0f}};
    }
    return COIF_OK;
}

void coif_pbd_init(coif_strand_block *block, const coif_bend_spans *pairs, int32_t bending,
                   coif_arena *arena)
{
    const int64_t floats = (int64_t)block->length * block->lanes;
    coif_pbd *pbd = coif_arena_new(arena, 1, coif_pbd);
    pbd->bending = bending;
    for (int32_t i = 0; i < pairs->count && bending != COIF_BEND_DIHEDRAL; ++i) {
        const int32_t span = pairs->spans[i] > 0 ? pairs->spans[i] : block->length - 1;
        if (span >= 2 && span < block->length) {
            const int32_t own = pbd->pairs.count++;
            pbd->pairs.spans[own] = span;
            pbd->pairs.shares[own] = pairs->shares[i];
            pbd->rests[own] = coif_arena_new(arena, floats, float);
        }
    }
    if (bending == COIF_BEND_DIHEDRAL || bending == COIF_BEND_BOTH) {
        pbd->dihedrals = coif_arena_new(arena, floats, float);
    }
    pbd->stiffness = coif_arena_new(arena, floats, float);
    for (int64_t i = 0; i < floats; ++i) {
        pbd->stiffness[i] = 1.0f;
    }
    block->pbd = pbd;
}

const coif_pbd_kernels *coif_pbd_kernels_of(int32_t lanes)
{
    return lanes == 8 ? &coif_pbd_kernels_wide8 : &coif_pbd_kernels_wide4;
}

void coif_pbd_round(const coif_pbd_kernels *kernels, const coif_strand_block *block,
                    coif_solver_scratch *scratch, const coif_substep *step)
{
    const coif_pbd *pbd = block->pbd;
    const coif_bend_spans *pairs = &pbd->pairs;
    const bool distances = pbd->bending == COIF_BEND_DISTANCE;
    int32_t done = 0;
    if (step->attachment_stiffness > 0.0f) {
        kernels->project_attachment(block, scratch, step->attachment_stiffness);
    }
    if (distances && step->bend_stiffness > 0.0f && pairs->count > 0 && pairs->spans[0] == 2) {
        kernels->project_chain(block, scratch, pbd->rests[0], step);
        done = 1;
    } else {
        kernels->project_stretch(block, scratch, step);
    }
    for (int32_t i = done; i < pairs->count && step->bend_stiffness > 0.0f; ++i) {
        (distances ? kernels->project_pairs : kernels->project_angles)(
            block, scratch, pairs->spans[i], pbd->rests[i], step->bend_stiffness);
    }
    if (pbd->dihedrals != NULL && step->bend_stiffness > 0.0f) {
        kernels->project_dihedrals(block, scratch, pbd->dihedrals, step->bend_stiffness);
    }
}
