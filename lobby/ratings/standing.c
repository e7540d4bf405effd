#include "lobby/ratings/ratings.h"

#include "lobby/house/parts.h"
#include "storage/ratings/ratings.h"

/* how many rows may expire in one round of the event loop; the others expire in later rounds */
#define STANDINGS_PER_PASS 200
#define STANDING_TURN_MS 20

struct standings {
    int64_t due_ms; /* when the next player leaves a leaderboard */
};

static struct standings *standings_get_state(const struct house *house)
{
    return PART_STATE(house, standing);
}

struct standing {
    struct house *house;
    struct storage_standing row; /* the fields that all leaderboard entries of one rating share */
    int64_t last_ms;             /* time of the account's last game */
};

static void standing_store_leaderboard_entry(struct standing *standing, int32_t span,
                                             uint8_t player_count, int64_t expires_ms)
{
    struct house *house = standing->house;
    struct storage_standing row = standing->row;
    row.board.span = span;
    row.board.players = player_count;
    row.gone_ms = expires_ms;
    if (expires_ms == 0 || expires_ms > house->now_ms) {
        stored_or_fail(house, storage_standing_put(house->storage, &row));
        bool is_first = expires_ms != 0 && expires_ms < standings_get_state(house)->due_ms;
        standings_get_state(house)->due_ms =
            is_first ? expires_ms : standings_get_state(house)->due_ms;
    }
}

static void standing_store_leaderboard_entries(struct standing *standing, uint8_t player_count,
                                               int64_t last_game_ms)
{
    standing_store_leaderboard_entry(standing, STORAGE_SPAN_ALL, player_count, 0);
    standing_store_leaderboard_entry(standing, STORAGE_SPAN_MONTH, player_count,
                                     last_game_ms + 30 * RATING_MS_PER_DAY);
    standing_store_leaderboard_entry(standing, STORAGE_SPAN_WEEK, player_count,
                                     last_game_ms + 7 * RATING_MS_PER_DAY);
}

static bool standing_store_all_time_tally(void *context, uint8_t player_count,
                                          const struct storage_tally *tally)
{
    struct standing *standing = context;
    standing_store_leaderboard_entries(standing, player_count, tally->last_ms);
    standing->last_ms = tally->last_ms > standing->last_ms ? tally->last_ms : standing->last_ms;
    return true;
}

static void standing_update_all_time(struct house *house, const struct storage_rating *rating)
{
    int64_t until_ms =
        rating_on_leaderboard_until_ms(rating->games, rating->sigma, rating->rated_ms);
    struct standing standing = {
        .house = house,
        .row =
            {
                .account = rating->account,
                .board = {.game = rating->game},
                .mu = rating->mu,
                .is_listed = until_ms > house->now_ms,
                .listed_until_ms = until_ms,
            },
    };
    struct storage_board board = {.game = rating->game, .span = STORAGE_SPAN_ALL};
    if (standing.row.is_listed && until_ms < standings_get_state(house)->due_ms) {
        standings_get_state(house)->due_ms = until_ms;
    }
    stored_or_fail(house, storage_tallies_each(house->storage, rating->account, &board,
                                               standing_store_all_time_tally, &standing));
    standing_store_leaderboard_entries(&standing, 0, standing.last_ms);
}

static bool standing_store_season_tally(void *context, uint8_t player_count,
                                        UNUSED const struct storage_tally *tally)
{
    struct standing *standing = context;
    standing_store_leaderboard_entry(standing, standing->row.board.span, player_count, 0);
    return true;
}

/* A player who is listed in a season stays on that season's leaderboard for good. */
static void standing_update_season(struct house *house, const struct storage_rating *rating,
                                   int32_t season)
{
    struct storage_board board = {.game = rating->game, .span = season};
    struct standing standing = {
        .house = house,
        .row =
            {
                .account = rating->account,
                .board = board,
                .mu = rating->mu,
                .is_listed = rating->games >= RATING_SEASON_GAMES,
            },
    };
    stored_or_fail(house, storage_tallies_each(house->storage, rating->account, &board,
                                               standing_store_season_tally, &standing));
    standing_store_leaderboard_entry(&standing, season, 0, 0);
}

void standing_update_leaderboards(struct house *house, int64_t account, const char *game,
                                  int32_t season)
{
    struct storage_rating rating;
    if (season == 0) {
        if (stored(house, storage_rating_read(house->storage, account, game, &rating))) {
            standing_update_all_time(house, &rating);
        }
    } else if (stored(house,
                      storage_season_rating_read(house->storage, account, game, season, &rating))) {
        standing_update_season(house, &rating, season);
    }
}

/* Makes the first check due at once, since entries may have expired while the house was down. */
static void standing_load(struct house *house)
{
    standings_get_state(house)->due_ms = house->now_ms;
}

static void standing_tick(struct house *house)
{
    if (house->now_ms < standings_get_state(house)->due_ms) {
        return;
    }
    int64_t next_ms = INT64_MAX;
    stored_or_fail(house, storage_standings_update_due(house->storage, house->now_ms,
                                                       STANDINGS_PER_PASS, &next_ms));
    bool is_more = next_ms <= house->now_ms;
    standings_get_state(house)->due_ms = is_more ? house->now_ms + STANDING_TURN_MS : next_ms;
}

static int64_t standing_due_ms(const struct house *house)
{
    return standings_get_state(house)->due_ms;
}

const struct part standing_part = {
    .name = "standing",
    .house_size = sizeof(struct standings),
    .load = standing_load,
    .tick = standing_tick,
    .next_ms = standing_due_ms,
};
