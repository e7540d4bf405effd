#pragma once

/* The numbers of the protocol that a core speaks (PROTOCOL.md, "Numbers"): the current one, and the
 * one before it, because sessions keep running their program over a reload. On each connection a
 * core speaks the number that the `hello` named. */
#define PROTOCOL_NUMBER 2
#define PROTOCOL_OLDEST 1
