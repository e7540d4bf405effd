#include "daemon/screens/table/table_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "lobby/protocol/protocol.h"

#define LINE_BYTES 400
#define PAGE_ROWS 5

void round_end_forget(struct round_end *round_end, const struct model_entered *entered)
{
    round_end->seen = entered == NULL ? 0 : entered->sheet_count;
    round_end->left = 0;
    round_end->kept_until_ms = 0;
    round_end->has_view = false;
}

/* True for a spectator who sees the game with a delay. The core's stop is over before such a
 * spectator has read the scores. */
static bool is_delayed_spectator(const struct model_entered *entered)
{
    return entered->you < 0 && entered->row.phase == TABLE_PLAYING &&
           entered->row.watch.policy == WATCH_DELAY;
}

void round_end_note_scores(struct round_end *round_end, const struct model_entered *entered,
                           bool is_reset, int64_t now_ms)
{
    bool is_new = !is_reset && entered->sheet_count > round_end->seen;
    bool is_last = entered->row.phase == TABLE_FINISHED;
    if (is_reset) {
        round_end->left = 0;
        round_end->kept_until_ms = 0;
    }
    if (is_new) {
        round_end->top = 0;
        round_end->has_view = false;
    }
    if (is_new && (is_last || is_delayed_spectator(entered))) {
        round_end->kept_until_ms = now_ms + pace_trick_ms(PACE_NORMAL) +
                                   pace_round_stop_ms((enum pace)entered->details.pace);
    }
    round_end->seen = entered->sheet_count;
}

void round_end_note_last_trick(struct round_end *round_end, const struct game_view *view)
{
    table_copy_view(&round_end->view, view);
    round_end->has_view = true;
}

bool round_end_is_stop(const struct model_entered *entered)
{
    return entered->row.phase == TABLE_PLAYING && entered->row.halt == HALT_ROUND;
}

/* True while the table stops and the viewer sees the present. Spectators with a delay may see a
 * stop for long, until the next move is shown to them. */
static bool is_stop_now(const struct model_entered *entered)
{
    return round_end_is_stop(entered) && !is_delayed_spectator(entered);
}

/* True if the viewer sees a stop that also ends without a key. */
static bool ends_by_itself(const struct model_entered *entered)
{
    return is_stop_now(entered) && entered->stop_end_ms != 0;
}

bool round_end_waits_for_viewer(const struct model_entered *entered)
{
    return round_end_is_stop(entered) && entered->you >= 0 &&
           (entered->details.awaited >> entered->you & 1) != 0;
}

/* True if the screen shows the end of the round although the game does not stop. */
static bool is_kept(const struct round_end *round_end, int64_t now_ms)
{
    return round_end->kept_until_ms > now_ms;
}

bool round_end_is_shown(const struct round_end *round_end, const struct model_entered *entered,
                        int64_t now_ms)
{
    bool is_left = round_end->left == entered->sheet_count;
    bool is_stop = entered->you < 0 ? is_stop_now(entered) : round_end_waits_for_viewer(entered);
    return entered->sheet_count > 0 && !is_left && (is_stop || is_kept(round_end, now_ms));
}

/* Returns when the stop ends by itself. While the house is away, the stop grows longer by that
 * time: the game goes on only after the house has come back. */
static int64_t find_end_of_stop_ms(const struct model_entered *entered, int64_t now_ms)
{
    int64_t away_ms = entered->away_since_ms == 0 ? 0 : now_ms - entered->away_since_ms;
    return entered->stop_end_ms + away_ms;
}

/* Returns when the end of the round is no longer shown; 0: when a key is pressed. */
static int64_t find_end_ms(const struct round_end *round_end, const struct model_entered *entered,
                           int64_t now_ms)
{
    return ends_by_itself(entered) ? find_end_of_stop_ms(entered, now_ms)
                                   : round_end->kept_until_ms;
}

/* Returns the seconds until the end of the round is no longer shown; -1: it is shown until a key is
 * pressed. */
static int find_seconds_left(const struct round_end *round_end, const struct model_entered *entered,
                             int64_t now_ms)
{
    int64_t end_ms = find_end_ms(round_end, entered, now_ms);
    if (end_ms == 0 || (end_ms <= now_ms && !is_stop_now(entered))) {
        return -1;
    }
    return end_ms <= now_ms ? 0 : (int)((end_ms - now_ms + 999) / 1000);
}

/* Writes for whom the stop waits besides the viewer; nothing if for nobody. */
static const char *write_others(const struct model_entered *entered, const struct words *words,
                                struct text *out)
{
    uint8_t own = (uint8_t)(entered->you < 0 ? 0 : 1U << entered->you);
    uint8_t others = (uint8_t)(entered->details.awaited & ~own);
    if (is_stop_now(entered) && others != 0) {
        words_write_seats(words, others, out);
    }
    return out->at;
}

static void write_how_to_go_on(unsigned round, const char *others, int seconds, struct text *out)
{
    if (others[0] != '\0' && seconds >= 0) {
        text_format(out, _("Round %u is over. Enter goes on; waiting for %s, at most %d s"), round,
                    others, seconds);
    } else if (others[0] != '\0') {
        text_format(out, _("Round %u is over. Enter goes on; waiting for %s."), round, others);
    } else if (seconds >= 0) {
        text_format(out, _("Round %u is over. Enter goes on; by itself in %d s"), round, seconds);
    } else {
        text_format(out, _("Round %u is over. Enter goes on."), round);
    }
}

