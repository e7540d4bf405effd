#ifndef DAEMON_BASE_PROCESS_NAME_H
#define DAEMON_BASE_PROCESS_NAME_H

#define PROCESS_NAME_MAX 16 /* with the NUL: the kernel's limit */

/* Names this process for ps, top and the log: "house-core"; at most 15 bytes. The kernel keeps the
 * name, and a forked child begins with its parent's. */
void process_set_name(const char *name);

/* The name of this process. */
void process_name(char name[PROCESS_NAME_MAX]);

#endif
