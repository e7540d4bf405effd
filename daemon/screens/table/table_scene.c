#include "daemon/screens/table/table.h"

#include "daemon/base/base.h"
#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/table/table_state.h"
#include "games/face.h"

#include <stdio.h>

#define LINE_MAX_BYTES 400
#define CARD_WIDTH_MIN 6
#define CARD_WIDTH_MAX 10
#define CENTRE_WIDTH_MIN 8
#define TRICK_ROWS 2 /* in the middle: who took the trick, and why */

uint8_t scene_seat_at_place(const struct scene *scene, uint8_t place)
{
    uint8_t seat = scene->bottom;
    while (place-- > 0) {
        seat = face_next_seat(scene->view, seat);
    }
    return seat;
}

static bool has_open_hands(const struct scene *scene)
{
    for (uint8_t seat = 0; seat < scene->view->seats; seat++) {
        if (open_hand_is_shown(scene, seat)) {
            return true;
        }
    }
    return false;
}

static int compute_card_width(const struct scene *scene)
{
    struct card_widths widths;
    card_measure_widths(&scene->words, &widths);
    int width = widths.of[FACE_SHORT];
    width += width <= 4 ? 4 : 2;
    return width < CARD_WIDTH_MIN   ? CARD_WIDTH_MIN
           : width > CARD_WIDTH_MAX ? CARD_WIDTH_MAX
                                    : width;
}

/* Adds what a game needs whose cards show their suits' full names where there is room. */
static void add_needs_of_full_names(const struct scene *scene, struct table_layout_needs *needs)
{
    const struct game_view *view = scene->view;
    struct card_widths widths;
    if (!view->game->face->spells_suits) {
        return;
    }
    card_measure_widths(&scene->words, &widths);
    needs->has_open_hands = true; /* the seats stay in their rows until the last card is played */
    needs->card_width_named[0] = widths.of[FACE_LONG] + 2;
    needs->card_width_named[1] = widths.of[FACE_TITLE] + 2;
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        int count = view->slot_count[seat];
        int width = count * (widths.of[FACE_HAND] + 1);
        needs->open_hand_width = width > needs->open_hand_width ? width : needs->open_hand_width;
        needs->open_hand_rows = count > needs->open_hand_rows ? count : needs->open_hand_rows;
    }
}

struct table_layout_needs scene_compute_layout_needs(const struct scene *scene)
{
    struct table_layout_needs needs = {
        .seats = scene->view->seats,
        .has_hand = scene->view->seat != SPECTATOR,
        .prompt_rows = 1,
        .card_width = compute_card_width(scene),
        .has_open_hands = has_open_hands(scene),
        .has_side = true,
    };
    add_needs_of_full_names(scene, &needs);
    return needs;
}

/* Appends " · " and the fact if both fit the width. */
static void append_fact_if_it_fits(const struct scene *scene, const char *fact, int width,
                                   struct text *out)
{
    if (fact[0] != '\0' && draw_measure_text(out->at) + 3 + draw_measure_text(fact) <= width) {
        scene_put_separator(scene, out);
        text_put(out, fact);
    }
}

/* Makes the view of a moment ago, when the finished trick, whose cards still lie there, was the
 * current one. Returns false if the round has no finished trick. */
static bool make_view_in_shown_trick(const struct game_view *view, struct game_view *out)
{
    if (view->past_count == 0) {
        return false;
    }
    table_copy_view(out, view);
    out->past_count--;
    out->trick = view->past[out->past_count];
    return true;
}

void scene_write_headline(const struct scene *scene, const char *prefix, int width,
                          struct text *out)
{
    const struct game_view *view = scene->view;
    struct text round = TEXT_OF(LINE_MAX_BYTES);
    struct phrase facts[FACE_HEADLINE_MAX];
    struct game_view in_trick;
    if (scene->is_held && make_view_in_shown_trick(view, &in_trick)) {
        view = &in_trick; /* the number of the trick changes when its cards are cleared */
    }
    uint8_t count = view->game->face->headline(view, facts);
    text_put(out, prefix);
    draw_put_styled(out, STYLE_TITLE, _(view->game->title));
    text_format(&round, view->rounds > 0 ? _("round %u of %u") : _("round %u"), view->round,
                view->rounds);
    append_fact_if_it_fits(scene, round.at, width, out);
    for (uint8_t i = 0; i < count; i++) {
        const char *fact = words_write_phrase(&scene->words, facts[i], &TEXT_OF(LINE_MAX_BYTES));
        append_fact_if_it_fits(scene, fact, width, out);
    }
}

