#include "lobby/answers.h"
#include "lobby/messages.h"
#include "lobby/persons.h"
#include "lobby/protocol/json_read.h"
#include "lobby/rating.h"
#include "lobby/stored.h"
#include "lobby/words.h"
#include "storage/ratings.h"

#include <math.h>

#define LEADERS_MAX 50

static struct storage_listing leaders_listing(const struct house *house,
                                              const struct game_def *game, bool is_bots)
{
    return (struct storage_listing){
        .game = game->id,
        .is_bots = is_bots,
        .games_min = RATING_LISTED_GAMES,
        .rated_since_ms = house->now_ms - RATING_LISTED_IDLE_MS,
        .sigma_max = RATING_LISTED_SIGMA,
        .idle_variance_per_day = RATING_IDLE_VARIANCE_PER_DAY,
        .now_ms = house->now_ms,
    };
}

/* A house where nobody qualifies yet lists everybody who has a rated game. */
static void leaders_be_young(struct storage_listing *listing)
{
    listing->games_min = 1;
    listing->rated_since_ms = 0;
    listing->sigma_max = HUGE_VAL;
}

static double leaders_percent(double part, double whole)
{
    return whole > 0 ? round(1000.0 * part / whole) / 10.0 : 0.0;
}

static json_t *leaders_row(const struct house *house, const struct storage_leader *leader)
{
    const struct storage_rating *rating = &leader->rating;
    struct rating now =
        rating_idle((struct rating){rating->mu, rating->sigma}, house->now_ms - rating->rated_ms);
    double games = rating->games;
    const char *kind = leader->kind == STORAGE_BOT ? "bot" : "player";
    json_t *row = json_pack(
        "{s:i,s:s,s:s,s:i,s:i,s:b,s:i,s:f,s:f,s:o,s:f,s:i,s:I,s:I}", "rank", (int)leader->rank,
        "name", leader->name, "kind", kind, "rating", (int)lround(rating_points(now.mu)),
        "deviation", (int)lround(rating_deviation(now.sigma)), "is_provisional",
        rating_is_provisional(rating->games, now.sigma), "games", (int)rating->games, "wins",
        leaders_percent(rating->wins, games), "place", leaders_percent(rating->place_sum, games),
        "stat",
        rating->stat_chances == 0
            ? json_null()
            : json_real(leaders_percent(rating->stat_hits, rating->stat_chances)),
        "finished", leaders_percent(rating->finished, rating->finished + rating->left), "best",
        (int)lround(rating_points(rating->best_mu)), "best_at", (json_int_t)rating->best_ms,
        "seen_at", (json_int_t)leader->seen_ms);
    (void)json_object_set_new(row, "role", json_string(role_name((enum storage_role)leader->role)));
    return row;
}

static json_t *leaders_me(struct house *house, const struct conn *conn,
                          const struct storage_listing *listing)
{
    struct storage_leader leader;
    if (conn->person->account != 0 &&
        stored(house, storage_leader_of(house->storage, listing, conn->person->account, &leader))) {
        return leaders_row(house, &leader);
    }
    return json_null();
}

void message_leaders(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    const char *id = json_read_text(body, "game", STORAGE_WORD_SIZE - 1);
    const struct game_def *game = id == NULL ? NULL : game_find(id);
    int64_t offset = 0;
    int64_t count = LEADERS_MAX;
    if (game == NULL ||
        (!json_read_is_absent(body, "offset") &&
         !json_read_number(body, "offset", 0, UINT32_MAX, &offset)) ||
        (!json_read_is_absent(body, "count") &&
         !json_read_number(body, "count", 1, LEADERS_MAX, &count))) {
        answer_no(house, conn, request, "bad",
                  _("There is no such list: ask for one of the games, up to 50 rows."));
        return;
    }
    struct storage_leader leaders[LEADERS_MAX];
    struct storage_leaders_page page = {.rows = leaders, .capacity = (size_t)count};
    struct storage_listing listing =
        leaders_listing(house, game, json_read_bool(body, "bots", false));
    stored_or_fail(house, storage_leaders_read(house->storage, &listing, (uint32_t)offset, &page));
    bool is_young = page.total == 0;
    if (is_young) {
        leaders_be_young(&listing);
        stored_or_fail(house,
                       storage_leaders_read(house->storage, &listing, (uint32_t)offset, &page));
    }
    json_t *rows = json_array();
    for (size_t i = 0; i < page.count; i++) {
        (void)json_array_append_new(rows, leaders_row(house, &leaders[i]));
    }
    answer_ok(house, conn, request,
              json_pack("{s:i,s:b,s:o,s:o}", "total", (int)page.total, "is_young", is_young, "rows",
                        rows, "me", leaders_me(house, conn, &listing)));
}
