#include "daemon/screens/table/table_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "games/card.h"

#include <limits.h>
#include <string.h>

#define FACT_BYTES 400

/* maximum number of new cards in a hand that the story tells; if there are more, all hands are
 * printed */
#define CHANGES_MAX 4

const char *game_print_write_name(const struct words *words, uint8_t seat, struct text *out)
{
    if (words_is_own_seat(words, seat)) {
        text_put(out, _("You"));
    } else {
        words_write_seat(words, seat, out);
    }
    return out->at;
}

void game_print_headline(const struct game_view *view, const struct words *words,
                         struct lines *lines)
{
    const struct scene scene = {.view = view, .words = *words};
    lines_format(lines, "%s.", scene_write_headline(&scene, "", INT_MAX, &TEXT_OF(LINES_LINE_MAX)));
    board_print(&scene, lines);
}

static const char *describe_card_in_slot(const struct words *words, const struct view_slot *slot,
                                         struct text *out)
{
    struct text clue = TEXT_OF(FACT_BYTES);
    words_write_suit(words, slot->suit, &clue);
    if (slot->value != 0) {
        text_put(&clue, clue.len > 0 ? " " : "");
        text_put_number(&clue, slot->value);
    }
    if (slot->is_empty) {
        text_put(out, _("gone"));
    } else if (slot->card == CARD_NONE && clue.len == 0) {
        text_put(out, _("unknown"));
    } else if (slot->card == CARD_NONE) {
        text_format(out, _("unknown %s"), clue.at);
    } else if (clue.len == 0) {
        words_write_card(words, slot->card, out);
    } else if (slot->suit != SUIT_NONE && slot->value != 0) {
        text_format(out, _("%s (told)"), words_write_card(words, slot->card, &TEXT_OF(FACT_BYTES)));
    } else {
        text_format(out, _("%s (told: %s)"),
                    words_write_card(words, slot->card, &TEXT_OF(FACT_BYTES)), clue.at);
    }
    return out->at;
}

const char *game_print_write_hand_card(const struct words *words, const struct view_slot *slot,
                                       struct text *out)
{
    text_format(out, slot->is_traded && !slot->is_empty ? _("%s (traded)") : "%s",
                describe_card_in_slot(words, slot, &TEXT_OF(FACT_BYTES * 3)));
    return out->at;
}

/* Prints another player's cards, as far as the view contains them. */
static void print_open_hand(const struct game_view *view, const struct words *words, uint8_t seat,
                            struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    int hidden = 0;
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        const struct view_slot *slot = &view->hands[seat][i];
        if (slot->is_empty || !card_in_slot_is_known(slot)) {
            hidden += !slot->is_empty;
            continue;
        }
        text_put(&line, line.len > 0 ? ", " : "");
        if (view->game->face->keeps_slots) {
            text_format(&line, "%d ", i + 1);
        }
        game_print_write_hand_card(words, slot, &line);
    }
    bool has_open = line.len > 0;
    if (hidden > 0) {
        text_format_list_item(
            &line, ngettext("%d card hidden", "%d cards hidden", (unsigned long)hidden), hidden);
    }
    if (has_open) {
        lines_format(lines, _("Cards of %s: %s."),
                     words_write_seat(words, seat, &TEXT_OF(FACT_BYTES)), line.at);
    }
}

static void print_player(const struct game_view *view, const struct words *words, uint8_t seat,
                         struct lines *lines)
{
    struct text facts = TEXT_OF(LINES_LINE_MAX);
    const struct scene scene = {.view = view, .words = *words};
    const struct seat_marks marks = seat_marks_collect_lasting(&scene, seat);
    for (uint8_t i = 0; i < marks.count; i++) {
        text_format_list_item(&facts, "%s", marks.at[i]);
    }
    lines_format(lines, "%s: %s.", game_print_write_name(words, seat, &TEXT_OF(FACT_BYTES)),
                 facts.at);
    if (view->seat != (int)seat && !view->game->face->badges_tell_open_cards) {
        print_open_hand(view, words, seat, lines);
    }
}