static const struct view_trick *find_shown_trick(const struct scene *scene)
{
    return scene->is_held ? &scene->view->last_trick : &scene->view->trick;
}

static uint8_t find_card_played_by_seat(const struct view_trick *trick, uint8_t seat)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        if (trick->plays[i].seat == seat) {
            return trick->plays[i].card;
        }
    }
    return CARD_NONE;
}

/* Writes a card of the trick for a list of players: "│5 Ev│", "│CER│". Brackets would mark it as a
 * card of the hand that may be played. */
static void write_card_for_list(const struct scene *scene, uint8_t card, struct text *out)
{
    const char *edge = theme_glyph_text(scene->words.theme, GLYPH_VERTICAL);
    struct card_face face;
    card_make_face(&scene->words, &(struct view_slot){.card = card, .suit = SUIT_NONE}, &face);
    text_put(out, edge);
    if (face.suit[0] == '\0') {
        text_put(out, card_name_of_special(&face, 0));
    } else {
        card_write_face(&scene->words, &face, FACE_SHORT, out);
    }
    text_put(out, edge);
}

int scene_list_card_width(const struct scene *scene)
{
    const struct view_trick *trick = find_shown_trick(scene);
    int widest = 0;
    for (uint8_t i = 0; i < trick->count; i++) {
        struct text card = TEXT_OF(LINE_MAX_BYTES);
        write_card_for_list(scene, trick->plays[i].card, &card);
        int width = draw_measure_text(card.at) + 2;
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Draws each card of the trick at the end of its player's line. */
static void draw_trick_in_list(const struct canvas *canvas, const struct table_layout *layout,
                               const struct scene *scene)
{
    const struct view_trick *trick = find_shown_trick(scene);
    for (uint8_t place = 0; place < scene->view->seats; place++) {
        const struct area *area = &layout->seats[place];
        uint8_t card = find_card_played_by_seat(trick, scene_seat_at_place(scene, place));
        struct text text = TEXT_OF(LINE_MAX_BYTES);
        if (card == CARD_NONE || area->height == 0) {
            continue;
        }
        write_card_for_list(scene, card, &text);
        int width = draw_measure_text(text.at);
        struct area blank = {area->row, area->column + area->width - width - 2, 1, width + 2};
        draw_filled_area(canvas, &blank, STYLE_PLAIN);
        draw_text(canvas, blank.row, blank.column + 1, width, STYLE_STRONG, text.at);
    }
}

static void draw_trick_cards(const struct canvas *canvas, const struct table_layout *layout,
                             const struct scene *scene)
{
    const struct view_trick *trick = find_shown_trick(scene);
    for (uint8_t place = 0; place < scene->view->seats && trick->count > 0; place++) {
        uint8_t seat = scene_seat_at_place(scene, place);
        uint8_t card = find_card_played_by_seat(trick, seat);
        struct area area = {layout->cards[place].row, layout->cards[place].column,
                            layout->card_rows, layout->card_width};
        enum style frame = card == CARD_NONE                    ? STYLE_DIM
                           : scene_seat_took_trick(scene, seat) ? STYLE_GOOD
                                                                : STYLE_BORDER;
        card_draw(canvas, &area, &scene->words, card, frame);
    }
}

/* Writes "otto led ♥": who led the trick, and the suit or card. */
static void write_led_suit(const struct scene *scene, bool is_spelled, bool has_name,
                           struct text *out)
{
    const struct view_play *led = &scene->view->trick.plays[0];
    uint8_t suit = card_suit(scene->view->game->deck, led->card);
    struct words words = scene->words;
    words.spells_suits = is_spelled;
    const char *what = suit != SUIT_NONE
                           ? words_write_suit(&words, suit, &TEXT_OF(LINE_MAX_BYTES))
                           : words_write_card(&words, led->card, &TEXT_OF(LINE_MAX_BYTES));
    *out = text_init(out->at, out->cap);
    if (!has_name) {
        text_format(out, _("led: %s"), what);
    } else if (words_is_own_seat(&words, led->seat)) {
        text_format(out, _("you led %s"), what);
    } else {
        text_format(out, _("%s led %s"),
                    words_write_seat(&words, led->seat, &TEXT_OF(LINE_MAX_BYTES)), what);
    }
}

/* Writes "ada takes it", or the name alone where there is no room for more. */
static void write_trick_winner(const struct scene *scene, int width, struct text *out)
{
    struct text line = TEXT_OF(LINE_MAX_BYTES);
    uint8_t winner = scene->view->last_trick.winner;
    const char *name = words_write_seat(&scene->words, winner, &TEXT_OF(LINE_MAX_BYTES));
    text_format(&line,
                words_is_own_seat(&scene->words, winner) ? _("you take it") : _("%s takes it"),
                name);
    draw_put_styled(out, STYLE_GOOD, draw_measure_text(line.at) <= width ? line.at : name);
}

static void write_why_trick_was_won(const struct scene *scene, struct text *out)
{
    words_write_phrase(&scene->words,
                       scene->view->game->face->why_won(scene->view, &scene->view->last_trick),
                       out);
}

void scene_write_great_moment(const struct scene *scene, struct text *out)
{
    struct words words = scene->words;
    words.spells_suits = true;
    words.is_plain = true; /* the whole announcement has one colour */
    words_write_phrase(&words, *scene->great, out);
}

bool scene_has_great_moment_in_middle(const struct table_layout *layout, const struct scene *scene)
{
    const struct area *centre = &layout->centre;
    struct text text = TEXT_OF(LINE_MAX_BYTES);
    if (scene->great == NULL || centre->height == 0 || centre->width < CENTRE_WIDTH_MIN) {
        return false;
    }
    scene_write_great_moment(scene, &text);
    return draw_wrapped_text(NULL, centre, STYLE_NOTICE, text.at, 0, 0) <= centre->height;
}

/* Returns the row of the middle in which the announcement of a great moment begins: below the
 * words about the trick, as far as there is room. `text` is the announcement, which fits. */
static int find_row_of_great_moment(const struct area *centre, const char *text)
{
    int free = centre->height - draw_wrapped_text(NULL, centre, STYLE_NOTICE, text, 0, 0);
    return free < TRICK_ROWS ? free : TRICK_ROWS;
}

/* Draws the announcement of a great moment, each row centred. */
static void draw_great_moment(const struct canvas *canvas, const struct area *centre,
                              const struct scene *scene)
{
    struct text text = TEXT_OF(LINE_MAX_BYTES);
    scene_write_great_moment(scene, &text);
    const char *rest = text.at;
    int row = find_row_of_great_moment(centre, rest);
    for (; row < centre->height && *rest != '\0'; row++) {
        char line[LINE_MAX_BYTES];
        size_t skipped;
        size_t len = styled_text_count_fitting_bytes(rest, centre->width, &skipped);
        struct area blank = {centre->row + row, centre->column, 1, centre->width};
        snprintf(line, sizeof(line), "%.*s", (int)len, rest);
        draw_filled_area(canvas, &blank, STYLE_PLAIN);
        draw_text_centred(canvas, centre->row + row, centre->column, centre->width, STYLE_NOTICE,
                          row + 1 < centre->height ? line : rest);
        rest += len + skipped;
    }
}

/* Returns how many rows of the middle are left for the words about the trick. */
static int count_rows_for_trick(const struct table_layout *layout, const struct scene *scene)
{
    struct text moment = TEXT_OF(LINE_MAX_BYTES);
    if (!scene_has_great_moment_in_middle(layout, scene)) {
        return layout->centre.height;
    }
    scene_write_great_moment(scene, &moment);
    return find_row_of_great_moment(&layout->centre, moment.at);
}

/* True if the middle of the table has room for the reason why the finished trick was won: in a row
 * of its own, or after the winner. */
static bool is_reason_in_centre(const struct table_layout *layout, const struct scene *scene)
{
    const struct area *centre = &layout->centre;
    int rows = count_rows_for_trick(layout, scene);
    struct text line = TEXT_OF(LINE_MAX_BYTES * 4);
    if (rows < TRICK_ROWS) {
        write_trick_winner(scene, centre->width, &line);
        text_put(&line, ": ");
    }
    write_why_trick_was_won(scene, &line);
    return rows > 0 && draw_measure_text(line.at) <= centre->width;
}

/* Draws who took the trick and why, or the suit that was led. */
static void draw_trick_in_words(const struct canvas *canvas, const struct table_layout *layout,
                                const struct scene *scene)
{
    const struct area *centre = &layout->centre;
    struct text winner = TEXT_OF(LINE_MAX_BYTES * 2), why = TEXT_OF(LINE_MAX_BYTES * 2);
    struct text both = TEXT_OF(LINE_MAX_BYTES * 4);
    const char *line = winner.at;
    if (scene->is_held) {
        write_trick_winner(scene, centre->width, &winner);
        write_why_trick_was_won(scene, &why);
        text_format(&both, "%s: %s", winner.at, why.at);
        bool has_one_row = count_rows_for_trick(layout, scene) == 1;
        line = has_one_row && is_reason_in_centre(layout, scene) ? both.at : winner.at;
    } else if (scene->view->trick.count > 0) {
        write_led_suit(scene, scene->view->game->face->spells_suits, true, &winner);
        if (draw_measure_text(winner.at) > centre->width) {
            write_led_suit(scene, false, true, &winner);
        }
        if (draw_measure_text(winner.at) > centre->width) {
            write_led_suit(scene, false, false, &winner);
        }
    }
    draw_text_centred(canvas, centre->row, centre->column, centre->width, STYLE_PLAIN, line);
    if (centre->height > 1 && (!scene->is_held || is_reason_in_centre(layout, scene))) {
        draw_text_centred(canvas, centre->row + 1, centre->column, centre->width, STYLE_PLAIN,
                          why.at);
    }
}

static void draw_centre_of_table(const struct canvas *canvas, const struct table_layout *layout,
                                 const struct scene *scene)
{
    const struct area *centre = &layout->centre;
    if (centre->height == 0 || centre->width < CENTRE_WIDTH_MIN) {
        return;
    }
    draw_trick_in_words(canvas, layout, scene);
    if (scene_has_great_moment_in_middle(layout, scene)) {
        draw_great_moment(canvas, centre, scene);
    }
}

void scene_draw(const struct canvas *canvas, const struct table_layout *layout,
                const struct scene *scene)
{
    scene_draw_seats(canvas, layout, scene);
    if (layout->is_list) {
        draw_trick_in_list(canvas, layout, scene);
    } else {
        draw_trick_cards(canvas, layout, scene);
    }
    draw_centre_of_table(canvas, layout, scene);
}

void scene_write_last_trick(const struct scene *scene, int width, struct text *out)
{
    struct text why = TEXT_OF(LINE_MAX_BYTES);
    uint8_t winner = scene->view->last_trick.winner;
    if (!scene->view->has_last_trick) {
        return;
    }
    text_format(out,
                words_is_own_seat(&scene->words, winner) ? _("you took the previous trick")
                                                         : _("%s took the previous trick"),
                words_write_seat(&scene->words, winner, &TEXT_OF(LINE_MAX_BYTES)));
    text_put(&why, ": ");
    write_why_trick_was_won(scene, &why);
    if (draw_measure_text(out->at) + draw_measure_text(why.at) <= width) {
        text_put(out, why.at);
    }
}

bool scene_has_trick_of_round(const struct game_view *view)
{
    return view->has_last_trick && face_trick_is_of_round(view, &view->last_trick);
}

void scene_write_status(const struct table_layout *layout, const struct scene *scene, int width,
                        struct text *out)
{
    if (scene->is_held && !is_reason_in_centre(layout, scene)) {
        write_trick_winner(scene, width, out);
        text_put(out, ": ");
        write_why_trick_was_won(scene, out);
    } else if (!scene->is_held && scene_has_trick_of_round(scene->view)) {
        scene_write_last_trick(scene, width, out);
    }
}
