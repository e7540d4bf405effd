#pragma once

#include "daemon/processes/common/listeners.h"

/*
 * Takes the listening sockets that systemd has opened for the house, as sd_listen_fds(3) does: the
 * unit trickhouse.socket names its sockets "ssh" (FileDescriptorName), another unit may name its
 * own "telnet". The list is empty if systemd has passed none. Removes the variables that describe
 * them from the environment. Returns false, after printing an error, if a socket has another name,
 * is no listening TCP socket, or if there are more than LISTENERS_MAX.
 */
bool passed_sockets_take(struct listeners *listeners) MUST_CHECK;
