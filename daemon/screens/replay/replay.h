#pragma once

#include "daemon/base/base.h"
#include "daemon/screens/table/table.h"

/* Shows the hint for the current step of the open replay, or hides it; in plain mode, prints it.
 * Returns false if no replay is open. */
bool replay_show_hint(struct ui *ui);

/*
 * A finished game as a recording for asciinema (format v2: a header and one event per line,
 * https://docs.asciinema.org/manual/asciicast/v2/): the replay's frames with all hands open, one
 * step after another.
 */
struct replay_cast;

/* maximum length of one event in bytes; a frame of 120x40 takes about 30 KB */
#define CAST_LINE_MAX (1 << 20)

/* Begins a recording, and opens the terminal on which its frames are drawn; call it before the
 * session is confined. A process can have only one such terminal, and none while it shows screens
 * to a person. Sizes are clamped to those that screens support. NULL if the terminal cannot be
 * opened. */
struct replay_cast *replay_cast_new(int columns, int rows);
void replay_cast_free(struct replay_cast *cast);

/* Loads the record of a game, in the form in which the core sends it; call it once. False if the
 * record is invalid or of an unknown game. */
bool replay_cast_load(struct replay_cast *cast, json_t *record) MUST_CHECK;

/* Appends the next line; the header comes first. False if no line is left, or if `out` has no room
 * for it, which ends the recording. */
bool replay_cast_append_next_line(struct replay_cast *cast, struct bytes *out);

/*
 * A record being replayed: the engine plays it up to the step shown, so one can jump to any step. A
 * zeroed struct is a valid, empty record.
 */
enum replay_mark {
    REPLAY_TRICK = 1, /* the move before this step finished a trick */
    REPLAY_ROUND = 2, /* at this step a round has just been dealt */
};

struct replay_game {
    struct record record;
    bool is_open;
    uint8_t *marks; /* for each step from 0 to move_count: enum replay_mark bits */
    int8_t seat;    /* the seat whose view is shown; SPECTATOR: all hands together */
    uint32_t step;
    struct game_view view;
    bool is_trick_done; /* the last move finished a trick, which view.last_trick shows */
    uint8_t mover;      /* the seat that made the last move; unset at step 0 */
    struct story story; /* what the last move did; at step 0, how the first round begins */
    uint8_t winners;    /* at the last step: the winning seats (bit 0: seat 0) */
    struct score_row rows[GAME_ROUNDS_MAX]; /* those of the rounds finished by this step */
    int row_count;
};

/* Takes a reference to a game's record, in the protocol's form, and goes to step 0, with all hands
 * shown. False, with nothing to clear, if the JSON is no record or one of the moves is illegal. */
bool replay_game_init(struct replay_game *game, json_t *record) MUST_CHECK;
void replay_game_clear(struct replay_game *game);

/* Goes to a step from 0 to move_count. */
void replay_game_go_to(struct replay_game *game, uint32_t step);

/* Returns the name of whoever held the seat at the current step; "" for a virtual seat. */
const char *replay_game_seat_name(const struct replay_game *game, uint8_t seat);

/* Fills in what the player who makes the move after the current step saw at this step. False at the
 * last step. */
bool replay_game_fill_movers_view(struct replay_game *game, struct game_view *view) MUST_CHECK;

struct replay_hint;

/* Draws a step of a game: on the replay's screen, in recordings, and when spectators look at
 * earlier steps. */

struct replay_picture {
    const struct scene *scene;
    const char *right_text;    /* the text at the right end of the header */
    const char *line;          /* text about the current step, drawn in place of the prompt */
    const char *status;        /* further text about the step; NULL: the previous trick */
    const struct sheet *sheet; /* the score sheet of the rounds finished before this step; NULL: no
                                  sheet is drawn */
    bool has_sheet; /* the score sheet is drawn over the table if there is no room beside it */
    const struct replay_hint *hint; /* the hint drawn over the table; NULL: none */
};

/* Paints the picture over all of canvas->body. */
void replay_draw_scene(const struct canvas *canvas, const struct replay_picture *picture);

/* Paints the game's current step over all of canvas->body. right_text, has_sheet and hint are as in
 * struct replay_picture. */
void replay_draw_game(const struct canvas *canvas, const struct replay_game *game,
                      const char *right_text, bool has_sheet, const struct replay_hint *hint);

/* Prints what the last move of a replay did: its story, the points of a round that it ended, hands
 * that are new, and at the end of the game the result. `before` is the view that was shown before
 * the move. */
void replay_print_step(const struct replay_game *game, const struct game_view *before,
                       const struct words *words, struct lines *lines);

/* Returns the step to which a key leads from `step`; -1 if the key leads to no step. `tricks` and
 * `rounds` are the nearest earlier step [0] and the nearest later step [1] at which a trick ends
 * (tricks) or a round begins (rounds). */
int64_t replay_find_target_step(const struct press *press, int64_t step, int64_t last,
                                const int64_t tricks[2], const int64_t rounds[2]);

/* Leaves the shared replay in which the person takes part, if there is one. */
void review_leave(struct ui *ui);
