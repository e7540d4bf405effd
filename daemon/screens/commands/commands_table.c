#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/lobby/lobby.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/replay/replay.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"
#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 400

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

/* Commands for clocks, pauses, adjournments, vacations and quiet hours. */

#define MINUTES_OF_DAY 1440

static void run_clock_command(struct ui *ui, const char *args)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    struct clock_rule rule;
    if (args[0] == '\0') {
        struct text text = TEXT_OF(LINE_BYTES);
        option_write_clock(&entered->row.clock, &text);
        screen_inform(ui, _("The clock of this table: %s"), text.at);
    } else if (!clock_rule_parse(args, &rule)) {
        screen_warn(ui, "%s",
                    _("Say 30s, 10m+5s, 2d or none, as in /clock 30s; ? explains these."));
    } else {
        screen_send_and_show_notice(ui, "table_set",
                                    json_pack("{s:o}", "clock", clock_rule_to_json(&rule)), NULL);
    }
}

static const char *const clock_words[] = {"none", "30s", "60s", "10m+5s", "1d", "2d", NULL};

const struct command clock_command = {
    .name = "clock",
    .args = "[30s|10m+5s|2d|none]",
    .help = N_("Set the time for moves at your table. Before the start: 30s a move, 10m+5s for all "
               "moves and 5 s more after each, 2d (days) or none."),
    .where = COMMAND_AT_TABLE,
    .words = clock_words,
    .run = run_clock_command,
};

static void show_pace(struct ui *ui)
{
    const struct model *model = screen_model(ui);
    const char *own = option_describe_own_pace((enum pace)model->settings.pace);
    if (model->entered == NULL) {
        screen_inform(ui, _("Your own pace is %s."), own);
    } else {
        screen_inform(ui, _("The table's pace is %s. Your own pace is %s."),
                      option_describe_table_pace((enum pace)model->entered->details.pace), own);
    }
}

static void run_pace_command(struct ui *ui, const char *args)
{
    char first[LINE_BYTES];
    const char *rest = command_read_word(args, first, sizeof(first));
    bool is_own = strcmp(first, "me") == 0;
    bool is_of_table = !is_own && screen_model(ui)->entered != NULL;
    enum pace pace;
    if (args[0] == '\0') {
        show_pace(ui);
    } else if (!pace_from_word(is_own ? rest : args, &pace)) {
        screen_warn(ui, "%s",
                    _("Say quick, normal or slow: /pace slow sets the pace of your "
                      "table, /pace me slow your own."));
    } else if (is_of_table) {
        screen_send_and_show_notice(ui, "table_pace", json_pack("{s:s}", "pace", args), NULL);
    } else {
        screen_set_pace(ui, pace);
        show_pace(ui);
    }
}

static const char *const pace_first_words[] = {"quick", "normal", "slow", "me", NULL};
static const char *const pace_more_words[] = {"quick", "normal", "slow", NULL};

const struct command pace_command = {
    .name = "pace",
    .args = "[me] [quick|normal|slow]",
    .help = N_("Set the pace of your table, or your own. At a table, /pace slow makes bots take "
               "their time and stops between rounds longer; only the host can do that. /pace me "
               "slow, or /pace slow in the lobby, keeps finished tricks longer on your screen."),
    .words = pace_first_words,
    .more = pace_more_words,
    .run = run_pace_command,
};

const struct command pause_command = {
    .name = "pause",
    .help = N_("Ask for a pause, or agree to one. Clocks stand still until anybody resumes. All "
               "players who are here must agree. In a rated game, absent players must agree too if "
               "it is the turn of a player who is here."),
    .where = COMMAND_AT_TABLE,
    .request = "pause",
};

const struct command adjourn_command = {
    .name = "adjourn",
    .args = N_("[why...]"),
    .help = N_("Ask to put the game away for another day, or agree. In a rated game, everybody "
               "with a seat must agree, here or not. The game goes on once all resume. A rated "
               "game waits at most 7 days after the first player resumes; players who have not "
               "resumed by then have left for good."),
    .where = COMMAND_AT_TABLE,
    .request = "adjourn",
    .field = "text",
};

const struct command resume_command = {
    .name = "resume",
    .help = N_("Go on with a game, or take your seat back from a bot. A rated game that the house "
               "interrupted then waits at most 7 days for the other players; after that a bot "
               "plays for absent players."),
    .where = COMMAND_AT_TABLE,
    .act = table_request_resume,
};

const struct command next_command = {
    .name = "next",
    .help = N_("Go to the next game that waits for your move."),
    .act = visit_next_table_with_own_turn,
};