void game_print_seats(const struct game_view *view, const struct words *words, struct lines *lines)
{
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        print_player(view, words, seat, lines);
    }
}

void game_print_trick(const struct game_view *view, const struct words *words, struct lines *lines)
{
    if (view->trick.count > 0) {
        lines_format(lines, _("In the trick: %s."),
                     words_write_trick(words, &view->trick, false, &TEXT_OF(LINES_LINE_MAX)));
    }
}

void game_print_hand(const struct game_view *view, const struct words *words, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    uint8_t slots[SLOTS_MAX];
    uint8_t count = typed_list_numbered_slots(view, slots);
    for (uint8_t place = 0; place < count; place++) {
        const struct view_slot *slot = &view->hands[view->seat][slots[place]];
        if (!slot->is_empty) {
            text_format_list_item(&line, "%d ", place + 1);
            game_print_write_hand_card(words, slot, &line);
        }
    }
    if (line.len > 0) {
        lines_format(lines, _("Your cards: %s."), line.at);
    }
}

void game_print_turn(const struct game_view *view, const struct words *words, struct lines *lines)
{
    if (view_viewer_may_move(view)) {
        struct text prompt = TEXT_OF(LINES_LINE_MAX);
        words_write_phrase(words, view->game->face->prompt(view), &prompt);
        bool is_question = prompt.len > 0 && prompt.at[prompt.len - 1] == '?';
        lines_format(lines, is_question ? _("Your turn: %s") : _("Your turn: %s."), prompt.at);
        typed_print_possible_moves(view, words, lines);
    } else if (view->to_act != 0) {
        lines_format(lines, _("Waiting for %s (%s)."),
                     words_write_seats(words, view->to_act, &TEXT_OF(LINES_LINE_MAX)),
                     _(face_describe_turn(view, bits_index_of_lowest(view->to_act))));
    }
}

void game_print_story_lines(const struct story *story, uint8_t first, uint8_t end,
                            const struct words *words, struct lines *lines)
{
    for (uint8_t i = first; i < end; i++) {
        struct text text = TEXT_OF(LINES_LINE_MAX);
        lines_format(lines, "%s.", words_write_phrase(words, story->lines[i].words, &text));
    }
}

void game_print_score(const struct score_row *row, const struct game_view *view,
                      const struct words *words, struct lines *lines)
{
    struct story story;
    story_tell_points(view->game, row, view->seats, &story);
    /* after the heading, a line for each seat: the viewer's is printed first */
    uint8_t first = (uint8_t)(1 + (words->you > 0 ? words->you : 0));
    game_print_story_lines(&story, 0, 1, words, lines);
    game_print_story_lines(&story, first, story.count, words, lines);
    game_print_story_lines(&story, 1, first, words, lines);
}

/* The number of cards in a hand of which the later view shows more than the earlier one. */
static int count_new_cards(const struct game_view *before, const struct game_view *now,
                           uint8_t seat)
{
    int count = 0;
    for (uint8_t i = 0; i < now->slot_count[seat]; i++) {
        const struct view_slot *slot = &now->hands[seat][i];
        count += !slot->is_empty && slot->card != before->hands[seat][i].card;
    }
    return count;
}

void game_print_new_hands(const struct game_view *before, const struct game_view *now,
                          const struct words *words, struct lines *lines)
{
    bool is_deal = before->round != now->round;
    for (uint8_t seat = 0; seat < now->seats; seat++) {
        is_deal |= count_new_cards(before, now, seat) > CHANGES_MAX;
    }
    for (uint8_t seat = 0; seat < now->seats && is_deal; seat++) {
        if (now->seat != (int)seat) {
            print_open_hand(now, words, seat, lines);
        }
    }
    if (is_deal && !view_viewer_may_move(now)) { /* the viewer's hand is left out during the
                                                    viewer's turn: then it is printed with the
                                                    possible moves */
        game_print_hand(now, words, lines);
    }
}

/* Prints the table in plain mode, as lines of text: the whole table on arrival, then each event. */

#define WARN_MS 10000 /* a player with this many milliseconds left is warned */

