#include "lobby/tables/tables.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"

int64_t deadline_respite_end_ms(const struct storage_time_away *time)
{
    return time->respite_ms == 0 ? 0 : time->respite_ms + RESPITE_MS;
}

/* True when the player is not in the house or has been idle. A player who is in the house and
 * active misses a deadline on purpose, and gets no respite from deadlines. */
static bool player_is_absent(const struct house *house, const char *name)
{
    const struct person *person = person_find(house, name);
    return !person_is_in_house(person) || house->now_ms - person->active_ms >= PACE_IDLE_MS;
}

static void announce_deadline_respite(struct house *house, const struct storage_seat *holder)
{
    TABLES_EACH(table, house) {
        if (table_is_turn_by_turn(table) && table_times_find_seat(table, holder->account) >= 0) {
            chat_announce_at_table(house, table,
                                   say(_("%s missed a deadline while away: their turn-by-turn "
                                         "games wait for them now, for a week at most."),
                                       holder->name));
        }
    }
}

void deadline_respite_begin(struct house *house, const struct storage_seat *holder)
{
    struct storage_time_away time = {.account = holder->account};
    if (holder->account == 0 || !player_is_absent(house, holder->name)) {
        return;
    }
    bool is_known = stored(house, storage_time_away_read(house->storage, holder->account, &time));
    if (is_known && time.respite_ms != 0) {
        return;
    }
    time.respite_ms = house->now_ms;
    stored_or_fail(house, storage_time_away_save(house->storage, &time));
    table_times_reread_time_off(house, holder->account);
    announce_deadline_respite(house, holder);
}

/* Extends the player's deadlines at all tables, so that no deadline passes at the moment when the
 * respite ends. */
static void extend_deadlines_of_player(struct house *house, int64_t account)
{
    TABLES_EACH(table, house) {
        int seat = table_is_turn_by_turn(table) ? table_times_find_seat(table, account) : -1;
        if (seat >= 0) {
            table_clock_extend_deadline(&table->clock, seat, house->now_ms + RESPITE_RETURN_MS);
            table_times_mark_clock_changed(house, table, seat);
        }
    }
}

void deadline_respite_end(struct house *house, int64_t account)
{
    struct storage_time_away time;
    if (house->is_read_only || account == 0) {
        return; /* the end of the respite is stored once the disk has room */
    }
    if (!stored(house, storage_time_away_read(house->storage, account, &time)) ||
        time.respite_ms == 0) {
        return;
    }
    time.respite_ms = 0;
    stored_or_fail(house, storage_time_away_save(house->storage, &time));
    extend_deadlines_of_player(house, account);
    table_times_reread_time_off(house, account);
}
