#pragma once

#include "lobby/protocol/watch_rule.h"

struct ui;

/* Sets who may watch the entered table. */
void watching_set_rule(struct ui *ui, const struct watch_rule *rule);

/* Asks who may watch the entered table, and sets the rule that the pressed key stands for. */
void watching_ask_who_may_watch(struct ui *ui);
