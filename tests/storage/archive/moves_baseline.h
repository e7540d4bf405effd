#pragma once

#include "storage/archive/archive.h"

/*
 * The lower bound for the cost of storing moves. One prepared statement in a loop inserts the
 * moves' values into a file with the settings of the data file. The storage benchmark compares
 * storage_moves_append and storage_commit with this bound.
 */
struct storage_baseline;

/* Creates a new file whose write-ahead log is as large as in a house in long use. On an error
 * *baseline is NULL and `why` holds the reason. */
enum storage_result storage_baseline_open(const char *path, struct storage_baseline **baseline,
                                          char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Closes the file. Takes NULL. */
void storage_baseline_close(struct storage_baseline *baseline);

/* Writes these moves as one transaction, which is durable on return. */
enum storage_result storage_baseline_write_moves(struct storage_baseline *baseline,
                                                 const struct storage_move *moves,
                                                 size_t count) MUST_CHECK;
