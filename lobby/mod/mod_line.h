#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/* Carries out a line that names a moderation command, and answers the request. With
 * `is_from_protocol_1`, a message of protocol 1 was turned into the line (old_messages.c). */
void mod_run_line(const struct request *request, const char *line, const char *via,
                  bool is_from_protocol_1);
