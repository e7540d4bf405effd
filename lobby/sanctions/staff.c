#include "lobby/sanctions/staff.h"

#include "lobby/house/answers.h"
#include "lobby/house/conns.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/step_up.h"

/* True when the sender has at least this role, connects by ssh and has confirmed lately
 * (step_up.h); else the request is answered `role`, `telnet`, `no_secret` or `step_up`. For a
 * handler some of whose arguments need a higher role than its row. */
static bool staff_admits(const struct request *request, enum storage_role role)
{
    if (request->conn->peer == PEER_OPERATOR) {
        return true;
    }
    if (request->conn->person->role < role) {
        answer_no(request, "role",
                  role == STORAGE_ROLE_ADMIN ? _("Only admins may do that: ask one of them.")
                                             : _("Only moderators may do that: ask one of them."));
        return false;
    }
    return step_up_holds(request);
}

const char *staff_name(const struct conn *conn)
{
    return conn->peer == PEER_OPERATOR ? STAFF_OWNER : conn->person->name;
}

/* Closes the connection with a message when it is telnet and its person is staff. */
static void staff_end_telnet(struct house *house, struct conn *conn)
{
    if (conn->person->role != STORAGE_ROLE_PLAYER && conn_is_telnet(conn)) {
        conn_bye(
            house, conn,
            say(_("You keep order in this house now, which nobody does by telnet: come by ssh.")));
    }
}

void staff_set_role(struct house *house, const struct storage_account *account,
                    enum storage_role role)
{
    struct person *person = person_find(house, account->name);
    struct conn *conn = NULL;
    stored_or_fail(house, storage_account_set_role(house->storage, account->id, role));
    if (person == NULL) {
        return;
    }
    person->role = role;
    if (role == STORAGE_ROLE_PLAYER) {
        person_demoted(house, person);
    }
    person_changed(house, person);
    person_tell_you(house, person);
    CONN_LINKS_EACH(conn, &person->conns)
    {
        staff_end_telnet(house, conn);
    }
}

void staff_tell(struct house *house, enum storage_role role, json_t *sentence)
{
    const struct conn *conn = NULL;
    struct index_at next;
    INDEX_EACH(&house->conns, conn, next)
    {
        if (conn->person != NULL && conn->person->role >= role) {
            conn_notice(house, conn, "info", json_incref(sentence));
        }
    }
    json_decref(sentence);
}

static bool staff_admit(const struct request *request, const struct message_def *message)
{
    return message->role == STORAGE_ROLE_PLAYER || staff_admits(request, message->role);
}

/* The account may have become staff while no core was running. */
static void staff_hello(struct house *house, struct conn *conn, UNUSED int64_t heard)
{
    staff_end_telnet(house, conn);
}

const struct part staff_part = {
    .name = "staff",
    .admit = staff_admit,
    .hello = staff_hello,
};
