#include "lobby/house/answers.h"
#include "lobby/house/messages.h"
#include "lobby/house/stored.h"
#include "lobby/house/words.h"
#include "lobby/people/persons.h"
#include "lobby/protocol/json_read.h"
#include "lobby/ratings/leader_row.h"
#include "lobby/ratings/leaders.h"
#include "lobby/ratings/rating.h"
#include "storage/accounts/accounts.h"
#include "storage/ratings/leaders.h"

#include <math.h>
#include <string.h>

#define PROFILE_TRAIL 1000 /* games that the chart goes back */
#define PROFILE_CHART 60   /* values told of them */

struct profile {
    struct house *house;
    const struct storage_account *account;
    json_t *games;
};

/* R before the last games, evenly spaced by games, and now: oldest first. */
static json_t *profile_chart(struct house *house, const struct storage_rating *rating)
{
    double mus[PROFILE_TRAIL];
    size_t count = 0;
    json_t *chart = json_array();
    stored_or_fail(house, storage_rating_trail(house->storage, rating->account, rating->game, mus,
                                               PROFILE_TRAIL, &count));
    size_t points = count < PROFILE_CHART - 1 ? count : PROFILE_CHART - 1;
    for (size_t i = 0; i < points; i++) {
        size_t ago = points == 1 ? 0 : (count - 1) * (points - 1 - i) / (points - 1);
        (void)json_array_append_new(chart, json_integer(lround(rating_points(mus[ago]))));
    }
    (void)json_array_append_new(chart, json_integer(lround(rating_points(rating->mu))));
    return chart;
}

static bool profile_add(void *context, const struct storage_rating *rating)
{
    struct profile *profile = context;
    struct house *house = profile->house;
    struct storage_leader leader;
    struct storage_listing listing = {
        .board = {.game = rating->game, .is_bots = profile->account->kind == STORAGE_BOT},
        .now_ms = house->now_ms,
    };
    listing.is_young = leaders_is_young(house, &listing); /* as /top lists them */
    if (!stored(house, storage_leader_of(house->storage, &listing, rating->account, &leader))) {
        return stored_goes_on(house); /* its place is still being worked out (rerate.h) */
    }
    json_t *row = leader_row(&leader, house->now_ms);
    (void)json_object_set_new(row, "game", json_string(rating->game));
    (void)json_object_set_new(row, "chart", profile_chart(house, rating));
    (void)json_array_append_new(profile->games, row);
    return true;
}

void message_profile(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    const char *name =
        json_read_is_absent(body, "name") ? conn->person->name : json_read_name(body, "name");
    struct storage_account account;
    if (name == NULL || !stored(house, storage_account_by_name(house->storage, name, &account))) {
        answer_no(house, conn, request, "unknown",
                  _("Nobody with an account has that name: check its spelling."));
        return;
    }
    struct profile profile = {house, &account, json_array()};
    stored_or_fail(house, storage_ratings_each(house->storage, account.id, profile_add, &profile));
    answer_ok(house, conn, request,
              json_pack("{s:s,s:s,s:s,s:I,s:I,s:b,s:o}", "name", account.name, "kind",
                        account.kind == STORAGE_BOT ? "bot" : "player", "role",
                        role_name(account.role), "created_at", (json_int_t)account.created_ms,
                        "seen_at", (json_int_t)account.seen_ms, "is_here",
                        person_is_here(person_find(house, account.name)), "games", profile.games));
}
