#pragma once

#include "lobby/sanctions/order.h"
#include "storage/mod/sources.h"

/*
 * The sources of a person: their networks (the IPv4 address or the IPv6 /64) and their keys. A
 * sanction against an account or a guest stores them. By them it follows the person to guest names
 * and to accounts made after it began; by a key it follows to any account. It never follows to
 * staff or to anybody on the allowlist.
 */
struct sources {
    size_t count;
    char at[STORAGE_SOURCES_MAX][STORAGE_SOURCE_SIZE];
};

/* Reads all known sources of the order's target, an account or a guest; none for other targets. */
void sources_read_target(struct house *house, const struct order_target *target,
                         struct sources *sources);

/* Reads the stored sources of a sanction; sources_store stores more. */
void sources_read_sanction(struct house *house, int64_t sanction, struct sources *sources);
void sources_store(struct house *house, int64_t sanction, const struct sources *sources);

/* Stores the source of a connection of the person the sanction is against. */
void sources_store_conn(struct house *house, int64_t sanction, const struct conn *conn);

/* Whether a sanction with these sources follows to this person, whom it does not name. */
bool sources_follow_person(struct house *house, const struct sources *sources,
                           const struct storage_sanction *sanction,
                           const struct person *person) MUST_CHECK;

/* Calls `row` once for each sanction in force that follows somebody from another name, but not for
 * their own. The first function is for a person who is here; the second is for somebody who signs
 * in to the account, or (NULL) as a guest or a new user. No sanction follows to staff. */
void sources_for_each_following_person(struct house *house, const struct person *person,
                                       storage_sanction_row *row, void *context);
void sources_for_each_following_conn(struct house *house, const struct conn *conn,
                                     const struct storage_account *account,
                                     storage_sanction_row *row, void *context);
