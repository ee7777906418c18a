// replay: a fuzz target without a fuzzer. Runs every seed as it is, truncated at many positions,
// and then a fixed number of mutations of it: bits flipped, bytes set to telling values, stretches
// removed, doubled and swapped in from another seed. The random numbers are counted, so every
// machine runs the same inputs.
//
//   NAME_replay SEED_FOLDER [ROUNDS]   0: the seeds as they are
//   NAME_replay --write FOLDER     puts the seeds that are made into a folder, for a real fuzzer
#include "core/base/log.h"
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEEDS = 8192, LARGEST = 1 << 16, ROUNDS = 20000 };

typedef struct sample {
    uint8_t *data;
    size_t size;
} sample;

static sample seeds[MOST_SEEDS];
static int seed_count;
static uint64_t random_state = 0x9e3779b97f4a7c15u;

// Below bound; splitmix64 (Steele, Lea and Flood 2014).
static size_t draw(size_t bound)
{
    random_state += 0x9e3779b97f4a7c15u;
    uint64_t word = random_state;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    word ^= word >> 31;
    return bound > 0 ? (size_t)(word % bound) : 0;
}

static void add_seed(const uint8_t *data, size_t size)
{
    if (seed_count < MOST_SEEDS) {
        seeds[seed_count].data = malloc(size + 1);
        seeds[seed_count].size = size;
        memcpy(seeds[seed_count].data, data, size);
        ++seed_count;
    }
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

// In the order of their names: the order of a directory is not the same everywhere.
static void read_folder(const char *folder, uint8_t *buffer)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, NULL, by_name);
    for (int i = 0; i < count; ++i) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        FILE *file = entries[i]->d_name[0] != '.' ? fopen(path, "rb") : NULL;
        if (file != NULL) {
            add_seed(buffer, fread(buffer, 1, LARGEST, file));
            fclose(file);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

static void read_made_seeds(uint8_t *buffer)
{
    if (coif_fuzz_seed == NULL) {
        return;
    }
    size_t size;
    for (int i = 0; (size = coif_fuzz_seed(i, buffer, LARGEST)) > 0; ++i) {
        add_seed(buffer, size);
    }
}

// Exactly as large as its content, so that a sanitizer sees the first byte read past the end.
static void run_exact(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void set_number(uint8_t *data, size_t size)
{
    static const uint32_t telling[] = {0,          1,          2,          0x7f,       0x80,
                                       0xff,       0x7fff,     0x8000,     0xffff,     0x10000,
                                       0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x7f800000,
                                       0x7fc00000, 0x3f800000};
    const uint32_t value = telling[draw(sizeof telling / sizeof telling[0])];
    const size_t width = size >= 4 ? 4 : size;
    memcpy(data + draw(size - width + 1), &value, width);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t remove_stretch(uint8_t *data, size_t size)
{
    const size_t begin = draw(size);
    const size_t length = 1 + draw(least(size - begin, 64));
    memmove(data + begin, data + begin + length, size - begin - length);
    return size - length;
}

static size_t insert_stretch(uint8_t *data, size_t size, const sample *from)
{
    if (from->size == 0) {
        return size;
    }
    const size_t begin = draw(from->size);
    const size_t length = 1 + draw(least(from->size - begin, 256));
    if (size + length > LARGEST) {
        return size;
    }
    const size_t position = draw(size + 1);
    memmove(data + position + length, data + position, size - position);
    memcpy(data + position, from->data + begin, length);
    return size + length;
}

static size_t mutate(uint8_t *data, size_t size)
{
    if (size == 0) {
        return insert_stretch(data, size, &seeds[draw((size_t)seed_count)]);
    }
    switch (draw(6)) {
    case 0:
        data[draw(size)] ^= (uint8_t)(1u << draw(8));
        return size;
    case 1:
        data[draw(size)] = (uint8_t)draw(256);
        return size;
    case 2:
        set_number(data, size);
        return size;
    case 3:
        return remove_stretch(data, size);
    case 4:
        return insert_stretch(data, size, &seeds[draw((size_t)seed_count)]);
    default:
        return draw(size + 1);
    }
}

static void replay(const sample *seed, int rounds, uint8_t *buffer)
{
    run_exact(seed->data, seed->size);
    if (rounds == 0) {
        return;
    }
    const size_t stride = 1 + seed->size / 64;
    for (size_t size = 0; size < seed->size; size += stride) {
        run_exact(seed->data, size);
    }
    for (int round = 0; round < rounds; ++round) {
        memcpy(buffer, seed->data, seed->size);
        size_t size = seed->size;
        for (size_t step = 1 + draw(4); step > 0; --step) {
            size = mutate(buffer, size);
        }
        run_exact(buffer, size);
    }
}

static int write_seeds(const char *folder)
{
    for (int i = 0; i < seed_count; ++i) {
        char path[4096];
        snprintf(path, sizeof path, "%s/made_%03d", folder, i);
        FILE *file = fopen(path, "wb");
        if (file == NULL) {
            perror(path);
            return 1;
        }
        fwrite(seeds[i].data, 1, seeds[i].size, file);
        fclose(file);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static uint8_t buffer[LARGEST];
    const int rounds = argc > 2 ? atoi(argv[2]) : ROUNDS;
    coif_log_setup(COIF_LOG_ERROR, false); // warnings about broken files are no news here
    add_seed(buffer, 0);
    read_made_seeds(buffer);
    if (argc > 2 && strcmp(argv[1], "--write") == 0) {
        return write_seeds(argv[2]);
    }
    if (argc > 1) {
        read_folder(argv[1], buffer);
    }
    if (seed_count < 2) {
        fprintf(stderr, "no seeds: mutations of nothing test nothing\n");
        return 1;
    }
    // The same number of inputs however many seeds there are.
    const int mutations = rounds > 0 ? 1 + rounds / seed_count : 0;
    for (int i = 0; i < seed_count; ++i) {
        replay(&seeds[i], mutations, buffer);
    }
    printf("%d seeds, %d mutations of each: no fault\n", seed_count, mutations);
    for (int i = 0; i < seed_count; ++i) {
        free(seeds[i].data);
    }
    return 0;
}