/* Writes for whom a player waits who has gone on, or a spectator. */
static void write_who_is_awaited(unsigned round, const char *others, int seconds, struct text *out)
{
    if (others[0] != '\0' && seconds >= 0) {
        text_format(out, _("Round %u is over. Waiting for %s, at most %d s"), round, others,
                    seconds);
    } else if (others[0] != '\0') {
        text_format(out, _("Round %u is over. Waiting for %s."), round, others);
    } else if (seconds >= 0) {
        text_format(out, _("Round %u is over. The next one begins by itself in %d s"), round,
                    seconds);
    } else {
        text_format(out, _("Round %u is over."), round);
    }
}

bool round_end_write_prompt(const struct round_end *round_end, const struct model_entered *entered,
                            const struct words *words, int64_t now_ms, struct text *out)
{
    bool is_shown = round_end_is_shown(round_end, entered, now_ms);
    if (entered->sheet_count == 0 || (!is_shown && !is_stop_now(entered))) {
        return false; /* the scores may arrive after the news of the stop */
    }
    const char *others = write_others(entered, words, &TEXT_OF(LINE_BYTES));
    unsigned round = entered->sheet[entered->sheet_count - 1].round;
    int seconds = find_seconds_left(round_end, entered, now_ms);
    if (is_shown && entered->row.phase == TABLE_FINISHED) {
        text_format(out, _("The last round is over. Enter shows the result; by itself in %d s"),
                    seconds);
    } else if (is_shown && (entered->you >= 0 || !is_stop_now(entered))) {
        write_how_to_go_on(round, others, seconds, out);
    } else {
        write_who_is_awaited(round, others, seconds, out);
    }
    return true;
}

void round_end_print_stop(const struct model_entered *entered, const struct words *words,
                          int64_t now_ms, struct lines *lines)
{
    const char *others = write_others(entered, words, &TEXT_OF(LINE_BYTES));
    int64_t left_ms = find_end_of_stop_ms(entered, now_ms) - now_ms;
    int seconds = left_ms > 0 ? (int)((left_ms + 999) / 1000) : 0;
    if (round_end_waits_for_viewer(entered)) {
        lines_put(lines, _("Press Enter to go on."));
    }
    if (others[0] != '\0') {
        lines_format(lines, _("The next round waits for %s."), others);
    }
    if (entered->stop_end_ms != 0) {
        lines_format(lines,
                     ngettext("It begins by itself in %d second.",
                              "It begins by itself in %d seconds.", (unsigned long)seconds),
                     seconds);
    }
}

/* Warns of the refusal, and shows the end of the round again. */
static void handle_resume_answer(struct ui *ui, void *opaque, UNUSED int64_t tag, bool is_ok,
                                 const json_t *answer)
{
    struct table_screen_state *state = opaque;
    if (!is_ok) {
        state->round_end.left = 0;
        screen_warn_of_refusal(ui, answer);
    }
}

void round_end_go_on(struct ui *ui, struct round_end *round_end)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (round_end_waits_for_viewer(entered)) {
        screen_send_request(ui, "resume", json_pack("{s:b}", "stop", 1), handle_resume_answer, 0);
    }
    round_end->left = entered->sheet_count;
    round_end->kept_until_ms = 0;
}

static bool scroll(struct round_end *round_end, int rows)
{
    int top = round_end->top + rows;
    round_end->top = top < 0 ? 0 : top > round_end->top_max ? round_end->top_max : top;
    return true;
}

/* True for keys that only show something, begin to talk, or leave: they do not go on. */
static bool is_looking_key(const struct press *press)
{
    static const char letters[] = "?rstcwipqNXL/";
    if (press->kind != PRESS_CHAR) {
        return press->kind == PRESS_CLICK;
    }
    for (const char *letter = letters; *letter != '\0'; letter++) {
        if (press->code == (uint32_t)*letter) {
            return true;
        }
    }
    return false;
}

bool round_end_handle_key(struct ui *ui, struct round_end *round_end, const struct press *press)
{
    if (is_looking_key(press)) {
        return false;
    }
    switch ((int)press->kind) {
    case PRESS_UP:
    case PRESS_WHEEL_UP:
        return scroll(round_end, -1);
    case PRESS_DOWN:
    case PRESS_WHEEL_DOWN:
        return scroll(round_end, 1);
    case PRESS_PAGE_UP:
        return round_end->top_max > 0 && scroll(round_end, -PAGE_ROWS);
    case PRESS_PAGE_DOWN:
        return scroll(round_end, PAGE_ROWS);
    default:
        break;
    }
    round_end_go_on(ui, round_end);
    return true;
}

void round_end_add_hints(const struct round_end *round_end, const struct model_entered *entered,
                         struct hints *hints)
{
    hints_add(hints, "Enter",
              entered->row.phase == TABLE_FINISHED ? _("result")
              : entered->you >= 0                  ? _("go on")
                                                   : _("show the table"));
    if (round_end->top_max > 0) {
        hints_add(hints, "↑ ↓", _("scroll"));
    }
    hints_add(hints, "t", _("last trick"));
    hints_add(hints, "s", _("scores"));
    hints_add(hints, "c", _("chat"));
}

int64_t round_end_next_change_ms(const struct round_end *round_end,
                                 const struct model_entered *entered, int64_t now_ms)
{
    if (ends_by_itself(entered) && entered->away_since_ms != 0) {
        return INT64_MAX; /* the seconds stand */
    }
    int64_t end_ms = find_end_ms(round_end, entered, now_ms);
    return end_ms <= now_ms ? INT64_MAX : now_ms + (end_ms - now_ms - 1) % 1000 + 1;
}
