#include "lobby/play/play.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/tables/tables.h"

#include <inttypes.h>
#include <stdio.h>

static void announce_closed_table(struct house *house, int64_t table_number, const char *why)
{
    char number[24];
    (void)snprintf(number, sizeof(number), "%" PRId64, table_number);
    journal_write_house_event(house, "table-closed", JOURNAL_PAIRS("table", number, "why", why));
    if (!house->is_read_only) {
        chat_announce_in_lobby(house, say(_("Table #%lld is closed: the house has lost a part of "
                                            "it. A game in progress there does not count."),
                                          (long long)table_number));
    }
}

void faulty_table_close(struct house *house, struct table *table, const char *why)
{
    const int64_t id = table->row.id;
    if (house->is_read_only) {
        table_free(house, table); /* the stored table will be closed once the disk has room */
    } else {
        table_close(house, table);
    }
    /* If the storage refuses to save the whole row of the table, only the row's state is changed.
     */
    if (house->fault.is_met) {
        fault_log_and_continue(house, "closing it");
        stored_or_fail(house, storage_table_close(house->storage, id));
    }
    announce_closed_table(house, id, why);
}

void faulty_table_close_by_number(struct house *house, int64_t number, const char *why)
{
    struct table *table = table_find(house, number);
    if (table == NULL) {
        announce_closed_table(house, number, why); /* the table could not be loaded */
        return;
    }
    const struct doing was = fault_blame_item(house, "table", number);
    faulty_table_close(house, table, why);
    house->doing = was;
}
