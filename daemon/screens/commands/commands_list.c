#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/ui.h"
#include "daemon/screens/lobby/lobby.h"

#include <stdio.h>

/* Commands for the lobby's list of tables. */

static void run_filter_command(struct ui *ui, const char *args)
{
    struct lobby_tables *tables = lobby_find_tables(ui);
    int shown = args[0] == '\0' ? SHOW_ALL : text_find_word(lobby_tables_show_words, args);
    if (tables == NULL) {
        return; /* before sign-up there is no lobby */
    }
    if (shown >= 0) {
        tables->show = (uint8_t)shown;
        tables->filter[0] = '\0';
        screen_inform(ui, _("Tables shown: %s"), lobby_tables_kind_title(tables->show));
    } else {
        snprintf(tables->filter, sizeof(tables->filter), "%.32s", args);
        screen_inform(ui, _("Tables shown: those that contain \"%s\"; /filter shows all."),
                      tables->filter);
    }
}

const struct command filter_command = {
    .name = "filter",
    .args = N_("[all|open|playing|mine|waiting|text]"),
    .help = N_("Choose which tables the lobby lists. A kind of tables, or a text that they "
               "contain, as in: /filter open"),
    .words = lobby_tables_show_words,
    .run = run_filter_command,
};

static void run_sort_command(struct ui *ui, const char *args)
{
    struct lobby_tables *tables = lobby_find_tables(ui);
    int order = text_find_word(lobby_tables_sort_words, args);
    if (order < 0) {
        screen_warn(ui, "%s", _("Say how: /sort useful, newest, game or watched"));
    } else if (tables != NULL) {
        tables->sort = (uint8_t)order;
        screen_inform(ui, _("Tables: %s"), lobby_tables_sort_order_title(tables->sort));
    }
}

const struct command sort_command = {
    .name = "sort",
    .args = "useful|newest|game|watched",
    .help = N_("Sort the lobby's tables. As in: /sort newest"),
    .words = lobby_tables_sort_words,
    .run = run_sort_command,
};
