#pragma once

/* the kernel's size limit of a process name, with the terminating NUL */
#define PROCESS_NAME_MAX 16

/* Names this process: "core" for top and the log, "trickhouse: core" as its command line for ps. A
 * forked child begins with its parent's name. Longer names are truncated. Needs /proc/self/stat to
 * change the command line. Overwrites the texts of argv: copy those that are still needed. */
void process_set_name(const char *name);

/* Writes the name of this process into `name`. */
void process_get_name(char name[PROCESS_NAME_MAX]);
