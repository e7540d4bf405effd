#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/replay/replay.h"
#include "daemon/screens/table/choosing.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"

/* Commands about one's own hand and seat in a running game. */

#define LINE_BYTES 400
#define HINT_CHOICES 4 /* how many moves a hint at the table compares */

static void run_premove_command(struct ui *ui, const char *args)
{
    struct table_screen_state *state = screen_find_state(ui, "table");
    if (state != NULL) {
        premove_run_command(ui, state, args);
    }
}

static const char *const premove_words[] = {"off", NULL};

const struct command premove_command = {
    .name = "premove",
    .args = N_("[card or bid|off]"),
    .help = N_("Choose the move that is made as soon as it is your turn. As in: /premove KH; "
               "nothing is played if it is not allowed then. /premove off takes it back."),
    .where = COMMAND_AT_TABLE,
    .words = premove_words,
    .run = run_premove_command,
};

const struct command auto_command = {
    .name = "auto",
    .args = "on|off",
    .help = N_("Let the last card of your hand play itself after a moment. The choice is saved "
               "with your account."),
    .turn = screen_set_auto_play,
};

static void fold_board(struct ui *ui)
{
    struct table_screen_state *state = screen_find_state(ui, "table");
    if (state != NULL) {
        state->is_board_folded = !state->is_board_folded;
    }
}

const struct command fold_command = {
    .name = "fold",
    .help = N_("Hide the facts above the players, or show them again."),
    .where = COMMAND_AT_TABLE,
    .act = fold_board,
};

/* Returns why the person gets no hint at the entered table, translated; NULL if they get one. */
static const char *explain_why_no_hint(const struct model_entered *entered)
{
    if (entered->you < 0) {
        return _("Hints are for players: you only watch here.");
    }
    if (entered->row.phase != TABLE_PLAYING || !entered->has_view ||
        entered->view.phase == PHASE_OVER) {
        return _("No game is running here.");
    }
    if (entered->details.is_rated) {
        return _("Hints are for games that are not rated.");
    }
    return !view_viewer_may_move(&entered->view) || round_end_waits_for_viewer(entered)
               ? _("It is not your turn.")
               : NULL;
}

/* Returns the key that makes a move which is named by the number of its card, where that number is
 * no key ("card 10"); '\0' for any other move. */
static char find_key_of_numbered_card(const struct game_view *view, uint8_t move)
{
    for (uint8_t slot = 9; slot < view->slot_count[view->seat]; slot++) {
        bool is_numbered = view->hands[view->seat][slot].card == CARD_NONE;
        if (is_numbered && view->game->face->point(view, slot) == move) {
            return hand_keyboard_key_of_place(slot);
        }
    }
    return '\0';
}

/* On small screens the chat has a single row, so the bot's choice comes last. */
static void add_hint_lines(struct ui *ui, const struct model_entered *entered,
                           const struct hint *hint)
{
    const struct game_view *view = &entered->view;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    words.is_plain = true;
    const char *move = hint_write_move(&words, view, hint->move, &TEXT_OF(LINE_BYTES));
    if (hint->is_only_move) {
        screen_add_chat_line(ui, _("Your only legal move: %s"), move);
        return;
    }
    if (hint->count == 0) {
        screen_add_chat_line(ui, "%s", _("The strong bot has compared no points here."));
    } else {
        if (view->game->face->expected_points != NULL) {
            screen_add_chat_line(ui, "%s", hint_explain_points(view->game));
        }
        screen_add_chat_line(ui, _("Expected points this round: %s."),
                             hint_write_choices(&words, view, hint, HINT_CHOICES, MOVE_NONE,
                                                &TEXT_OF(LINE_BYTES * 2)));
    }
    const char key = find_key_of_numbered_card(view, hint->move);
    if (key != '\0' && !screen_is_plain(ui)) {
        screen_add_chat_line(ui, _("The strong bot would choose %s (key %c)."), move, key);
    } else {
        screen_add_chat_line(ui, _("The strong bot would choose %s."), move);
    }
}

/* Makes the hint for the entered table's view, unless it was made before. Returns NULL, after a
 * warning, if it cannot be made now. */
static const struct hint *find_hint(struct ui *ui, const struct model_entered *entered)
{
    struct table_screen_state *state = screen_find_state(ui, "table");
    int64_t game = entered->details.game_id;
    bool is_made = state != NULL && state->hint_game == game && game != 0 &&
                   state->hint_step == entered->view.step;
    if (state == NULL || (!is_made && !screen_may_make_hint(ui))) {
        return NULL;
    }
    if (!is_made) {
        hint_make(&state->hint, &entered->view, &entered->config, game);
    }
    state->hint_game = game;
    state->hint_step = entered->view.step;
    return &state->hint;
}

static void show_hint(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (replay_show_hint(ui)) {
        return;
    }
    if (entered == NULL) {
        screen_warn(ui, "%s", _("Hints are for your turn at a table, and for replays."));
        return;
    }
    const char *reason = explain_why_no_hint(entered);
    const struct hint *hint = NULL;
    if (reason != NULL) {
        screen_warn(ui, "%s", reason);
    } else if ((hint = find_hint(ui, entered)) != NULL) {
        add_hint_lines(ui, entered, hint);
    }
}

const struct command hint_command = {
    .name = "hint",
    .help = N_("Ask the strong bot what it would do, move by move. On your turn, in games that are "
               "not rated: it sees only what you see. In a replay: in the place of the player who "
               "moves next, with what that player saw."),
    .act = show_hint,
};

static void resign(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered->you >= 0 && entered->row.phase != TABLE_PLAYING) {
        screen_inform(ui, "%s", _("No game is running here: /stand gives up your seat."));
        return;
    }
    table_ask_before_leaving_for_good(ui);
}

const struct command resign_command = {
    .name = "resign",
    .help = N_("Leave a running game for good: a bot takes your seat. You are asked first."),
    .where = COMMAND_AT_TABLE,
    .act = resign,
};
