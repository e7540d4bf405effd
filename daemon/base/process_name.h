#pragma once

#include <stddef.h>

/* the kernel's size limit of a process name, with the terminating NUL */
#define PROCESS_NAME_MAX 16

/* Names this process: "core" for top and the log, "trickhouse: core" as its command line for ps. A
 * forked child begins with its parent's name. Longer names are truncated. Needs /proc/self/stat to
 * change the command line. Overwrites the texts of argv: copy those that are still needed. */
void process_set_name(const char *name);

/* A command line in the memory of its process, where it can be overwritten. A forked child has it
 * at the same place. */
struct command_line {
    char *at; /* NULL: not found */
    size_t len;
};

/* process_set_name in two steps, for a process that forks many children: it finds the command line
 * once, because the kernel needs a tenth of a millisecond to write /proc/self/stat. */
struct command_line process_find_command_line(void);
void process_set_name_in(const struct command_line *line, const char *name);

/* Writes the name of this process into `name`. */
void process_get_name(char name[PROCESS_NAME_MAX]);
