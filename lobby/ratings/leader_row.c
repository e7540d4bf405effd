#include "lobby/ratings/ratings.h"

#include "lobby/house/parts.h"
#include "storage/ratings/ratings.h"

#include <math.h>

/* Returns the share of `part` in `whole`, in tenths of a percent; 0 if `whole` is 0. */
static int32_t compute_tenths_of_percent(double part, double whole)
{
    return whole > 0 ? (int32_t)lround(1000.0 * part / whole) : 0;
}

static void leader_row_set_tally(struct leader_row *row, const struct storage_tally *tally)
{
    double games = tally->games;
    row->games = (int32_t)tally->games;
    row->wins_tenths = compute_tenths_of_percent(tally->wins, games);
    row->place_tenths = compute_tenths_of_percent(tally->place_sum, games);
    row->stat_tenths = tally->stat_chances == 0
                           ? ROW_NONE
                           : compute_tenths_of_percent(tally->stat_hits, tally->stat_chances);
    row->finished_tenths =
        compute_tenths_of_percent(tally->finished, (double)tally->finished + tally->left);
}

static void leader_row_set_rating(struct leader_row *row, const struct storage_rating *rating,
                                  int64_t at_ms)
{
    struct rating now =
        rating_after_idle((struct rating){rating->mu, rating->sigma}, at_ms - rating->rated_ms);
    row->rating.value = (int32_t)lround(rating_points(now.mu));
    row->rating.is_provisional = rating_is_provisional(rating->games, now.sigma);
    row->deviation = (int32_t)lround(rating_deviation(now.sigma));
    row->streak = rating->streak;
    row->best = (int32_t)lround(rating_points(rating->best_mu));
    row->best_ms = rating->best_ms;
}

struct leader_row leader_row_make(const struct storage_leader *leader, int64_t at_ms)
{
    struct leader_row row = {
        .rank = (int32_t)leader->rank,
        .change_week = (int32_t)lround(rating_change_in_points(leader->change_week_mu)),
        .kind = (uint8_t)person_kind_of_account((enum storage_kind)leader->kind),
        .role = leader->role,
        .seen_ms = leader->seen_ms,
    };
    row_copy_text(row.name, sizeof(row.name), leader->name);
    leader_row_set_rating(&row, &leader->rating, at_ms);
    leader_row_set_tally(&row, &leader->tally);
    return row;
}