static void print_table_before_start(const struct model_entered *entered, struct lines *lines)
{
    struct text line = TEXT_OF(LINES_LINE_MAX);
    struct option_settings settings;
    lines_format(lines, _("Table #%lld, %s, about to begin. %s"), (long long)entered->row.id,
                 _(entered->row.game->title), _(entered->row.game->face->pitch));
    for (int seat = 0; seat < entered->row.players; seat++) {
        if (entered->details.seats.at[seat].is_taken) {
            lines_format(lines, _("Seat %d: %s."), seat + 1,
                         table_write_player(entered, seat, true, &TEXT_OF(FACT_BYTES)));
        } else {
            lines_format(lines, _("Seat %d: free."), seat + 1);
        }
    }
    option_list_settings(entered, &settings);
    for (uint8_t i = 0; i < settings.count; i++) {
        text_format_list_item(&line, "%s %s", settings.at[i].label, settings.at[i].value.at);
    }
    lines_format(lines, "%s.", line.at);
    lines_put(lines, table_write_missing_players(entered, true, &TEXT_OF(FACT_BYTES)));
    lines_put(lines, _("/rules prints the rules. A line that is no command is said at the table."));
}

static void print_typing_instructions(const struct model_entered *entered, struct lines *lines)
{
    if (entered->row.game->deck->is_standard) {
        lines_put(lines, _("A card is written as its rank, T for ten, and its suit: S spades, H "
                           "hearts, D diamonds, C clubs."));
    }
    if (entered->you >= 0) {
        lines_put(lines, _("Type the number or name of a card or choice. Enter alone sums up the "
                           "situation, /look prints the table, /last the last trick, /scores the "
                           "scores, /rules the rules. Any other line is said at the table."));
    } else {
        lines_put(lines,
                  _("You are watching. /look prints the table, /leave goes back to the lobby."));
    }
}

/* Prints why the game does not continue: it is halted, a bot plays for the viewer, or the game
 * waits for a player. */
static void print_why_game_waits(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    struct text line = TEXT_OF(FACT_BYTES * 2);
    state->told_halt = entered->row.halt;
    if (round_end_is_stop(entered)) {
        round_end_print_stop(entered, &words, screen_now_ms(ui), screen_get_plain_lines(ui));
    } else if (table_write_why_game_waits(entered, &words, screen_now_ms(ui), &line)) {
        lines_put(screen_get_plain_lines(ui), line.at);
    }
}

static void remember_printed_view(struct table_screen_state *state,
                                  const struct model_entered *entered)
{
    state->told = entered->view;
    state->has_told = true;
    state->told_game = entered->details.game_id;
    state->sheet_told = entered->sheet_count;
    state->is_round_end_told = false;
}

/* True at the stop between two rounds, until the player has gone on; for a spectator, until the
 * stop is over. The next round is printed after that. */
static bool holds_next_round_back(const struct model_entered *entered)
{
    return round_end_is_stop(entered) && (entered->you < 0 || round_end_waits_for_viewer(entered));
}

/* Prints the points of the round that has just ended, and how to go on. */
static void print_finished_round(struct ui *ui, struct table_screen_state *state,
                                 const struct words *words, struct lines *lines)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered->sheet_count > 0) {
        game_print_score(&entered->sheet[entered->sheet_count - 1], &entered->view, words, lines);
    }
    state->is_round_end_told = true;
    table_lesson_print(&state->lesson, entered, words, true, lines);
    print_why_game_waits(ui, state);
}

