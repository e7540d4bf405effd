#pragma once

#include "lobby/persons/persons_state.h"

/* Who is in the house: one person may have several connections. */

/* NULL when nobody of that name is here. */
struct person *person_find(const struct house *house, const char *name);

/* True when the person is in the house: at least one of their connections is not query-only. Takes
 * NULL. */
bool person_is_here(const struct person *person);

/* False for a query-only connection and for a person's program: neither means that the person is
 * present. */
bool person_is_present_by(const struct person *person, const struct conn *conn);

/* Signs the connection in as that account, or as the guest of that name (account NULL). Nobody is
 * told yet. */
void person_enter(struct house *house, struct conn *conn, const struct storage_account *account,
                  const char *guest_name);

/* Renames the person and tells everybody. The name has to be free. */
void person_rename(struct house *house, struct person *person, const char *name);

/* PROTOCOL.md's `you`, as a row whose settings are borrowed, and as JSON. */
struct you_row person_own_row(const struct person *person);

/* Pushes `you` to all of the person's connections after a change. */
void person_send_own_row(struct house *house, const struct person *person);

/* A `notice` to all of the person's connections; kind "info" or "warn"; a sentence of say.h. */
void person_send_notice(struct house *house, const struct person *person, const char *kind,
                        json_t *sentence);

/* Stores the person's settings, if they have an account and the disk has room. */
void person_save_settings(struct house *house, struct person *person);

/* Marks the person's lobby row, or their own list of tables, to be sent again this turn. */
void person_mark_changed(struct house *house, struct person *person);
void person_mark_tables_changed(struct house *house, struct person *person);

/* Announces that the person's blocks have changed (listeners.h). */
void person_announce_blocks(struct house *house, struct person *person);

/* Announces that the person has lost their staff role (listeners.h). */
void person_announce_demotion(struct house *house, struct person *person);

/* Loads the rating shown beside the name: that of the game they have played most. */
void person_read_rating(struct house *house, struct person *person);

/* A rating as rows show it. */
struct row_rating rating_to_row(bool has_rating, double mu, bool is_provisional);
