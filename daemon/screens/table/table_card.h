#pragma once

#include "daemon/screens/drawing/draw.h"
#include "daemon/screens/drawing/words.h"
#include "games/game.h"

/*
 * The face of a card, which may be known only in part.
 */
#define CARD_FACE_TEXT_MAX 160

struct card_face {
    char rank[CARD_FACE_TEXT_MAX];    /* rank or title: "T", "CERBERUS"; "?" if nothing is known */
    char suit[CARD_FACE_TEXT_MAX];    /* the suit's symbol or letters; may be empty */
    char title[CARD_FACE_TEXT_MAX];   /* the suit's full name; may be empty */
    char letters[CARD_FACE_TEXT_MAX]; /* the letters of a special card; otherwise empty */
};

enum card_form {
    FACE_SHORT, /* "T♥", "10 Gr" */
    FACE_LONG,  /* the suit's full name and the rank, "Paulgrave 2"; in a standard deck the same as
                   FACE_SHORT */
    FACE_STACKED, /* the rank on one line, the suit on the next */
    FACE_TITLE,   /* the suit's full name, with the rank on other lines */
    FACE_HAND,    /* "5Ev", "CER": as card_write_hand_card writes it */
    FACE_COUNT,
};

void card_make_face(const struct words *words, const struct view_slot *slot,
                    struct card_face *face);

/* Appends the face of a card as one text, in the given form. */
void card_write_face(const struct words *words, const struct card_face *face, enum card_form form,
                     struct text *out);

/* Returns the name of a special card: its title, or its letters if the title is wider than `width`
 * columns. */
const char *card_name_of_special(const struct card_face *face, int width);

/* The width of the widest face in the deck, for each form. FACE_STACKED and FACE_HAND, which are
 * used where columns are scarce, count only the letters of special cards that have letters. */
struct card_widths {
    int of[FACE_COUNT];
};
void card_measure_widths(const struct words *words, struct card_widths *out);

/* True if the view shows anything about the card in this slot. */
bool card_in_slot_is_known(const struct view_slot *slot);

/* Returns the sign after a card that the viewer sees in another hand (game_face.card_signs): what
 * the holder was told about it, or that it was traded; "" if neither. */
const char *card_choose_slot_mark(const struct words *words, const struct view_slot *slot);

/* Appends the card of a slot in a short form, for hands shown under a name: "T♥", "?", "Gr" if only
 * the suit is known. */
void card_write_hand_card(const struct words *words, const struct view_slot *slot,
                          struct text *out);

/* Draws a card on the table, three or five rows high; frame_style is the style of its edge.
 * CARD_NONE: an empty place. */
void card_draw(const struct canvas *canvas, const struct area *area, const struct words *words,
               uint8_t card, enum style frame_style);
