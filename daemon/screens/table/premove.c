#include "daemon/screens/table/table_state.h"

#include "daemon/base/i18n.h"

#include <string.h>

#define LINE_BYTES 400

static const char *write_label(struct ui *ui, uint8_t move, struct text *out)
{
    struct words words = words_make_for_entered_table(screen_theme(ui), screen_model(ui)->entered);
    return words_write_move(&words, &screen_model(ui)->entered->view, move, out);
}

/* True if the hand still has the cards for which the move was chosen. */
static bool is_hand_unchanged(const struct premove *premove, const struct game_view *view)
{
    for (uint8_t i = 0; i < view->slot_count[view->seat]; i++) {
        const struct view_slot *was = &premove->hand[i], *is = &view->hands[view->seat][i];
        if (was->is_empty != is->is_empty || was->card != is->card ||
            was->is_traded != is->is_traded) {
            return false;
        }
    }
    return true;
}

/* Returns why the move can no longer be made at the player's turn; NULL if it still can. */
static const char *find_why_move_ends(const struct premove *premove,
                                      const struct model_entered *entered)
{
    const struct game_view *view = &entered->view;
    if (view->seat == SPECTATOR) {
        return _("Nothing will play itself: you have no seat here any more.");
    }
    if (premove->game != entered->details.game_id || view->phase == PHASE_OVER) {
        return _("Nothing will play itself: the game is over.");
    }
    if (premove->round != view->round) {
        return _("Nothing will play itself at your turn: the round is over.");
    }
    return is_hand_unchanged(premove, view)
               ? NULL
               : _("Nothing will play itself at your turn: your cards have changed.");
}

static void note_move(struct ui *ui, struct premove *premove, uint8_t move, bool is_set)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    const struct game_view *view = &entered->view;
    *premove = (struct premove){.is_offered = !is_set,
                                .is_set = is_set,
                                .move = move,
                                .game = entered->details.game_id,
                                .round = view->round,
                                .auto_ms = premove->auto_ms};
    memcpy(premove->hand, view->hands[view->seat], sizeof(premove->hand));
}

static void forget_move(struct premove *premove)
{
    *premove = (struct premove){.auto_ms = premove->auto_ms};
}

static void say_that_move_plays_itself(struct ui *ui, uint8_t move, bool is_in_halt)
{
    bool is_plain = screen_is_plain(ui);
    const char *label = write_label(ui, move, &TEXT_OF(LINE_BYTES));
    screen_inform(ui,
                  is_in_halt && is_plain
                      ? _("%s will play itself when the game goes on. /premove off takes it back.")
                  : is_in_halt ? _("%s will play itself when the game goes on. Esc takes it back.")
                  : is_plain   ? _("%s will play itself at your turn. /premove off takes it back.")
                               : _("%s will play itself at your turn. Esc takes it back."),
                  label);
}

void premove_choose(struct ui *ui, struct table_screen_state *state, uint8_t move, bool is_in_halt)
{
    note_move(ui, &state->premove, move, true);
    say_that_move_plays_itself(ui, move, is_in_halt);
}

void premove_point(struct ui *ui, struct table_screen_state *state, uint8_t move, char key)
{
    struct premove *premove = &state->premove;
    if (premove->is_offered && premove->move == move) {
        premove_choose(ui, state, move, false);
        return;
    }
    if (premove->is_set && premove->move == move) {
        say_that_move_plays_itself(ui, move, false);
        return;
    }
    note_move(ui, premove, move, false);
    screen_inform(ui, _("Not your turn yet: %c again or Enter plays %s as soon as it is."), key,
                  write_label(ui, move, &TEXT_OF(LINE_BYTES)));
    screen_drop_notice_when_table_changes(ui);
}

bool premove_confirm(struct ui *ui, struct table_screen_state *state)
{
    if (!state->premove.is_offered) {
        return false;
    }
    premove_choose(ui, state, state->premove.move, false);
    return true;
}

bool premove_take_back(struct ui *ui, struct table_screen_state *state)
{
    bool was_any = state->premove.is_offered || state->premove.is_set;
    if (state->premove.is_set) {
        screen_inform(ui, "%s", _("Taken back: nothing will play itself at your turn."));
    }
    forget_move(&state->premove);
    return was_any;
}

const char *premove_write(struct ui *ui, const struct table_screen_state *state, struct text *out)
{
    return state->premove.is_set ? write_label(ui, state->premove.move, out) : "";
}

int premove_find_slot(const struct table_screen_state *state, const struct game_view *view)
{
    for (uint8_t i = 0;
         state->premove.is_set && view->seat != SPECTATOR && i < view->slot_count[view->seat];
         i++) {
        if (!view->hands[view->seat][i].is_empty &&
            view->game->face->point(view, i) == state->premove.move) {
            return i;
        }
    }
    return -1;
}

static bool may_move_now(const struct model_entered *entered,
                         const struct table_screen_state *state)
{
    return table_viewer_is_to_move(entered, HALT_NONE) && !state->is_sent;
}

bool premove_is_due(const struct table_screen_state *state, const struct model_entered *entered)
{
    return state->premove.is_set && may_move_now(entered, state) &&
           move_set_has(&entered->view.legal, state->premove.move);
}

