#pragma once

#include "lobby/protocol/rows.h"
#include "storage/ratings/leaders.h"
#include "storage/ratings/tallies.h"

/* PROTOCOL.md's leader row, with the rating as of `at_ms` (Unix time). */
struct leader_row leader_row_at(const struct storage_leader *leader, int64_t at_ms);
