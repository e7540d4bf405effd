#pragma once

#include "games/macros.h"

#include <stdbool.h>
#include <stddef.h>

/* Opens a regular file with these flags of open(2), and makes it with mode 0600. Never waits: what
 * is no regular file, such as a FIFO or a device, is refused. Returns a close-on-exec descriptor;
 * -1 with errno, which is EMEDIUMTYPE if the file is of another type. */
int files_open_regular(const char *path, int flags) MUST_CHECK;

/* Reads a regular file whole, but no more than `most` bytes. Returns its bytes, ended by NUL, which
 * the caller frees; NULL with errno, which is EFBIG if the file is longer. */
char *files_read(const char *path, size_t most, size_t *len) MUST_CHECK;

/* Explains errno after one of the functions above; borrowed. */
const char *files_explain_errno(void);

/*
 * Restricts which files a process may open by name (landlock(7)): only files in certain folders,
 * and only for reading. Files that are already open stay usable.
 */

/* Makes the rules that allow this process and its children only to read files in these folders. The
 * list ends with NULL; missing folders are skipped. Returns a close-on-exec descriptor; -1, with a
 * line on the log, if the kernel has no Landlock. */
int files_make_access_rules(const char *const *readable_folders);

/* Applies the rules to this process permanently. The process must have set no_new_privs. Returns
 * false with errno. */
bool files_apply_access_rules(int rules_fd) MUST_CHECK;
