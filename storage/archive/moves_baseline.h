#ifndef STORAGE_ARCHIVE_MOVES_BASELINE_H
#define STORAGE_ARCHIVE_MOVES_BASELINE_H

#include "storage/archive/moves.h"

/*
 * The least that storing moves can cost, for the storage benchmark to compare storage_moves_append
 * and storage_commit with: one prepared statement in a loop inserts the same values into a file
 * with the same settings.
 */
struct storage_baseline;

/* Makes a new file, its log grown to the size it has in a house that has run for a while. On an
 * error *baseline is NULL and `why` says it. */
enum storage_result storage_baseline_open(const char *path, struct storage_baseline **baseline,
                                          char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Takes NULL. */
void storage_baseline_close(struct storage_baseline *baseline);

/* Writes these moves as one transaction, durable on return. */
enum storage_result storage_baseline_write(struct storage_baseline *baseline,
                                           const struct storage_move *moves,
                                           size_t count) MUST_CHECK;

#endif
