#pragma once

#include "lobby/accounts/accounts.h"
#include "lobby/tables/tables.h"
#include "storage/chat/chat.h"

/*
 * What the core asks of the keeper, the parent process of the house: to reload the configuration,
 * to shut down, and to make backups. A backup is made every config.backup_every_h hours, and on
 * request; the keeper answers `backed_up`. Only one backup runs at a time. Everybody who asks while
 * it runs gets its result. A failed backup is retried after a while.
 */

/* How reports and appeals are shown to staff. */

/* Adds a line about the case to the answer: "12 · open · 2026-… · bob about eve (spam): text". */
void case_add_to_answer(struct order *order, const struct storage_report *report,
                        bool is_for_staff);

/* Returns the case as JSON for programs. */
json_t *case_to_json(const struct storage_report *report, bool is_for_staff);

/* Ends the appealed sanction and all others of its kind against the same name or against who
 * appeals, so that the appeal has its effect. Adds a line for each. Refuses the order and returns
 * false when somebody of a higher role imposed one of them. */
bool sanction_lift_appealed(struct order *order, const struct storage_sanction *appealed,
                            const struct storage_report *appeal) MUST_CHECK;

/* Adds a line for each sanction that is in force against the account, or (0) the guest of that
 * name. */
void sanction_add_lines_in_force(struct order *order, int64_t account, const char *name);

/* Releases an account on hold, and reports it to the requester. Refuses the order and returns false
 * when the account is not on hold, or when somebody with a higher role than the requester has put
 * it on hold. */
bool hold_release_account(struct order *order, const struct storage_account *account) MUST_CHECK;

/* Call after ratings have changed: refreshes the ratings shown for people, at seats and in the
 * results of games. */
void account_sync_refresh_ratings(struct house *house);