bool table_print(struct ui *ui, void *opaque, struct lines *lines)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL || (entered->row.phase != TABLE_OPEN && !entered->has_view)) {
        return false;
    }
    if (entered->row.phase == TABLE_OPEN) {
        state->has_told = false;
        state->missing_told = (int8_t)table_count_free_seats(entered);
        print_table_before_start(entered, lines);
        return true;
    }
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    const struct game_view *view = &entered->view;
    bool is_new = !state->has_told || state->told_game != entered->details.game_id;
    lines_format(lines, _("Table #%lld."), (long long)entered->row.id);
    if (is_new && view->phase != PHASE_OVER) {
        print_typing_instructions(entered, lines);
    }
    if (holds_next_round_back(entered)) {
        print_finished_round(ui, state, &words, lines);
        return true;
    }
    if (is_new && view->trick.count == 0 && view->past_count == 0) {
        struct story story; /* who deals, who leads, what others have told */
        story_tell(NULL, view, &story);
        game_print_story_lines(&story, 0, story.count, &words, lines);
    }
    game_print_headline(view, &words, lines);
    game_print_seats(view, &words, lines);
    game_print_trick(view, &words, lines);
    if (!view_viewer_may_move(view)) { /* in the viewer's turn it is printed with the moves */
        game_print_hand(view, &words, lines);
    }
    if (view->phase != PHASE_OVER) {
        game_print_turn(view, &words, lines);
    }
    table_lesson_print(&state->lesson, entered, &words, true, lines);
    print_why_game_waits(ui, state);
    remember_printed_view(state, entered);
    if (view->phase == PHASE_OVER) {
        table_result_print(ui, state, lines);
    }
    return true;
}

static void print_new_scores(struct table_screen_state *state, const struct model_entered *entered,
                             const struct words *words, struct lines *lines)
{
    for (; state->sheet_told < entered->sheet_count; state->sheet_told++) {
        game_print_score(&entered->sheet[state->sheet_told], &entered->view, words, lines);
    }
}

/* True if a person, not only bots, must move now; people may take a while. */
static bool is_waiting_for_people(const struct model_entered *entered)
{
    for (uint8_t seat = 0; seat < entered->row.players; seat++) {
        bool is_waiting = (entered->view.to_act >> seat & 1) != 0;
        if (is_waiting && entered->details.seats.at[seat].kind != PERSON_BOT) {
            return true;
        }
    }
    return false;
}

/* True if the viewer's own clock is running. */
static bool is_own_clock_running(const struct model_entered *entered)
{
    return entered->has_clock && model_clocks_run(entered) && entered->has_view &&
           view_viewer_may_move(&entered->view);
}

static void print_time_left(struct ui *ui, const struct model_entered *entered)
{
    if (is_own_clock_running(entered)) {
        lines_format(
            screen_get_plain_lines(ui), _("Time left: %s."),
            words_write_time_left(entered->clock_end_ms - screen_now_ms(ui), &TEXT_OF(64)));
    }
}

int64_t table_print_clock_warning(struct ui *ui, void *opaque)
{
    struct table_screen_state *state = opaque;
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL || !is_own_clock_running(entered) || entered->clock_of_ms < 2 * WARN_MS) {
        return INT64_MAX;
    }
    uint16_t step = (uint16_t)(entered->view.step + 1);
    int64_t warn_ms = entered->clock_end_ms - WARN_MS;
    if (state->warned_step != step && screen_now_ms(ui) < warn_ms) {
        return warn_ms;
    }
    if (state->warned_step != step) {
        state->warned_step = step;
        print_time_left(ui, entered);
    }
    return INT64_MAX;
}

static void print_turn_if_changed(struct ui *ui, const struct table_screen_state *state,
                                  const struct model_entered *entered, const struct words *words)
{
    struct lines *lines = screen_get_plain_lines(ui);
    const struct game_view *now = &entered->view;
    bool is_asked = view_viewer_may_move(now);
    if (model_claim_is_played_out(entered) || premove_is_due(state, entered)) {
        return;
    }
    bool is_new = state->is_turn_untold ||
                  (is_asked ? !view_viewer_may_move(&state->told) ||
                                  memcmp(&now->legal, &state->told.legal, sizeof(now->legal)) != 0
                            : now->to_act != state->told.to_act && is_waiting_for_people(entered));
    if (is_new || (is_asked && now->phase != state->told.phase)) {
        game_print_turn(now, words, lines);
        print_time_left(ui, entered);
        if (table_claim_is_worth_offering(entered)) {
            lines_put(lines,
                      _("You can take all remaining tricks for certain: /claim takes them."));
        }
    }
}

