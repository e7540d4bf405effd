#include "lobby/ratings/leader_row.h"

#include "lobby/people/persons.h"
#include "lobby/ratings/rating.h"
#include "storage/ratings/leaders.h"
#include "storage/ratings/tallies.h"

#include <math.h>

double leader_percent(double part, double whole)
{
    return whole > 0 ? round(1000.0 * part / whole) / 10.0 : 0.0;
}

void leader_put_tally(json_t *row, const struct storage_tally *tally)
{
    json_t *stat = tally->stat_chances == 0
                       ? json_null()
                       : json_real(leader_percent(tally->stat_hits, tally->stat_chances));
    double games = tally->games;
    (void)json_object_set_new(row, "games", json_integer(tally->games));
    (void)json_object_set_new(row, "wins", json_real(leader_percent(tally->wins, games)));
    (void)json_object_set_new(row, "place", json_real(leader_percent(tally->place_sum, games)));
    (void)json_object_set_new(row, "stat", stat);
    (void)json_object_set_new(
        row, "finished",
        json_real(leader_percent(tally->finished, (double)tally->finished + tally->left)));
}

void leader_put_rating(json_t *row, const struct storage_rating *rating, int64_t at_ms)
{
    struct rating now =
        rating_idle((struct rating){rating->mu, rating->sigma}, at_ms - rating->rated_ms);
    (void)json_object_set_new(row, "rating", json_integer(lround(rating_points(now.mu))));
    (void)json_object_set_new(row, "deviation", json_integer(lround(rating_deviation(now.sigma))));
    (void)json_object_set_new(row, "is_provisional",
                              json_boolean(rating_is_provisional(rating->games, now.sigma)));
    (void)json_object_set_new(row, "streak", json_integer(rating->streak));
    (void)json_object_set_new(row, "best", json_integer(lround(rating_points(rating->best_mu))));
    (void)json_object_set_new(row, "best_at", json_integer(rating->best_ms));
}

json_t *leader_row(const struct storage_leader *leader, int64_t at_ms)
{
    long change = lround(rating_points_change(leader->change_week_mu));
    json_t *row = json_pack(
        "{s:i,s:i,s:s,s:s,s:s,s:I}", "rank", (int)leader->rank, "change_week", (int)change, "name",
        leader->name, "kind", leader->kind == STORAGE_BOT ? "bot" : "player", "role",
        role_name((enum storage_role)leader->role), "seen_at", (json_int_t)leader->seen_ms);
    leader_put_rating(row, &leader->rating, at_ms);
    leader_put_tally(row, &leader->tally);
    return row;
}
