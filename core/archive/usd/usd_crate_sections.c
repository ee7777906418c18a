// USD crate: sections.
#include "core/archive/usd/usd_crate_file.h"
#include "core/base/array_grow.h"
#include "core/base/error.h"

#include <inttypes.h>

enum { NEWEST_MINOR = 13 }; // of versions whose sections are known

// Cursor at a section of the table of contents, and its size.
static coif_status find_section(const coif_crate_file *file, const char *name,
                                coif_crate_cursor *section)
{
    uint64_t count, toc;
    const void *data;
    coif_crate_cursor at = coif_crate_cursor_at(file, 16);
    COIF_TRY(coif_crate_u64(&at, &toc));
    at.at = toc;
    COIF_TRY(coif_crate_u64(&at, &count));
    for (uint64_t i = 0; i < count; ++i) {
        COIF_TRY(coif_crate_take(&at, 32, &data));
        if (strncmp(data, name, 16) == 0) {
            memcpy(&section->at, (const char *)data + 16, sizeof section->at);
            section->bytes = &file->bytes;
            section->error = file->error;
            return COIF_OK;
        }
    }
    return coif_fail(file->error, COIF_ERR_FORMAT, "%s: the file has no section %s",
                     file->bytes.name, name);
}

// A number of records of at least size bytes; compressed ones (0) may be smaller than a byte, but
// their values are not.
static coif_status read_count(coif_crate_cursor *cursor, uint64_t size, uint64_t *count)
{
    COIF_TRY(coif_crate_u64(cursor, count));
    const uint64_t most = size > 0 ? cursor->bytes->size / size : cursor->bytes->size * 16;
    return *count <= most && *count < UINT32_MAX
               ? COIF_OK
               : coif_crate_fail(cursor, "a damaged count before it");
}

static coif_status read_tokens(coif_crate_file *file)
{
    coif_crate_cursor at;
    uint64_t size, count;
    const void *data;
    void *text;
    COIF_TRY(find_section(file, "TOKENS", &at));
    COIF_TRY(coif_crate_u64(&at, &count));
    COIF_TRY(coif_crate_u64(&at, &size));
    if (file->crate->version >= 400) {
        COIF_TRY(coif_crate_decompress(&at, size, file->arena, &text));
    } else {
        COIF_TRY(coif_crate_take(&at, size, &data));
        text = coif_arena_alloc(file->arena, (size_t)size + 1, 1);
        memcpy(text, data, size);
    }
    // Each token ends with a zero byte; there is one more after the text.
    if (count > size) {
        return coif_crate_fail(&at, "fewer tokens than their number before it");
    }
    file->crate->tokens = coif_arena_new(file->arena, count, const char *);
    file->crate->token_count = count;
    const char *token = text, *end = token + size;
    for (uint64_t i = 0; i < count; ++i) {
        file->crate->tokens[i] = token < end ? token : "";
        token += token < end ? strlen(token) + 1 : 0;
    }
    return COIF_OK;
}

// A copy: the file is not mapped between calls.
static coif_status read_strings(coif_crate_file *file)
{
    coif_crate_cursor at;
    uint64_t count;
    const void *data;
    COIF_TRY(find_section(file, "STRINGS", &at));
    COIF_TRY(read_count(&at, sizeof(uint32_t), &count));
    COIF_TRY(coif_crate_take(&at, count * sizeof(uint32_t), &data));
    uint32_t *strings = coif_arena_new(file->arena, count, uint32_t);
    memcpy(strings, data, count * sizeof(uint32_t));
    file->crate->strings = strings;
    file->crate->string_count = count;
    return COIF_OK;
}