void command_premove(struct ui *ui, const char *args)
{
    struct table_screen_state *state = screen_find_state(ui, "table");
    const struct model_entered *entered = screen_model(ui)->entered;
    if (state == NULL) {
        return;
    }
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    bool is_playing = entered->row.phase == TABLE_PLAYING && entered->has_view &&
                      entered->view.phase != PHASE_OVER && entered->view.seat != SPECTATOR;
    if (!is_playing) {
        screen_warn(ui, "%s", _("You are not playing a game here."));
        return;
    }
    if (strcmp(args, "off") == 0) {
        if (!premove_take_back(ui, state)) {
            screen_inform(ui, "%s", _("No move is chosen for your next turn."));
        }
        return;
    }
    if (args[0] == '\0') {
        const char *chosen = premove_write(ui, state, &TEXT_OF(LINE_BYTES));
        screen_inform(ui,
                      chosen[0] != '\0' ? _("At your turn, this plays itself: %s")
                                        : _("No move is chosen for your next turn: /premove 4%s"),
                      chosen);
        return;
    }
    uint8_t move = typed_parse_later_move(&entered->view, &words, args);
    if (move == MOVE_NONE) {
        screen_warn(ui, _("\"%s\" is no card or move of yours: /premove 4, or /premove off."),
                    args);
    } else if (may_move_now(entered, state) || table_viewer_is_to_move(entered, HALT_HOUSE)) {
        table_make_move(ui, state, move);
    } else {
        premove_choose(ui, state, move, false);
        premove_follow_table(ui, state);
    }
}

/* Makes the chosen move in the player's turn, or says why it is not made. */
static void make_chosen_move(struct ui *ui, struct table_screen_state *state)
{
    const struct game_view *view = &screen_model(ui)->entered->view;
    uint8_t move = state->premove.move;
    struct text label = TEXT_OF(LINE_BYTES), why = TEXT_OF(LINE_BYTES);
    write_label(ui, move, &label);
    forget_move(&state->premove);
    if (move_set_has(&view->legal, move)) {
        table_make_move(ui, state, move);
        screen_inform(ui, _("Played as you wanted: %s"), label.at);
        return;
    }
    struct words words = words_make_for_entered_table(screen_theme(ui), screen_model(ui)->entered);
    words_write_phrase(&words, view->game->face->refusal(view, move), &why);
    /* the words stay when the table changes: the player has to know what was not done */
    if (why.at[0] != '\0') {
        screen_warn(ui, _("%s was not played: %s"), label.at, why.at);
    } else {
        screen_warn(ui, _("%s was not played: it is no move now."), label.at);
    }
}

/* Returns the move that plays the viewer's last card if it is the only legal move; otherwise
 * MOVE_NONE. */
static uint8_t find_forced_last_card(const struct game_view *view)
{
    int last = -1, count = 0;
    for (uint8_t i = 0; i < view->slot_count[view->seat]; i++) {
        last = view->hands[view->seat][i].is_empty ? last : i;
        count += !view->hands[view->seat][i].is_empty;
    }
    if (count != 1 || move_set_count(&view->legal) != 1) {
        return MOVE_NONE;
    }
    uint8_t move = view->game->face->point(view, (uint8_t)last);
    return move_set_has(&view->legal, move) ? move : MOVE_NONE;
}

void premove_end_at_leaving(struct ui *ui, void *opaque)
{
    struct table_screen_state *state = opaque;
    if (state->premove.is_set) {
        screen_inform(ui, "%s", _("Nothing will play itself: you have left the table."));
    }
    state->premove = (struct premove){0};
}

void premove_follow_table(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct premove *premove = &state->premove;
    if (entered == NULL || !entered->has_view) {
        premove_end_at_leaving(ui, state);
        return;
    }
    const char *why =
        premove->is_set || premove->is_offered ? find_why_move_ends(premove, entered) : NULL;
    if (why != NULL) {
        if (premove->is_set) {
            screen_inform(ui, "%s", why);
        }
        forget_move(premove);
    }
    if (entered->view.seat == SPECTATOR) {
        return;
    }
    if (!may_move_now(entered, state)) {
        premove->auto_ms = 0;
        return;
    }
    premove->is_offered = false;
    if (premove->is_set) {
        make_chosen_move(ui, state);
        return;
    }
    bool is_forced = screen_model(ui)->settings.plays_last_card &&
                     find_forced_last_card(&entered->view) != MOVE_NONE;
    if (is_forced && premove->auto_ms == 0) {
        int64_t now = screen_now_ms(ui);
        int64_t from = state->hold_end_ms > now ? state->hold_end_ms : now;
        premove->auto_ms = from + PREMOVE_AUTO_MS;
    } else if (!is_forced) {
        premove->auto_ms = 0;
    }
}

int64_t premove_play_last_card(struct ui *ui, struct table_screen_state *state)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct premove *premove = &state->premove;
    if (premove->auto_ms == 0 || !may_move_now(entered, state)) {
        return INT64_MAX;
    }
    if (screen_now_ms(ui) < premove->auto_ms) {
        return premove->auto_ms;
    }
    premove->auto_ms = 0;
    uint8_t move = find_forced_last_card(&entered->view);
    if (move != MOVE_NONE) {
        table_make_move(ui, state, move);
    }
    return INT64_MAX;
}
