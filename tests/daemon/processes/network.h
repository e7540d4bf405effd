#ifndef TESTS_DAEMON_PROCESSES_NETWORK_H
#define TESTS_DAEMON_PROCESSES_NETWORK_H

/* Gives an interface of this process's network ("lo", "lo:1") an IPv4 address and switches it on,
 * which root may; for a network of one's own (unshare). Whatever goes wrong fails the test. */
void network_give(const char *name, const char *address);

#endif
