#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"

/*
 * What stands on a card's face, also on one of which only a part is known.
 */
#define CARD_FACE_TEXT_MAX 160

struct card_face {
    char rank[CARD_FACE_TEXT_MAX];  /* "T", "CERBERUS", "?" when nothing is known */
    char suit[CARD_FACE_TEXT_MAX];  /* sign or letters; may be empty */
    char title[CARD_FACE_TEXT_MAX]; /* the suit's whole name; may be empty */
};

enum card_form {
    FACE_SHORT,   /* "T♥", "10 Gr" */
    FACE_LONG,    /* "Paulgrave 2"; as FACE_SHORT in a standard deck */
    FACE_STACKED, /* rank and suit on lines of their own */
};

void card_face_of(const struct words *words, const struct view_slot *slot, struct card_face *face);

/* Appends the face as one text. */
void card_face_write(const struct words *words, const struct card_face *face, enum card_form form,
                     struct text *out);

/* Columns of the widest face in the deck, by form. Stacked, where columns are scarce, special cards
 * are left out: their names may be cut. */
struct card_widths {
    int of[FACE_STACKED + 1];
};
void card_widths_of(const struct words *words, struct card_widths *out);

/* What stands behind a slot in few columns: * for what was told besides what is seen, a sign for a
 * traded card, else nothing. */
const char *card_slot_mark(const struct words *words, const struct view_slot *slot);

/* Appends a slot in few columns, for hands shown under a name: "T♥", "?", "Gr" when only the suit
 * was told. */
void card_write_slot(const struct words *words, const struct view_slot *slot, struct text *out);

/* A card lying on the table, three or five rows high; `frame` is the style of its edge.
 * CARD_NONE: an empty place. */
void card_draw(const struct canvas *canvas, const struct area *area, const struct words *words,
               uint8_t card, enum style frame);