static void show_vacation(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                          const json_t *answer)
{
    int left = (int)model_read_number(json_object_get(answer, "days_left"), 0);
    int64_t until_ms = model_read_number(json_object_get(answer, "until"), 0);
    if (until_ms == 0) {
        screen_inform(ui, _("You are not on vacation. Days left this year: %d"), left);
        return;
    }
    screen_inform(ui, _("On vacation until %s: your turn-by-turn games wait. Days left: %d"),
                  words_write_day(until_ms, &TEXT_OF(40)), left);
}

static void run_vacation_command(struct ui *ui, const char *args)
{
    char *end = NULL;
    long days = strtol(args, &end, 10);
    bool is_off = strcmp(args, "off") == 0;
    if (args[0] == '\0') {
        screen_send_and_handle_success(ui, "vacation", json_object(), show_vacation, 0);
    } else if (!is_off && (*end != '\0' || days < 1 || days > 366)) {
        screen_warn(ui, "%s", _("Say how many days, or off: /vacation 3"));
    } else {
        screen_send_and_handle_success(ui, "vacation",
                                       json_pack("{s:I}", "days", (json_int_t)(is_off ? 0 : days)),
                                       show_vacation, 0);
    }
}

const struct command vacation_command = {
    .name = "vacation",
    .args = N_("[days|off]"),
    .help = N_("Postpone all deadlines of your turn-by-turn games. By whole days, as in: /vacation "
               "3; /vacation off ends the vacation early."),
    .run = run_vacation_command,
};

/* Reads a time of day such as "23:30" or "8", in minutes, and moves *text behind the time. False if
 * there is no time at the beginning. */
static bool read_time_of_day(const char **text, long *minutes)
{
    char *end = NULL;
    if (**text < '0' || **text > '9') {
        return false;
    }
    long hours = strtol(*text, &end, 10);
    long rest = 0;
    if (*end == ':' && end[1] >= '0' && end[1] <= '9') {
        rest = strtol(end + 1, &end, 10);
    }
    *text = end;
    *minutes = hours * 60 + rest;
    return hours <= 24 && rest < 60;
}

/* "23:00-8:00 +1:30". */
static bool read_quiet_hours(const char *args, long *from_minute, long *to_minute,
                             long *utc_offset_minutes)
{
    const char *at = args;
    *utc_offset_minutes = 0;
    if (!read_time_of_day(&at, from_minute) || *at != '-') {
        return false;
    }
    at++;
    if (!read_time_of_day(&at, to_minute)) {
        return false;
    }
    while (*at == ' ') {
        at++;
    }
    if (*at == '+' || *at == '-') {
        bool is_west = *at == '-';
        at++;
        if (!read_time_of_day(&at, utc_offset_minutes)) {
            return false;
        }
        *utc_offset_minutes = is_west ? -*utc_offset_minutes : *utc_offset_minutes;
    }
    return *at == '\0';
}

static void show_quiet_hours_answer(struct ui *ui, UNUSED void *state, int64_t is_off, bool is_ok,
                                    UNUSED const json_t *answer)
{
    if (!is_ok) {
        screen_warn(ui, "%s",
                    _("Quiet hours are at most twelve, and the offset from UTC is -12:00 to "
                      "+14:00: /quiet 23:00-8:00 +1"));
    } else {
        screen_inform(
            ui, "%s",
            is_off != 0
                ? _("You have no quiet hours any more.")
                : _("Set: no deadline of your turn-by-turn games falls in your quiet hours."));
    }
}

static void run_quiet_hours_command(struct ui *ui, const char *args)
{
    long from = 0, to = 0, offset = 0;
    bool is_off = strcmp(args, "off") == 0;
    if (!is_off && !read_quiet_hours(args, &from, &to, &offset)) {
        screen_warn(ui, "%s",
                    _("Say from when to when, and your offset from UTC: /quiet 23:00-8:00 +1, or "
                      "/quiet off"));
        return;
    }
    json_t *quiet =
        is_off
            ? json_null()
            : json_pack("{s:I,s:I,s:I}", "from_min", (json_int_t)(from % MINUTES_OF_DAY), "to_min",
                        (json_int_t)(to % MINUTES_OF_DAY), "offset_min", (json_int_t)offset);
    screen_send_request(ui, "settings_set", json_pack("{s:{s:o}}", "settings", "quiet", quiet),
                        show_quiet_hours_answer, is_off);
}

const struct command quiet_command = {
    .name = "quiet",
    .args = N_("hours UTC-offset, or off"),
    .help = N_("Set the hours of your day in which no deadline falls. With your offset from UTC in "
               "hours: /quiet 23:00-8:00 +1, or /quiet off"),
    .run = run_quiet_hours_command,
};

/* Commands about who may sit down at a table: invitations, the host's conditions, and why a player
 * is not eligible. */

#define PLAYERS_USUAL 4
#define REST_BYTES 200

