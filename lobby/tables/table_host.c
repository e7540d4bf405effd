#include "lobby/tables/tables.h"

#include "lobby/chat/chat.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"

#include <stdio.h>

void table_set_host(struct house *house, struct table *table, int64_t account, const char *name)
{
    table->row.host = account;
    (void)snprintf(table->row.host_name, sizeof(table->row.host_name), "%s", name);
    invites_resend_for_new_host(house, table);
}

void table_choose_new_host(struct house *house, struct table *table)
{
    int next = -1;
    for (int seat = table->row.players - 1; seat >= 0; seat--) {
        const struct person *person = table_connected_holder(house, table, seat);
        bool is_here = person != NULL && table_is_entered_by(table, person);
        if (is_here || (seat_has_person(&table->row.seats[seat]) && next < 0)) {
            next = seat;
        }
    }
    if (next < 0) {
        return; /* without a host, the next player who sits down becomes host (table_take_seat) */
    }
    const struct storage_seat *holder = &table->row.seats[next];
    table_set_host(house, table, holder->account, holder->name);
    chat_announce_at_table(house, table, say(_("%s is the host now."), holder->name));
}
