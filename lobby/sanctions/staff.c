#include "lobby/sanctions/sanctions.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"

static bool requester_is_confirmed_moderator(const struct request *request)
{
    if (request->conn->peer == PEER_OPERATOR) {
        return true;
    }
    if (request->conn->person->role < STORAGE_ROLE_MOD) {
        answer_no(request, "role", _("Only moderators may do that: ask one of them."));
        return false;
    }
    return step_up_is_confirmed(request);
}

const struct need need_moderator = {.holds = requester_is_confirmed_moderator};

const char *staff_name_of_conn(const struct conn *conn)
{
    return conn->peer == PEER_OPERATOR ? STAFF_OWNER : conn->person->name;
}

/* Closes the connection, with a reason, if a staff member uses it over telnet. */
static void end_staff_telnet_conn(struct house *house, struct conn *conn)
{
    if (conn->person->role != STORAGE_ROLE_PLAYER && conn_is_telnet(conn)) {
        conn_dismiss(house, conn,
                     say(_("You are staff now, and staff cannot use telnet: come by ssh.")));
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
        person_announce_demotion(house, person);
    }
    person_mark_changed(house, person);
    person_send_you_row(house, person);
    CONN_LINKS_EACH(conn, &person->conns)
    {
        end_staff_telnet_conn(house, conn);
    }
}

void staff_notify(struct house *house, enum storage_role role, json_t *sentence)
{
    const struct conn *conn = NULL;
    INDEX_EACH(&house->conns, conn)
    {
        if (conn->person != NULL && conn->person->role >= role) {
            conn_send_notice(house, conn, "info", json_incref(sentence));
        }
    }
    json_decref(sentence);
}

void staff_notify_of_case(struct house *house, json_t *sentence)
{
    metrics_count(house, HOUSE_METRIC_reports, NULL, NULL, 1);
    persons_announce_case(house);
    staff_notify(house, STORAGE_ROLE_MOD, sentence);
}

/* An account may have become staff while no core was running. */
static void close_staff_telnet_at_hello(struct house *house, struct conn *conn,
                                        UNUSED int64_t last_chat_line)
{
    end_staff_telnet_conn(house, conn);
}

const struct part staff_part = {
    .name = "staff",
    .hello = close_staff_telnet_at_hello,
};
