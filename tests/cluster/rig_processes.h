#pragma once

#include <stdbool.h>
#include <sys/types.h>

/*
 * Processes of servers that a test starts in a folder of its own: starting them as another user,
 * sending signals to all of a server's processes, and the certainty that none outlives the test.
 * Any failure in these functions ends the process with a line on standard error.
 */

/* Who runs the servers. */
struct rig_user {
    uid_t uid;
    gid_t gid;
};

#define RIG_FOLDER_SIZE 64
#define RIG_PASSWORD_SIZE 33

/* Returns the user of that name if this process is root, and otherwise this process's own user. */
struct rig_user rig_processes_find_user(const char *name);

/* Starts a program as that user. Its output is appended to the file `log`, and `folder` is its
 * current folder. */
pid_t rig_processes_start(const struct rig_user *user, const char *folder, const char *log,
                          const char *const *argv);

/* Runs a program to its end. If it fails, prints what it wrote to `log`. */
void rig_processes_run(const struct rig_user *user, const char *folder, const char *log,
                       const char *const *argv);

/* Prints the file to standard error. */
void rig_processes_print_log(const char *log);

/* Sends the signal to every process whose current folder is `folder` or lies in it. Returns the
 * number of those processes. */
unsigned rig_processes_signal(const char *folder, int signal_number);

/* Kills these processes with SIGKILL until none is left. */
void rig_processes_kill(const char *folder);

/*
 * A process that waits until its owner, the process that started it, ends in whatever way, or asks
 * it to finish. It then ends all processes in the folder, with SIGQUIT and if need be SIGKILL, and
 * removes the folder.
 */
struct rig_watchdog {
    int alive; /* the owner's end of a pipe, whose closing starts the work; -1: there is none */
    int done;  /* the end of another pipe, which is closed when the work is done */
};

/* Makes a new folder in /tmp, which belongs to the user, and starts its watchdog. */
void rig_watchdog_start(struct rig_watchdog *watchdog, const struct rig_user *user,
                        char folder[RIG_FOLDER_SIZE]);

/* Lets the watchdog do its work, and returns when it is done. */
void rig_watchdog_finish(struct rig_watchdog *watchdog);

/* Writes a text to a file that belongs to the user, or appends it with the mode "ae". */
void rig_write_file(const struct rig_user *user, const char *path, const char *text,
                    const char *mode);

/* Draws a password, and sets it in the variable PGPASSWORD of the environment. */
void rig_set_password(char password[RIG_PASSWORD_SIZE]);

/* Prints the words, the detail and the description of the error number (0: none), and ends the
 * process with the status 2. */
_Noreturn void rig_fail(int error, const char *what, const char *detail);
