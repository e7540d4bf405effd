#include "lobby/mod/mod_rated.h"

#include "lobby/house/conns.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/mod/mod_line.h"
#include "lobby/persons/persons.h"
#include "lobby/ratings/rerate.h"
#include "storage/archive/games.h"

#include <string.h>

/* Corrections to games that should not have been rated. */

void rated_players_tell(struct order *order, int64_t game, json_t *sentence)
{
    struct storage_score scores[STORAGE_SCORES_MAX];
    size_t count = 0;
    stored_or_fail(order->house, storage_scores_read(order->house->storage, game, scores,
                                                     STORAGE_SCORES_MAX, &count));
    for (size_t i = 0; i < count; i++) {
        const struct person *person = person_find(order->house, scores[i].who.name);
        const struct conn *conn = NULL;
        if (person == NULL) {
            continue;
        }
        CONN_LINKS_EACH(conn, &person->conns)
        {
            conn_notice(order->house, conn, "warn", json_incref(sentence));
        }
    }
    json_decref(sentence);
}

/* False, with the order refused, when the requester has a row there: nobody decides on their own
 * game. The owner has no account. */
static bool rated_players_are_others(struct order *order, int64_t game)
{
    struct storage_score scores[STORAGE_SCORES_MAX];
    const int64_t own = order_actor_account(order);
    size_t count = 0;
    stored_or_fail(order->house, storage_scores_read(order->house->storage, game, scores,
                                                     STORAGE_SCORES_MAX, &count));
    for (size_t i = 0; own != 0 && i < count; i++) {
        if (scores[i].who.account == own) {
            order_no(order, "self", "%s", _("You played in it yourself: leave that to others."));
            return false;
        }
    }
    return true;
}

static void void_run(struct order *order)
{
    if (!rated_players_are_others(order, order->target.id)) {
        return;
    }
    if (!order_confirmed(order,
                         _("Game %s becomes void and ratings are computed anew, for good. "
                           "Is it meant?"),
                         order->target.name)) {
        return;
    }
    if (!rerate_void(order->house, order->target.id)) {
        order_no(order, "unknown", _("%s is no finished game, or is void already."),
                 order->target.name);
        return;
    }
    json_t *told =
        say(_("Game %s is void, says %p: %s"), order->target.name, order_by(order), order->reason);
    rated_players_tell(order, order->target.id, json_incref(told));
    order_say_said(order, told);
    if (rerate_is_on(order->house)) {
        order_say(order, "%s", _("Ratings are being computed anew."));
    }
}

const struct mod_command mod_command_void = {
    .parts = {PART_TARGET, PART_REASON},
    .targets = TARGET_GAME,
    .run = void_run,
};
