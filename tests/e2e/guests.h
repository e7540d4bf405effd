#pragma once

#include "tests/e2e/house.h"

/* Guests who chat in the lobby of a test's house. */

/* Connects as a guest and returns when the lobby is shown. */
struct terminal *guests_connect(const struct house_fixture *house);

/* Closes the offer of games, which a guest sees first on a drawn screen. */
void guests_close_offer(struct terminal *guest);

/* Writes the words in the lobby's chat and returns when both guests have seen them. */
void guests_chat(struct terminal *from, struct terminal *to, const char *words);

/* Kills the gate; returns once the next one has taken over so many sessions. */
void guests_kill_gate(const struct house_fixture *house, int sessions);

/* Types what a terminal sends that does not mark pastes: several lines at once. Checks that they
 * are one line that is still being typed. The guest is in the lobby. */
void guests_assert_paste_is_text(struct terminal *guest);
