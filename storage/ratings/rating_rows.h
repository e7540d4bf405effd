#ifndef STORAGE_RATINGS_RATING_ROWS_H
#define STORAGE_RATINGS_RATING_ROWS_H

#include "storage/ratings/ratings.h"
#include "storage/sql/sql.h"

/* Inside storage/ only: a rating as columns, `r` being the name of its table in the statement,
 * `ratings` or `season_ratings`. */
#define RATING_ROWS_COLUMNS "r.account, r.game, " RATING_ROWS_NUMBERS
#define RATING_ROWS_NUMBERS                                                                        \
    "r.mu, r.sigma, r.rated_ms, r.games, r.wins, r.place_sum, r.stat_hits, r.stat_chances,"        \
    " r.finished, r.\"left\", r.streak, r.best_mu, r.best_ms"

void rating_rows_take(struct sql *q, struct storage_rating *rating);

#endif
