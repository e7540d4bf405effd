#include "daemon/screens/table/table_scene.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/drawing/text_format.h"
#include "daemon/screens/table/table_card.h"
#include "daemon/screens/table/table_seats.h"
#include "games/face.h"

#define LINE_MAX_BYTES 400
#define CARD_WIDTH_MIN 6
#define CARD_WIDTH_MAX 10
#define CENTRE_WIDTH_MIN 8

uint8_t scene_seat_at_place(const struct scene *scene, uint8_t place)
{
    uint8_t seat = scene->bottom;
    while (place-- > 0) {
        seat = face_next_seat(scene->view, seat);
    }
    return seat;
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

struct table_layout_needs scene_compute_layout_needs(const struct scene *scene)
{
    return (struct table_layout_needs){
        .seats = scene->view->seats,
        .has_hand = scene->view->seat != SPECTATOR,
        .prompt_rows = 1,
        .card_width = compute_card_width(scene),
        .has_open_hands = scene_has_open_hands(scene),
        .has_side = true,
    };
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

void scene_write_headline(const struct scene *scene, const char *prefix, int width,
                          struct text *out)
{
    const struct game_view *view = scene->view;
    struct text round = TEXT_OF(LINE_MAX_BYTES);
    struct phrase facts[FACE_HEADLINE_MAX];
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

/* Draws each card of the trick at the end of its player's line. */
static void draw_trick_in_list(const struct canvas *canvas, const struct table_layout *layout,
                               const struct scene *scene)
{
    const struct view_trick *trick = find_shown_trick(scene);
    for (uint8_t place = 0; place < scene->view->seats; place++) {
        const struct area *area = &layout->seats[place];
        uint8_t card = find_card_played_by_seat(trick, scene_seat_at_place(scene, place));
        if (card == CARD_NONE || area->height == 0) {
            continue;
        }
        const char *name = words_write_card(&scene->words, card, &TEXT_OF(LINE_MAX_BYTES));
        int width = draw_measure_text(name) + 2;
        struct area blank = {area->row, area->column + area->width - width - 2, 1, width + 2};
        draw_filled_area(canvas, &blank, STYLE_PLAIN);
        draw_formatted_text(canvas, blank.row, blank.column + 1, width, STYLE_STRONG, "[%s]", name);
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

static enum glyph choose_arrow_towards_place(const struct table_layout *layout, uint8_t place)
{
    return place == 0                       ? GLYPH_ARROW_DOWN
           : layout->is_seat_centred[place] ? GLYPH_ARROW_UP
           : layout->is_seat_right[place]   ? GLYPH_ARROW_RIGHT
                                            : GLYPH_ARROW_LEFT;
}

/* Writes "← lead ♥": the suit or card that was led, with an arrow towards the leader. */
static void write_led_suit(const struct table_layout *layout, const struct scene *scene,
                           struct text *out)
{
    const struct view_play *led = &scene->view->trick.plays[0];
    uint8_t place = 0;
    while (place + 1 < scene->view->seats && scene_seat_at_place(scene, place) != led->seat) {
        place++;
    }
    if (!layout->is_list) {
        text_put(out,
                 theme_glyph_text(scene->words.theme, choose_arrow_towards_place(layout, place)));
        text_put_char(out, ' ');
    }
    uint8_t suit = card_suit(scene->view->game->deck, led->card);
    text_format(out, _("lead %s"),
                suit != SUIT_NONE
                    ? words_write_suit(&scene->words, suit, &TEXT_OF(LINE_MAX_BYTES))
                    : words_write_card(&scene->words, led->card, &TEXT_OF(LINE_MAX_BYTES)));
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

static void draw_centre_of_table(const struct canvas *canvas, const struct table_layout *layout,
                                 const struct scene *scene)
{
    const struct area *centre = &layout->centre;
    struct text winner = TEXT_OF(LINE_MAX_BYTES * 2), why = TEXT_OF(LINE_MAX_BYTES * 2);
    struct text both = TEXT_OF(LINE_MAX_BYTES * 4);
    const char *line = winner.at;
    if (centre->height == 0 || centre->width < CENTRE_WIDTH_MIN) {
        return;
    }
    if (scene->is_held) {
        write_trick_winner(scene, centre->width, &winner);
        write_why_trick_was_won(scene, &why);
        text_format(&both, "%s: %s", winner.at, why.at);
        line = centre->height == 1 && draw_measure_text(both.at) <= centre->width ? both.at
                                                                                  : winner.at;
    } else if (scene->view->trick.count > 0) {
        write_led_suit(layout, scene, &winner);
    }
    draw_text_centred(canvas, centre->row, centre->column, centre->width, STYLE_PLAIN, line);
    if (centre->height > 1) {
        draw_text_centred(canvas, centre->row + 1, centre->column, centre->width, STYLE_PLAIN,
                          why.at);
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

void scene_write_last_trick(const struct scene *scene, struct text *out)
{
    uint8_t winner = scene->view->last_trick.winner;
    if (scene->view->has_last_trick) {
        text_format(out,
                    words_is_own_seat(&scene->words, winner) ? _("you took the previous trick")
                                                             : _("%s took the previous trick"),
                    words_write_seat(&scene->words, winner, &TEXT_OF(LINE_MAX_BYTES)));
        text_put(out, ": ");
        write_why_trick_was_won(scene, out);
    }
}
