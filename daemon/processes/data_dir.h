#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The folder that holds everything of one house:
 *
 *     lock                   the supervisor's pid; locked (F_OFD_SETLK) while the house is open
 *     control                socket for operators (control_socket.h)
 *     house.db               accounts, tables, games (storage/)
 *     backups/               backups of house.db (backups_dir.h)
 *     house.conf             the settings, if any
 *     house.log              with --log
 *     ssh_host_ed25519_key   the host key
 *     connections            connection numbers in use (data_dir_take_numbers)
 */
struct data_dir {
    char *path; /* absolute */
    int lock;
};

enum data_dir_result {
    DATA_DIR_OK = 0,
    DATA_DIR_FAILED, /* errno says why */
    DATA_DIR_LOCKED, /* another house is open with this folder */
    DATA_DIR_CLOSED, /* from data_dir_owner: no house is open with this folder */
};

/* Makes the folder (0700) if it is missing, takes the lock and writes this process's id. */
enum data_dir_result data_dir_open(struct data_dir *dir, const char *path) MUST_CHECK;

/* The same for a process that has executed its program again and still holds the lock. */
enum data_dir_result data_dir_resume(struct data_dir *dir, const char *path, int lock) MUST_CHECK;

/* True for an empty folder and for one that holds a house: a check against giving away another
 * folder by mistake. */
bool data_dir_may_be_given(const char *path) MUST_CHECK;

/* As root, gives the folder and the house in it to that user: files that root has made, or that
 * belonged to somebody else. Skips hard links and symbolic links. Returns false with errno. */
bool data_dir_give(const char *path, uid_t user, gid_t group) MUST_CHECK;

/* Releases the lock. Files that root has made in somebody else's folder become theirs. */
void data_dir_close(struct data_dir *dir);

/* Reserves connection numbers, which never decrease in the life of the folder, even if the clock
 * does: a number that was once signed in must never mean somebody else. *first is at least `least`;
 * DATA_DIR_NUMBERS numbers from there are the caller's. Returns false with errno. */
#define DATA_DIR_NUMBERS 1000000
bool data_dir_take_numbers(const struct data_dir *dir, int64_t least, int64_t *first) MUST_CHECK;

/* Returns the path of a file in the folder, which the caller frees. Aborts if memory runs out. */
char *data_dir_file(const struct data_dir *dir, const char *name);

/* Finds the supervisor of the house that is open with this folder. Returns OK, FAILED or CLOSED. */
enum data_dir_result data_dir_owner(const char *path, pid_t *owner) MUST_CHECK;
