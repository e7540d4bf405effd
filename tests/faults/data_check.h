#pragma once

#include "tests/faults/disk.h"
#include "tests/faults/ledger.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compares the data on a disk with what players were told, and checks the data for contradictions.
 * The numbers of the invariants are those in lobby/DURABILITY.md. */
struct findings {
    uint64_t lost; /* facts that players were told and that the data lack or contradict */
    uint64_t
        corrupt; /* contradictions in the data: damage, games that cannot be replayed, and so on */
    uint64_t checked; /* told facts that were looked up in the data */
    uint64_t orders;  /* how many of the lost facts are staff commands that were reported as carried
                         out */
    char first[256];  /* description of the first problem; "" when there is none */
};

/* Checks a copy of the disk, and adds the results to *findings. */
void data_check_disk(const struct disk *disk, const struct ledger *ledger,
                     struct findings *findings);

/* Like data_check_disk, for a file of a house that has been closed. With `may_have_gaps` some
 * numbers may belong to no game, as in a copy of a PostgreSQL database: a server that fails, and a
 * transaction that is rolled back, use numbers up. */
void data_check_file(const char *path, const struct ledger *ledger, bool may_have_gaps,
                     struct findings *findings);

/* Counts a lost fact or a contradiction. The description of the first problem is kept. */
void data_check_note_lost_fact(struct findings *findings, const char *description, int64_t number);
void data_check_note_contradiction(struct findings *findings, const char *description,
                                   int64_t number);

/* Hashes all rows, wherever they are in the file. Returns 0 when they cannot be read. */
uint64_t data_check_hash_content(const struct disk *disk);
