#ifndef DAEMON_CLI_HOUSE_LOG_H
#define DAEMON_CLI_HOUSE_LOG_H

/* The log file of a house, read by whoever waits for something to happen there. */

/* How long it is now; 0 when there is none. */
long house_log_length(const char *data_dir);

/* Prints, on standard error, the first error written from there on; nothing when there is none. */
void house_log_print_error(const char *data_dir, long from);

#endif
