#pragma once

#include "lobby/protocol/watch_rule.h"

struct ui;

/* Sets who may watch the entered table. */
void watching_set(struct ui *ui, const struct watch_rule *rule);

/* Asks with one key who may watch the entered table, and sets it. */
void watching_ask_who_may_watch(struct ui *ui);
