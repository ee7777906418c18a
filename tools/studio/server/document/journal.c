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
    uint32_t magic, deed;
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

static uint64_t digest_of(coif_journal_op deed, const char *data, size_t size)
{
    const uint32_t word = (uint32_t)deed;
    return coif_hash64_extend(coif_hash64(&word, sizeof word), data, size);
}

coif_status coif_journal_add(coif_journal *journal, coif_journal_op deed, const char *data,
                             size_t size, coif_error *error)
{
    off_t before = lseek(journal->descriptor, 0, SEEK_END);
    // A full disk may have kept a new journal from its first record.
    if (before == 0 && deed != COIF_DEED_BASE) {
        COIF_TRY(coif_journal_add(journal, COIF_DEED_BASE, (const char *)&journal->base,
                                  sizeof journal->base, error));
        before = lseek(journal->descriptor, 0, SEEK_END);
    }
    const record head = {MAGIC, (uint32_t)deed, size, digest_of(deed, data, size)};
    coif_status status = write_all(journal, &head, sizeof head, error);
    if (status == COIF_OK) {
        status = write_all(journal, data, size, error);
    }
    if (status == COIF_OK && fdatasync(journal->descriptor) != 0) {
        status = fail_at(journal, "cannot be flushed", error);
    }
    // What could not be written whole is taken back, so that later records are still found.
    if (status != COIF_OK && before >= 0 && ftruncate(journal->descriptor, before) != 0) {
        coif_log(COIF_LOG_WARNING, "%s: %s", journal->path, strerror(errno));
    }
    return status;
}

static coif_status begin(coif_journal *journal, uint64_t base, coif_error *error)
{
    journal->base = base;
    if (ftruncate(journal->descriptor, 0) != 0 || lseek(journal->descriptor, 0, SEEK_SET) != 0) {
        return fail_at(journal, "cannot be emptied", error);
    }
    return coif_journal_add(journal, COIF_DEED_BASE, (const char *)&base, sizeof base, error);
}

coif_status coif_journal_restart(coif_journal *journal, uint64_t base, coif_error *error)
{
    return begin(journal, base, error);
}

// The next whole record, false at the end.
static bool next(record *head, const char **data, const char *text, size_t size, size_t *at)
{
    if (size - *at < sizeof *head) {
        return false;
    }
    memcpy(head, text + *at, sizeof *head);
    *data = text + *at + sizeof *head;
    if (head->magic != MAGIC || head->deed > COIF_DEED_LAYER ||
        head->size > size - *at - sizeof *head ||
        head->digest != digest_of((coif_journal_op)head->deed, *data, head->size)) {
        return false;
    }
    *at += sizeof *head + head->size;
    return true;
}

static coif_status replay_all(coif_journal *journal, const char *text, size_t size,
                              const coif_replay *replay, int32_t *replayed, coif_error *error)
{
    size_t at = 0, whole = 0;
    record head;
    const char *data;
    coif_error why = {0};
    while (why.status == COIF_OK && next(&head, &data, text, size, &at)) {
        if (head.deed == COIF_DEED_BASE || replay->deed(replay->context, (coif_journal_op)head.deed,
                                                        data, head.size, &why) == COIF_OK) {
            *replayed += head.deed != COIF_DEED_BASE;
            whole = at;
        }
    }
    // A scene that cannot be opened for what was done to it would be worse.
    if (why.status != COIF_OK) {
        char old[sizeof journal->path + 8];
        snprintf(old, sizeof old, "%s.old", journal->path);
        COIF_TRY(coif_file_save(old, text, size, error));
        coif_log(COIF_LOG_WARNING, "%s: only %d changes are back, all of them are kept as %s",
                 why.text, *replayed, old);
        journal->aside = true;
    }
    if (ftruncate(journal->descriptor, (off_t)whole) != 0) {
        return fail_at(journal, "cannot be cut", error);
    }
    return COIF_OK;
}

// Whether the text is a journal of the scene file as it is now.
static bool fits(const char *text, size_t size, uint64_t base)
{
    size_t at = 0;
    record head;
    const char *data;
    return next(&head, &data, text, size, &at) && head.deed == COIF_DEED_BASE &&
           head.size == sizeof base && memcmp(data, &base, sizeof base) == 0;
}

static coif_status put_aside(coif_journal *journal, coif_arena *arena, coif_error *error)
{
    const char *old = coif_arena_print(arena, "%s.old", journal->path);
    if (rename(journal->path, old) != 0) {
        return fail_at(journal, "cannot be renamed", error);
    }
    coif_log(COIF_LOG_WARNING,
             "%s: belongs to another version of the scene file; kept as %s, not replayed",
             journal->path, old);
    journal->aside = true;
    return COIF_OK;
}

static coif_status open_file(coif_journal *journal, coif_error *error)
{
    journal->descriptor = open(journal->path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0666);
    return journal->descriptor >= 0 ? COIF_OK : fail_at(journal, "cannot be opened", error);
}

static coif_status read_old(coif_journal *journal, const coif_replay *replay, int32_t *replayed,
                            coif_arena *arena, coif_error *error)
{
    char *text = "";
    size_t size = 0;
    if (coif_path_exists(journal->path)) {
        COIF_TRY(coif_file_load(&text, &size, journal->path, arena, error));
    }
    if (size > 0 && fits(text, size, replay->base)) {
        journal->base = replay->base;
        COIF_TRY(open_file(journal, error));
        return replay_all(journal, text, size, replay, replayed, error);
    }
    if (size > 0) {
        COIF_TRY(put_aside(journal, arena, error));
    }
    COIF_TRY(open_file(journal, error));
    return begin(journal, replay->base, error);
}

coif_status coif_journal_open(coif_journal *journal, const char *path, const coif_replay *replay,
                              int32_t *replayed, coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "journal");
    *journal = (coif_journal){.descriptor = -1};
    snprintf(journal->path, sizeof journal->path, "%s", path);
    *replayed = 0;
    const coif_status status = read_old(journal, replay, replayed, &arena, error);
    coif_arena_free(&arena);
    return status;
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
