#include "lobby/play/play.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/tables/tables.h"

#define HOUR_MS INT64_C(3600000)
#define DAY_HOURS INT64_C(24)

/* True when the game is adjourned and this seat's player has not yet asked to resume it. */
static bool player_must_still_ask_to_resume(const struct table *table, int seat)
{
    return seat_has_person(&table->row.seats[seat]) && table->row.halt == STORAGE_HALT_ADJOURN &&
           (table->row.resume_asked >> seat & 1) == 0;
}

/* True if a game that is halted in this way goes on at a deadline. */
static bool halt_has_deadline(enum storage_halt halt)
{
    return halt == STORAGE_HALT_ADJOURN || halt == STORAGE_HALT_HOUSE;
}

static bool resume_deadline_is_running(const struct table *table)
{
    return table->row.resume_due_ms != 0 && table_is_playing(table) &&
           halt_has_deadline(table->row.halt);
}

void resume_deadlines_tell_time_left(struct house *house, const struct table *table, int seat,
                                     const struct conn *conn)
{
    if (table->row.resume_due_ms == 0 || !player_must_still_ask_to_resume(table, seat)) {
        return;
    }
    int64_t left_ms = table->row.resume_due_ms - house->now_ms;
    int64_t hours = left_ms > HOUR_MS ? left_ms / HOUR_MS : 1;
    if (hours >= 2 * DAY_HOURS) {
        hours -= hours % DAY_HOURS;
    }
    conn_send_notice(
        house, conn, "warn",
        say(_("The others want to go on with %p: say /resume there within %p, or you have "
              "left the game for good."),
            table_title(table), say_duration_argument(hours * HOUR_MS)));
}

/* Tells players of this table who are elsewhere in the house that they must come back by a
 * deadline. */
static void tell_players_elsewhere(struct house *house, const struct table *table)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct person *person = table_connected_holder(house, table, seat);
        if (person == NULL || table_is_entered_by(table, person)) {
            continue;
        }
        LINKED_CONNS_EACH(conn, &person->conns) {
            resume_deadlines_tell_time_left(house, table, seat, conn);
        }
    }
}

void resume_deadlines_note_request(struct house *house, struct table *table, int seat)
{
    if (!table->is_rated || !halt_has_deadline(table->row.halt)) {
        return;
    }
    table->row.resume_asked = (uint8_t)(table->row.resume_asked | 1U << seat);
    if (table->row.resume_due_ms != 0) {
        return;
    }
    table->row.resume_due_ms = house->now_ms + RESUME_DEADLINE_MS;
    chat_announce_at_table(
        house, table,
        table->row.halt == STORAGE_HALT_ADJOURN
            ? say(_("The game goes on in 7 days at the latest: whoever has not said "
                    "/resume by then has left it for good."))
            : say(_("The game goes on and stays rated once all are here at the same time, or in 7 "
                    "days at the latest; a bot then plays for whoever is away.")));
    tell_players_elsewhere(house, table);
}

void resume_deadlines_withdraw_request(struct table *table, int seat)
{
    table->row.resume_asked = (uint8_t)(table->row.resume_asked & ~(1U << seat));
    if (table->row.resume_asked == 0) {
        table->row.resume_due_ms = 0;
    }
}

void resume_deadlines_skip_downtime(struct house *house, struct table *table, int64_t down_since_ms)
{
    if (resume_deadline_is_running(table) && house->now_ms > down_since_ms) {
        table->row.resume_due_ms += house->now_ms - down_since_ms;
        table_save(house, table);
    }
}

static void resume_game_at_deadline(struct house *house, struct table *table)
{
    json_t *over = say(table->row.halt == STORAGE_HALT_ADJOURN
                           ? _("The time to come back to %p is over: the game goes on, without "
                               "those who have not said /resume.")
                           : _("The time to come back to %p is over: the game goes on, and a bot "
                               "plays for whoever is away."),
                       table_title(table));
    table_notify_people(house, table, json_incref(over));
    chat_announce_at_table(house, table, over);
    uint8_t missing = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        missing =
            (uint8_t)(missing | (unsigned)player_must_still_ask_to_resume(table, seat) << seat);
    }
    for (int seat = 0; seat < table->row.players; seat++) {
        if ((missing >> seat & 1) != 0) {
            table_game_leave_for_good(house, table, seat);
        }
    }
    table_halt_end(house, table);
}

/* Resumes the games whose deadline has passed. */
static void resume_overdue_games(struct house *house)
{
    TABLES_EACH(table, house) {
        if (resume_deadline_is_running(table) && table->row.resume_due_ms <= house->now_ms) {
            resume_game_at_deadline(house, table);
        }
    }
}

static int64_t deadline_of_table_ms(UNUSED const struct house *house, const struct table *table)
{
    return resume_deadline_is_running(table) ? table->row.resume_due_ms : INT64_MAX;
}

static int64_t next_resume_deadline_ms(const struct house *house)
{
    return tables_next_ms(house, deadline_of_table_ms);
}

const struct part resume_deadlines_part = {
    .name = "resume-deadlines",
    .tick = resume_overdue_games,
    .next_ms = next_resume_deadline_ms,
};
