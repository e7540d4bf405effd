#include "lobby/tables/table_rating.h"

#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/ratings/rated_game.h"
#include "lobby/ratings/rating.h"
#include "lobby/ratings/rerate.h"
#include "lobby/ratings/standing.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/bot_seats.h"
#include "lobby/tables/tables.h"
#include "storage/archive/past_games.h"
#include "storage/ratings/ratings.h"
#include "storage/ratings/tallies.h"

#include <stdio.h>
#include <string.h>

/* Sets each seat's rank to that of the player who held the seat when the game began. Players who
 * left for good rank below all others. */
static void fill_ranks_of_first_holders(const struct table *table,
                                        const struct game_outcome *outcome,
                                        uint8_t ranks[SEATS_MAX])
{
    struct rating_finish finishes[SEATS_MAX];
    for (int seat = 0; seat < table->config.players; seat++) {
        finishes[seat] = (struct rating_finish){
            .rank = outcome->ranks[seat],
            .left_for_good = table->plays[seat].has_left,
            .left_step = table->plays[seat].left_step,
        };
    }
    rating_rank_finishes(finishes, table->config.players, ranks);
}

/* The players' ratings before the game: the all-time ratings and those of the season. */
struct rated_rows {
    struct storage_rating all_time[SEATS_MAX];
    struct storage_rating season[SEATS_MAX];
};

static struct rating rating_after_idle_time(const struct house *house,
                                            const struct storage_rating *row)
{
    struct rating rating = {row->mu, row->sigma};
    return row->rated_ms == 0 ? rating : rating_after_idle(rating, house->now_ms - row->rated_ms);
}

static void read_ratings_before_game(struct house *house, const char *game, int32_t season,
                                     int64_t account, struct storage_rating *all_time,
                                     struct storage_rating *of_season)
{
    if (!stored(house, storage_rating_read(house->storage, account, game, all_time))) {
        *all_time = rated_game_new_rating(account, game);
    }
    if (!stored(house,
                storage_season_rating_read(house->storage, account, game, season, of_season))) {
        *of_season = rated_game_new_season_rating(all_time, season);
    }
}

static double compute_share_of_win(const struct seat_play *play, const struct game_outcome *outcome,
                                   uint8_t seat)
{
    bool is_winner = !play->has_left && (outcome->winners >> seat & 1) != 0;
    return is_winner ? 1.0 / __builtin_popcount(outcome->winners) : 0.0;
}

/* Reads what is needed to rate the game. Guests have no account: they are not rated, and nobody is
 * rated against them. No account has two seats. */
static void fill_rated_game(struct house *house, const struct table *table,
                            const struct game_outcome *outcome, struct rated_rows *rows,
                            struct rated_game *game)
{
    uint8_t ranks[SEATS_MAX];
    int32_t season = rating_season_at(house->now_ms);
    fill_ranks_of_first_holders(table, outcome, ranks);
    for (uint8_t seat = 0; seat < table->config.players; seat++) {
        const struct seat_play *play = &table->plays[seat];
        if (play->starter.account == 0) {
            continue;
        }
        struct storage_rating *all_time = &rows->all_time[game->count];
        struct storage_rating *of_season = &rows->season[game->count];
        read_ratings_before_game(house, table->game->id, season, play->starter.account, all_time,
                                 of_season);
        struct rating before = rating_after_idle_time(house, all_time);
        struct rating season_before = rating_after_idle_time(house, of_season);
        struct storage_rating_change *change = &game->changes[game->count++];
        *change = (struct storage_rating_change){
            .game_id = table->row.game_id,
            .seat = seat,
            .account = play->starter.account,
            .mu_before = before.mu,
            .sigma_before = before.sigma,
            .season = season,
            .season_mu_before = season_before.mu,
            .season_sigma_before = season_before.sigma,
            .players = table->config.players,
            .rank = ranks[seat],
            .win = compute_share_of_win(play, outcome, seat),
            .stat_hits = play->has_left ? 0 : play->stat_hits,
            .stat_chances = play->has_left ? 0 : play->stat_chances,
            .has_left = play->has_left,
            .is_bot = account_is_bot(house, play->starter.account),
            .at_ms = house->now_ms,
        };
        (void)snprintf(change->game, sizeof(change->game), "%s", table->game->id);
    }
}

