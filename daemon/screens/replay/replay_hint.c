#include "daemon/screens/replay/replay.h"

#include "daemon/base/i18n.h"

#include <string.h>

#define LINE_BYTES 400
#define POINTS_COLUMNS 6
#define PRINTED_CHOICES 10 /* how many moves plain mode compares */

bool replay_hint_is_made(const struct replay_hint *hint, const struct replay_game *game)
{
    return hint->is_made && hint->step == game->step;
}

bool replay_hint_make(struct replay_hint *hint, struct replay_game *game, int64_t game_id)
{
    if (replay_hint_is_made(hint, game)) {
        return true;
    }
    memset(hint, 0, sizeof(*hint));
    if (!replay_game_fill_movers_view(game, &hint->view)) {
        return false;
    }
    const struct history_source *source = &game->record.source;
    hint->step = game->step;
    hint->seat = source->moves[game->step].seat;
    hint->move = source->moves[game->step].move;
    hint_make(&hint->hint, &hint->view, &source->config, game_id);
    hint->is_made = true;
    return true;
}

bool replay_hint_is_shown(const struct replay_hint *hint, const struct replay_game *game)
{
    return replay_hint_is_made(hint, game) && hint->is_shown &&
           (game->seat == SPECTATOR || game->seat == (int8_t)hint->seat);
}

/* Writes what the player chooses next, and whether the bot would choose the same. */
static const char *write_verdict(const struct replay_hint *hint, const struct words *words,
                                 struct text *out)
{
    const char *name = words_write_seat(words, hint->seat, &TEXT_OF(LINE_BYTES));
    const char *made = words_write_move(words, &hint->view, hint->move, &TEXT_OF(LINE_BYTES));
    if (hint->hint.is_only_move) {
        text_format(out, _("%s has only one legal move next: %s."), name, made);
    } else if (hint->hint.move == hint->move) {
        text_format(out, _("%s chooses %s next. The strong bot agrees."), name, made);
    } else {
        text_format(out, _("%s chooses %s next. The strong bot would choose %s."), name, made,
                    words_write_move(words, &hint->view, hint->hint.move, &TEXT_OF(LINE_BYTES)));
    }
    return out->at;
}

/* Returns what to know about the points, or why there are none; "" for the only legal move. */
static const char *explain_points(const struct hint *hint, const struct game_def *game)
{
    if (hint->count > 0) {
        return hint_explain_points(game);
    }
    return hint->is_only_move ? "" : _("The strong bot has compared no points here.");
}

/* Writes who chooses a move: the bot, the player, both or nobody. */
static const char *write_choosers(const struct replay_hint *hint, const struct words *words,
                                  uint8_t move, struct text *out)
{
    if (move == hint->move) {
        text_format_list_item(out, "%s", words_write_seat(words, hint->seat, &TEXT_OF(LINE_BYTES)));
    }
    if (move == hint->hint.move) {
        text_format_list_item(out, "%s", _("strong bot"));
    }
    return out->at;
}

static int measure_widest_move(const struct replay_hint *hint, const struct words *words)
{
    int widest = 0;
    for (uint8_t i = 0; i < hint->hint.count; i++) {
        int width = draw_measure_text(
            words_write_move(words, &hint->view, hint->hint.choices[i].move, &TEXT_OF(LINE_BYTES)));
        widest = width > widest ? width : widest;
    }
    return widest;
}

static void draw_choice(const struct canvas *canvas, const struct area *row,
                        const struct replay_hint *hint, const struct words *words,
                        const struct search_choice *choice)
{
    enum style style = choice->move == hint->move ? STYLE_TURN : STYLE_PLAIN;
    int most = row->width - POINTS_COLUMNS - 2;
    int width = measure_widest_move(hint, words);
    width = width < most ? width : most;
    draw_text(canvas, row->row, row->column, width, style,
              words_write_move(words, &hint->view, choice->move, &TEXT_OF(LINE_BYTES)));
    draw_text_right_aligned(canvas, row->row, row->column + width, POINTS_COLUMNS, style,
                            hint_write_points(words->theme, choice, &TEXT_OF(LINE_BYTES)));
    draw_text(canvas, row->row, row->column + width + POINTS_COLUMNS + 2, most - width, STYLE_DIM,
              write_choosers(hint, words, choice->move, &TEXT_OF(LINE_BYTES)));
}

