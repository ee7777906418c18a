// Interface of a fuzz target: libFuzzer's entry point and generated seeds.
#ifndef COIF_TESTS_FUZZ_H
#define COIF_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

// Runs the reader on one input. Returns 0; a fault is a crash, a sanitizer's report or a hang.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Called once by libFuzzer; quiet.c keeps the log still.
int LLVMFuzzerInitialize(int *argc, char ***argv);

// Optional: writes seed number index into data and returns its size, 0 when there are no more.
size_t coif_fuzz_seed(int index, uint8_t *data, size_t capacity) __attribute__((weak));

#endif
