#include "lobby/mod/mod_rated.h"

#include "lobby/house/conns.h"
#include "lobby/house/say.h"
#include "lobby/house/stored.h"
#include "lobby/mod/mod_line.h"
#include "lobby/persons/persons.h"
#include "lobby/ratings/rerate.h"
#include "storage/archive/games.h"

#include <string.h>

/* Commands that correct games that should not have been rated. */

void mod_rated_notify_players(struct order *order, int64_t game, json_t *sentence)
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
            conn_send_notice(order->house, conn, "warn", json_incref(sentence));
        }
    }
    json_decref(sentence);
}

/* False, with the order refused, when the requester played in the game: nobody decides on their own
 * game. The owner has no account. */
static bool requester_did_not_play(struct order *order, int64_t game)
{
    struct storage_score scores[STORAGE_SCORES_MAX];
    const int64_t own = order_requester_account(order);
    size_t count = 0;
    stored_or_fail(order->house, storage_scores_read(order->house->storage, game, scores,
                                                     STORAGE_SCORES_MAX, &count));
    for (size_t i = 0; own != 0 && i < count; i++) {
        if (scores[i].who.account == own) {
            order_refuse(order, "self", "%s", _("You played in that game: leave this to others."));
            return false;
        }
    }
    return true;
}

static void run_void_command(struct order *order)
{
    if (!requester_did_not_play(order, order->target.id)) {
        return;
    }
    if (!order_confirmed(
            order, _("Game %s becomes void and ratings are recomputed, for good. Are you sure?"),
            order->target.name)) {
        return;
    }
    if (!rerate_void_game(order->house, order->target.id)) {
        order_refuse(order, "unknown", _("%s is not a finished game, or is void already."),
                     order->target.name);
        return;
    }
    json_t *told = say(_("Game %s is void, says %p: %s"), order->target.name,
                       order_requester_word(order), order->reason);
    mod_rated_notify_players(order, order->target.id, json_incref(told));
    order_add_sentence(order, told);
    if (rerate_is_in_progress(order->house)) {
        order_add_line(order, "%s", _("Ratings are being recomputed."));
    }
}

const struct mod_command mod_command_void = {
    .parts = {PART_TARGET, PART_REASON},
    .targets = TARGET_GAME,
    .run = run_void_command,
};