/* Draws as many choices as the area has rows; the last row is for the move that was made if it has
 * no other. */
static void draw_choices(const struct canvas *canvas, const struct area *area,
                         const struct replay_hint *hint, const struct words *words)
{
    const struct hint *found = &hint->hint;
    bool is_made_drawn = hint_find_choice(found, hint->move) == NULL;
    for (int i = 0; i < area->height && i < found->count; i++) {
        const struct area row = {area->row + i, area->column, 1, area->width};
        bool is_for_made = i == area->height - 1 && !is_made_drawn;
        const struct search_choice *choice =
            is_for_made ? hint_find_choice(found, hint->move) : &found->choices[i];
        draw_choice(canvas, &row, hint, words, choice);
        is_made_drawn = is_made_drawn || choice->move == hint->move;
    }
}

/* Draws an empty box, whose title tells what the bot knows. */
static void draw_empty_box(const struct canvas *canvas, const struct area *box,
                           const struct replay_hint *hint, const struct words *words)
{
    struct text title = TEXT_OF(LINE_BYTES);
    text_format(&title, _("The strong bot, with what %s saw"),
                words_write_seat(words, hint->seat, &TEXT_OF(LINE_BYTES)));
    draw_filled_area(canvas, box, STYLE_PLAIN);
    draw_box(canvas, box, title.at, true);
    draw_title(canvas, box->row + box->height - 1, box->column, box->width, _("b closes"), false);
}

void replay_hint_draw_box(const struct canvas *canvas, const struct area *area,
                          const struct replay_hint *hint, const struct words *words)
{
    const struct hint *found = &hint->hint;
    struct text verdict = TEXT_OF(LINE_BYTES * 2);
    struct area inside = {area->row + 1, area->column + 2, area->height - 2, area->width - 4};
    const char *note = explain_points(found, hint->view.game);
    write_verdict(hint, words, &verdict);
    int above = draw_wrapped_text(NULL, &inside, STYLE_PLAIN, verdict.at, 0, 0);
    above += found->count > 0;
    int below = note[0] == '\0' ? 0 : draw_wrapped_text(NULL, &inside, STYLE_DIM, note, 0, 0);
    int room = inside.height - above - below > 0 ? inside.height - above - below : 0;
    struct area choices = {inside.row + above, inside.column,
                           found->count < room ? found->count : room, inside.width};
    struct area box = {area->row, area->column, above + choices.height + below + 2, area->width};
    box.height = box.height < area->height ? box.height : area->height;
    inside.height = box.height - 2;
    draw_empty_box(canvas, &box, hint, words);
    (void)draw_wrapped_text(canvas, &inside, STYLE_PLAIN, verdict.at, 0, 0);
    if (found->count > 0) {
        draw_text(canvas, choices.row - 1, inside.column, inside.width, STYLE_DIM,
                  _("Points it expects this round:"));
    }
    draw_choices(canvas, &choices, hint, words);
    inside.row = choices.row + choices.height;
    inside.height = box.row + box.height - 1 - inside.row;
    (void)draw_wrapped_text(canvas, &inside, STYLE_DIM, note, 0, 0);
}

void replay_hint_print(const struct replay_hint *hint, const struct words *words,
                       struct lines *lines)
{
    const struct hint *found = &hint->hint;
    const char *note = explain_points(found, hint->view.game);
    lines_put(lines, write_verdict(hint, words, &TEXT_OF(LINES_LINE_MAX)));
    if (found->count > 0) {
        lines_format(lines, _("Expected points this round: %s."),
                     hint_write_choices(words, &hint->view, found, PRINTED_CHOICES, hint->move,
                                        &TEXT_OF(LINES_LINE_MAX)));
    }
    if (note[0] != '\0') {
        lines_put(lines, note);
    }
}
