#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"

/* Writes the table screen's texts about halts, clocks that run out, and lost connections. */

#define LINE_BYTES 400

static bool bot_plays_for_viewer(const struct model_entered *entered)
{
    return entered->you >= 0 && entered->row.phase == TABLE_PLAYING &&
           entered->details.seats.at[entered->you].is_played_by_bot;
}

bool table_game_is_halted(const struct model_entered *entered)
{
    return entered->row.phase == TABLE_PLAYING && entered->row.halt != HALT_NONE &&
           entered->row.halt != HALT_ROUND;
}

bool table_viewer_is_to_move(const struct model_entered *entered, enum table_halt halt)
{
    return model_viewer_is_asked_to_move(entered) && entered->row.phase == TABLE_PLAYING &&
           entered->row.halt == halt;
}

static uint8_t find_seats_that_can_resume(const struct model_entered *entered)
{
    uint8_t seats = 0;
    for (uint8_t seat = 0; seat < entered->row.players; seat++) {
        const struct seat_row *who = &entered->details.seats.at[seat];
        bool may_come = who->kind == PERSON_PLAYER || (who->kind == PERSON_GUEST && !who->is_gone);
        if (who->is_taken && may_come) {
            seats = (uint8_t)(seats | 1U << seat);
        }
    }
    return seats;
}

/* Writes that the game is paused, or which players it waits for and until when: those who have not
 * asked to resume an adjourned game, or who have not come back since the house was down. */
static void write_reason_of_halt(const struct model_entered *entered, const struct words *words,
                                 struct text *out)
{
    const struct entered_row *details = &entered->details;
    bool is_adjourned = entered->row.halt == HALT_ADJOURN, has_end = details->resume_by_ms > 0;
    if (entered->row.halt == HALT_PAUSE) {
        text_put(out, _("Paused: no clock runs. /resume goes on."));
        return;
    }
    uint8_t missing = is_adjourned
                          ? (uint8_t)(find_seats_that_can_resume(entered) & ~details->asks.resume)
                          : details->awaited;
    text_format(out,
                is_adjourned && has_end ? _("Adjourned: waiting for %s to /resume, until %s")
                : is_adjourned          ? _("Adjourned until all say /resume; not yet: %s")
                : !details->is_rated ? _("Interrupted: waiting for %s. /resume plays without them.")
                : has_end            ? _("Interrupted: waiting for %s, until %s")
                                     : _("Interrupted: waiting for %s, up to 7 days after /resume"),
                words_write_seats(words, missing, &TEXT_OF(LINE_BYTES)),
                words_write_deadline(details->resume_by_ms, &TEXT_OF(64)));
}

/* Writes when a bot will play for a player whose turn it is and who has lost the connection.
 * Returns false if there is no such player. */
static bool write_lost_connection(const struct model_entered *entered, const struct words *words,
                                  int64_t now_ms, struct text *out)
{
    for (uint8_t seat = 0; seat < entered->row.players; seat++) {
        int64_t bot_ms = entered->times[seat].bot_ms;
        bool is_awaited = entered->has_view && (entered->view.to_act >> seat & 1) != 0 &&
                          entered->details.seats.at[seat].is_gone && bot_ms >= 0;
        if (is_awaited && clock_rule_is_for_one_sitting(&entered->row.clock)) {
            text_format(
                out, _("%s lost the connection; waiting %s, then a bot plays for them"),
                words_write_seat(words, seat, &TEXT_OF(LINE_BYTES)),
                words_write_time_left(model_time_left(entered, bot_ms, now_ms), &TEXT_OF(40)));
            return true;
        }
    }
    return false;
}

bool table_write_why_game_waits(const struct model_entered *entered, const struct words *words,
                                int64_t now_ms, struct text *out)
{
    if (entered->row.phase != TABLE_PLAYING) {
        return false;
    }
    if (table_game_is_halted(entered)) {
        write_reason_of_halt(entered, words, out);
        return true;
    }
    if (table_claim_write_wait(entered, words, out)) {
        return true;
    }
    if (bot_plays_for_viewer(entered)) {
        text_put(out, _("A bot plays for you: type /resume to play."));
        return true;
    }
    return write_lost_connection(entered, words, now_ms, out);
}

