#ifndef DAEMON_PROCESSES_DATA_DIR_H
#define DAEMON_PROCESSES_DATA_DIR_H

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The folder that holds everything of one house:
 *
 *     lock                   held (F_OFD_SETLK) while the house is open: the supervisor's number
 *     control                where operators come in (control_socket.h)
 *     house.db               accounts, tables, games (storage/)
 *     backups/               copies of it (backups_dir.h)
 *     house.conf             the settings, when there are any
 *     house.log              with --log
 *     ssh_host_ed25519_key   the host key
 *     connections            the numbers given out (data_dir_take_numbers)
 */
struct data_dir {
    char *path; /* absolute */
    int lock;
};

enum data_dir_result {
    DATA_DIR_OK = 0,
    DATA_DIR_FAILED, /* errno says why */
    DATA_DIR_LOCKED, /* another house is open there */
    DATA_DIR_CLOSED, /* data_dir_owner: no house is open there */
};

/* Makes the folder (0700) when there is none, takes the lock and writes this process's id. */
enum data_dir_result data_dir_open(struct data_dir *dir, const char *path) MUST_CHECK;

/* The same for a process that has run its program again and holds the lock already. */
enum data_dir_result data_dir_resume(struct data_dir *dir, const char *path, int lock) MUST_CHECK;

/* True for an empty folder, and for one that holds a house: no other is given away by mistake. */
bool data_dir_may_be_given(const char *path) MUST_CHECK;

/* Gives the folder and the house in it to that user, as root may: files that root has made there,
 * or that belonged to somebody else. What other folders hold too (hard links) and what leads
 * elsewhere is left alone. False with errno. */
bool data_dir_give(const char *path, uid_t user, gid_t group) MUST_CHECK;

/* Lets the lock go. What root has made in somebody else's folder becomes theirs. */
void data_dir_close(struct data_dir *dir);

/* Numbers for connections that rise over the life of the folder, whatever becomes of the clock: a
 * number that was signed in once must never mean someone else. *first is at least `least`, and
 * DATA_DIR_NUMBERS from it on are the caller's. False with errno. */
#define DATA_DIR_NUMBERS 1000000
bool data_dir_take_numbers(const struct data_dir *dir, int64_t least, int64_t *first) MUST_CHECK;

/* The path of a file in the folder, the caller's to free. Dies when memory is out. */
char *data_dir_file(const struct data_dir *dir, const char *name);

/* The supervisor of the house that is open in the folder. OK, FAILED, CLOSED. */
enum data_dir_result data_dir_owner(const char *path, pid_t *owner) MUST_CHECK;

#endif
