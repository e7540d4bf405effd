#pragma once

#include "lobby/sanctions/order.h"
#include "storage/mod/sources.h"

/*
 * The sources of a person: their networks (the IPv4 address or the IPv6 /64) and their keys. A
 * sanction against an account or a guest stores the sources of the person, so that the sanction
 * follows the person to other names: it also applies to guests and newer accounts from a stored
 * network, and to all accounts with a stored key. A sanction never follows anybody to a staff
 * account, and never applies in this way to anybody on the allowlist.
 */
struct sources {
    size_t count;
    char at[STORAGE_SOURCES_MAX][STORAGE_SOURCE_SIZE];
};

/* Reads all known sources of the order's target, an account or a guest; other targets have none. */
void person_sources_read_of_target(struct house *house, const struct order_target *target,
                                   struct sources *sources);

/* Whether the key or the network of the address is one of the sources. */
bool person_sources_have(const struct sources *sources, const char *address,
                         const char *key) MUST_CHECK;

/* Reads all known sources of an account. */
void person_sources_read_of_account(struct house *house, const struct storage_account *account,
                                    struct sources *sources);

/* True when both lists have a source in common. The house's own machine does not count, nor what is
 * on the allowlist: many people share such an address. */
bool person_sources_share_any(struct house *house, const struct sources *a,
                              const struct sources *b) MUST_CHECK;

/* person_sources_read_of_sanction reads the stored sources of a sanction; person_sources_store adds
 * more. */
void person_sources_read_of_sanction(struct house *house, int64_t sanction,
                                     struct sources *sources);
void person_sources_store(struct house *house, int64_t sanction, const struct sources *sources);

/* Adds the key of this connection to the sources of the sanction, which is against the person of
 * this connection, and if the person has entered the network too. Somebody who is refused adds no
 * network: otherwise a banned person could shut a shared network for all its guests just by trying
 * to sign in from there. */
void person_sources_store_of_conn(struct house *house, int64_t sanction, const struct conn *conn,
                                  bool has_entered);

/* Whether the account has signed in from this source (source.h); no account (0) has. */
bool person_sources_include(struct house *house, int64_t account, const char *source) MUST_CHECK;

/* Whether a sanction that has these sources, but names somebody else, applies to this person. */
bool person_sources_match_person(struct house *house, const struct sources *sources,
                                 const struct storage_sanction *sanction,
                                 const struct person *person) MUST_CHECK;

/* Calls `row` once for each sanction in force that is against another name of a person but applies
 * to the person too. Leaves out the sanctions against the person's own name. The first function is
 * for a person in the house. The second is for somebody who is signing in, to the account or (NULL)
 * as a guest or a new user. No such sanction applies to staff. */
void person_sources_each_sanction_of_person(struct house *house, const struct person *person,
                                            storage_sanction_row *row, void *context);
void person_sources_each_sanction_of_conn(struct house *house, const struct conn *conn,
                                          const struct storage_account *account,
                                          storage_sanction_row *row, void *context);
