#pragma once

#include "lobby/protocol/rows.h"
#include "storage/ratings/leaders.h"
#include "storage/ratings/tallies.h"

/* Makes the leader row (PROTOCOL.md) of an account, with its rating at `at_ms` (Unix time). */
struct leader_row leader_row_make(const struct storage_leader *leader, int64_t at_ms);
