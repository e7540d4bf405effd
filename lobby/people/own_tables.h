#pragma once

#include "lobby/house/house_state.h"

/* Sends the message `mine` to everybody whose list of their own tables has changed. */
void own_tables_send_changed_lists(struct house *house);
