#include "tools/cli/bundle/tar.h"

#include "core/base/error.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 512, NAME_BYTES = 100, PREFIX_BYTES = 155 };

// A ustar header; numbers are octal text.
typedef struct tar_header {
    char name[NAME_BYTES];
    char mode[8], owner[8], group[8];
    char size[12], time[12];
    char checksum[8];
    char type;
    char link[NAME_BYTES];
    char magic[6], version[2];
    char owner_name[32], group_name[32];
    char major[8], minor[8];
    char prefix[PREFIX_BYTES];
    char padding[12];
} tar_header;
_Static_assert(sizeof(tar_header) == BLOCK, "a header is one block");

static const char ZEROS[2 * BLOCK];

static unsigned checksum_of(const tar_header *header)
{
    const unsigned char *bytes = (const unsigned char *)header;
    const size_t begin = offsetof(tar_header, checksum);
    unsigned sum = 0;
    for (size_t i = 0; i < BLOCK; ++i) {
        sum += i >= begin && i < begin + sizeof header->checksum ? ' ' : bytes[i];
    }
    return sum;
}

// Names over 100 bytes are divided at a slash into prefix and name.
static bool set_name(tar_header *header, const char *name)
{
    const size_t length = strlen(name);
    if (length <= NAME_BYTES) {
        memcpy(header->name, name, length);
        return true;
    }
    for (size_t i = length - NAME_BYTES - 1; i <= PREFIX_BYTES && i < length; ++i) {
        if (name[i] == '/') {
            memcpy(header->prefix, name, i);
            memcpy(header->name, name + i + 1, length - i - 1);
            return true;
        }
    }
    return false;
}

// Eleven octal digits, or for 8 GiB and more a binary number.
static void set_size(tar_header *header, uint64_t size)
{
    if (size < (uint64_t)1 << 33) {
        snprintf(header->size, sizeof header->size, "%011llo", (unsigned long long)size);
        return;
    }
    for (int i = 11; i > 0; --i, size >>= 8) {
        header->size[i] = (char)(size & 0xff);
    }
    header->size[0] = (char)0x80;
}

coif_status coif_tar_add(coif_file *archive, const char *name, const coif_bytes *content,
                         coif_error *error)
{
    tar_header header = {.mode = "0000644",
                         .owner = "0000000",
                         .group = "0000000",
                         .time = "00000000000",
                         .type = '0',
                         .magic = "ustar",
                         .version = {'0', '0'}};
    if (!set_name(&header, name)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: the path is too long for an archive; write a folder instead", name);
    }
    set_size(&header, content->size);
    snprintf(header.checksum, sizeof header.checksum, "%06o", checksum_of(&header));
    header.checksum[7] = ' ';
    COIF_TRY(coif_file_write(archive, &header, sizeof header, error));
    COIF_TRY(coif_file_write(archive, content->data, content->size, error));
    return coif_file_write(archive, ZEROS, (BLOCK - content->size % BLOCK) % BLOCK, error);
}

coif_status coif_tar_finish(coif_file *archive, coif_error *error)
{
    return coif_file_write(archive, ZEROS, sizeof ZEROS, error);
}

bool coif_tar_name_is_safe(const char *name)
{
    for (const char *part = name;; ++part) {
        const size_t length = strcspn(part, "/");
        if (length == 0 || (length <= 2 && strspn(part, ".") >= length)) {
            return false;
        }
        part += length;
        if (*part == '\0') {
            return true;
        }
    }
}

static bool read_octal(uint64_t *value, const char *text, size_t size)
{
    size_t i = 0;
    for (*value = 0; i < size && text[i] >= '0' && text[i] <= '7'; ++i) {
        *value = *value << 3 | (uint64_t)(text[i] - '0');
    }
    return i > 0 && (i == size || text[i] == '\0' || text[i] == ' ');
}

static bool read_size(uint64_t *size, const tar_header *header)
{
    const unsigned char *bytes = (const unsigned char *)header->size;
    if (bytes[0] != 0x80) {
        return read_octal(size, header->size, sizeof header->size);
    }
    *size = 0;
    for (size_t i = 1; i < sizeof header->size; ++i) {
        if (*size >> 48 != 0) {
            return false;
        }
        *size = *size << 8 | bytes[i];
    }
    return true;
}

static const char *header_error(coif_tar_entry *entry, const tar_header *header, uint64_t *size)
{
    uint64_t sum;
    if (memcmp(header->magic, "ustar", 5) != 0 ||
        !read_octal(&sum, header->checksum, sizeof header->checksum) ||
        sum != checksum_of(header)) {
        return "expected the header of a file";
    }
    if (header->type != '0' && header->type != '\0') {
        return "expected a regular file, found a link, folder or device";
    }
    snprintf(entry->name, sizeof entry->name, "%.*s%s%.*s", PREFIX_BYTES, header->prefix,
             header->prefix[0] != '\0' ? "/" : "", NAME_BYTES, header->name);
    if (!coif_tar_name_is_safe(entry->name)) {
        return "expected a relative name without . and ..";
    }
    return read_size(size, header) ? NULL : "expected the size of the file";
}

coif_status coif_tar_next(coif_tar_entry *entry, const coif_bytes *archive, size_t *offset,
                          bool *found, coif_error *error)
{
    const char *bytes = archive->data;
    const size_t left = archive->size - *offset;
    *found = false;
    if (left >= BLOCK && memcmp(bytes + *offset, ZEROS, BLOCK) == 0) {
        return COIF_OK;
    }
    if (left < BLOCK) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: truncated at byte %zu: expected the next file", archive->name,
                         *offset);
    }
    tar_header header;
    memcpy(&header, bytes + *offset, sizeof header);
    uint64_t size;
    const char *message = header_error(entry, &header, &size);
    if (message != NULL) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: byte %zu: %s", archive->name, *offset,
                         message);
    }
    if (size > left - BLOCK) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: %s: truncated: expected %llu bytes",
                         archive->name, entry->name, (unsigned long long)size);
    }
    entry->content =
        (coif_bytes){.name = entry->name, .data = bytes + *offset + BLOCK, .size = size};
    const size_t padded = BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
    *offset += padded < left ? padded : left;
    *found = true;
    return COIF_OK;
}
