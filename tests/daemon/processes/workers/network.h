#pragma once

/* Gives an interface of this process's network namespace ("lo", "lo:1") an IPv4 address and enables
 * it. Needs root in a namespace of its own (unshare). Every error fails the test. */
void network_add_address(const char *interface, const char *address);
