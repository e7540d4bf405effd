#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/lobby/lobby.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"

#include <stdlib.h>
#include <string.h>

#define NEW_WHY_BYTES 160

/* Reads the number of a table or a seat, with or without "#"; 0 if the text is not a number. */
static int64_t read_table_or_seat_number(const char *text)
{
    char *end;
    text += text[0] == '#' ? 1 : 0;
    long long number = strtoll(text, &end, 10);
    return end != text && *end == '\0' && number > 0 ? number : 0;
}

/* Reads the number of a seat, counted from 1, and returns its index; -1, after a warning, if it is
 * invalid. */
static int read_seat_number(struct ui *ui, const char *text)
{
    int64_t seat = read_table_or_seat_number(text);
    if (seat < 1 || seat > screen_model(ui)->entered->row.players) {
        screen_warn(ui, _("Give the seat's number, 1 to %d."),
                    screen_model(ui)->entered->row.players);
        return -1;
    }
    return (int)seat - 1;
}

static void run_new_table_command(struct ui *ui, const char *args)
{
    struct text why = TEXT_OF(NEW_WHY_BYTES);
    struct set_up_state scratch = {0};
    const char *fault =
        args[0] != '\0' ? set_up_choose_game_from_words(&scratch, args, &why) : NULL;
    if (fault != NULL) {
        screen_warn(ui, "%s", fault);
        return;
    }
    screen_open_about_person(ui, "set_up", args);
}

const struct command new_command = {
    .name = "new",
    .args = N_("[game [players]]"),
    .help = N_("Open a table: choose the game and its options. One option is who may watch; the "
               "key b there adds bots and starts the game."),
    .run = run_new_table_command,
};

/* Begins a game for the command's argument, or shows the offer when there is none. */
static void begin_named_game(struct ui *ui, const char *args,
                             void (*begin)(struct ui *ui, const struct game_def *game))
{
    const struct game_def *game = option_find_only_game(args);
    if (args[0] == '\0') {
        screen_open(ui, "offer", 0);
    } else if (game != NULL) {
        begin(ui, game);
    } else {
        screen_warn(ui, _("No game, or more than one, begins with \"%s\": /quick lists them."),
                    args);
    }
}

static void run_quick_command(struct ui *ui, const char *args)
{
    begin_named_game(ui, args, visit_start_quick_game);
}

const struct command quick_command = {
    .name = "quick",
    .args = N_("[game]"),
    .help = N_("Play against bots at once. It lists the games, or begins the one that you name. To "
               "choose the options: /new, and press b there."),
    .completes = COMPLETE_GAMES,
    .run = run_quick_command,
};

static void run_learn_command(struct ui *ui, const char *args)
{
    begin_named_game(ui, args, visit_start_lesson);
}

const struct command learn_command = {
    .name = "learn",
    .args = N_("[game]"),
    .help = N_("Learn a game in a guided first game against bots. Everything new is explained when "
               "it first matters; leave whenever you like."),
    .completes = COMPLETE_GAMES,
    .run = run_learn_command,
};

/* Sits down. The number names a seat if the player is at a table; in the lobby it names a table. */
static void run_sit_command(struct ui *ui, const char *args)
{
    if (screen_model(ui)->entered != NULL) {
        int seat = args[0] != '\0' ? read_seat_number(ui, args) : 0;
        if (seat >= 0) {
            json_t *fields = args[0] != '\0' ? json_pack("{s:i}", "seat", seat) : json_object();
            screen_send_and_show_notice(ui, "seat_take", fields, NULL);
        }
        return;
    }
    int64_t table = read_table_or_seat_number(args);
    if (table == 0) {
        screen_warn(ui, "%s", _("Say at which table: /sit 3"));
        return;
    }
    visit_table(ui, table, true);
}

const struct command sit_command = {
    .name = "sit",
    .args = N_("[table or seat]"),
    .help = N_("Sit down at a table. In the lobby, /sit 3 means table 3; at a table, /sit 3 means "
               "seat 3, and /sit alone the first free seat."),
    .completes = COMPLETE_TABLES,
    .run = run_sit_command,
};

static void run_watch_command(struct ui *ui, const char *args)
{
    int64_t table = read_table_or_seat_number(args);
    if (table == 0) {
        screen_warn(ui, "%s", _("Say which table: /watch 3"));
        return;
    }
    visit_table(ui, table, false);
}

