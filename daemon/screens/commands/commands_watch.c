#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/model/model.h"
#include "daemon/screens/replay/replay.h"
#include "daemon/screens/table/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Commands that set who may watch the table, and commands for shared replays. */

#define LINE_BYTES 400

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
