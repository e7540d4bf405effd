#ifndef DAEMON_SCREENS_PEOPLE_LEADER_ROWS_H
#define DAEMON_SCREENS_PEOPLE_LEADER_ROWS_H

#include "daemon/screens/kernel/draw.h"
#include "daemon/screens/kernel/lines.h"
#include "daemon/screens/model/model.h"

#include <jansson.h>

/* The rows of a leaderboard: what the house tells of a player, and the columns that show it. */

struct leader_row {
    int32_t rank; /* 0: not listed */
    int32_t change_week;
    char name[MODEL_NAME_MAX];
    uint8_t kind; /* enum person_kind */
    uint8_t role; /* enum person_role */
    struct rating rating;
    int32_t deviation, games, wins, place, finished, streak, best;
    int32_t stat; /* -1: none yet */
    int64_t best_ms, seen_ms;
};

/* Reads the protocol's row; what is missing is 0. */
void leader_row_read(const json_t *object, struct leader_row *row);

/* What a heading can say of the game's own statistic of that title: the title, or "Stat" where it
 * is too long or NULL (several games). */
const char *leader_stat_heading(const char *title);

/* Paints the columns' headings; `first` stands above the names. */
void leader_head_draw(const struct canvas *canvas, int at, const char *first, const char *stat);

/* Paints a row as far as the width goes: what matters least is left out first. */
void leader_row_draw(const struct canvas *canvas, int at, enum style style,
                     const struct leader_row *row, int64_t now_ms);

/* Tells all columns in one line. */
void leader_row_tell(const struct leader_row *row, const char *stat, int64_t now_ms,
                     struct lines *lines);

#endif
