#pragma once

/* The descriptors of a session have fixed numbers, so that all other descriptors can be closed, and
 * so that the gate can prepare for them what it does once for all sessions. */
enum {
    FD_PEER = 3,
    FD_CORE,
    FD_SIGNED_IN,
    FD_STOP,
    FD_FREE
};
