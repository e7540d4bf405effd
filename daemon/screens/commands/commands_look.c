#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/lobby/lobby.h"
#include "daemon/screens/people/people.h"
#include "daemon/screens/table/table.h"

#include <stdlib.h>
#include <string.h>

static void run_leaders_command(struct ui *ui, const char *args)
{
    struct leader_filter filter = {0};
    char unknown[64];
    if (!leader_filter_parse(args, &filter, unknown, sizeof unknown)) {
        screen_warn(ui, _("There is no game \"%s\" here."), unknown);
        return;
    }
    screen_open(ui, "leaders", leader_filter_pack(&filter));
}

static const char *const leaders_more[] = {"all",     "month", "week", "season",
                                           "friends", "bots",  NULL};

const struct command leaders_command = {
    .name = "leaders",
    .args = N_("[game] [4p] [month|week|season] [friends] [bots]"),
    .help = N_("Show the best players of a game. As in: /leaders season 4p. Possible words, in any "
               "order: all, month, week, season, 4p, friends, bots."),
    .completes = COMPLETE_GAMES,
    .more = leaders_more,
    .run = run_leaders_command,
};

const struct command history_command = {
    .name = "history",
    .help = N_("Show the games you have finished, and replay them."),
    .opens = "history",
};

const struct command settings_command = {
    .name = "settings",
    .help = N_("Change colours, card signs, bell and password."),
    .opens = "settings",
};

static void run_theme_command(struct ui *ui, const char *args)
{
    const struct theme *theme = screen_chosen_theme(ui);
    enum theme_kind kind = theme_find(args);
    if (kind == THEME_KINDS) {
        screen_warn(ui, "%s", _("Themes are colour, mono and contrast: /theme mono"));
        return;
    }
    screen_set_theme(ui, kind, theme->is_ascii, screen_bell_is_on(ui));
}

static const char *const themes[] = {"colour", "mono", "contrast", NULL};

const struct command theme_command = {
    .name = "theme",
    .args = "colour|mono|contrast",
    .help = N_("Choose the colours. As in: /theme contrast"),
    .where = COMMAND_ANYWHERE,
    .words = themes,
    .run = run_theme_command,
};

static void switch_ascii_drawing(struct ui *ui, bool is_on)
{
    screen_set_theme(ui, (enum theme_kind)screen_chosen_theme(ui)->kind, is_on,
                     screen_bell_is_on(ui));
}

const struct command ascii_command = {
    .name = "ascii",
    .args = "on|off",
    .help = N_("Write suits as letters and frames as + - |."),
    .where = COMMAND_ANYWHERE,
    .turn = switch_ascii_drawing,
};

static void switch_bell(struct ui *ui, bool is_on)
{
    screen_set_theme(ui, (enum theme_kind)screen_chosen_theme(ui)->kind,
                     screen_chosen_theme(ui)->is_ascii, is_on);
}

const struct command bell_command = {
    .name = "bell",
    .args = "on|off",
    .help = N_("Ring when it is your turn or you get a message."),
    .where = COMMAND_ANYWHERE,
    .turn = switch_bell,
};

static const char *const languages[] = {
    I18N_ENGLISH,
#define LANGUAGE(tag, title) tag,
#include "daemon/base/languages.def"
#undef LANGUAGE
    NULL,
};

static void run_language_command(struct ui *ui, const char *args)
{
    struct text text = TEXT_OF(256);
    for (size_t i = 0; i < i18n_count_languages(); i++) {
        if (strcmp(args, i18n_language_tag(i)) == 0) {
            screen_set_language(ui, args);
            screen_inform(ui, "%s", _("The house speaks English to you from now on."));
            return;
        }
        text_put(&text, i == 0 ? "" : ", ");
        text_put(&text, i18n_language_tag(i));
    }
    if (args[0] == '\0') {
        screen_inform(ui, _("The house speaks these languages: %s. As in: /language de"), text.at);
    } else {
        screen_warn(ui, _("The house does not speak \"%s\". It speaks %s."), args, text.at);
    }
}

const struct command language_command = {
    .name = "language",
    .args = N_("[language]"),
    .help = N_("Choose the language the house speaks to you. As in: /language de; the choice is "
               "saved with your account."),
    .where = COMMAND_ANYWHERE,
    .words = languages,
    .run = run_language_command,
};

static void run_timezone_command(struct ui *ui, const char *args)
{
    const char *name = args[0] == '\0' ? zones_used() : zones_use(args);
    if (args[0] == '\0' && name[0] == '\0') {
        screen_inform(ui, "%s", _("Times are those of the house. As in: /timezone Europe/Berlin"));
    } else if (args[0] == '\0') {
        screen_inform(ui, _("Times are those of %s. As in: /timezone Europe/Berlin"), name);
    } else if (name == NULL) {
        screen_warn(ui, _("No time zone is called \"%s\". As in: /timezone Europe/Berlin"), args);
    } else {
        screen_set_timezone(ui, name);
        screen_inform(ui, _("Times are those of %s from now on."), name);
    }
}

const struct command timezone_command = {
    .name = "timezone",
    .args = N_("[zone]"),
    .help = N_("Choose the time zone of the times that you are shown. As in: /timezone "
               "Europe/Berlin; the choice is saved with your account."),
    .where = COMMAND_ANYWHERE,
    .run = run_timezone_command,
};

const struct command password_command = {
    .name = "password",
    .help = N_("Choose a new password."),
    .opens = "settings",
    .argument = 1,
};

const struct command plain_command = {
    .name = "plain",
    .args = "on|off",
    .help = N_("Show plain lines of text instead of drawn screens. For screen readers; the choice "
               "is saved with your account."),
    .where = COMMAND_ANYWHERE,
    .turn = screen_set_plain_mode,
};

const struct command telnet_command = {
    .name = "telnet",
    .args = "on|off",
    .help = N_("Let your account log in by telnet too. Others on the network can then read your "
               "password."),
    .turn = screen_set_telnet_permission,
};

static void print_screen_again(struct ui *ui)
{
    if (screen_is_plain(ui)) {
        screen_print_top_again(ui);
    } else {
        screen_inform(ui, "%s",
                      _("You already see the whole screen: /look is for plain mode (/plain on)."));
    }
}

const struct command look_command = {
    .name = "look",
    .help = N_("Print the whole screen again. In plain mode only."),
    .where = COMMAND_ANYWHERE,
    .act = print_screen_again,
};

static void return_to_previous_screen(struct ui *ui)
{
    if (screen_name_below_top(ui)[0] == '\0') {
        screen_inform(ui, "%s", _("There is nothing to go back to: /quit leaves the house."));
    } else if (screen_model(ui)->entered != NULL &&
               strcmp(screen_name_below_top(ui), "lobby") == 0) {
        visit_leave_table(ui);
    } else {
        screen_close(ui);
    }
}

const struct command back_command = {
    .name = "back",
    .help = N_("Go back to the previous screen. In plain mode also: leave a question unanswered."),
    .where = COMMAND_ANYWHERE,
    .act = return_to_previous_screen,
};

static void run_replay_command(struct ui *ui, const char *args)
{
    char *end;
    long long game = strtoll(args, &end, 10);
    if (end == args || *end != '\0' || game <= 0) {
        screen_warn(ui, "%s", _("Say which game, by its number in /history: /replay 812"));
        return;
    }
    screen_open(ui, "replay", game);
}

const struct command replay_command = {
    .name = "replay",
    .args = N_("game"),
    .help = N_("Go through a finished game step by step. By its number in /history: /replay 812"),
    .run = run_replay_command,
};
