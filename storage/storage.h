#ifndef STORAGE_STORAGE_H
#define STORAGE_STORAGE_H

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Everything that outlives the core, behind plain structs and result codes: no type of the
 * database below crosses these headers. One process opens a file at a time.
 *
 * Writing: the first write after a commit begins a transaction by itself; storage_commit makes all
 * of them durable at once, storage_rollback undoes them all. Reads see what the transaction has
 * written so far. What storage_commit has answered STORAGE_OK survives a power cut.
 *
 * Texts inside a struct are NUL-ended, of the size named here, and copied; `const char *` in an
 * argument or in a row given to a callback is borrowed for the call. "" stands for no value. A
 * text that does not fit its size is STORAGE_REFUSED, never cut.
 *
 * A callback may call any function of storage but the one that called it and those that end the
 * transaction.
 */
struct storage;

#define STORAGE_NAME_SIZE 65     /* a player's, guest's or bot's name */
#define STORAGE_WORD_SIZE 33     /* a game's id, a policy, a transport, a phase */
#define STORAGE_HASH_SIZE 129    /* a password's hash */
#define STORAGE_OPTIONS_SIZE 513 /* a game's options as JSON */
#define STORAGE_SEATS_MAX 7
#define STORAGE_SEED_BYTES 32
#define STORAGE_WHY_SIZE 256

enum storage_result {
    STORAGE_OK = 0,
    STORAGE_NOT_FOUND, /* no such row; what was to be filled is untouched */
    STORAGE_TAKEN,     /* a row with that unique value is there already; nothing was written */
    STORAGE_REFUSED,   /* the caller's mistake: a text too long, a reference to nothing */
    STORAGE_FULL,      /* no room on the disk. The whole transaction is undone; reading goes on */
    STORAGE_IO,        /* the disk failed. What was not acknowledged is unknown: end and restart */
    STORAGE_CORRUPT,   /* the file is damaged: end, restore a backup */
    STORAGE_LOCKED,    /* storage_open: another process has it */
    STORAGE_NEWER,     /* storage_open: written by a newer version of the program */
    STORAGE_FOREIGN,   /* storage_open: some other program's file */
};

/* A path for tests and simulations: nothing reaches the disk. */
#define STORAGE_IN_MEMORY ":memory:"

/*
 * Opens the file, makes it when there is none, and brings an older one to the present form, after
 * a backup beside it ("PATH.before-N", N the first form it had not had). On an error *storage is
 * NULL and `why` holds one sentence for people. STORAGE_OK, _FULL, _IO, _CORRUPT, _LOCKED, _NEWER,
 * _FOREIGN.
 */
enum storage_result storage_open(const char *path, struct storage **storage,
                                 char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* The same on a disk that is not the machine's: one that was registered with the database library
 * under this name (simulations of failing hardware). Nothing but that disk is touched, so an older
 * form gets no backup. */
enum storage_result storage_open_on(const char *disk, const char *path, struct storage **storage,
                                    char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* The same with a file that has no name and is gone once it is closed, and begins as a copy of
 * `from`. */
enum storage_result storage_open_filled(const struct storage *from, struct storage **storage,
                                        char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Undoes what was not committed, checkpoints and closes. Takes NULL. */
void storage_close(struct storage *storage);

/*
 * Makes all writes since the last commit durable; nothing to write is STORAGE_OK. After
 * STORAGE_FULL the transaction is gone and later ones may succeed. STORAGE_IO and _CORRUPT are
 * final: every later write and commit answers the same. A write that failed in the transaction
 * with one of these three makes its commit fail with it too, so a lost row is never
 * acknowledged with its neighbours.
 */
enum storage_result storage_commit(struct storage *storage) MUST_CHECK;

/* Forgets all writes since the last commit. */
void storage_rollback(struct storage *storage);

/* True when there is something to commit, or a failure that storage_commit has to tell. */
bool storage_is_dirty(const struct storage *storage);

/* How far the log may grow before it is moved into the file: by storage_idle, and by storage_commit
 * itself. 4 and 64 MiB unless set; 4096 MiB at most. */
void storage_set_log(struct storage *storage, uint32_t idle_mib, uint32_t most_mib);

/* Outside a transaction, after STORAGE_FULL: whether there is room for a while. Moves the log into
 * the file and has it grow by about a quarter of a MiB, which later writes find free. STORAGE_OK,
 * or STORAGE_FULL with nothing changed, _IO, _CORRUPT. */
enum storage_result storage_find_room(struct storage *storage) MUST_CHECK;

/* Housekeeping for a quiet moment, outside a transaction: moves the log into the file once the log
 * has grown. A failure shows in the next commit. */
void storage_idle(struct storage *storage);

/* The last failure in words for the log; "" when there was none. Borrowed until the next call. */
const char *storage_why(const struct storage *storage);

#endif
