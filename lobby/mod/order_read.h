#ifndef LOBBY_MOD_ORDER_READ_H
#define LOBBY_MOD_ORDER_READ_H

#include "lobby/sanctions/order.h"

/* Reads the line (already without the verb) by the verb's parts; false when it is refused. */
bool order_read(struct order *order, const char *line) MUST_CHECK;

#endif
