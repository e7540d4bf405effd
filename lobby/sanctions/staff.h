#ifndef LOBBY_SANCTIONS_STAFF_H
#define LOBBY_SANCTIONS_STAFF_H

#include "lobby/house/house_state.h"

/*
 * What moderators and admins do passes here (SECURITY.md, Trust; MODERATION.md): every STAFF row of
 * messages.def before its handler runs. Roles rise: player < mod < admin. The owner, above them, is
 * whoever has a shell on the server: an operator, who comes by no session and is always admitted.
 */

/* True when who sent this has the role or one above it, came by ssh, and has confirmed lately
 * (step_up.h); else the request is answered `role`, `telnet`, `no_secret` or `step_up`. For a
 * handler whose arguments need a higher role than its row. */
bool staff_admits(struct house *house, struct conn *conn, int64_t request,
                  enum storage_role role) MUST_CHECK;

/* Whom a staff handler serves: an account's name, or STAFF_OWNER, which none can have. */
#define STAFF_OWNER "the owner"
const char *staff_name(const struct conn *conn);

/* Gives the account a role, who may be in the house or not. Whoever becomes staff loses their
 * connections by telnet. */
void staff_set_role(struct house *house, const struct storage_account *account,
                    enum storage_role role);

/* Ends the connection with a word when its person is staff and it is telnet's. */
void staff_end_telnet(struct house *house, struct conn *conn);

/* One line for all of that role and above who are here. */
void staff_tell(struct house *house, enum storage_role role, const char *text);

#endif
