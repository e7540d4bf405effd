#include "daemon/base/i18n.h"
#include "daemon/screens/table_card.h"
#include "daemon/screens/table_hand.h"
#include "daemon/screens/table_scene.h"
#include "games/face.h"

#include <limits.h>
#include <stdio.h>

#define LINE_MAX_BYTES 400

static bool slot_tells(const struct view_slot *slot)
{
    return !slot->is_empty && (slot->card != CARD_NONE || slot->suit != SUIT_NONE ||
                               slot->value != 0 || slot->is_traded);
}

static bool seat_has_open_hand(const struct scene *scene, uint8_t seat)
{
    const struct game_view *view = scene->view;
    if (view->seat == (int)seat && !scene->is_open) {
        return false; /* drawn large at the bottom */
    }
    for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
        if (slot_tells(&view->hands[seat][i])) {
            return true;
        }
    }
    return false;
}

bool scene_has_open_hands(const struct scene *scene)
{
    for (uint8_t seat = 0; seat < scene->view->seats; seat++) {
        if (seat_has_open_hand(scene, seat)) {
            return true;
        }
    }
    return false;
}

void scene_put_dot(const struct scene *scene, struct text *out)
{
    if (out->len == 0) {
        return;
    }
    if (scene->words.theme->is_ascii) {
        text_put(out, ", "); /* the dot's stand-in is also the sign for "none" */
        return;
    }
    text_put_char(out, ' ');
    text_put(out, theme_glyph(scene->words.theme, GLYPH_DOT));
    text_put_char(out, ' ');
}

static bool seat_is_to_act(const struct scene *scene, uint8_t seat)
{
    return !scene->is_held && (scene->view->to_act >> seat & 1) != 0;
}

bool scene_is_taker(const struct scene *scene, uint8_t seat)
{
    return scene->is_held && scene->view->last_trick.winner == seat;
}

static void seat_name(const struct scene *scene, uint8_t seat, struct text *out)
{
    bool is_you = words_is_you(&scene->words, seat);
    char name[LINE_MAX_BYTES];
    struct text text = text_init(name, sizeof(name));
    words_seat(&scene->words, seat, &text);
    enum style style = seat_is_to_act(scene, seat) ? STYLE_TURN : is_you ? STYLE_YOU : STYLE_STRONG;
    draw_mark(out, style, name);
}

static void seat_rating(const struct scene *scene, uint8_t seat, struct text *out)
{
    if (scene->seats == NULL || !scene->seats[seat].is_taken) {
        return;
    }
    text_put_char(out, ' ');
    if (scene->seats[seat].kind == PERSON_BOT) {
        text_put(out, _("(bot)"));
    } else if (scene->seats[seat].rating.is_known) {
        words_rating(scene->words.theme, &scene->seats[seat].rating, out);
    }
}

/* "bid 2 · won 1 · 31" */
static void seat_facts(const struct scene *scene, uint8_t seat, struct text *out)
{
    const struct game_view *view = scene->view;
    char fact[LINE_MAX_BYTES];
    if (view->has_bids && view->bids[seat] != BID_NONE) {
        snprintf(fact, sizeof(fact), _("bid %d"), view->bids[seat]);
        text_put(out, fact);
    } else if (view->has_bids) {
        snprintf(fact, sizeof(fact), _("bid %s"), theme_glyph(scene->words.theme, GLYPH_DASH));
        text_put(out, fact);
    }
    scene_put_dot(scene, out);
    snprintf(fact, sizeof(fact), _("won %d"), view->tricks[seat]);
    text_put(out, fact);
    scene_put_dot(scene, out);
    text_put_number(out, view->scores[seat]);
}

/* The game's badges and how the player is connected. */
static void seat_badges(const struct scene *scene, uint8_t seat, struct text *out)
{
    struct phrase badges[FACE_BADGES_MAX];
    uint8_t count = scene->view->game->face->badges(scene->view, seat, badges);
    for (uint8_t i = 0; i < count; i++) {
        scene_put_dot(scene, out);
        words_phrase(&scene->words, &badges[i], out);
    }
    const struct model_seat *who = scene->seats == NULL ? NULL : &scene->seats[seat];
    if (who == NULL || !who->is_taken || who->kind == PERSON_BOT) {
        return;
    }
    if (who->is_played_by_bot) {
        scene_put_dot(scene, out);
        draw_mark(out, STYLE_WARN, _("bot playing"));
    } else if (!who->is_here) {
        scene_put_dot(scene, out);
        draw_mark(out, STYLE_WARN, _("away"));
    }
}

