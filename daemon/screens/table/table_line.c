#include "daemon/screens/table/table.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/table/table_state.h"

/* Tells the player that a move typed before their turn was neither made nor said. */
static void refuse_early_move(struct ui *ui, const struct words *words, const char *line)
{
    screen_inform(ui,
                  _("Not your turn yet: \"%s\" was not said. /premove %s plays it at your turn."),
                  line, line);
    if (screen_is_plain(ui)) {
        game_print_turn(&screen_model(ui)->entered->view, words, screen_get_plain_lines(ui));
    }
    screen_drop_notice_when_table_changes(ui);
}

bool table_catch_line(struct ui *ui, void *opaque, const char *line)
{
    const struct model_entered *entered = screen_model(ui)->entered;
    uint8_t move;
    if (entered == NULL || entered->you < 0) {
        return false;
    }
    if (entered->row.phase != TABLE_PLAYING || !entered->has_view) {
        if (typed_is_only_numbers(line)) {
            screen_inform(ui, _("\"%s\" was not said: no game is running. /chat %s says it."), line,
                          line);
        }
        return typed_is_only_numbers(line);
    }
    struct words words = words_make_for_entered_table(screen_theme(ui), entered);
    enum typed typed = typed_parse_move(&entered->view, &words, line, &move);
    if (typed != TYPED_NOTHING && round_end_waits_for_viewer(entered)) {
        screen_inform(ui, "%s",
                      _("A round has just ended: press Enter to go on, then type your move."));
        return true;
    }
    switch (typed) {
    case TYPED_MOVE:
        table_make_move(ui, opaque, move);
        return true;
    case TYPED_EARLY:
        refuse_early_move(ui, &words, line);
        return true;
    case TYPED_UNKNOWN:
        screen_warn(ui, _("\"%s\" was not said: it is no move now. /chat %s says it."), line, line);
        if (screen_is_plain(ui)) {
            game_print_turn(&entered->view, &words, screen_get_plain_lines(ui));
        }
        screen_drop_notice_when_table_changes(ui);
        return true;
    case TYPED_NOTHING:
        break;
    }
    return false;
}
