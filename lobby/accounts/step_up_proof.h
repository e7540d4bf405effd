#pragma once

#include "lobby/accounts/auth_jobs.h"

/* The judge of a confirmation (auth_prove): counts the try and answers it; a right one confirms the
 * connection. */
void step_up_judged(struct house *house, const struct auth_proof *proof, bool is_right);
