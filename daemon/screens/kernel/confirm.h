#ifndef DAEMON_SCREENS_KERNEL_CONFIRM_H
#define DAEMON_SCREENS_KERNEL_CONFIRM_H

#include <stdbool.h>

/* What authenticators show: six digits, often typed in two groups. */
#define CONFIRM_CODE_SIZE 7

/* True, and the digits alone, when the text is one; no password is that short. */
bool confirm_is_code(const char *text, char code[CONFIRM_CODE_SIZE]);

#endif
