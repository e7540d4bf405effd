#include "daemon/base/i18n.h"
#include "daemon/screens/replay/replay.h"
#include "daemon/screens/table/table_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_BYTES 400

/* Reads the number of a game; 0 if the text is not a number. */
static int64_t read_game_number(const char *text)
{
    char *end;
    long long number = strtoll(text, &end, 10);
    return end != text && *end == '\0' && number > 0 ? number : 0;
}

/* Reads the number of a table or a seat, with or without "#"; 0 if the text is not a number. */
static int64_t read_table_or_seat_number(const char *text)
{
    return read_game_number(text + (text[0] == '#' ? 1 : 0));
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

/* Begins a game for the command's argument, or shows the offer when there is none. */
static void begin_named_game(struct ui *ui, const char *request, const char *args)
{
    const struct game_def *game = option_find_only_game(args);
    if (args[0] == '\0') {
        screen_open(ui, "offer", 0);
    } else if (game != NULL) {
        visit_begin_game(ui, request, game);
    } else {
        screen_warn(ui, _("No game, or more than one, begins with \"%s\": /quick lists them."),
                    args);
    }
}

void command_quick(struct ui *ui, const char *args)
{
    begin_named_game(ui, "quick", args);
}

void command_learn(struct ui *ui, const char *args)
{
    begin_named_game(ui, "learn", args);
}

/* Sits down. The number names a seat if the player is at a table; in the lobby it names a table. */
void command_sit(struct ui *ui, const char *args)
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

void command_watch(struct ui *ui, const char *args)
{
    int64_t table = read_table_or_seat_number(args);
    if (table == 0) {
        screen_warn(ui, "%s", _("Say which table: /watch 3"));
        return;
    }
    visit_table(ui, table, false);
}

void command_nobot(struct ui *ui, const char *args)
{
    int seat = read_seat_number(ui, args);
    if (seat >= 0) {
        screen_send_and_show_notice(ui, "bot_remove", json_pack("{s:i}", "seat", seat), NULL);
    }
}

void command_close(struct ui *ui)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    if (entered->is_host && entered->row.phase == TABLE_OPEN && entered->row.seated > 1) {
        screen_ask_and_send(ui, _("Close the table? Everybody there goes back to the lobby."),
                            &(struct ui_request){.type = "table_close"});
    } else {
        screen_send_and_show_notice(
            ui, "table_close", json_object(),
            NULL); /* the core explains why a player may not close the table */
    }
}

/* Commands for clocks, pauses, adjournments, vacations and quiet hours. */

#define MINUTES_OF_DAY 1440

void command_clock(struct ui *ui, const char *args)
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

void command_pace(struct ui *ui, const char *args)
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
        screen_change_settings(ui,
                               json_pack("{s:s}", "pace", row_word_of_value(&pace_words, pace)));
        show_pace(ui);
    }
}

void command_show_vacation(struct ui *ui, const struct ui_answer *answer)
{
    int left = (int)model_read_number(json_object_get(answer->json, "days_left"), 0);
    int64_t until_ms = model_read_number(json_object_get(answer->json, "until"), 0);
    if (until_ms == 0) {
        screen_inform(ui, _("You are not on vacation. Days left this year: %d"), left);
        return;
    }
    screen_inform(ui, _("On vacation until %s: your turn-by-turn games wait. Days left: %d"),
                  words_write_day(until_ms, &TEXT_OF(40)), left);
}

void command_vacation(struct ui *ui, const char *args)
{
    char *end = NULL;
    long days = strtol(args, &end, 10);
    if (args[0] != '\0' && (*end != '\0' || days < 1 || days > 366)) {
        screen_warn(ui, "%s", _("Say how many days, or off: /vacation 3"));
        return;
    }
    screen_send_and_handle_success(ui, "vacation",
                                   args[0] == '\0' ? json_object()
                                                   : json_pack("{s:I}", "days", (json_int_t)days),
                                   command_show_vacation, 0);
}

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

static void show_quiet_hours_answer(struct ui *ui, const struct ui_answer *answer)
{
    if (!answer->is_ok) {
        screen_warn(ui, "%s",
                    _("Quiet hours are at most twelve, and the offset from UTC is -12:00 to "
                      "+14:00: /quiet 23:00-8:00 +1"));
    } else {
        screen_inform(
            ui, "%s",
            answer->tag != 0
                ? _("You have no quiet hours any more.")
                : _("Set: no deadline of your turn-by-turn games falls in your quiet hours."));
    }
}

void command_quiet(struct ui *ui, const char *args)
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

/* Commands about who may sit down at a table: invitations, the host's conditions, and why a player
 * is not eligible. */

#define PLAYERS_USUAL 4
#define REST_BYTES 200

void command_accept(struct ui *ui)
{
    const struct model *model = screen_model(ui);
    if (!model_is_invited(model, ui->now_ms)) {
        screen_warn(ui, "%s", _("You have no invitation now: an invitation lasts five minutes."));
        return;
    }
    visit_table(ui, model->invite.table, true);
}

void command_only(struct ui *ui, const char *args)
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

static void enter_opened_table(struct ui *ui, const struct ui_answer *answer)
{
    screen_open(ui, "table", model_read_number(json_object_get(answer->json, "table"), 0));
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
    int players = option_make_default_config(game, PLAYERS_USUAL).players;
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

void command_seek(struct ui *ui, const char *args)
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

static void show_refusal_reason(struct ui *ui, const struct ui_answer *answer)
{
    char why[MODEL_TEXT_MAX];
    model_read_sentence(answer->json, "why", why, sizeof why);
    screen_inform(ui, "%s", why);
}

/* Explains why one may not sit at a table; without a number, repeats the last refusal. */
void command_why(struct ui *ui, const char *args)
{
    long long table = strtoll(args + (args[0] == '#' ? 1 : 0), NULL, 10);
    if (args[0] == '\0') {
        if (ui->last_warning[0] == '\0') {
            screen_inform(ui, "%s",
                          _("No request of yours was refused. To ask about a table: /why 7"));
        } else {
            screen_add_chat_line(ui, "%s", ui->last_warning);
        }
    } else if (table <= 0) {
        screen_warn(ui, "%s", _("Say which table: /why 7"));
    } else {
        screen_send_and_handle_success(ui, "why", json_pack("{s:I}", "table", (json_int_t)table),
                                       show_refusal_reason, 0);
    }
}

/* Commands that set who may watch the table, and commands for shared replays. */

void command_replay(struct ui *ui, const char *args)
{
    int64_t game = read_game_number(args);
    if (game == 0) {
        screen_warn(ui, "%s", _("Say which game, by its number in /history: /replay 812"));
        return;
    }
    screen_open(ui, "replay", game);
}

void command_open_shared_replay(struct ui *ui, const struct ui_answer *answer)
{
    screen_open(ui, "replay",
                answer->tag != 0 ? answer->tag
                                 : model_read_number(json_object_get(answer->json, "game_id"), 0));
}

void command_review(struct ui *ui, const char *args)
{
    int64_t game = read_game_number(args);
    if (game == 0) {
        screen_warn(ui, "%s", _("Say which game, by its number in /history: /review 812"));
        return;
    }
    screen_send_and_handle_success(ui, "review_open",
                                   json_pack("{s:I}", "game_id", (json_int_t)game),
                                   command_open_shared_replay, game);
}
