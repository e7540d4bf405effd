#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"

/*
 * The face of a card, which may be known only in part.
 */
#define CARD_FACE_TEXT_MAX 160

struct card_face {
    char rank[CARD_FACE_TEXT_MAX];  /* rank or title: "T", "CERBERUS"; "?" if nothing is known */
    char suit[CARD_FACE_TEXT_MAX];  /* the suit's symbol or letters; may be empty */
    char title[CARD_FACE_TEXT_MAX]; /* the suit's full name; may be empty */
};

enum card_form {
    FACE_SHORT, /* "T♥", "10 Gr" */
    FACE_LONG,  /* the suit's full name and the rank, "Paulgrave 2"; in a standard deck the same as
                   FACE_SHORT */
    FACE_STACKED, /* the rank on one line, the suit on the next */
};

void card_make_face(const struct words *words, const struct view_slot *slot,
                    struct card_face *face);

/* Appends the face of a card as one text, in the given form. */
void card_write_face(const struct words *words, const struct card_face *face, enum card_form form,
                     struct text *out);

/* The width of the widest face in the deck, for each form. FACE_STACKED, which is used where
 * columns are scarce, does not count special cards: their names may be truncated. */
struct card_widths {
    int of[FACE_STACKED + 1];
};
void card_measure_widths(const struct words *words, struct card_widths *out);

/* True if the view shows anything about the card in this slot. */
bool card_in_slot_is_known(const struct view_slot *slot);

/* Returns the mark after a card in narrow columns: * if the viewer knows the card and a clue has
 * described it, a sign if the card was traded, otherwise "". */
const char *card_choose_slot_mark(const struct words *words, const struct view_slot *slot);

/* Appends the card of a slot in a short form, for hands shown under a name: "T♥", "?", "Gr" if only
 * the suit is known. */
void card_write_hand_card(const struct words *words, const struct view_slot *slot,
                          struct text *out);

/* Draws a card on the table, three or five rows high; frame_style is the style of its edge.
 * CARD_NONE: an empty place. */
void card_draw(const struct canvas *canvas, const struct area *area, const struct words *words,
               uint8_t card, enum style frame_style);