static void accept_invitation(struct ui *ui)
{
    const struct model *model = screen_model(ui);
    if (!model_is_invited(model, screen_now_ms(ui))) {
        screen_warn(ui, "%s", _("You have no invitation now: an invitation lasts five minutes."));
        return;
    }
    visit_table(ui, model->invite.table, true);
}

const struct command accept_command = {
    .name = "accept",
    .help = N_("Sit down at the table you are invited to."),
    .act = accept_invitation,
};

const struct command decline_command = {
    .name = "decline",
    .help = N_("Decline an invitation to a table."),
    .request = "decline",
};

static void restrict_who_may_sit(struct ui *ui, const char *args)
{
    struct eligibility rule;
    if (args[0] == '\0' || !eligibility_parse(args, &rule)) {
        screen_warn(ui, "%s",
                    _("Say who may sit down: /only rating 1400-1700 finished 80%, or /only all"));
        return;
    }
    bool has_conditions = eligibility_has_conditions(&rule);
    screen_send_and_show_notice(
        ui, "table_set", json_pack("{s:o}", "fit", eligibility_to_json(&rule)),
        has_conditions ? N_("Set: only players who meet your conditions can see the table.")
                       : N_("Set: everybody can see the table and sit down."));
}

static const char *const only_words[] = {"rating", "finished", "all", NULL};

const struct command only_command = {
    .name = "only",
    .args = N_("[rating 1400-1700] [finished 80%]|all"),
    .help = N_("Say who may sit down at your table. By rating in its game and by games played to "
               "the end: /only rating 1400-1700 finished 80%, or /only all"),
    .where = COMMAND_AT_TABLE,
    .words = only_words,
    .run = restrict_who_may_sit,
};

static void enter_opened_table(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                               const json_t *answer)
{
    screen_open(ui, "table", model_read_number(json_object_get(answer, "table"), 0));
}

/* Reads "clock 30s" into *rule and removes it from the words; false if the clock is invalid. */
static bool take_clock_from_words(char *words, struct clock_rule *rule)
{
    char clock[REST_BYTES];
    char *at = strstr(words, "clock ");
    if (at == NULL) {
        return true;
    }
    const char *rest = command_read_word(at + strlen("clock "), clock, sizeof clock);
    memmove(at, rest, strlen(rest) + 1);
    size_t len = strlen(words);
    while (len > 0 && words[len - 1] == ' ') {
        words[--len] = '\0';
    }
    return clock_rule_parse(clock, rule);
}

/* Converts "GAME 4 rating 1400-1700 finished 80% clock 30s" to the fields of the request
 * `table_open`; NULL if the text is invalid. */
static json_t *read_seek_arguments(const char *args)
{
    char word[MODEL_NAME_MAX], words[REST_BYTES];
    struct clock_rule clock = {.kind = CLOCK_NONE};
    struct eligibility fit = {0};
    const char *rest = command_read_word(args, word, sizeof word);
    const struct game_def *game = game_find(word);
    if (game == NULL || strlen(rest) >= sizeof words) {
        return NULL;
    }
    int players = PLAYERS_USUAL > game->seats_max ? game->seats_max : PLAYERS_USUAL;
    players = players < game->seats_min ? game->seats_min : players;
    if (rest[0] >= '0' && rest[0] <= '9') {
        rest = command_read_word(rest, word, sizeof word);
        players = (int)strtol(word, NULL, 10);
    }
    snprintf(words, sizeof words, "%s", rest);
    if (players < game->seats_min || players > game->seats_max ||
        !take_clock_from_words(words, &clock) ||
        (words[0] != '\0' && !eligibility_parse(words, &fit))) {
        return NULL;
    }
    struct game_config config = game_config_default(game, (uint8_t)players);
    return json_pack("{s:s, s:i, s:o, s:o, s:o}", "game", game->id, "players", players, "options",
                     config_to_json(game, &config), "clock", clock_rule_to_json(&clock), "fit",
                     eligibility_to_json(&fit));
}

static void run_seek_command(struct ui *ui, const char *args)
{
    json_t *fields = read_seek_arguments(args);
    if (fields == NULL) {
        screen_warn(ui,
                    _("Say which game, how many players, and on which conditions: /seek %s 4 "
                      "rating 1400-1700 finished 80%% clock 30s"),
                    game_at(0)->id);
        return;
    }
    screen_send_and_handle_success(ui, "table_open", fields, enter_opened_table, 0);
}

static const char *const seek_more[] = {"rating", "finished", "clock", "30s", "10m+5s", "2d", NULL};

const struct command seek_command = {
    .name = "seek",
    .args = N_("game [players] [rating 1400-1700] [finished 80%] [clock 30s]"),
    .help = N_("Look for players: open a table with conditions for them. After the game's name you "
               "may add: 4 rating 1400-1700 finished 80% clock 30s."),
    .completes = COMPLETE_GAMES,
    .more = seek_more,
    .run = run_seek_command,
};

