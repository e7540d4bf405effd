#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * All data that outlives the core, behind plain structs and result codes: no type of SQLite appears
 * in these headers. Only one process can have a file open. The data are in an SQLite file or, if
 * the path is a URL such as "postgresql://house@host/house", in a PostgreSQL database: see below.
 *
 * Writing: the first write after a commit begins a transaction; storage_commit commits all its
 * writes at once, storage_rollback undoes them all. Reads see the writes of the open transaction.
 *
 * Durability: a transaction that no failure can undo any more is durable. With SQLite it is durable
 * once storage_commit returns STORAGE_OK. Another engine may commit first and make the transaction
 * durable later: storage_settle says when. Until then nobody may be told what the transaction wrote
 * or what was read after it.
 *
 * In PostgreSQL
 *  - a commit survives a crash of the core at once, and a crash of the database a moment later;
 *  - a write that only the program's fault or the database's can make fail may be carried out as
 * late as the commit, which then fails with STORAGE_IO;
 *  - a text must be valid UTF-8, or it is STORAGE_REFUSED;
 *  - a lost connection is STORAGE_IO;
 *  - numbers of new rows may skip some, which a rollback used up;
 *  - functions about the file and its log do nothing, and backups are refused.
 *
 * Texts inside a struct are NUL-ended, of the size named here, and copied; `const char *` in an
 * argument or in a row given to a callback is borrowed for the call. "" stands for no value. A
 * text that does not fit its size is STORAGE_REFUSED, never cut.
 *
 * A callback for rows (storage_…_row) returns false to stop. It may call any function of storage,
 * except the one that called it and those that end the transaction.
 */
struct storage;

#define STORAGE_NAME_SIZE 65     /* size of a player's, guest's or bot's name */
#define STORAGE_WORD_SIZE 33     /* size of a word: a game's id, a policy, a transport, a phase */
#define STORAGE_HASH_SIZE 129    /* size of a password's hash */
#define STORAGE_OPTIONS_SIZE 513 /* size of a game's options as JSON */
#define STORAGE_SEATS_MAX 7
#define STORAGE_SEED_BYTES 32
#define STORAGE_WHY_SIZE 256

enum storage_result {
    STORAGE_OK = 0,
    STORAGE_NOT_FOUND, /* there is no such row; the output is unchanged */
    STORAGE_TAKEN,     /* a row with this unique value exists already; nothing was written */
    STORAGE_REFUSED,   /* the caller's mistake: a text too long, a reference to a missing row */
    STORAGE_FULL,      /* the disk is full. The transaction is rolled back; reads still work */
    STORAGE_IO, /* disk failure. It is unknown whether the last writes are stored: exit and restart
                 */
    STORAGE_CORRUPT, /* the file is damaged: exit, restore a backup */
    STORAGE_LOCKED,  /* storage_open: another process has the file open */
    STORAGE_OLDER,   /* storage_open: a version too old for this program wrote the file */
    STORAGE_NEWER,   /* storage_open: a newer version of the program wrote the file */
    STORAGE_FOREIGN, /* storage_open: the file belongs to another program */
};

/* A path for tests and simulations: all data is in memory, nothing is written to disk. */
#define STORAGE_IN_MEMORY ":memory:"

/*
 * Opens the file. Creates it when it is missing. Migrates an older file to the current schema
 * version, after a backup beside it ("PATH.before-N", where N is the first version that the file
 * did not have). In a PostgreSQL database, which must exist, it creates the tables or migrates
 * them. On an error *storage is NULL and `why` holds one sentence for people. Returns STORAGE_OK,
 * _FULL, _IO, _CORRUPT, _LOCKED, _NEWER, _FOREIGN.
 */
