#include "daemon/screens/table/table_scene.h"

#include "daemon/base/i18n.h"
#include "daemon/screens/table/table_card.h"
#include "daemon/screens/table/table_seats.h"
#include "games/face.h"

#include <stdio.h>

#define LINE_MAX_BYTES 400
#define CARD_WIDTH_MIN 6
#define CARD_WIDTH_MAX 10
#define CENTRE_WIDTH_MIN 8

uint8_t scene_seat_at(const struct scene *scene, uint8_t place)
{
    uint8_t seat = scene->bottom;
    while (place-- > 0) {
        seat = face_next_seat(scene->view, seat);
    }
    return seat;
}

int scene_card_width(const struct scene *scene)
{
    struct card_widths widths;
    card_widths_of(&scene->words, &widths);
    int width = widths.of[FACE_SHORT];
    width += width <= 4 ? 4 : 2;
    return width < CARD_WIDTH_MIN   ? CARD_WIDTH_MIN
           : width > CARD_WIDTH_MAX ? CARD_WIDTH_MAX
                                    : width;
}

/* Appends " · fact" if all of it still fits the width. */
static void put_fact_within(const struct scene *scene, const char *fact, int width,
                            struct text *out)
{
    if (fact[0] != '\0' && draw_text_width(out->at) + 3 + draw_text_width(fact) <= width) {
        scene_put_dot(scene, out);
        text_put(out, fact);
    }
}

void scene_headline(const struct scene *scene, const char *prefix, int width, struct text *out)
{
    const struct game_view *view = scene->view;
    char round[LINE_MAX_BYTES];
    text_put(out, prefix);
    draw_put_styled(out, STYLE_TITLE, _(view->game->title));
    if (view->rounds > 0) {
        snprintf(round, sizeof(round), _("round %u of %u"), view->round, view->rounds);
    } else {
        snprintf(round, sizeof(round), _("round %u"), view->round);
    }
    put_fact_within(scene, round, width, out);
    struct phrase facts[FACE_HEADLINE_MAX];
    uint8_t count = view->game->face->headline(view, facts);
    for (uint8_t i = 0; i < count; i++) {
        char fact[LINE_MAX_BYTES];
        struct text text = text_init(fact, sizeof(fact));
        words_write_phrase(&scene->words, &facts[i], &text);
        put_fact_within(scene, fact, width, out);
    }
}

static const struct view_trick *scene_trick(const struct scene *scene)
{
    return scene->is_held ? &scene->view->last_trick : &scene->view->trick;
}

static uint8_t trick_card_of(const struct view_trick *trick, uint8_t seat)
{
    for (uint8_t i = 0; i < trick->count; i++) {
        if (trick->plays[i].seat == seat) {
            return trick->plays[i].card;
        }
    }
    return CARD_NONE;
}

/* In a list the card is at the end of its player's line. */
static void trick_draw_list(const struct canvas *canvas, const struct table_layout *layout,
                            const struct scene *scene)
{
    const struct view_trick *trick = scene_trick(scene);
    for (uint8_t place = 0; place < scene->view->seats; place++) {
        const struct area *area = &layout->seats[place];
        uint8_t seat = scene_seat_at(scene, place);
        uint8_t card = trick_card_of(trick, seat);
        char buffer[LINE_MAX_BYTES];
        struct text text = text_init(buffer, sizeof(buffer));
        if (card == CARD_NONE || area->height == 0) {
            continue;
        }
        words_write_card(&scene->words, card, &text);
        int width = draw_text_width(buffer) + 2;
        struct area blank = {area->row, area->column + area->width - width - 2, 1, width + 2};
        draw_filled_area(canvas, &blank, STYLE_PLAIN);
        draw_formatted_text(canvas, blank.row, blank.column + 1, width, STYLE_STRONG, "[%s]",
                            buffer);
    }
}

static void trick_draw_cards(const struct canvas *canvas, const struct table_layout *layout,
                             const struct scene *scene)
{
    const struct view_trick *trick = scene_trick(scene);
    for (uint8_t place = 0; place < scene->view->seats && trick->count > 0; place++) {
        uint8_t seat = scene_seat_at(scene, place);
        uint8_t card = trick_card_of(trick, seat);
        struct area area = {layout->cards[place].row, layout->cards[place].column,
                            layout->card_rows, layout->card_width};
        enum style frame = card == CARD_NONE             ? STYLE_DIM
                           : scene_is_taker(scene, seat) ? STYLE_GOOD
                                                         : STYLE_BORDER;
        card_draw(canvas, &area, &scene->words, card, frame);
    }
}