void table_request_resume(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    bool is_bot = !table_game_is_halted(entered) && bot_plays_for_viewer(entered);
    screen_send_request(ui, is_bot ? "seat_back" : "resume", json_object(), NULL, 0);
}

/* True if Enter takes a move in a halt: the offered one, or what the player has selected. */
static bool is_enter_for_move(const struct model_entered *entered,
                              const struct table_screen_state *state)
{
    return state->premove.is_offered ||
           (table_viewer_is_to_move(entered, HALT_HOUSE) && table_has_selection(state));
}

bool table_handle_key_in_halt(struct ui *ui, struct table_screen_state *state,
                              const struct press *press)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (press->kind != PRESS_ENTER || entered->you < 0 ||
        (!table_game_is_halted(entered) && !bot_plays_for_viewer(entered))) {
        return false;
    }
    if (is_enter_for_move(entered, state)) {
        return false;
    }
    if (!table_viewer_is_to_move(entered, HALT_HOUSE) ||
        !table_take_enter_after_move(ui, state, press)) {
        table_request_resume(ui);
    }
    return true;
}

void table_add_halt_hints(const struct model_entered *entered,
                          const struct table_screen_state *state, struct hints *hints)
{
    uint8_t own = (uint8_t)(entered->you < 0 ? 0 : 1U << entered->you);
    if (own == 0) {
        return;
    }
    if (table_game_is_halted(entered) && (entered->details.asks.resume & own) == 0 &&
        !is_enter_for_move(entered, state)) {
        hints_add(hints, "Enter", _("play on"));
    } else if (bot_plays_for_viewer(entered)) {
        hints_add(hints, "Enter", _("take over"));
    }
    if (entered->details.asks.pause != 0 && (entered->details.asks.pause & own) == 0) {
        hints_add(hints, "/pause", _("agree"));
    }
    if (entered->details.asks.adjourn != 0 && (entered->details.asks.adjourn & own) == 0) {
        hints_add(hints, "/adjourn", _("agree"));
    }
}

void table_ring_bell_at_low_time(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    bool is_own = entered->has_view && entered->has_clock && entered->you >= 0 &&
                  entered->row.phase == TABLE_PLAYING && model_clocks_run(entered) &&
                  (entered->view.to_act >> entered->you & 1) != 0;
    bool is_short = is_own && clock_rule_is_for_one_sitting(&entered->row.clock) &&
                    entered->clock_of_ms > CLOCK_SHORT_MS &&
                    entered->clock_end_ms - screen_now_ms(ui) < CLOCK_SHORT_MS;
    if (is_short && !state->is_alarmed) {
        screen_ring_bell(ui);
    }
    state->is_alarmed = is_short;
}

int64_t table_next_second_ms(int64_t end_ms, int64_t now_ms)
{
    return end_ms <= now_ms ? INT64_MAX : now_ms + (end_ms - now_ms - 1) % 1000 + 1;
}

int64_t table_next_clock_change_ms(const struct model_entered *entered, int64_t now_ms)
{
    int64_t next_ms = INT64_MAX;
    if (!model_clocks_run(entered) || entered->row.halt != HALT_NONE) {
        return next_ms;
    }
    if (entered->has_clock) {
        next_ms = table_next_second_ms(entered->clock_end_ms, now_ms);
    }
    for (int i = 0; i < 2 * SEATS_MAX; i++) {
        const struct model_time *time = &entered->times[i / 2];
        int64_t left_ms =
            model_time_left(entered, i % 2 == 0 ? time->left_ms : time->bot_ms, now_ms);
        int64_t at_ms = table_next_second_ms(now_ms + left_ms, now_ms);
        next_ms = at_ms < next_ms ? at_ms : next_ms;
    }
    return next_ms;
}
