#pragma once

#include "lobby/tables/table_clock.h"

/* Reads the account setting `quiet`: null, or {"from_min":1320,"to_min":480,"offset_min":60}.
 * Returns false and leaves *quiet unchanged for any other value. */
bool quiet_hours_from_json(const json_t *value, struct quiet_hours *quiet);
