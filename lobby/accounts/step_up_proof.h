#pragma once

#include "lobby/accounts/auth_jobs.h"

/* Counts the try and answers the request (the judge of auth_check_proof); a right proof confirms
 * the connection. */
void step_up_answer_proof(struct house *house, const struct auth_proof *proof, bool is_right);
