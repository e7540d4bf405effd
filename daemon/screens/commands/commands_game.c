#include "daemon/base/i18n.h"
#include "daemon/screens/replay/replay.h"
#include "daemon/screens/table/table_state.h"

#include <limits.h>
#include <string.h>

/* Commands during a game. */

#define LINE_BYTES 500

static void list_possible_moves(struct ui *ui, const struct game_view *view)
{
    struct text text = TEXT_OF(LINE_BYTES);
    struct words words = words_make_for_entered_table(screen_theme(ui), screen_model(ui)->entered);
    words.is_plain = true;
    words_write_phrase(&words, face_prompt(view), &text);
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

void command_play(struct ui *ui, const char *args)
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
    } else if (ui->plain.is_on) {
        struct words words = words_make_for_entered_table(screen_theme(ui), entered);
        game_print_turn(view, &words, screen_get_plain_lines(ui));
    } else {
        list_possible_moves(ui, view);
    }
}

void command_last(struct ui *ui)
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

void command_rules(struct ui *ui, const char *args)
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

void command_options(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (!entered->is_host || entered->row.phase != TABLE_OPEN) {
        screen_warn(ui, "%s", _("Only the host can change a table, and only before it starts."));
        return;
    }
    screen_open(ui, "set_up", entered->row.id);
}

/* Commands about one's own hand and seat in a running game. */

#define HINT_CHOICES 4 /* how many moves a hint at the table compares */

void command_fold(struct ui *ui)
{
    struct table_screen_state *state = screen_find_state(ui, "table");
    if (state != NULL) {
        state->is_board_folded = !state->is_board_folded;
    }
}

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
    if (key != '\0' && !ui->plain.is_on) {
        screen_add_chat_line(ui, _("The strong bot would choose %s (key %c)."), move, key);
    } else {
        screen_add_chat_line(ui, _("The strong bot would choose %s."), move);
    }
}

void command_hint(struct ui *ui)
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
    if (reason != NULL) {
        screen_warn(ui, "%s", reason);
        return;
    }
    const struct hint *hint =
        screen_find_hint(ui, &entered->view, &entered->config, entered->details.game_id);
    if (hint != NULL) {
        add_hint_lines(ui, entered, hint);
    }
}