enum storage_result storage_open(const char *path, struct storage **storage,
                                 char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Finds out whether another process could open the file: whether this one may read and write it,
 * and whether the file itself, apart from its log, was not written by a newer version. Neither
 * changes nor locks anything: the file may be open in another process, but not in this one. On an
 * error `why` holds one sentence. Returns STORAGE_OK, _IO, _NEWER. */
enum storage_result storage_try(const char *path, char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Returns the schema version of the data that this program writes: the number of its newest
 * migration. Files with an older version can be opened, files with a newer one cannot. */
size_t storage_schema_version(void);

/* Opens a file on a simulated disk: a VFS that is registered with SQLite under the name `disk`.
 * Everything is written to that VFS, so an older file gets no backup before its migration. */
enum storage_result storage_open_on_simulated_disk(const char *disk, const char *path,
                                                   struct storage **storage,
                                                   char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Opens an unnamed temporary file that starts as a copy of `from` and is deleted when it is closed.
 * STORAGE_REFUSED: the data of `from` are in a PostgreSQL database. */
enum storage_result storage_open_copy_of(const struct storage *from, struct storage **storage,
                                         char why[STORAGE_WHY_SIZE]) MUST_CHECK;

/* Rolls back uncommitted writes, checkpoints the write-ahead log and closes the file. Takes
 * NULL. */
void storage_close(struct storage *storage);

/*
 * Commits all writes since the last commit; STORAGE_OK also when there are none. After
 * STORAGE_FULL the transaction is rolled back and later ones may succeed. STORAGE_IO and _CORRUPT
 * are final: every later write and commit returns the same. When a write of the transaction failed
 * with one of these three results, its commit fails with it too, so a commit never succeeds with
 * one of its rows missing.
 */
enum storage_result storage_commit(struct storage *storage) MUST_CHECK;

/* Returns the number of the last turn. What storage_open found counts as turn 1, and each
 * transaction that is committed adds 1, as does storage_end_turn. */
uint64_t storage_last_turn(const struct storage *storage);

/* Ends a turn in which nothing was written: what was only read in it may be told once the turn is
 * durable, which also shows that no other process owned the data by then. Call it outside a
 * transaction. Does nothing if every commit is durable at once: then no other process can own the
 * data. */
void storage_end_turn(struct storage *storage);

/*
 * Sets *durable to the newest durable turn: that turn and all turns before it survive every
 * failure. 0 means none, not even what storage_open found. The number never becomes smaller.
 * Never blocks. If a newer turn is committed and the engine is not yet making it durable, starts
 * that. Call it outside a transaction, before anybody is told of what the storage holds.
 *
 * After STORAGE_IO the later turns may be lost, or another process may own the data:
 * *durable is unchanged, nobody may be told of the later turns, and this process must end.
 */
enum storage_result storage_settle(struct storage *storage, uint64_t *durable) MUST_CHECK;

#define STORAGE_SOCKETS_MAX 2
#define STORAGE_SETTLE_MS 400 /* if there are sockets, call storage_settle at least this often */

/* Writes the descriptors to watch: call storage_settle when one of them is readable. They stay the
 * same, and open, until storage_close or a failure of storage_settle. Returns their number; 0 for
 * SQLite, which needs no call of storage_settle between two commits. */
size_t storage_sockets(const struct storage *storage, int sockets[STORAGE_SOCKETS_MAX]);

/*
 * Reads ahead. Between these two calls, reads find nothing; they are only sent to the database, all
 * at once. Afterwards the same reads, with the same arguments, find what is stored without a round
 * trip of their own, until one of their tables is written. Reads that cannot be kept are ignored.
 * Nothing may be written in between.
 *
 * storage_read_ahead_begin returns false, and does nothing, if reads need no round trips (SQLite):
 * then do not call storage_read_ahead_end, which returns STORAGE_OK, _IO, and _FULL for a deferred
 * write from before.
 */
bool storage_read_ahead_begin(struct storage *storage) MUST_CHECK;
enum storage_result storage_read_ahead_end(struct storage *storage) MUST_CHECK;

/* Rolls back all writes since the last commit. */
void storage_rollback(struct storage *storage);

/* True when there is something to commit, or a failure that storage_commit has to report. */
bool storage_is_dirty(const struct storage *storage);

/* Sets the sizes at which the write-ahead log is checkpointed into the file: by
 * storage_do_idle_work (`idle_mib`), and by storage_commit (`most_mib`). Defaults are 4 and 64 MiB,
 * the maximum is 4096 MiB. */
void storage_set_log_limits(struct storage *storage, uint32_t idle_mib, uint32_t most_mib);

/* Call it after STORAGE_FULL, outside a transaction: tests whether the disk has space again.
 * Checkpoints the log into the file and lets the file grow by about a quarter of a MiB, which later
 * writes can use. Returns STORAGE_OK, STORAGE_FULL (nothing changed), _IO, _CORRUPT. */
enum storage_result storage_test_disk_space(struct storage *storage) MUST_CHECK;

/* Call it when the process is idle, outside a transaction: checkpoints the write-ahead log into the
 * file once the log has grown. If this fails, the next commit reports the failure. */
void storage_do_idle_work(struct storage *storage);

/* Call it after deleting what people must be able to rely on being gone: the write-ahead log still
 * has earlier versions of pages, until the next storage_do_idle_work empties the log. */
void storage_empty_log_when_idle(struct storage *storage);

/* Returns a description of the last failure, to be logged; "" when there was none. Borrowed until
 * the next call. */
const char *storage_last_failure(const struct storage *storage);