void table_print_view_changes(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    struct lines *lines = screen_get_plain_lines(ui);
    if (!state->has_told || !entered->has_view || state->told_game != entered->details.game_id ||
        !story_views_follow(&state->told, &entered->view)) {
        screen_print_top_again(ui);
        return;
    }
    struct story story;
    story_tell(&state->told, &entered->view, &story);
    bool is_stop = round_end_is_stop(entered);
    bool is_round_end_new = !state->is_round_end_told;
    if (is_round_end_new) {
        game_print_story_lines(&story, 0, story.old_count, &words, lines);
    }
    if (story.old_count > 0 || is_stop) {
        print_new_scores(state, entered, &words, lines);
    }
    if (holds_next_round_back(entered)) {
        state->is_round_end_told = true;
        if (is_round_end_new) {
            table_lesson_print(&state->lesson, entered, &words, false, lines);
            print_why_game_waits(ui, state);
        }
        return;
    }
    game_print_story_lines(&story, story.old_count, story.count, &words, lines);
    print_new_scores(state, entered, &words, lines);
    game_print_new_hands(&state->told, &entered->view, &words, lines);
    if (!is_stop) {
        table_lesson_print(&state->lesson, entered, &words, false, lines);
        print_turn_if_changed(ui, state, entered, &words);
    }
    remember_printed_view(state, entered);
    state->is_turn_untold = is_stop;
}

/* Before the start, prints how many players are still missing; the house itself announces who comes
 * and goes. Later, prints why a game was halted. */
void table_print_table_changes(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    int missing = table_count_free_seats(entered);
    if (entered->row.phase == TABLE_OPEN) {
        if (state->missing_told != missing && state->missing_told >= 0) {
            lines_put(screen_get_plain_lines(ui),
                      table_write_missing_players(entered, true, &TEXT_OF(FACT_BYTES)));
            state->missing_told = (int8_t)missing;
        }
    } else if (state->has_told && state->told_game != entered->details.game_id) {
        screen_print_top_again(ui);
    } else if (state->is_round_end_told) {
        table_print_view_changes(ui, state);
        if (round_end_is_stop(entered) && !state->is_round_end_told) {
            print_why_game_waits(ui, state); /* the player has gone on, but not all others */
        }
    } else if (round_end_is_stop(entered)) {
        state->told_halt = entered->row.halt; /* it is printed after the scores */
    } else if (state->told_halt == HALT_ROUND && entered->row.halt == HALT_NONE) {
        state->told_halt = HALT_NONE; /* the next round has been printed */
    } else if (entered->row.halt != state->told_halt) {
        print_why_game_waits(ui, state);
    }
}

/* Prints a short summary of the situation in the game, in reply to an empty typed line. */
static void print_situation(struct ui *ui, struct table_screen_state *state,
                            const struct model_entered *entered)
{
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    struct lines *lines = screen_get_plain_lines(ui);
    if (entered->row.phase == TABLE_OPEN || !entered->has_view) {
        lines_put(lines, table_write_missing_players(entered, true, &TEXT_OF(FACT_BYTES)));
        return;
    }
    if (entered->view.phase == PHASE_OVER) {
        table_result_print(ui, state, lines);
        return;
    }
    print_why_game_waits(ui, state);
    game_print_headline(&entered->view, &words, lines);
    if (entered->view.seat != SPECTATOR) {
        print_player(&entered->view, &words, (uint8_t)entered->view.seat, lines);
    }
    game_print_trick(&entered->view, &words, lines);
    if (!view_viewer_may_move(&entered->view)) {
        game_print_hand(&entered->view, &words, lines);
    }
    if (!round_end_is_stop(entered)) {
        game_print_turn(&entered->view, &words, lines);
        print_time_left(ui, entered);
    }
}

bool table_handle_typed_line(struct ui *ui, void *opaque, const char *typed_line)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered == NULL || typed_line[0] != '\0') {
        return false; /* table_catch_line makes the moves */
    }
    if (round_end_waits_for_viewer(entered)) {
        round_end_go_on(ui, &((struct table_screen_state *)opaque)->round_end);
    } else {
        print_situation(ui, opaque, entered);
    }
    return true;
}