double table_rating_weight_of_game(struct house *house, const struct table *table)
{
    int64_t accounts[SEATS_MAX];
    size_t count = 0;
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *who =
            table_is_playing(table) ? &table->plays[seat].starter : &table->row.seats[seat];
        if (who->holder == STORAGE_SEAT_PLAYER && !account_is_bot(house, who->account)) {
            accounts[count++] = who->account;
        }
    }
    uint32_t games = 0;
    table_check_storage_result(
        house, table,
        storage_past_games_count_by_group(house->storage, table->game->id, accounts, count,
                                          house->now_ms - RATING_REPEAT_MS, &games));
    return rating_weight_of_repeated_game(games);
}

static void store_rating_change(struct house *house, const struct storage_rating_change *change,
                                struct storage_rating *all_time, struct storage_rating *of_season)
{
    rated_game_apply_change(change, false, all_time);
    rated_game_apply_change(change, true, of_season);
    stored_or_fail(house, storage_rating_change_add(house->storage, change));
    stored_or_fail(house, storage_rating_save(house->storage, all_time));
    stored_or_fail(house, storage_season_rating_save(house->storage, change->season, of_season));
    stored_or_fail(house, storage_tallies_add_rating_change(house->storage, change, 1));
    standing_update_leaderboards(house, change->account, change->game, 0);
    standing_update_leaderboards(house, change->account, change->game, change->season);
}

void table_rate_game(struct house *house, struct table *table, const struct game_outcome *outcome)
{
    struct rated_rows rows;
    struct rated_game game = {0};
    int64_t accounts[SEATS_MAX];
    for (int seat = 0; seat < table->config.players; seat++) {
        accounts[seat] = table->plays[seat].starter.account;
    }
    rerate_apply_computed_ratings(house, table->game->id, accounts, table->config.players);
    fill_rated_game(house, table, outcome, &rows, &game);
    rated_game_compute_rating_changes(&game, table_rating_weight_of_game(house, table));
    rated_game_write_contributions(&game);
    for (size_t i = 0; i < game.count; i++) {
        store_rating_change(house, &game.changes[i], &rows.all_time[i], &rows.season[i]);
    }
}

static enum rating_unrated find_unrated_reason(struct house *house, const struct table *table)
{
    struct game_config standard = game_config_default(table->game, table->config.players);
    struct rating_conditions conditions = {
        .has_clock = table->row.clock_kind != CLOCK_NONE,
        .has_standard_options =
            memcmp(standard.options, table->config.options, sizeof(standard.options)) == 0,
        .rounds_finished =
            1, /* at least one round is assumed, since an unfinished game is not rated */
    };
    for (int seat = 0; seat < table->row.players; seat++) {
        /* Different accounts have different keys, since a key belongs to only one account. */
        const struct storage_seat *holder = &table->row.seats[seat];
        bool is_person =
            holder->holder == STORAGE_SEAT_PLAYER && !account_is_bot(house, holder->account);
        conditions.people = (uint8_t)(conditions.people + is_person);
        if (is_person && sanctions_forbid_rating(house, holder->account,
                                                 table_connected_holder(house, table, seat))) {
            return RATING_BARRED;
        }
    }
    return rating_find_unrated_reason(&conditions);
}

bool table_may_be_rated(struct house *house, const struct table *table)
{
    return find_unrated_reason(house, table) == RATING_RATED;
}

const char *table_rating_game_start_sentence(struct house *house, const struct table *table)
{
    switch (find_unrated_reason(house, table)) {
    case RATING_NO_CLOCK:
        return _("The game begins. It is not rated: it has no clock.");
    case RATING_OWN_OPTIONS:
        return _("The game begins. It is not rated: its options are not the usual ones.");
    case RATING_TOO_FEW:
        return _("The game begins. It is not rated: a rated game needs two people with accounts.");
    case RATING_RATED:
        return _("The game begins. It is rated.");
    case RATING_BARRED:
    case RATING_TRAINING:
    case RATING_NO_ROUND:
    case RATING_CUT:
        break;
    }
    return _("The game begins. It is not rated.");
}

void table_read_seat_rating(struct house *house, struct table *table, int seat)
{
    struct seat_play *play = &table->plays[seat];
    int64_t account = table->row.seats[seat].account;
    struct storage_rating rating;
    play->is_provisional = false;
    play->has_rating = account != 0 && stored(house, storage_rating_read(house->storage, account,
                                                                         table->game->id, &rating));
    if (play->has_rating) {
        struct rating now = rating_after_idle((struct rating){rating.mu, rating.sigma},
                                              house->now_ms - rating.rated_ms);
        play->mu = now.mu;
        play->is_provisional = rating_is_provisional(rating.games, now.sigma);
    }
}
