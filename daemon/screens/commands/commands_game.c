#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/table/table.h"
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
    struct phrase prompt = view->game->face->prompt(view);
    words.is_plain = true;
    words_write_phrase(&words, prompt, &text);
    text_put(&text, ":");
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        struct phrase label = view->game->face->label(view, move);
        text_put_char(&text, ' ');
        words_write_phrase(&words, label, &text);
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
    const struct view_trick *trick = &entered->view.last_trick;
    scene.words.is_plain = true;
    for (uint8_t i = 0; i < trick->count; i++) {
        text_put(&text, i > 0 ? ", " : "");
        words_write_seat(&scene.words, trick->plays[i].seat, &text);
        text_put_char(&text, ' ');
        words_write_card(&scene.words, trick->plays[i].card, &text);
        if (view_tells_slots(&entered->view)) {
            text_put_char(&text, ' ');
            text_format(&text, _("(card %d)"), trick->plays[i].slot + 1);
        }
    }
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
