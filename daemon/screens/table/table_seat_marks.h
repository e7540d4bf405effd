#pragma once

#include "daemon/screens/table/table_scene.h"

/*
 * The facts at a player's seat, one text each: the bid, the tricks won and the score, with the
 * game's number beside it; whose turn it is; the game's badges; the state of the connection. They
 * are written in lines as wide as the seat.
 */
#define SEAT_MARKS_MAX (2 * FACE_BADGES_MAX + 10) /* some marks can be broken into two parts */
#define SEAT_MARK_BYTES 400

struct seat_marks {
    uint8_t count;
    uint8_t number_count; /* the first marks are numbers */
    uint8_t turn_end;     /* index of the first mark after those of the turn */
    char at[SEAT_MARKS_MAX][SEAT_MARK_BYTES];
};

/* Collects the facts of a seat: first the numbers. The marks of the turn come before or after the
 * game's badges. */
struct seat_marks seat_marks_collect(const struct scene *scene, uint8_t seat, bool is_turn_last);

/* Writes as many marks as fit one line of `width` columns, beginning with `first_mark`, even if the
 * first one does not fit; returns the index of the first mark that is left out. If is_narrow, only
 * a blank separates the marks. */
uint8_t seat_marks_write_line(const struct scene *scene, const struct seat_marks *marks,
                              uint8_t first_mark, int width, bool is_narrow, struct text *out);

/* Writes the marks in one line, separated only by blanks if there is little room. A mark that does
 * not fit is left out, never cut. */
void seat_marks_write_fitting(const struct scene *scene, const struct seat_marks *marks, int width,
                              struct text *out);

/* Returns how many lines of that width all marks need. */
int seat_marks_count_lines(const struct scene *scene, const struct seat_marks *marks, int width,
                           bool is_narrow);

/* Moves as many marks as fit the `width` columns after the name, from those between the numbers and
 * index `end`, from the list to `out`. */
void seat_marks_move_beside_name(const struct scene *scene, struct seat_marks *marks, uint8_t end,
                                 int width, struct text *out);

/* If it is the seat's turn and the mark of the turn ("◄ to play") is wider than `width`, leaves
 * only its arrow. The line of the prompt says what the seat has to do. */
void seat_marks_shorten_turn(const struct scene *scene, uint8_t seat, struct seat_marks *marks,
                             int width);

/* Breaks each mark that is wider than `width` into two, at a blank. */
void seat_marks_break_wide(struct seat_marks *marks, int width);