static coif_status read_fields(coif_crate_file *file)
{
    coif_crate_cursor at;
    const bool compressed = file->crate->version >= 400;
    void *data;
    COIF_TRY(find_section(file, "FIELDS", &at));
    COIF_TRY(read_count(&at, compressed ? 0 : 16, &file->field_count));
    if (compressed) {
        COIF_TRY(coif_crate_integers(&at, file->field_count, 4, file->arena, &data));
        file->field_names = data;
        COIF_TRY(coif_crate_decompress(&at, file->field_count * 8, file->arena, &data));
        file->field_values = data;
        return COIF_OK;
    }
    uint32_t *names = coif_arena_new(file->arena, file->field_count, uint32_t);
    uint64_t *values = coif_arena_new(file->arena, file->field_count, uint64_t);
    for (uint64_t i = 0; i < file->field_count; ++i) {
        uint32_t padding;
        COIF_TRY(coif_crate_u32(&at, &padding));
        COIF_TRY(coif_crate_u32(&at, &names[i]));
        COIF_TRY(coif_crate_u64(&at, &values[i]));
    }
    file->field_names = names;
    file->field_values = values;
    return COIF_OK;
}

static coif_status read_sets(coif_crate_file *file)
{
    coif_crate_cursor at;
    const bool compressed = file->crate->version >= 400;
    void *data;
    COIF_TRY(find_section(file, "FIELDSETS", &at));
    COIF_TRY(read_count(&at, compressed ? 0 : 4, &file->set_count));
    if (compressed) {
        COIF_TRY(coif_crate_integers(&at, file->set_count, 4, file->arena, &data));
        file->sets = data;
        return COIF_OK;
    }
    uint32_t *sets = coif_arena_new(file->arena, file->set_count, uint32_t);
    for (uint64_t i = 0; i < file->set_count; ++i) {
        COIF_TRY(coif_crate_u32(&at, &sets[i]));
    }
    file->sets = sets;
    return COIF_OK;
}

static coif_status make_entries(coif_crate_file *file, const coif_crate_cursor *at, uint64_t count)
{
    if (count > file->path_count) {
        return coif_crate_fail(at, "more paths in the tree than their number");
    }
    file->entry_path = coif_arena_new(file->arena, count, uint32_t);
    file->entry_parent = coif_arena_new(file->arena, count + 1, int64_t);
    file->entry_element = coif_arena_new(file->arena, count, int32_t);
    return COIF_OK;
}

// Jump of an entry: -2 neither child nor sibling, -1 only a child, 0 only a sibling; else the child
// is next and the sibling that many entries later.
static coif_status read_compressed_paths(coif_crate_file *file, coif_crate_cursor *at)
{
    void *paths, *elements, *jumps;
    uint64_t count;
    COIF_TRY(read_count(at, 0, &count));
    COIF_TRY(coif_crate_integers(at, count, 4, file->arena, &paths));
    COIF_TRY(coif_crate_integers(at, count, 4, file->arena, &elements));
    COIF_TRY(coif_crate_integers(at, count, 4, file->arena, &jumps));
    COIF_TRY(make_entries(file, at, count));
    memset(file->entry_parent, 0xff, (count + 1) * sizeof(int64_t));
    for (uint64_t i = 0; i < count; ++i) {
        const int32_t jump = ((const int32_t *)jumps)[i];
        if (jump == -1 || jump > 0) {
            file->entry_parent[i + 1] = (int64_t)i;
        }
        if (jump == 0) {
            file->entry_parent[i + 1] = file->entry_parent[i];
        } else if (jump > 0) {
            if ((uint64_t)jump >= count - i) {
                return coif_crate_fail(at, "a path before it has a sibling beyond the tree");
            }
            file->entry_parent[i + (uint64_t)jump] = file->entry_parent[i];
        }
        file->entry_path[i] = ((const uint32_t *)paths)[i];
        file->entry_element[i] = ((const int32_t *)elements)[i];
    }
    file->entry_count = count;
    return COIF_OK;
}

