#pragma once

#include "lobby/sanctions/order.h"

/* Parses the arguments of a command into the fields of the order; false when the order is
 * refused. */
bool order_read_arguments(struct order *order, const char *line) MUST_CHECK;
