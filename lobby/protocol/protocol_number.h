#pragma once

/* The numbers of the protocol that a core speaks (PROTOCOL.md, "Numbers"): the present one, and the
 * one before it, because sessions keep running their program over a reload. A core speaks with each
 * connection the number that its `hello` said. */
#define PROTOCOL_NUMBER 2
#define PROTOCOL_OLDEST 1
