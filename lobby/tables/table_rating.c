#include "lobby/tables/tables.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/ratings/ratings.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/ratings/ratings.h"

#include <stdio.h>
#include <string.h>

#define DOUBTFUL_WINS_TOLD 3 /* wins of an account in a day after which staff are told */

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

/* Marks whether the opponent counts less for the player. */
static void mark_doubtful(struct storage_rating_change *player,
                          const struct storage_rating_change *opponent, bool is_doubtful)
{
    player->doubtful = (uint8_t)(player->doubtful | (unsigned)is_doubtful << opponent->seat);
}

/* Marks the opponents who count less for each player, since both may be one person, or one may be
 * the other's helper: they share an address or a key, or only the opponent's account is new. */
static void mark_doubtful_opponents(struct house *house, struct rated_game *game)
{
    struct sources sources[SEATS_MAX];
    struct storage_account accounts[SEATS_MAX];
    int64_t new_since_ms = house->now_ms - RATING_NEW_ACCOUNT_MS;
    for (size_t i = 0; i < game->count; i++) {
        struct storage_rating_change *change = &game->changes[i];
        if (!stored(house, storage_account_by_id(house->storage, change->account, &accounts[i]))) {
            accounts[i] = (struct storage_account){.kind = STORAGE_PLAYER};
        }
        change->is_bot = accounts[i].kind == STORAGE_BOT;
        sources[i].count = 0;
        if (!change->is_bot) {
            person_sources_read_of_account(house, &accounts[i], &sources[i]);
        }
        for (size_t q = 0; q < i; q++) {
            struct storage_rating_change *other = &game->changes[q];
            bool is_new = accounts[i].created_ms > new_since_ms;
            bool is_other_new = accounts[q].created_ms > new_since_ms;
            bool is_one_person = person_sources_share_any(house, &sources[i], &sources[q]);
            mark_doubtful(change, other, is_one_person || (is_other_new && !is_new));
            mark_doubtful(other, change, is_one_person || (is_new && !is_other_new));
        }
    }
}

/* Reads the players' ratings before the game. Guests have no account: they are not rated, and
 * nobody is rated against them. No account has two seats. */
static void read_players(struct house *house, const struct table *table, struct rated_rows *rows,
                         struct rated_game *game)
{
    int32_t season = rating_season_at(house->now_ms);
    game->count = 0;
    for (uint8_t seat = 0; seat < table->row.players; seat++) {
        int64_t account = table_is_playing(table) ? table->plays[seat].starter.account
                                                  : table->row.seats[seat].account;
        if (account == 0) {
            continue;
        }
        struct storage_rating *all_time = &rows->all_time[game->count];
        struct storage_rating *of_season = &rows->season[game->count];
        read_ratings_before_game(house, table->game->id, season, account, all_time, of_season);
        struct rating before = rating_after_idle_time(house, all_time);
        struct rating season_before = rating_after_idle_time(house, of_season);
        struct storage_rating_change *change = &game->changes[game->count++];
        *change = (struct storage_rating_change){
            .game_id = table_is_playing(table) ? table->row.game_id : INT64_MAX,
            .seat = seat,
            .account = account,
            .mu_before = before.mu,
            .sigma_before = before.sigma,
            .season = season,
            .season_mu_before = season_before.mu,
            .season_sigma_before = season_before.sigma,
            .players = table->row.players,
            .played = 1.0,
            .at_ms = house->now_ms,
        };
        (void)snprintf(change->game, sizeof(change->game), "%s", table->game->id);
    }
    mark_doubtful_opponents(house, game);
}

void table_rating_read_players(struct house *house, const struct table *table,
                               struct rated_game *game)
{
    struct rated_rows rows;
    read_players(house, table, &rows, game);
    rated_game_read_weights(house, game);
}

static void add_outcome(const struct table *table, const struct game_outcome *outcome,
                        struct rated_game *game)
{
    uint8_t ranks[SEATS_MAX];
    fill_ranks_of_first_holders(table, outcome, ranks);
    for (size_t i = 0; i < game->count; i++) {
        struct storage_rating_change *change = &game->changes[i];
        const struct seat_play *play = &table->plays[change->seat];
        change->rank = ranks[change->seat];
        change->win = compute_share_of_win(play, outcome, change->seat);
        change->has_left = play->has_left;
        if (play->has_left) { /* a game without moves counts as not played at all */
            change->played =
                (double)play->left_step / (double)(table->move_count + (table->move_count == 0));
        } else {
            change->stat_hits = play->stat_hits;
            change->stat_chances = play->stat_chances;
        }
    }
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

/* Counts an account's doubtful wins. */
struct doubtful_wins {
    struct house *house;
    unsigned count;
};

static bool count_doubtful_win(void *context, const struct storage_rating_change *change)
{
    struct doubtful_wins *wins = context;
    struct rated_game game = {0};
    stored_or_fail(wins->house, storage_rating_changes_read(wins->house->storage, change->game_id,
                                                            game.changes, SEATS_MAX, &game.count));
    for (size_t i = 0; i < game.count; i++) {
        wins->count +=
            game.changes[i].account == change->account && rated_game_is_doubtful_win(&game, i);
    }
    return stored_can_commit(wins->house);
}

/* Tells staff that an account may be raising its rating with helpers. Exactly one of the account's
 * wins of a day (UTC) in a game is the third, so there is one notice at most. */
static void notify_staff_of_doubtful_wins(struct house *house, const struct table *table,
                                          const struct storage_rating_change *change)
{
    struct doubtful_wins wins = {.house = house};
    struct storage_rating_changes_query today = {
        .account = change->account,
        .game = change->game,
        .since_ms = change->at_ms - change->at_ms % RATING_MS_PER_DAY,
        .count = INT32_MAX,
    };
    stored_or_fail(house,
                   storage_rating_changes_each(house->storage, &today, count_doubtful_win, &wins));
    if (wins.count == DOUBTFUL_WINS_TOLD) {
        staff_notify(house, STORAGE_ROLE_MOD,
                     say(_("%s has won %u rated games today only against people who left early, "
                           "are new or share an address: see /alts %s."),
                         table->plays[change->seat].starter.name, wins.count,
                         table->plays[change->seat].starter.name));
    }
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
    read_players(house, table, &rows, &game);
    add_outcome(table, outcome, &game);
    rated_game_read_weights(house, &game);
    rated_game_compute_rating_changes(&game);
    rated_game_write_contributions(&game);
    for (size_t i = 0; i < game.count; i++) {
        store_rating_change(house, &game.changes[i], &rows.all_time[i], &rows.season[i]);
    }
    for (size_t i = 0; i < game.count; i++) {
        if (rated_game_is_doubtful_win(&game, i)) {
            notify_staff_of_doubtful_wins(house, table, &game.changes[i]);
        }
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
        return _("The game begins. It is not rated: somebody is banned from rated games.");
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
