#pragma once

/* The numbers of the protocol that a core speaks (PROTOCOL.md, "Numbers"): the current one, and the
 * one before it, because sessions keep running their old program when the core is reloaded. On each
 * connection a core speaks the protocol whose number the `hello` named. */
#define PROTOCOL_NUMBER 2
#define PROTOCOL_OLDEST 1
