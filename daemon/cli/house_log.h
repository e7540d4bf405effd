#pragma once

/* Finds errors in a house's log file, for commands that wait for the house and report why it
 * failed. */

/* Returns the length of the log in bytes; 0 if there is no log. */
long house_log_length(const char *data_dir);

/* Prints the first error at or after the byte `start_byte` of the log on standard error; nothing if
 * there is none. */
void house_log_print_error(const char *data_dir, long start_byte);
