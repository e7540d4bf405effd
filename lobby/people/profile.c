#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/people/people.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/ratings/ratings.h"
#include "storage/accounts/accounts.h"
#include "storage/ratings/ratings.h"

#include <math.h>

#define PROFILE_GAMES_CHARTED 1000 /* number of past games that the rating chart covers */

struct profile {
    struct house *house;
    const struct storage_account *account;
    json_t *games;
};

/* Fills the chart with the ratings before evenly spaced past games, oldest first, then the present
 * rating. */
static void fill_rating_chart(struct house *house, const struct storage_rating *rating,
                              struct row_chart *chart)
{
    double mus[PROFILE_GAMES_CHARTED];
    size_t count = 0;
    stored_or_fail(house,
                   storage_rating_read_last_mus(house->storage, rating->account, rating->game, mus,
                                                PROFILE_GAMES_CHARTED, &count));
    size_t points = count < ROW_CHART_MAX - 1 ? count : ROW_CHART_MAX - 1;
    for (size_t i = 0; i < points; i++) {
        size_t ago = points == 1 ? 0 : (count - 1) * (points - 1 - i) / (points - 1);
        chart->values[i] = (int32_t)lround(rating_points(mus[ago]));
    }
    chart->values[points] = (int32_t)lround(rating_points(rating->mu));
    chart->count = (uint8_t)(points + 1);
}

static bool add_standing_in_game(void *context, const struct storage_rating *rating)
{
    struct profile *profile = context;
    struct house *house = profile->house;
    struct storage_leader leader;
    struct storage_listing listing = {
        .board = {.game = rating->game, .is_bots = profile->account->kind == STORAGE_BOT},
        .now_ms = house->now_ms,
    };
    /* the rank is the person's place in the list of /top */
    listing.is_young = leaders_nobody_qualifies(house, &listing);
    if (!stored(house, storage_leader_read(house->storage, &listing, rating->account, &leader))) {
        /* the rank is unknown while ratings are recomputed (rerate.h) */
        return stored_can_commit(house);
    }
    struct leader_row row = leader_row_make(&leader, house->now_ms);
    struct standing_row standing = {.game = game_find(rating->game)};
    if (standing.game == NULL) {
        return true; /* this program no longer knows that game */
    }
    fill_rating_chart(house, rating, &standing.chart);
    json_t *game = leader_row_write(&row);
    standing_row_put(&standing, game);
    (void)json_array_append_new(profile->games, game);
    return true;
}

static void message_profile(const struct request *request)
{
    struct house *house = request->house;
    const char *name = json_read_key_is_absent(request->body, "name")
                           ? request->conn->person->name
                           : json_read_name(request->body, "name");
    struct storage_account account;
    if (name == NULL || !stored(house, storage_account_by_name(house->storage, name, &account))) {
        answer_no(request, "unknown",
                  _("Nobody with an account has that name: check its spelling."));
        return;
    }
    struct profile profile = {house, &account, json_array()};
    stored_or_fail(
        house, storage_ratings_each(house->storage, account.id, add_standing_in_game, &profile));
    struct profile_row row = {
        .kind = (uint8_t)person_kind_of_account(account.kind),
        .role = (uint8_t)account.role,
        .level =
            account.kind == STORAGE_BOT ? (uint8_t)bot_level_of_name(account.name) : BOT_LEVEL_NONE,
        .created_ms = account.created_ms,
        .seen_ms = account.seen_ms,
        .is_here = person_is_in_house(person_find(house, account.name)),
    };
    row_copy_text(row.name, sizeof(row.name), account.name);
    json_t *answer = profile_row_write(&row);
    (void)json_object_set_new(answer, "games", profile.games);
    answer_ok(request, answer);
}

const struct message_handler handler_profile = {message_profile};
