#include "tools/studio/server/document/journal.h"

#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const uint32_t MAGIC = 0x316a7363; // "csj1"

typedef struct record {
    uint32_t magic, op;
    uint64_t size, digest;
} record;

static coif_status fail_at(const coif_journal *journal, const char *what, coif_error *error)
{
    return coif_fail(error, COIF_ERR_IO, "%s: %s: %s", journal->path, what, strerror(errno));
}

static coif_status write_all(const coif_journal *journal, const void *data, size_t size,
                             coif_error *error)
{
    const char *bytes = data;
    while (size > 0) {
        const ssize_t written = write(journal->descriptor, bytes, size);
        if (written < 0 && errno != EINTR) {
            return fail_at(journal, "cannot be written", error);
        }
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return COIF_OK;
}

static uint64_t digest_of(coif_journal_op op, const char *data, size_t size)
{
    const uint32_t kind = (uint32_t)op;
    return coif_hash64_extend(coif_hash64(&kind, sizeof kind), data, size);
}

coif_status coif_journal_add(coif_journal *journal, coif_journal_op op, const char *data,
                             size_t size, coif_error *error)
{
    off_t before = lseek(journal->descriptor, 0, SEEK_END);
    // After a full disk the journal may lack its first record.
    if (before == 0 && op != COIF_OP_BASE) {
        COIF_TRY(coif_journal_add(journal, COIF_OP_BASE, (const char *)&journal->base,
                                  sizeof journal->base, error));
        before = lseek(journal->descriptor, 0, SEEK_END);
    }
    const record header = {MAGIC, (uint32_t)op, size, digest_of(op, data, size)};
    coif_status status = write_all(journal, &header, sizeof header, error);
    if (status == COIF_OK) {
        status = write_all(journal, data, size, error);
    }
    if (status == COIF_OK && fdatasync(journal->descriptor) != 0) {
        status = fail_at(journal, "cannot be flushed", error);
    }
    // A partial record would hide later ones.
    if (status != COIF_OK && before >= 0 && ftruncate(journal->descriptor, before) != 0) {
        coif_log(COIF_LOG_WARNING, "%s: %s", journal->path, strerror(errno));
    }
    return status;
}

coif_status coif_journal_restart(coif_journal *journal, uint64_t base, coif_error *error)
{
    journal->base = base;
    if (ftruncate(journal->descriptor, 0) != 0 || lseek(journal->descriptor, 0, SEEK_SET) != 0) {
        return fail_at(journal, "cannot be emptied", error);
    }
    return coif_journal_add(journal, COIF_OP_BASE, (const char *)&base, sizeof base, error);
}

// The next complete record, false at the end.
static bool next_record(record *header, const char **data, const char *text, size_t size,
                        size_t *at)
{
    if (size - *at < sizeof *header) {
        return false;
    }
    memcpy(header, text + *at, sizeof *header);
    *data = text + *at + sizeof *header;
    if (header->magic != MAGIC || header->op > COIF_OP_GUIDES ||
        header->size > size - *at - sizeof *header ||
        header->digest != digest_of((coif_journal_op)header->op, *data, header->size)) {
        return false;
    }
    *at += sizeof *header + header->size;
    return true;
}

static coif_status replay_all(coif_journal *journal, const char *text, size_t size,
                              const coif_replay *replay, int32_t *replayed, coif_error *error)
{
    size_t at = 0, valid = 0;
    record header;
    const char *data;
    coif_error cause = {0};
    while (cause.status == COIF_OK && next_record(&header, &data, text, size, &at)) {
        if (header.op == COIF_OP_BASE || replay->apply(replay->context, (coif_journal_op)header.op,
                                                       data, header.size, &cause) == COIF_OK) {
            *replayed += header.op != COIF_OP_BASE;
            valid = at;
        }
    }
    // A failing record must not make the scene unusable.
    if (cause.status != COIF_OK) {
        char old[sizeof journal->path + 8];
        snprintf(old, sizeof old, "%s.old", journal->path);
        COIF_TRY(coif_file_save(old, text, size, error));
        coif_log(COIF_LOG_WARNING, "%s: restored %d changes; the complete journal is kept as %s",
                 cause.text, *replayed, old);
        journal->quarantined = true;
    }
    if (ftruncate(journal->descriptor, (off_t)valid) != 0) {
        return fail_at(journal, "cannot be cut", error);
    }
    return COIF_OK;
}

// Of the current scene file: its first record names it. Saved: the last one does, so that the scene
// file was replaced and the program ended before the journal was emptied.
typedef enum journal_state { FOREIGN, CURRENT, SAVED } journal_state;

static journal_state state_of(const char *text, size_t size, uint64_t base)
{
    size_t at = 0;
    record header;
    const char *data;
    bool first = true, matches = false;
    while (next_record(&header, &data, text, size, &at)) {
        matches = header.op == COIF_OP_BASE && header.size == sizeof base &&
                  memcmp(data, &base, sizeof base) == 0;
        if (first && matches) {
            return CURRENT;
        }
        first = false;
    }
    return matches ? SAVED : FOREIGN;
}

static coif_status quarantine(coif_journal *journal, coif_arena *arena, coif_error *error)
{
    const char *old = coif_arena_print(arena, "%s.old", journal->path);
    if (rename(journal->path, old) != 0) {
        return fail_at(journal, "cannot be renamed", error);
    }
    coif_log(COIF_LOG_WARNING,
             "%s: belongs to another version of the scene file; kept as %s, not replayed",
             journal->path, old);
    journal->quarantined = true;
    return COIF_OK;
}

static coif_status open_file(coif_journal *journal, coif_error *error)
{
    journal->descriptor =
        open(journal->path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND | O_NOFOLLOW, 0666);
    return journal->descriptor >= 0 ? COIF_OK : fail_at(journal, "cannot be opened", error);
}

coif_status coif_journal_open(coif_journal *journal, const char *path, const coif_replay *replay,
                              int32_t *replayed, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "journal");
    *journal = (coif_journal){.descriptor = -1};
    snprintf(journal->path, sizeof journal->path, "%s", path);
    *replayed = 0;
    char *text = "";
    size_t size = 0;
    if (coif_path_exists(journal->path)) {
        COIF_TRY(coif_file_load(&text, &size, journal->path, &arena, error));
    }
    const journal_state state = state_of(text, size, replay->base);
    if (state == CURRENT) {
        journal->base = replay->base;
        COIF_TRY(open_file(journal, error));
        return replay_all(journal, text, size, replay, replayed, error);
    }
    if (size > 0 && state == FOREIGN) {
        COIF_TRY(quarantine(journal, &arena, error));
    }
    COIF_TRY(open_file(journal, error));
    return coif_journal_restart(journal, replay->base, error);
}

void coif_journal_close(coif_journal *journal, bool remove)
{
    if (journal->descriptor >= 0) {
        close(journal->descriptor);
        journal->descriptor = -1;
        if (remove) {
            unlink(journal->path);
        }
    }
}
