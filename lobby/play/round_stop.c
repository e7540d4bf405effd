#include "lobby/play/play.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"

/* True when somebody without a seat sees the game as it is played. */
static bool table_has_spectator_without_delay(const struct table *table)
{
    LINKED_CONNS_EACH(conn, &table->conns) {
        if (table_watch_is_spectator(table, conn) && !table_watch_is_delayed(table) &&
            conn_sees_stop(conn)) {
            return true;
        }
    }
    return false;
}

/* Counts the seats of people, absent or not. A program that plays at the table counts as a bot. */
static int count_seats_of_people(const struct house *house, const struct table *table)
{
    int count = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct person *person = table_connected_holder(house, table, seat);
        count += seat_has_person(&table->row.seats[seat]) &&
                 (person == NULL || person->kind != PERSON_BOT);
    }
    return count;
}

/* True when the stop lasts as long as the person who plays wants: all others are bots. */
static bool one_person_plays_against_bots(const struct house *house, const struct table *table)
{
    return table_seats_that_see_stop(house, table) != 0 && count_seats_of_people(house, table) == 1;
}

static int64_t new_deadline_ms(const struct house *house, const struct table *table)
{
    return house->now_ms + pace_round_stop_ms((enum pace)table->row.pace);
}

void round_stop_begin(struct house *house, struct table *table)
{
    bool is_played_alone = one_person_plays_against_bots(house, table);
    if (table_seats_that_see_stop(house, table) != 0 || table_has_spectator_without_delay(table)) {
        table_halt_begin_round_stop(house, table,
                                    is_played_alone ? 0 : new_deadline_ms(house, table));
    }
}

static bool stop_is_running(const struct table *table)
{
    return table_is_playing(table) && table->row.halt == STORAGE_HALT_ROUND;
}

/* True when the stop needs a deadline that it does not have: the person who played against bots has
 * left, or somebody else has come to play. */
static bool stop_lacks_deadline(const struct house *house, const struct table *table)
{
    return table->row.resume_due_ms == 0 && !table->is_unsettled &&
           !one_person_plays_against_bots(house, table);
}

static bool stop_is_over(const struct house *house, const struct table *table)
{
    if (table->row.resume_due_ms != 0 && table->row.resume_due_ms <= house->now_ms) {
        return true;
    }
    if (table_seats_awaited_at_stop(house, table) != 0) {
        return false;
    }
    bool has_player = table_seats_that_see_stop(house, table) != 0;
    return has_player || (!table->is_unsettled && !table_has_spectator_without_delay(table));
}

static void end_stop_if_over(struct house *house, struct table *table)
{
    if (stop_is_over(house, table)) {
        table_halt_end_round_stop(house, table);
    } else if (stop_lacks_deadline(house, table)) {
        table->row.resume_due_ms = new_deadline_ms(house, table);
        table_save(house, table);
        table_mark_changed(house, table);
    }
}

void round_stop_note_press(struct house *house, struct table *table, int seat)
{
    uint8_t asked = (uint8_t)(table->row.asks[STORAGE_ASK_RESUME] | 1U << seat);
    if (asked != table->row.asks[STORAGE_ASK_RESUME]) {
        table->row.asks[STORAGE_ASK_RESUME] = asked;
        table_save(house, table);
        table_mark_changed(house, table);
    }
    end_stop_if_over(house, table);
}

static void end_stops_that_are_over(struct house *house)
{
    TABLES_EACH(table, house) {
        if (stop_is_running(table)) {
            end_stop_if_over(house, table);
        }
    }
}

/* Returns when to look at the table again. What the people at the table do changes the stop at
 * once. */
static int64_t next_check_of_table_ms(const struct house *house, const struct table *table)
{
    if (!stop_is_running(table)) {
        return INT64_MAX;
    }
    if (stop_is_over(house, table) || stop_lacks_deadline(house, table)) {
        return house->now_ms;
    }
    return table->row.resume_due_ms == 0 ? INT64_MAX : table->row.resume_due_ms;
}

static int64_t next_stop_end_ms(const struct house *house)
{
    return tables_next_ms(house, next_check_of_table_ms);
}

const struct part round_stops_part = {
    .name = "round-stops",
    .tick = end_stops_that_are_over,
    .next_ms = next_stop_end_ms,
    .is_prompt = true,
};
