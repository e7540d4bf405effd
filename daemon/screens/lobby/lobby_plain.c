#include "daemon/screens/lobby/lobby_state.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"

#include <string.h>

/* The lobby in plain mode: lines that list people and tables. */

#define PRINTED_PEOPLE 20 /* how many people the lobby lists by name */

static void receive_tables_to_print(UNUSED struct ui *ui, void *state, UNUSED int64_t tag,
                                    UNUSED bool is_ok, const json_t *answer)
{
    struct lobby *lobby = state;
    lobby->printed.is_waiting = false;
    house_lists_read(&lobby->printed.lists, answer);
}

static void receive_people_to_print(UNUSED struct ui *ui, void *state, UNUSED int64_t tag,
                                    UNUSED bool is_ok, const json_t *answer)
{
    house_lists_read(&((struct lobby *)state)->printed.lists, answer);
}

/* Requests the rows that are printed. True once they have arrived. */
static bool has_rows_to_print(struct ui *ui, struct lobby *lobby)
{
    if (!lobby->printed.is_asked) {
        lobby->printed.is_asked = true;
        lobby->printed.is_waiting = true;
        screen_send_request(ui, "people", json_pack("{s:i}", "count", PRINTED_PEOPLE),
                            receive_people_to_print, 0);
        screen_send_request(ui, "tables", json_object(), receive_tables_to_print, 0);
    }
    return !lobby->printed.is_waiting;
}

bool lobby_plain_print(struct ui *ui, void *state, struct lines *lines)
{
    const struct model *model = screen_model(ui);
    struct lobby *lobby = state;
    if (!has_rows_to_print(ui, lobby)) {
        return false;
    }
    const struct house_lists *lists = &lobby->printed.lists;
    bool is_alone = lists->here == 1;
    lines_format(lines, _("The lobby of %s. You are %s."), model->house, model->you.name);
    house_print_people(model, lists, lines);
    house_print_tables(model, lists, lines);
    lines_put(lines,
              is_alone
                  ? _("You are alone: /quick plays against bots at once, /learn teaches a game, "
                      "/leaders shows the best players.")
                  : _("/quick plays against bots at once, /learn teaches a game."));
    if (is_alone && lobby->best.id != 0) {
        lines_format(lines, _("/replay %lld shows yesterday's best game: %s, %s."),
                     (long long)lobby->best.id, _(lobby->best.game->title), lobby->best.players);
    }
    if (!lobby->was_told) {
        lines_put(lines, _("/new opens a table, /sit 3 sits down at table 3, /watch 3 watches it, "
                           "/help lists the commands. Any other line goes to the lobby as chat."));
    }
    lobby->was_told = true;
    lobby->printed.is_asked = false;
    house_lists_clear(&lobby->printed.lists);
    lobby_request_best_game_if_alone(ui, lobby, is_alone);
    return true;
}

static void print_tables(struct ui *ui, UNUSED void *state, UNUSED int64_t tag,
                         const json_t *answer)
{
    struct house_lists lists = {0};
    house_lists_read(&lists, answer);
    house_print_tables(screen_model(ui), &lists, screen_get_plain_lines(ui));
    house_lists_clear(&lists);
}

/* Enter without text lists the tables again. A number alone is the number of a table, or was meant
 * for a game that is over: it is not said to everybody. */
bool lobby_plain_handle_line(struct ui *ui, UNUSED void *state, const char *line)
{
    bool is_number = line[strspn(line, "0123456789")] == '\0';
    if (line[0] == '\0') {
        screen_send_and_handle_success(ui, "tables", json_object(), print_tables, 0);
    } else if (is_number) {
        screen_inform(ui,
                      _("\"%s\" was not said. /sit %s sits down at that table, /chat %s says it."),
                      line, line, line);
    }
    return is_number;
}
