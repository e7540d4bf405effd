#ifndef STORAGE_BARE_H
#define STORAGE_BARE_H

#include "storage/archive/games.h"

/*
 * The floor under storage_moves_append and storage_commit, for `trickhouse bench storage`: the
 * same values in the order they come, in a file with the same settings, written by nothing but one
 * prepared statement in a loop.
 */
struct storage_bare;

/* Makes a new file, its log grown to the size it has in a house that has run for a while. On an
 * error *bare is NULL and `why` says it. */
enum storage_result storage_bare_open(const char *path, struct storage_bare **bare,
                                      char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Takes NULL. */
void storage_bare_close(struct storage_bare *bare);

/* Writes these moves as one transaction, durable on return. */
enum storage_result storage_bare_write(struct storage_bare *bare, const struct storage_move *moves,
                                       size_t count) MUST_CHECK;

#endif
