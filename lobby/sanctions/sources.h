#pragma once

#include "lobby/sanctions/order.h"
#include "storage/mod/sources.h"

/*
 * The person behind a name. A sanction against an account or a guest stores what leads to its
 * person: their networks (the IPv4 address or the IPv6 /64) and their keys. By these it follows the
 * person to guest names and to accounts made after it began; by a key it follows to any account. It
 * never follows to staff or to anybody on the allowlist.
 */
struct sources {
    size_t count;
    char at[STORAGE_SOURCES_MAX][STORAGE_SOURCE_SIZE];
};

/* All known sources of the order's target, an account or a guest; none for other targets. */
void sources_of_target(struct house *house, const struct order_target *target,
                       struct sources *sources);

/* The stored sources of a sanction; adds more. */
void sources_of_sanction(struct house *house, int64_t sanction, struct sources *sources);
void sources_keep(struct house *house, int64_t sanction, const struct sources *sources);

/* Adds the source of this connection, whose person the sanction is against. */
void sources_note(struct house *house, int64_t sanction, const struct conn *conn);

/* Whether a sanction with these sources follows to this person, who is not its own target. */
bool sources_follow(struct house *house, const struct sources *sources,
                    const struct storage_sanction *sanction,
                    const struct person *person) MUST_CHECK;

/* Calls `row` for each sanction in force that follows a person from another name, once each,
 * without their own. The first is for a person who is here; the second for one who signs in: an
 * account, or (NULL) a guest or a new user. No sanction follows to staff. */
void sources_each_of_person(struct house *house, const struct person *person,
                            storage_sanction_row *row, void *context);
void sources_each_of_conn(struct house *house, const struct conn *conn,
                          const struct storage_account *account, storage_sanction_row *row,
                          void *context);
