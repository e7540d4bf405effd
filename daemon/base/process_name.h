#ifndef DAEMON_BASE_PROCESS_NAME_H
#define DAEMON_BASE_PROCESS_NAME_H

#define PROCESS_NAME_MAX 16 /* with the NUL: the kernel's limit */

/* Names this process: "core" for top and the log, "trickhouse: core" in place of the command line
 * for ps. The kernel keeps the name, and a forked child begins with its parent's. Longer names are
 * cut. Opens /proc/self/stat; without it the command line stays. The texts of argv are overwritten:
 * copy what is still needed of them. */
void process_set_name(const char *name);

/* The name of this process. */
void process_name(char name[PROCESS_NAME_MAX]);

#endif
