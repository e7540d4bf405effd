#pragma once

#include "lobby/sanctions/order.h"

/* Parses the line after the command's name into the order's parts; false when the order is refused.
 */
bool order_read(struct order *order, const char *line) MUST_CHECK;
