#ifndef TESTS_FAULTS_PROOF_H
#define TESTS_FAULTS_PROOF_H

#include "tests/faults/disk.h"
#include "tests/faults/ledger.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Holds the data on a disk against what players were told, and against themselves. The numbers of
 * the invariants are those of lobby/DURABILITY.md. */
struct proof {
    uint64_t lost;    /* things told that the data do not have, or have otherwise */
    uint64_t corrupt; /* what contradicts itself in the data: damage, games that do not replay … */
    uint64_t checked; /* things told that were looked for */
    uint64_t orders;  /* of those lost: orders that were told done */
    char first[256];  /* the first of all that is wrong, "" when nothing is */
};

/* Adds to *proof. The disk is looked at in a copy. */
void proof_check(const struct disk *disk, const struct ledger *ledger, struct proof *proof);

/* The same for a file of a house that is closed. */
void proof_check_file(const char *path, const struct ledger *ledger, struct proof *proof);

/* Says what is wrong; the first is kept. */
void proof_lost(struct proof *proof, const char *what, int64_t number);
void proof_corrupt(struct proof *proof, const char *what, int64_t number);

/* A hash of all rows, wherever they stand in the file. 0 when they cannot be read. */
uint64_t proof_content(const struct disk *disk);

#endif
