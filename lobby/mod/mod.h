#pragma once

#include "lobby/accounts/accounts.h"
#include "lobby/house/house_state.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"
#include "storage/chat/chat.h"
#include "storage/mod/mod.h"

/*
 * What the core asks of the keeper, the parent process of the house: to reload the configuration,
 * to shut down, and to make backups. A backup is made every config.backup_every_h hours, and on
 * request; the keeper answers `backed_up`. Only one backup runs at a time. Everybody who asks while
 * it runs gets its result. A failed backup is retried after a while.
 */

/* How reports, appeals and chat lines are shown to staff. */

/* Adds a line about the case to the answer: "12 · open · 2026-… · bob about eve (spam): text". */
void case_add_to_answer(struct order *order, const struct storage_report *report,
                        bool is_for_staff);

/* Returns the case as JSON for programs. */
json_t *case_to_json(const struct storage_report *report, bool is_for_staff);

/* Adds the line "481 · 2026-… <eve> text" to the answer, up to CASE_LINES_MAX lines. A callback for
 * storage_chat_* functions; `context` is the order. */
#define CASE_LINES_MAX 100
bool case_add_chat_line_to_answer(void *context, const struct storage_chat *line);

/* Adds the line "2026-… max: text" to the answer; `context` is the order. */
bool case_add_note_to_answer(void *context, const struct storage_note *note);

/* Checks of the rank that a moderation command needs. A function that returns false has refused the
 * order or answered the request. */

/* True when the requester has this rank. When the rank is too low, the order is refused, and no
 * confirmation is asked for. */
bool mod_rank_suffices(struct order *order, enum rank rank) MUST_CHECK;

/* For a command that can do more when the requester has a higher rank: true when the requester has
 * this rank and has confirmed their identity. */
bool mod_require_rank(struct order *order, enum rank rank) MUST_CHECK;

/* True when the target is not the requester, and has a lower rank than the requester. */
bool mod_may_act_on_target(struct order *order) MUST_CHECK;
