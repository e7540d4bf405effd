#pragma once

#include "games/macros.h"

#include <stdbool.h>

/* Whether the text has the form of a key's fingerprint: "SHA256:" and the 43 characters that encode
 * 32 bytes, as `ssh-keygen -lf FILE` prints it. */
bool fingerprint_is_well_formed(const char *text) MUST_CHECK;
