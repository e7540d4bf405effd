#pragma once

#include "daemon/screens/table/table_state.h"

/*
 * Claims of all remaining tricks (PROTOCOL.md, `claim`). The player who claims sees who is asked;
 * the others see the claimant's cards and are asked whether they accept.
 */

/* Claims all remaining tricks of the round. Without a turn, shows why that is not possible. */
void table_claim(struct ui *ui);

/* Asks whether to claim, if at least two remaining tricks are certain; otherwise says why not. */
void table_claim_after_asking(struct ui *ui);

/* Accepts the open claim, or plays on. Shows a warning if the viewer is not asked. */
void table_claim_answer(struct ui *ui, bool is_accepted);

/* Shows a claim that is new, and asks the viewer if the viewer has to answer. Closes the question
 * of a claim that is open no more. */
void table_claim_note_change(struct ui *ui, struct table_state *state);

/* Whether the viewer can prove now that all remaining tricks, at least two, are theirs. A single
 * trick is played as quickly as it is claimed. False while a lesson suggests moves: it explains the
 * remaining tricks. */
bool table_claim_is_worth_offering(const struct model_entered *entered);

/* Writes who claims, with the cards, or for whom the viewer's own claim waits. Returns false if no
 * claim waits for an answer. */
bool table_claim_write_wait(const struct model_entered *entered, const struct words *words,
                            struct text *out);
