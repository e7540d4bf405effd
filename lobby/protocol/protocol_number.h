#pragma once

/* The numbers of the protocol that a core speaks (PROTOCOL.md, "Numbers"): the current one and
 * older ones, because sessions keep running their old program when the core is reloaded. On each
 * connection a core speaks the protocol whose number the `hello` named. */
#define PROTOCOL_NUMBER 3
#define PROTOCOL_OLDEST 1
/* from this number on, a peer is sent only the rows of the lobby that it asks for */
#define PROTOCOL_WITH_WINDOWS 3
