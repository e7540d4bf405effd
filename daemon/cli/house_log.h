#pragma once

/* Reads a house's log file, for commands that wait for something to happen there. */

/* Returns its length; 0 if there is no file. */
long house_log_length(const char *data_dir);

/* Prints the first error after that position on standard error, if there is one. */
void house_log_print_error(const char *data_dir, long from);
