#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/command.h"
#include "daemon/screens/kernel/screen.h"
#include "daemon/screens/table/premove.h"
#include "daemon/screens/table/table_play.h"
#include "daemon/screens/table/table_state.h"

/* Commands about one's own hand and seat in a running game. */

static void run_premove_command(struct ui *ui, const char *args)
{
    struct table_state *state = screen_find_state(ui, "table");
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
    struct table_state *state = screen_find_state(ui, "table");
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
