#pragma once

/* The number of the protocol that the house speaks (PROTOCOL.md, "The number"). */
#define PROTOCOL_NUMBER 3
