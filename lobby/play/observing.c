#include "lobby/play/play.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/tables/tables.h"

#include <stdio.h>

void observing_start(struct house *house, struct conn *conn, struct table *table,
                     const char *reason)
{
    table_exit(house, conn, true);
    (void)snprintf(table_conn_state(conn)->observes, sizeof(table_conn_state(conn)->observes), "%s",
                   reason);
    table_enter(house, conn, table);
    chat_send_table_backlog(house, conn);
}

/* Sends the sentence to players who began the game but have given up their seat, and who are in the
 * house but not at the table. */
static void tell_former_players(struct house *house, const struct table *table, json_t *sentence)
{
    for (int seat = 0; table->has_game && seat < table->row.players; seat++) {
        const struct person *person = person_find(house, table->plays[seat].starter.name);
        if (person == NULL || table_seat_of(table, person) >= 0 ||
            table_is_entered_by(table, person)) {
            continue;
        }
        person_send_notice(house, person, "warn", json_incref(sentence));
    }
    json_decref(sentence);
}

static void disclose_observer(struct house *house, struct table *table, const char *observer_name,
                              const char *reason)
{
    json_t *told = say(_("%s, who is staff here, has watched table #%lld: %s"), observer_name,
                       (long long)table->row.id, reason);
    chat_announce_at_table(
        house, table,
        say(_("%s, who is staff here, has watched this table: %s"), observer_name, reason));
    table_notify_people(house, table, json_incref(told));
    tell_former_players(house, table, told);
}

void observing_end(struct house *house, struct conn *conn, struct table *table)
{
    if (!conn_is_observing(conn) || house->is_read_only) {
        return; /* the stored row still says that the connection observes; when the disk has room,
                   the house is loaded again and ends the observing */
    }
    disclose_observer(house, table, conn->person->name, table_conn_state(conn)->observes);
    table_conn_state(conn)->observes[0] = '\0';
}

void observing_end_for_person(struct house *house, struct person *person)
{
    LINKED_CONNS_EACH(conn, &person->conns) {
        if (conn_is_observing(conn) && conn_table(conn) != NULL) {
            int64_t table = conn_table(conn)->row.id;
            table_exit(house, conn, false);
            conn_save(house, conn);
            conn_notify_removed_from_table(house, conn, table,
                                           say(_("You are no longer staff: back to the lobby.")));
        }
    }
}

void observing_end_for_lost_connection(struct house *house, const struct storage_connection *row)
{
    struct table *table = row->observes[0] == '\0' ? NULL : table_find(house, row->table);
    if (table != NULL) {
        disclose_observer(house, table, row->name, row->observes);
    }
}
