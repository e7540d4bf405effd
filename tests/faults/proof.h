#pragma once

#include "tests/faults/disk.h"
#include "tests/faults/ledger.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compares the data on a disk with what players were told, and checks them for contradictions. The
 * numbers of the invariants are those in lobby/DURABILITY.md. */
struct proof {
    uint64_t lost; /* facts told that the data lack or have otherwise */
    uint64_t
        corrupt; /* contradictions in the data: damage, games that cannot be replayed, and so on */
    uint64_t checked; /* facts told that were looked up */
    uint64_t orders;  /* those lost facts that are orders reported as done */
    char first[256];  /* the first problem found; "" when there is none */
};

/* Adds to *proof. Inspects a copy of the disk. */
void proof_check(const struct disk *disk, const struct ledger *ledger, struct proof *proof);

/* The same for a file of a house that has been closed. */
void proof_check_file(const char *path, const struct ledger *ledger, struct proof *proof);

/* Records a problem; the first one is kept as text. */
void proof_lost(struct proof *proof, const char *what, int64_t number);
void proof_corrupt(struct proof *proof, const char *what, int64_t number);

/* A hash of all rows, wherever they are in the file. 0 when they cannot be read. */
uint64_t proof_content(const struct disk *disk);
