#include "daemon/base/i18n.h"
#include "daemon/screens/replay/replay.h"
#include "daemon/screens/table/table_state.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Commands during a game. */

#define LINE_BYTES 500

static void list_possible_moves(struct ui *ui, const struct game_view *view)
{
    struct text text = TEXT_OF(LINE_BYTES);
    struct words words = words_make_for_entered_table(screen_theme(ui), screen_model(ui)->entered);
    words.is_plain = true;
    words_write_phrase(&words, view->game->face->prompt(view), &text);
    text_put(&text, ":");
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        text_put_char(&text, ' ');
        words_write_move(&words, view, move, &text);
    }
    screen_add_chat_line(ui, "%s", text.at);
}

static void send_move(struct ui *ui, const struct model_entered *entered_table, uint8_t move)
{
    struct text text = TEXT_OF(MOVE_TEXT_MAX);
    game_move_write(entered_table->view.game, move, &text);
    screen_send_and_show_notice(ui, "move",
                                json_pack("{s:I, s:i, s:s}", "table",
                                          (json_int_t)entered_table->row.id, "step",
                                          (int)entered_table->view.step, "move", text.at),
                                NULL);
}

/* Reads a typed move, in the notation of plain mode or of histories. */
static uint8_t read_move(struct ui *ui, const struct model_entered *entered_table, const char *args)
{
    uint8_t move;
    struct words words = words_make_for_entered_table(screen_theme(ui), entered_table);
    return typed_parse_move(&entered_table->view, &words, args, &move) == TYPED_MOVE
               ? move
               : game_move_parse(entered_table->view.game, args);
}

static void run_play_command(struct ui *ui, const char *args)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (!entered->has_view || !view_viewer_may_move(&entered->view)) {
        screen_warn(ui, "%s", _("It is not your turn."));
        return;
    }
    const struct game_view *view = &entered->view;
    uint8_t move = args[0] == '\0' ? MOVE_NONE : read_move(ui, entered, args);
    if (move_set_has(&view->legal, move)) {
        send_move(ui, entered, move);
    } else if (move != MOVE_NONE) {
        table_refuse_move(ui, move);
    } else if (screen_is_plain(ui)) {
        struct words words = words_make_for_entered_table(screen_theme(ui), entered);
        game_print_turn(view, &words, screen_get_plain_lines(ui));
    } else {
        list_possible_moves(ui, view);
    }
}

const struct command play_command = {
    .name = "play",
    .args = N_("[card or number]"),
    .help = N_("Play a card or make a choice, by its name or number. As in: /play KH or /play 3; "
               "/play alone lists the choices."),
    .where = COMMAND_AT_TABLE,
    .run = run_play_command,
};

static void run_claim_command(struct ui *ui, const char *args)
{
    bool is_yes = strcmp(args, "y") == 0;
    if (args[0] == '\0') {
        table_claim(ui);
    } else if (is_yes || strcmp(args, "n") == 0) {
        table_claim_answer(ui, is_yes);
    } else {
        screen_warn(ui, "%s",
                    _("/claim alone claims all remaining tricks; /claim y or /claim n answers."));
    }
}

static const char *const claim_words[] = {"y", "n", NULL};

const struct command claim_command = {
    .name = "claim",
    .args = "[y|n]",
    .help = N_("Claim all remaining tricks of the round. On your turn, when what you see proves "
               "that nobody else can take one. The others see your cards and are asked; /claim y "
               "accepts such a claim, /claim n plays on."),
    .where = COMMAND_AT_TABLE,
    .words = claim_words,
    .run = run_claim_command,
};

static void describe_last_trick(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (!entered->has_view || !entered->view.has_last_trick) {
        screen_inform(ui, "%s", _("No trick has been taken yet."));
        return;
    }
    struct text text = TEXT_OF(LINE_BYTES);
    struct scene scene = {.view = &entered->view,
                          .words = words_make_for_entered_table(screen_theme(ui), entered)};
    scene.words.is_plain = true;
    words_write_trick(&scene.words, &entered->view.last_trick, view_tells_slots(&entered->view),
                      &text);
    text_put(&text, "; ");
    scene_write_last_trick(&scene, INT_MAX, &text);
    screen_add_chat_line(ui, "%s", text.at);
}

const struct command last_command = {
    .name = "last",
    .help = N_("Show the cards of the last trick, and who took it."),
    .where = COMMAND_AT_TABLE,
    .act = describe_last_trick,
};

const struct command scores_command = {
    .name = "scores",
    .help = N_("Show the score sheet, every number explained."),
    .where = COMMAND_AT_TABLE,
    .opens = "sheet",
};

const struct command story_command = {
    .name = "story",
    .help = N_("Show what happened in this game, from the first round on."),
    .where = COMMAND_AT_TABLE,
    .opens = "log",
};

static void run_rules_command(struct ui *ui, const char *args)
{
    char word[LINE_BYTES];
    const char *rest = command_read_word(args, word, sizeof(word));
    bool is_full = strcmp(word, "full") == 0 || strcmp(rest, "full") == 0;
    int game = word[0] == '\0' || strcmp(word, "full") == 0 ? -1 : option_find_game(word);
    if (game < 0 && word[0] != '\0' && !is_full) {
        screen_warn(ui, _("There is no game \"%s\" here."), word);
        return;
    }
    screen_open(ui, "rules", (game + 1) | (is_full ? RULES_FULL : 0));
}

const struct command rules_command = {
    .name = "rules",
    .args = N_("[game] [full]"),
    .help = N_("Show the rules of a game. Without a name, the rules of your table's game in brief; "
               "with a name, those of that game in full."),
    .run = run_rules_command,
};

const struct command watchers_command = {
    .name = "watchers",
    .help = N_("List who is watching this table."),
    .where = COMMAND_AT_TABLE,
    .act = table_show_spectators,
};

static void open_past_tricks(struct ui *ui)
{
    if (!table_open_earlier_steps(ui)) {
        screen_warn(ui, "%s",
                    _("Only spectators of a running game can go back through its tricks."));
    }
}

const struct command past_command = {
    .name = "past",
    .help = N_("Go back through the game you watch. From its first card to the last trick that you "
               "may see."),
    .where = COMMAND_AT_TABLE,
    .act = open_past_tricks,
};

static void open_table_set_up(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (!entered->is_host || entered->row.phase != TABLE_OPEN) {
        screen_warn(ui, "%s", _("Only the host can change a table, and only before it starts."));
        return;
    }
    screen_open(ui, "set_up", entered->row.id);
}

const struct command options_command = {
    .name = "options",
    .help =
        N_("Change your table's players, options, clock and spectators. Only before it starts."),
    .where = COMMAND_AT_TABLE,
    .act = open_table_set_up,
};

/* Commands about one's own hand and seat in a running game. */

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
    const char *move = words_write_move(&words, view, hint->move, &TEXT_OF(LINE_BYTES));
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
