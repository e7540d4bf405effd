#pragma once

#include "daemon/processes/common/ports.h"
#include "games/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The folder that holds everything of one house:
 *
 *     lock                   the supervisor's pid and its ports; locked (F_OFD_SETLK) while it runs
 *     control                socket for operators (control_socket.h)
 *     house.db               accounts, tables, games (storage/)
 *     backups/               backups of house.db (backups_dir.h)
 *     house.conf             the settings, if any
 *     house.log              with --log
 *     ssh_host_ed25519_key   the host key
 *     node_key               the key of this node, if several nodes run the house (node_key.h)
 *     database_url           where the data are, if they are in PostgreSQL (data_dir_note_database)
 *     timeline               the highest timeline of its PostgreSQL servers (core/core_timeline.h)
 *     connections            connection numbers in use (data_dir_reserve_conn_numbers)
 */
struct data_dir {
    char *path; /* path of the folder; absolute, like the paths below */
    char *database, *backups, *host_key, *node_key, *log;
    int lock;
};

enum data_dir_result {
    DATA_DIR_OK = 0,
    DATA_DIR_FAILED, /* another error: see errno */
    DATA_DIR_LOCKED, /* another house is open with this folder */
    DATA_DIR_CLOSED, /* only from data_dir_find_supervisor: no house is open with this folder */
};

/* Makes the folder (0700) if it is missing, takes the lock and writes this process's id. */
enum data_dir_result data_dir_open(struct data_dir *dir, const char *path) MUST_CHECK;

/* Writes this process's id and the ports of its house (0: none yet) into the lock: "PID SSH
 * TELNET\n". Its time of change tells since when the supervisor runs its program. Returns false
 * with errno. */
bool data_dir_note_supervisor(const struct data_dir *dir, const struct ports *ports) MUST_CHECK;

/* Fills *dir again after the supervisor has executed its program again (reload.h). The supervisor
 * still holds the lock. */
enum data_dir_result data_dir_reopen_after_exec(struct data_dir *dir, const char *path,
                                                int lock_file) MUST_CHECK;

/* True if the folder is empty or holds a house. This check prevents changing the owner of an
 * unrelated folder by mistake. */
bool data_dir_is_empty_or_house(const char *path) MUST_CHECK;

/* As root, makes the user the owner of the folder and of the house's files in it. Skips hard links
 * and symbolic links. Returns false with errno. */
bool data_dir_give_to_user(const char *path, uid_t user, gid_t group) MUST_CHECK;

/* Releases the lock. If the folder's owner is not root, makes that owner the owner of all files
 * that root has made in the folder. */
void data_dir_close(struct data_dir *dir);

/* Reserves DATA_DIR_CONN_COUNT connection numbers. *first_conn becomes the lowest of them, which is
 * at least `min_conn`. Each reservation gets higher numbers than all earlier ones, even if the
 * clock was set back: a number that once stood for one person must never stand for another. Returns
 * false with errno. */
#define DATA_DIR_CONN_COUNT 1000000
bool data_dir_reserve_conn_numbers(const struct data_dir *dir, int64_t min_conn,
                                   int64_t *first_conn) MUST_CHECK;

/* Notes in the folder which PostgreSQL database has the data, for programs that are given only the
 * folder; "": the data are in house.db. Returns false with errno. */
bool data_dir_note_database(const struct data_dir *dir, const char *url) MUST_CHECK;

/* Reads the note of the house that was opened last with this folder. Returns false if its data are
 * in house.db, or if there is no note or none that fits `size` bytes. */
bool data_dir_read_noted_database(const char *path, char *url, size_t size) MUST_CHECK;

/* Returns the path of a file in the folder, which the caller frees. Aborts if memory runs out. */
char *data_dir_join_path(const struct data_dir *dir, const char *name);

/* Finds the process id of the supervisor whose house is open with this folder. Returns OK, FAILED
 * or CLOSED. */
enum data_dir_result data_dir_find_supervisor(const char *path, pid_t *pid) MUST_CHECK;
