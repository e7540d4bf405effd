#pragma once

#include "lobby/persons/persons_state.h"

/* The people in the house. One person may have several connections. */

/* Finds somebody in the house by name; NULL when nobody has that name. */
struct person *person_find(const struct house *house, const char *name);

/* True when the person is in the house: at least one of their connections is not query-only. NULL
 * is allowed. */
bool person_is_in_house(const struct person *person);

/* Returns true if this connection makes the person present. A query-only connection or a connection
 * of a program does not. */
bool person_is_present_through(const struct person *person, const struct conn *conn);

/* Signs the connection in to the account. With account NULL, signs it in as the guest `guest_name`.
 * Does not announce the person yet. */
void person_enter(struct house *house, struct conn *conn, const struct storage_account *account,
                  const char *guest_name);

/* Renames the person and tells everybody. The new name must be free. */
void person_rename(struct house *house, struct person *person, const char *name);

/* Returns the person's `you` row, which tells a client about its own user (PROTOCOL.md). The
 * settings in the row are borrowed. */
struct you_row person_make_you_row(const struct person *person);

/* Sends the person's `you` row, which has changed, to all of their connections. */
void person_send_you_row(struct house *house, const struct person *person);

/* Sends a sentence (say.h) to all of the person's connections, as a notice of kind "info" or
 * "warn". */
void person_send_notice(struct house *house, const struct person *person, const char *kind,
                        json_t *sentence);

/* Stores the person's settings, if they have an account and the disk has room. */
void person_save_settings(struct house *house, struct person *person);

/* Mark something to be sent again: the person's lobby row, or the list of the person's own
 * tables. */
void person_mark_changed(struct house *house, struct person *person);
void person_mark_own_tables_changed(struct house *house, struct person *person);

/* Take back these marks: what was sent is up to date. */
void person_unmark_changed(struct house *house, struct person *person);
void person_unmark_own_tables_changed(struct house *house, struct person *person);

/* Announces that the person has blocked or unblocked somebody (listeners.h). */
void person_announce_changed_blocks(struct house *house, struct person *person);

/* Announces that the person has lost their staff role (listeners.h). */
void person_announce_demotion(struct house *house, struct person *person);

/* Announces to listeners that a report or an appeal waits for staff. */
void persons_announce_case(struct house *house);

/* Reads the rating that is shown beside the name: the rating in the game that the person has played
 * most. */
void person_read_rating(struct house *house, struct person *person);

/* Converts a rating from mu to the points that rows contain. */
struct row_rating rating_to_row(bool has_rating, double mu, bool is_provisional);