static const char *turn_words(const struct game_view *view, uint8_t seat, bool is_you)
{
    const struct game_face *face = view->game->face;
    if (is_you) {
        return _("your turn");
    }
    return _(face->turn != NULL ? face->turn(view, seat) : face_turn_play(view));
}

/* "◄ to play", "took it". */
static void seat_turn(const struct scene *scene, uint8_t seat, struct text *out)
{
    char words[LINE_MAX_BYTES];
    if (scene_is_taker(scene, seat)) {
        draw_mark(out, STYLE_GOOD, _("took it"));
    } else if (seat_is_to_act(scene, seat)) {
        snprintf(words, sizeof(words), "%s %s", theme_glyph(scene->words.theme, GLYPH_TURN),
                 turn_words(scene->view, seat, words_is_you(&scene->words, seat)));
        draw_mark(out, STYLE_TURN, words);
    }
}

/* Marks in one line, whose turn it is first. */
static void seat_marks(const struct scene *scene, uint8_t seat, struct text *out)
{
    char buffer[LINE_MAX_BYTES];
    struct text badges = text_init(buffer, sizeof(buffer));
    seat_turn(scene, seat, out);
    seat_badges(scene, seat, &badges);
    if (badges.len > 0) {
        scene_put_dot(scene, out);
        text_put(out, buffer);
    }
}

/* What is shown of an open hand, in order: all of it, or the top of each column. */
struct open_hand {
    uint8_t seat;
    uint8_t count;
    uint8_t slots[SLOTS_MAX];
    uint8_t under[SLOTS_MAX]; /* how many lie below that one */
};

/* The slot on top of a column and how many are below it; an empty column shows its lowest slot. */
static void column_top(const struct game_view *view, uint8_t seat, uint8_t column, uint8_t columns,
                       struct open_hand *hand)
{
    uint8_t held = 0;
    uint8_t top = column;
    for (uint8_t slot = column; slot < view->slot_count[seat]; slot = (uint8_t)(slot + columns)) {
        bool is_held = !view->hands[seat][slot].is_empty;
        top = is_held ? slot : top;
        held = (uint8_t)(held + is_held);
    }
    hand->under[hand->count] = held > 0 ? (uint8_t)(held - 1) : 0;
    hand->slots[hand->count++] = top;
}

static struct open_hand open_hand_of(const struct scene *scene, uint8_t seat)
{
    const struct game_view *view = scene->view;
    struct open_hand hand = {.seat = seat};
    bool keeps_slots = false;
    uint8_t columns = view->game->face->columns != NULL ? view->game->face->columns(view, seat) : 0;
    if (columns == 0) {
        hand.count = hand_order(view, seat, &keeps_slots, hand.slots);
    }
    for (uint8_t column = 0; column < columns && column < view->slot_count[seat]; column++) {
        column_top(view, seat, column, columns, &hand);
    }
    return hand;
}

static void open_card(const struct scene *scene, const struct open_hand *hand, uint8_t at,
                      struct text *out)
{
    uint8_t index = hand->slots[at];
    const struct view_slot *slot = &scene->view->hands[hand->seat][index];
    if (slot->is_empty) {
        text_put(out, theme_glyph(scene->words.theme, GLYPH_DOT));
    } else if ((scene->lit[hand->seat] >> index & 1) != 0) {
        char name[LINE_MAX_BYTES];
        struct text text = text_init(name, sizeof(name));
        struct words plain = scene->words;
        plain.is_plain = true;
        card_write_slot(&plain, slot, &text);
        draw_mark(out, STYLE_SELECTED, name);
    } else {
        card_write_slot(&scene->words, slot, out);
    }
    if (hand->under[at] > 0) {
        text_put_char(out, '+');
        text_put_number(out, hand->under[at]);
    }
}

/* One line of an open hand from place `from` on, as many cards as the width takes; returns the
 * place after the last. A card's mark stands where else the blank before the next one does. */