static void show_refusal_reason(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                                const json_t *answer)
{
    char why[MODEL_TEXT_MAX];
    model_read_sentence(answer, "why", why, sizeof why);
    screen_inform(ui, "%s", why);
}

/* Explains why one may not sit at a table; without a number, repeats the last refusal. */
static void run_why_command(struct ui *ui, const char *args)
{
    long long table = strtoll(args + (args[0] == '#' ? 1 : 0), NULL, 10);
    if (args[0] == '\0') {
        if (screen_get_last_warning(ui)[0] == '\0') {
            screen_inform(ui, "%s",
                          _("No request of yours was refused. To ask about a table: /why 7"));
        } else {
            screen_add_chat_line(ui, "%s", screen_get_last_warning(ui));
        }
    } else if (table <= 0) {
        screen_warn(ui, "%s", _("Say which table: /why 7"));
    } else {
        screen_send_and_handle_success(ui, "why", json_pack("{s:I}", "table", (json_int_t)table),
                                       show_refusal_reason, 0);
    }
}

const struct command why_command = {
    .name = "why",
    .args = N_("[table]"),
    .help = N_("Explain why you cannot sit at a table, and what would help. As in: /why 7; /why "
               "alone explains the last refusal."),
    .completes = COMPLETE_TABLES,
    .run = run_why_command,
};

/* Commands that set who may watch the table, and commands for shared replays. */

static void run_watching_command(struct ui *ui, const char *args)
{
    struct watch_rule rule = screen_model(ui)->entered->row.watch;
    struct text text = TEXT_OF(LINE_BYTES);
    bool is_talk = strncmp(args, "talk ", 5) == 0;
    if (args[0] == '\0') {
        option_write_watch_rule(&rule, &text);
        screen_inform(ui, _("Who may watch this table: %s"), text.at);
    } else if (is_talk ? watch_rule_parse_spectator_talk(args + 5, &rule)
                       : watch_rule_parse(args, &rule)) {
        watching_set_rule(ui, &rule);
    } else {
        screen_warn(ui, "%s",
                    _("Say public, delay, delay 10, friends or none; or talk all, talk apart or "
                      "talk off."));
    }
}

static const char *const watching_words[] = {"public",   "delay",      "friends",  "none",
                                             "talk all", "talk apart", "talk off", NULL};

const struct command watching_command = {
    .name = "watching",
    .args = N_("[public|delay [moves]|friends|none|talk all|apart|off]"),
    .help = N_("Say who may watch your table, and whether spectators talk. Before the start: "
               "public, delay (a round), delay 10 (moves), friends, none; talk all, apart or off."),
    .where = COMMAND_AT_TABLE,
    .words = watching_words,
    .run = run_watching_command,
};

/* Reads the number of a game; 0 if the text is not a number. */
static int64_t read_game_number(const char *args)
{
    char *end;
    long long game = strtoll(args, &end, 10);
    return end != args && *end == '\0' && game > 0 ? game : 0;
}

static void open_shared_replay(struct ui *ui, UNUSED void *state, int64_t game_number,
                               const json_t *answer)
{
    screen_open(ui, "replay",
                game_number != 0 ? game_number
                                 : model_read_number(json_object_get(answer, "game_id"), 0));
}

static void run_review_command(struct ui *ui, const char *args)
{
    int64_t game = read_game_number(args);
    if (game == 0) {
        screen_warn(ui, "%s", _("Say which game, by its number in /history: /review 812"));
        return;
    }
    screen_send_and_handle_success(ui, "review_open",
                                   json_pack("{s:I}", "game_id", (json_int_t)game),
                                   open_shared_replay, game);
}

const struct command review_command = {
    .name = "review",
    .args = N_("game"),
    .help = N_("Lead others through a finished game. As in: /review 812; the others /follow you."),
    .run = run_review_command,
};

const struct command follow_command = {
    .name = "follow",
    .args = N_("player"),
    .help = N_("Follow a finished game that somebody leads with /review. As in: /follow ada"),
    .completes = COMPLETE_NAMES,
    .request = "review_follow",
    .field = "name",
    .missing = N_("Say whom: /follow ada"),
    .result = open_shared_replay,
};

const struct command handover_command = {
    .name = "handover",
    .args = N_("player"),
    .help = N_("Let another player lead the shared replay. As in: /handover ada"),
    .completes = COMPLETE_NAMES,
    .request = "review_hand",
    .field = "name",
    .missing = N_("Say who shall lead the shared replay: /handover ada"),
};

const struct command unfollow_command = {
    .name = "unfollow",
    .help = N_("Leave a shared replay, and go on alone. If you led it, whoever has followed "
               "longest leads next."),
    .act = review_leave,
};