static enum glyph place_arrow(const struct table_layout *layout, uint8_t place)
{
    if (place == 0) {
        return GLYPH_ARROW_DOWN;
    }
    if (layout->is_seat_centred[place]) {
        return GLYPH_ARROW_UP;
    }
    return layout->is_seat_right[place] ? GLYPH_ARROW_RIGHT : GLYPH_ARROW_LEFT;
}

static void trick_write_lead(const struct table_layout *layout, const struct scene *scene,
                             struct text *out)
{
    const struct view_trick *trick = &scene->view->trick;
    uint8_t place = 0;
    for (uint8_t i = 0; i < scene->view->seats; i++) {
        place = scene_seat_at(scene, i) == trick->plays[0].seat ? i : place;
    }
    uint8_t suit = card_suit(scene->view->game->deck, trick->plays[0].card);
    if (!layout->is_list) {
        text_put(out, theme_glyph(scene->words.theme, place_arrow(layout, place)));
        text_put_char(out, ' ');
    }
    char sign[LINE_MAX_BYTES], line[LINE_MAX_BYTES];
    struct text text = text_init(sign, sizeof(sign));
    if (suit != SUIT_NONE) {
        words_write_suit(&scene->words, suit, &text);
    } else {
        words_write_card(&scene->words, trick->plays[0].card, &text);
    }
    snprintf(line, sizeof(line), _("lead %s"), sign);
    text_put(out, line);
}

/* "ada takes it", or the name alone where there is no room for more. */
static void put_taker(const struct scene *scene, int width, struct text *out)
{
    char name[LINE_MAX_BYTES];
    char line[LINE_MAX_BYTES];
    uint8_t winner = scene->view->last_trick.winner;
    struct text text = text_init(name, sizeof(name));
    words_write_seat(&scene->words, winner, &text);
    bool is_you = words_is_own_seat(&scene->words, winner);
    snprintf(line, sizeof(line), is_you ? "%s" : _("%s takes it"),
             is_you ? _("you take it") : name);
    draw_put_styled(out, STYLE_GOOD, draw_text_width(line) <= width ? line : name);
}

static void put_why(const struct scene *scene, struct text *out)
{
    struct phrase why = scene->view->game->face->why_won(scene->view, &scene->view->last_trick);
    words_write_phrase(&scene->words, &why, out);
}

static void centre_draw(const struct canvas *canvas, const struct table_layout *layout,
                        const struct scene *scene)
{
    const struct area *centre = &layout->centre;
    char buffer[LINE_MAX_BYTES * 2];
    struct text text = text_init(buffer, sizeof(buffer));
    if (centre->height == 0 || centre->width < CENTRE_WIDTH_MIN) {
        return;
    }
    if (!scene->is_held) {
        if (scene->view->trick.count > 0) {
            trick_write_lead(layout, scene, &text);
        }
        draw_text_centred(canvas, centre->row, centre->column, centre->width, STYLE_PLAIN, buffer);
        return;
    }
    put_taker(scene, centre->width, &text);
    if (centre->height == 1) {
        text_put(&text, ": ");
        put_why(scene, &text);
    }
    if (centre->height == 1 && draw_text_width(buffer) > centre->width) {
        text = text_init(buffer, sizeof(buffer));
        put_taker(scene, centre->width, &text);
    }
    draw_text_centred(canvas, centre->row, centre->column, centre->width, STYLE_PLAIN, buffer);
    if (centre->height > 1) {
        text = text_init(buffer, sizeof(buffer));
        put_why(scene, &text);
        draw_text_centred(canvas, centre->row + 1, centre->column, centre->width, STYLE_PLAIN,
                          buffer);
    }
}

void scene_draw(const struct canvas *canvas, const struct table_layout *layout,
                const struct scene *scene)
{
    scene_draw_seats(canvas, layout, scene);
    if (layout->is_list) {
        trick_draw_list(canvas, layout, scene);
    } else {
        trick_draw_cards(canvas, layout, scene);
    }
    centre_draw(canvas, layout, scene);
}

void scene_last_trick(const struct scene *scene, struct text *out)
{
    if (!scene->view->has_last_trick) {
        return;
    }
    char name[LINE_MAX_BYTES];
    char line[LINE_MAX_BYTES];
    struct text text = text_init(name, sizeof(name));
    uint8_t winner = scene->view->last_trick.winner;
    words_write_seat(&scene->words, winner, &text);
    if (words_is_own_seat(&scene->words, winner)) {
        text_put(out, _("you took the trick before"));
    } else {
        snprintf(line, sizeof(line), _("%s took the trick before"), name);
        text_put(out, line);
    }
    text_put(out, ": ");
    put_why(scene, out);
}
