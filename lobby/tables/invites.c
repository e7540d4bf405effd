#include "lobby/tables/tables.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/people/people.h"

#include <stdio.h>

struct invitation {
    int64_t table; /* the number of the table the person is invited to; 0: none */
    int64_t until_ms;
};

static struct invitation *invitation_of(const struct person *person)
{
    return PERSON_STATE(person, invites);
}

bool invites_person_is_invited(const struct house *house, const struct person *person,
                               const struct table *table)
{
    return invitation_of(person)->table == table->row.id &&
           invitation_of(person)->until_ms > house->now_ms;
}

static void send_invitation(struct house *house, const struct table *table, const struct conn *conn)
{
    int64_t left_ms = invitation_of(conn->person)->until_ms - house->now_ms;
    conn_send(house, conn,
              json_pack("{s:s,s:I,s:s,s:s,s:I}", "t", "invite", "table", (json_int_t)table->row.id,
                        "game", table->game->id, "from", table->row.host_name, "for_s",
                        (json_int_t)((left_ms + 999) / 1000)));
}

static void load_invitation(struct house *house, struct person *person)
{
    struct storage_invitation row;
    if (stored(house, storage_invitation_read(house->storage, person->name, &row))) {
        invitation_of(person)->table = row.table;
        invitation_of(person)->until_ms = row.until_ms;
    }
}

/* Sends the person's invitation to a connection that has signed in, if the invitation is still
 * valid. */
static void send_invitation_if_valid(struct house *house, struct conn *conn,
                                     UNUSED int64_t last_chat_line)
{
    const struct table *table = table_find(house, invitation_of(conn->person)->table);
    if (table != NULL && invites_person_is_invited(house, conn->person, table) &&
        table_seat_of(table, conn->person) < 0) {
        send_invitation(house, table, conn);
    }
}

void invites_resend_for_new_host(struct house *house, const struct table *table)
{
    CONNS_EACH(conn, house) {
        if (conn->person != NULL && !conn->awaits_hello &&
            invitation_of(conn->person)->table == table->row.id) {
            send_invitation_if_valid(house, conn, 0);
        }
    }
}

void invites_end_all_to_table(struct house *house, const struct table *table)
{
    stored_or_fail(house, storage_invitations_delete_for_table(house->storage, table->row.id));
}

static void delete_expired_invitations(struct house *house, UNUSED bool conns_survived)
{
    stored_or_fail(house, storage_invitations_delete_expired(house->storage, house->now_ms));
}

/* True when the person does not want the invitation: they ignore the host, or refuse to play with
 * the host or with somebody seated at the table. */
static bool invitation_is_unwanted(struct house *house, const struct table *table,
                                   const struct person *host, const struct person *person)
{
    bool is_apart = false;
    if (host->account != 0 && person->account != 0) {
        stored_or_fail(house,
                       storage_block_exists_between(house->storage, person->account, host->account,
                                                    STORAGE_BLOCK_NOPLAY, &is_apart));
    }
    return is_apart || blocks_exist_with_someone_at_table(person, &table->row) ||
           !blocks_allow_messages_from(person, host->account);
}

void invites_create(struct house *house, const struct table *table, const struct person *host,
                    struct person *person)
{
    if (invitation_is_unwanted(house, table, host, person)) {
        return;
    }
    struct storage_invitation row = {
        .account = person->account,
        .table = table->row.id,
        .until_ms = house->now_ms + INVITE_MS,
    };
    (void)snprintf(row.name, sizeof(row.name), "%s", person->name);
    delete_expired_invitations(house, false);
    stored_or_fail(house, storage_invitation_set(house->storage, &row));
    invitation_of(person)->table = row.table;
    invitation_of(person)->until_ms = row.until_ms;
    LINKED_CONNS_EACH(conn, &person->conns) {
        send_invitation(house, table, conn);
    }
    tables_mark_eligibility_changed(house);
}

static void message_decline(const struct request *request)
{
    struct house *house = request->house;
    struct person *person = request->conn->person;
    struct table *table = table_find(house, invitation_of(person)->table);
    if (table == NULL || !invites_person_is_invited(house, person, table)) {
        answer_no(request, "unknown", _("Nobody has invited you lately."));
        return;
    }
    const struct person *host = person_find(house, table->row.host_name);
    invitation_of(person)->table = 0;
    stored_or_fail(house, storage_invitation_delete(house->storage, person->name));
    if (host != NULL) {
        person_send_notice(house, host, "info",
                           say(_("%s has declined the invitation to #%lld."), person->name,
                               (long long)table->row.id));
    }
    answer_ok(request, NULL);
}

const struct message_handler handler_decline = {message_decline};

static void read_invitation_ahead(struct house *house, const struct storage_connection *row)
{
    struct storage_invitation invitation;
    if (row->name[0] != '\0') {
        stored_ahead(house, storage_invitation_read(house->storage, row->name, &invitation));
    }
}

const struct part invites_part = {
    .name = "invites",
    .read_ahead = read_invitation_ahead,
    .hello = send_invitation_if_valid,
    .settled = delete_expired_invitations,
};

const struct person_listener invites_person_listener = {
    .person_size = sizeof(struct invitation),
    .begin = load_invitation,
};