static uint8_t open_hand_line(const struct scene *scene, const struct open_hand *hand, uint8_t from,
                              int width, struct text *out)
{
    const char *mark = "";
    uint8_t at = from;
    for (; at < hand->count; at++) {
        char buffer[LINE_MAX_BYTES];
        struct text text = text_init(buffer, sizeof(buffer));
        const char *next =
            card_slot_mark(&scene->words, &scene->view->hands[hand->seat][hand->slots[at]]);
        text_put(&text, at > from && mark[0] == '\0' ? " " : mark);
        open_card(scene, hand, at, &text);
        if (at > from && draw_width(out->at) + draw_width(buffer) + draw_width(next) > width) {
            break;
        }
        text_put(out, buffer);
        mark = next;
    }
    text_put(out, mark);
    return at;
}

static void seat_open_hand(const struct scene *scene, uint8_t seat, struct text *out)
{
    if (seat_has_open_hand(scene, seat)) {
        struct open_hand hand = open_hand_of(scene, seat);
        (void)open_hand_line(scene, &hand, 0, INT_MAX, out);
    }
}

static void line_draw(const struct canvas *canvas, const struct table_layout *layout, int place,
                      int line, const char *text)
{
    const struct area *seat = &layout->seats[place];
    if (line >= seat->height) {
        return;
    }
    if (layout->is_seat_centred[place]) {
        draw_text_centre(canvas, seat->row + line, seat->column, seat->width, STYLE_PLAIN, text);
    } else if (layout->is_seat_right[place]) {
        draw_text_right(canvas, seat->row + line, seat->column, seat->width, STYLE_PLAIN, text);
    } else {
        draw_text(canvas, seat->row + line, seat->column, seat->width, STYLE_PLAIN, text);
    }
}

/* Appends two spaces and the part, when there is one. */
static void put_part(struct text *out, void (*part)(const struct scene *, uint8_t, struct text *),
                     const struct scene *scene, uint8_t seat)
{
    char buffer[LINE_MAX_BYTES * 2];
    struct text text = text_init(buffer, sizeof(buffer));
    part(scene, seat, &text);
    if (text.len > 0) {
        text_put(out, out->len > 0 ? "  " : "");
        text_put(out, buffer);
    }
}

static void seat_draw_line(const struct canvas *canvas, const struct table_layout *layout,
                           const struct scene *scene, uint8_t place)
{
    uint8_t seat = scene_seat_at(scene, place);
    char buffer[LINE_MAX_BYTES * 4];
    struct text text = text_init(buffer, sizeof(buffer));
    seat_name(scene, seat, &text);
    if (layout->is_list) {
        seat_rating(scene, seat, &text);
    }
    put_part(&text, seat_facts, scene, seat);
    put_part(&text, seat_marks, scene, seat);
    put_part(&text, seat_open_hand, scene, seat);
    line_draw(canvas, layout, place, 0, buffer);
}

static void seat_draw_block(const struct canvas *canvas, const struct table_layout *layout,
                            const struct scene *scene, uint8_t place)
{
    uint8_t seat = scene_seat_at(scene, place);
    const struct area *area = &layout->seats[place];
    char buffer[LINE_MAX_BYTES * 2];
    struct text text = text_init(buffer, sizeof(buffer));
    seat_name(scene, seat, &text);
    seat_rating(scene, seat, &text);
    if (layout->is_seat_centred[place]) {
        put_part(&text, seat_marks, scene, seat);
    }
    line_draw(canvas, layout, place, 0, buffer);
    text = text_init(buffer, sizeof(buffer));
    seat_facts(scene, seat, &text);
    line_draw(canvas, layout, place, 1, buffer);
    int line = 2;
    if (!layout->is_seat_centred[place]) {
        text = text_init(buffer, sizeof(buffer));
        seat_marks(scene, seat, &text);
        line_draw(canvas, layout, place, line++, buffer);
    }
    struct open_hand hand = open_hand_of(scene, seat);
    hand.count = seat_has_open_hand(scene, seat) ? hand.count : 0;
    for (uint8_t from = 0; from < hand.count && line < area->height;) {
        text = text_init(buffer, sizeof(buffer));
        from = open_hand_line(scene, &hand, from, area->width, &text);
        line_draw(canvas, layout, place, line++, buffer);
    }
}

void scene_draw_seats(const struct canvas *canvas, const struct table_layout *layout,
                      const struct scene *scene)
{
    for (uint8_t place = 0; place < scene->view->seats; place++) {
        if (layout->is_list || layout->seats[place].height == 1) {
            seat_draw_line(canvas, layout, scene, place);
        } else {
            seat_draw_block(canvas, layout, scene, place);
        }
    }
}
