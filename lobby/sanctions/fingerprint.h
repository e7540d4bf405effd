#ifndef LOBBY_SANCTIONS_FINGERPRINT_H
#define LOBBY_SANCTIONS_FINGERPRINT_H

#include "games/macros.h"

#include <stdbool.h>

/* Whether some key can have this fingerprint: "SHA256:" and the 43 characters that stand for 32
 * bytes, as `ssh-keygen -lf FILE` prints it. */
bool fingerprint_is_possible(const char *text) MUST_CHECK;

#endif
