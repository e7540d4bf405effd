#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/words.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/table/table.h"
#include "daemon/screens/table/table_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Commands for clocks, pauses, adjournments, vacations and quiet hours. */

#define LINE_BYTES 400
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
    const char *own = option_describe_own_pace((enum pace)model->you.pace);
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
