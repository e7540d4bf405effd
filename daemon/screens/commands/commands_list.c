#include "daemon/base/i18n.h"
#include "daemon/screens/kernel/command.h"
#include "daemon/screens/kernel/screen.h"
#include "daemon/screens/lobby/lobby.h"
#include "games/macros.h"

#include <assert.h>
#include <stdio.h>

/* Commands for the lobby's list of tables. */

static const char *const shown_words[] = {
    [SHOW_ALL] = "all",   [SHOW_OPEN] = "open",       [SHOW_PLAYING] = "playing",
    [SHOW_MINE] = "mine", [SHOW_WAITING] = "waiting", NULL};
static_assert(ARRAY_LEN(shown_words) == SHOW_COUNT + 1, "every choice of tables has a word");

static void run_filter_command(struct ui *ui, const char *args)
{
    struct lobby_tables *tables = lobby_find_tables(ui);
    int shown = args[0] == '\0' ? SHOW_ALL : text_find_word(shown_words, args);
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
    .words = shown_words,
    .run = run_filter_command,
};

static const char *const sort_words[] = {[SORT_USEFUL] = "useful",
                                         [SORT_NEWEST] = "newest",
                                         [SORT_GAME] = "game",
                                         [SORT_WATCHED] = "watched",
                                         NULL};
static_assert(ARRAY_LEN(sort_words) == SORT_COUNT + 1, "every order has a word");

static void run_sort_command(struct ui *ui, const char *args)
{
    struct lobby_tables *tables = lobby_find_tables(ui);
    int order = text_find_word(sort_words, args);
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
    .words = sort_words,
    .run = run_sort_command,
};
