#ifndef LOBBY_SANCTIONS_SOURCES_H
#define LOBBY_SANCTIONS_SOURCES_H

#include "lobby/sanctions/order.h"
#include "storage/mod/sources.h"

/*
 * Who is behind a name. A sanction against an account or a guest keeps what leads to its person:
 * the networks they came from (an address, IPv6: its /64) and the keys they showed. From there it
 * follows them as a guest, to accounts made since it began, and by a key to any account. It never
 * follows to staff, nor to whoever is on the allowlist.
 */
struct sources {
    size_t count;
    char at[STORAGE_SOURCES_MAX][STORAGE_SOURCE_SIZE];
};

/* All that is known of the order's target, an account or a guest; nothing of any other. */
void sources_of_target(struct house *house, const struct order_target *target,
                       struct sources *sources);

/* What a sanction keeps; keeps more. */
void sources_of_sanction(struct house *house, int64_t sanction, struct sources *sources);
void sources_keep(struct house *house, int64_t sanction, const struct sources *sources);

/* Keeps where this connection comes from: its person is who the sanction is against. */
void sources_note(struct house *house, int64_t sanction, const struct conn *conn);

/* Whether a sanction with these sources follows to the person, who is not whom it is against. */
bool sources_follow(struct house *house, const struct sources *sources,
                    const struct storage_sanction *sanction,
                    const struct person *person) MUST_CHECK;

/* The sanctions in force that follow somebody, each once, without their own: a person who is here;
 * whoever is at the door, an account or (NULL) a guest or newcomer. Staff nothing follows. */
void sources_each_of_person(struct house *house, const struct person *person,
                            storage_sanction_row *row, void *context);
void sources_each_of_conn(struct house *house, const struct conn *conn,
                          const struct storage_account *account, storage_sanction_row *row,
                          void *context);

#endif