// Before 0.4.0: index, element, bits (1 child, 2 sibling, 4 property) and, with both, the offset of
// the sibling. The child follows.
static coif_status read_path_tree(coif_crate_file *file, coif_crate_cursor *at)
{
    struct pending {
        uint64_t at;
        int64_t parent;
    } *stack = NULL;
    size_t depth = 0, capacity = 0;
    int64_t parent = -1;
    const size_t padding = file->crate->version == 1 ? 4 : 0;
    COIF_TRY(make_entries(file, at, file->path_count));
    for (;;) {
        const void *data;
        uint32_t path, element;
        COIF_TRY(coif_crate_take(at, padding + 12, &data));
        memcpy(&path, (const char *)data + padding, sizeof path);
        memcpy(&element, (const char *)data + padding + 4, sizeof element);
        const unsigned bits = ((const unsigned char *)data)[padding + 8];
        if (file->entry_count >= file->path_count || element > INT32_MAX) {
            return coif_crate_fail(at, "more paths in the tree than their number");
        }
        const int64_t entry = (int64_t)file->entry_count++;
        file->entry_path[entry] = path;
        file->entry_parent[entry] = parent;
        file->entry_element[entry] = (bits & 4) != 0 ? -(int32_t)element : (int32_t)element;
        if ((bits & 3) == 3) {
            stack = coif_array_grow(stack, depth, 1, &capacity, sizeof *stack, file->arena);
            COIF_TRY(coif_crate_u64(at, &stack[depth].at));
            stack[depth++].parent = parent;
        }
        if ((bits & 1) != 0) {
            parent = entry;
        } else if ((bits & 2) == 0) {
            if (depth == 0) {
                return COIF_OK;
            }
            at->at = stack[--depth].at;
            parent = stack[depth].parent;
        }
    }
}

static coif_status read_paths(coif_crate_file *file)
{
    coif_crate_cursor at;
    COIF_TRY(find_section(file, "PATHS", &at));
    COIF_TRY(read_count(&at, file->crate->version >= 400 ? 0 : 12, &file->path_count));
    if (file->path_count == 0) {
        return COIF_OK;
    }
    return file->crate->version >= 400 ? read_compressed_paths(file, &at)
                                       : read_path_tree(file, &at);
}

static coif_status read_specs(coif_crate_file *file)
{
    coif_crate_cursor at;
    void *data[3];
    const bool compressed = file->crate->version >= 400;
    COIF_TRY(find_section(file, "SPECS", &at));
    COIF_TRY(read_count(&at, compressed ? 0 : 12, &file->spec_count));
    for (int i = 0; i < 3; ++i) {
        if (compressed) {
            COIF_TRY(coif_crate_integers(&at, file->spec_count, 4, file->arena, &data[i]));
        } else {
            data[i] = coif_arena_new(file->arena, file->spec_count, uint32_t);
        }
    }
    for (uint64_t i = 0; !compressed && i < file->spec_count; ++i) {
        uint32_t padding;
        if (file->crate->version == 1) {
            COIF_TRY(coif_crate_u32(&at, &padding));
        }
        for (int k = 0; k < 3; ++k) {
            COIF_TRY(coif_crate_u32(&at, (uint32_t *)data[k] + i));
        }
    }
    file->spec_paths = data[0];
    file->spec_sets = data[1];
    file->spec_types = data[2];
    return COIF_OK;
}

coif_status coif_usd_crate_parse(coif_usd_layer *layer, const coif_bytes *bytes, coif_arena *arena,
                                 coif_error *error)
{
    coif_crate_file file = {.bytes = *bytes, .arena = arena, .error = error, .layer = layer};
    coif_crate_cursor at = coif_crate_cursor_at(&file, 0);
    const void *data;
    COIF_TRY(coif_crate_take(&at, 24, &data));
    const unsigned char *version = (const unsigned char *)data + 8;
    file.crate = coif_arena_new(arena, 1, coif_crate);
    file.crate->version = 100 * version[1] + version[2];
    *layer = (coif_usd_layer){
        .bytes = *bytes,
        .format = coif_arena_print(arena, "USD crate %d.%d.%d", version[0], version[1], version[2]),
        .documentation = "",
        .decode = coif_usd_crate_decode,
        .tables = file.crate,
        .arena = arena};
    if (version[0] != 0 || version[1] > NEWEST_MINOR) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: crate version %d.%d.%d is not known; expected at most 0.%d",
                         bytes->name, version[0], version[1], version[2], NEWEST_MINOR);
    }
    COIF_TRY(read_tokens(&file));
    COIF_TRY(read_strings(&file));
    COIF_TRY(read_fields(&file));
    COIF_TRY(read_sets(&file));
    COIF_TRY(read_paths(&file));
    COIF_TRY(read_specs(&file));
    return coif_crate_build_layer(&file);
}
