// claim: the exclusive right of one process to make a file, so that several processes can divide
// the work on a folder, on one machine or on several with a shared file system.
//
// A claim on FILE is a lock on FILE.claim, which exists while the work lasts. The kernel or the
// file server releases the lock of a process that dies, so that another process takes the work
// over. A file system without locks grants every claim, with a warning.
#ifndef COIF_CORE_BASE_CLAIM_H
#define COIF_CORE_BASE_CLAIM_H

#include "core/base/base.h"

typedef struct coif_claim {
    int descriptor; // -1: nothing to release
    char path[4096];
} coif_claim;

// False when another process holds the claim.
bool coif_claim_try(coif_claim *claim, const char *file);

// Waits for the claim and says whom it waits for; COIF_ERR_CANCELLED when progress is cancelled.
coif_status coif_claim_wait(coif_claim *claim, const char *file, coif_progress *progress,
                            coif_error *error);

// Removes the claim file.
void coif_claim_release(coif_claim *claim);

// Removes the claim file that a process left when it was killed after it had made the file.
void coif_claim_clean(const char *file);

#endif
