#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/* Carries out a line that names a moderation command, and answers the request. `interface_name` is
 * where the line was typed, for the audit log. `is_from_protocol_1` is true when the line was made
 * from a message of protocol 1 (old_messages.c). */
void mod_run_line(const struct request *request, const char *line, const char *interface_name,
                  bool is_from_protocol_1);