const struct command watch_command = {
    .name = "watch",
    .args = N_("table"),
    .help = N_("Watch a table, or go back to your seat there. As in: /watch 3"),
    .completes = COMPLETE_TABLES,
    .run = run_watch_command,
};

static void give_up_seat(struct ui *ui)
{
    if (screen_model(ui)->entered->row.phase == TABLE_PLAYING &&
        screen_model(ui)->entered->you >= 0) {
        table_ask_before_leaving_for_good(ui);
        return;
    }
    screen_send_and_show_notice(ui, "seat_leave", json_object(), NULL);
}

const struct command stand_command = {
    .name = "stand",
    .help = N_("Give up your seat. In a running game, this is for good."),
    .where = COMMAND_AT_TABLE,
    .act = give_up_seat,
};

static void run_bot_command(struct ui *ui, const char *args)
{
    json_t *fields = json_object();
    if (args[0] != '\0') {
        json_object_set_new(fields, "policy", json_string(args));
    }
    screen_send_and_show_notice(ui, "bot_add", fields, NULL);
}

static const char *const levels[] = {"easy", "medium", "strong", NULL};

const struct command bot_command = {
    .name = "bot",
    .args = "[easy|medium|strong]",
    .help = N_("Put a bot on the first free seat of your table. /bot easy is easily beaten, /bot "
               "strong hardly ever. Without a level, guests and people who have finished fewer "
               "than five games get an easy bot, everybody else a medium one."),
    .where = COMMAND_AT_TABLE,
    .words = levels,
    .run = run_bot_command,
};

static void run_nobot_command(struct ui *ui, const char *args)
{
    int seat = read_seat_number(ui, args);
    if (seat >= 0) {
        screen_send_and_show_notice(ui, "bot_remove", json_pack("{s:i}", "seat", seat), NULL);
    }
}

const struct command nobot_command = {
    .name = "nobot",
    .args = N_("seat"),
    .help = N_("Send away the bot on a seat. As in: /nobot 3"),
    .where = COMMAND_AT_TABLE,
    .run = run_nobot_command,
};

const struct command start_command = {
    .name = "start",
    .help = N_("Start the game at your table. Every seat must be taken."),
    .where = COMMAND_AT_TABLE,
    .request = "table_start",
};

static void close_table_if_confirmed(struct ui *ui, UNUSED void *state, const char *answer)
{
    if (answer != NULL) {
        screen_send_and_show_notice(ui, "table_close", json_object(), NULL);
    }
}

static void close_table(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered->is_host && entered->row.phase == TABLE_OPEN && entered->row.seated > 1) {
        screen_ask(ui, ASK_SURE, _("Close the table? Everybody there goes back to the lobby."),
                   NULL, close_table_if_confirmed);
    } else {
        screen_send_and_show_notice(
            ui, "table_close", json_object(),
            NULL); /* the core explains why a player may not close the table */
    }
}

const struct command close_command = {
    .name = "close",
    .help = N_("Close your table before its game has begun. Everybody there is told."),
    .where = COMMAND_AT_TABLE,
    .act = close_table,
};

const struct command lock_command = {
    .name = "lock",
    .args = N_("password"),
    .help = N_("Let in only those who know a password. As in: /lock sesame"),
    .where = COMMAND_AT_TABLE,
    .request = "table_lock",
    .field = "password",
    .missing = N_("Give the password that lets people in: /lock friends"),
};

static void unlock_table(struct ui *ui)
{
    screen_send_and_show_notice(ui, "table_lock", json_pack("{s:n}", "password"), NULL);
}

const struct command unlock_command = {
    .name = "unlock",
    .help = N_("Let everybody in again, without a password."),
    .where = COMMAND_AT_TABLE,
    .act = unlock_table,
};

const struct command rematch_command = {
    .name = "rematch",
    .help = N_("After a game, play again once everybody seated asks for it."),
    .where = COMMAND_AT_TABLE,
    .request = "rematch",
};

const struct command leave_command = {
    .name = "leave",
    .help = N_("Go back to the lobby. A seat in a running game is kept."),
    .where = COMMAND_AT_TABLE,
    .act = visit_leave_table,
};
