#include "lobby/accounts/auth_jobs.h"
#include "lobby/accounts/entry.h"
#include "lobby/accounts/guests.h"
#include "lobby/archive/reviews.h"
#include "lobby/bots/table_bots.h"
#include "lobby/chat/channels.h"
#include "lobby/chat/chat.h"
#include "lobby/house/closing.h"
#include "lobby/house/conns.h"
#include "lobby/house/keeping.h"
#include "lobby/house/messages.h"
#include "lobby/house/read_only.h"
#include "lobby/house/words.h"
#include "lobby/mod/staff.h"
#include "lobby/people/friends.h"
#include "lobby/people/invites.h"
#include "lobby/people/lobby_push.h"
#include "lobby/people/persons.h"
#include "lobby/protocol/json_read.h"
#include "lobby/sanctions/barring.h"
#include "lobby/tables/table_fit.h"
#include "lobby/webhooks/hook_posts.h"

/* The protocol this core speaks. */
#define PROTOCOL 1
#define PROTOCOL_OLDEST 1 /* of sessions from before a reload: one less, once there is a 2 */

static void hello_welcome(struct house *house, const struct conn *conn)
{
    const struct house_config *config = &house->config;
    json_t *you = conn->person == NULL ? json_null() : person_you(conn->person);
    conn_push(house, conn,
              json_pack("{s:s,s:i,s:s,s:s,s:I,s:s,s:o,s:[II],s:s}", "t", "welcome", "protocol",
                        PROTOCOL, "house", house->config.house_name, "version", TRICKHOUSE_VERSION,
                        "conn", (json_int_t)conn->id, "phase", phase_name(conn->phase), "you", you,
                        "password", (json_int_t)config->accounts_password_min,
                        (json_int_t)config->accounts_password_max, "guests", guests_state(house)));
}

void entry_tell_all(struct house *house, struct conn *conn, int64_t heard)
{
    friends_tell(house, conn);
    lobby_tell_all(house, conn);
    chat_tell_backlog(house, conn, heard);
    channels_tell(house, conn);
    lobby_tell_mine(house, conn);
    review_tell(house, conn);
    invites_tell(house, conn);
    table_fit_tell(house, conn);
    if (conn->table != NULL) {
        chat_tell_table_backlog(house, conn);
        conn->wants_table = true;
        house->tables_changed = true;
    }
}

void message_hello(struct house *house, struct conn *conn, int64_t request, json_t *body)
{
    (void)request;
    int64_t protocol = 0;
    if (!json_read_number(body, "protocol", PROTOCOL_OLDEST, PROTOCOL, &protocol)) {
        conn_bye(house, conn, _("This house speaks protocol 1: please update your program."));
        return;
    }
    if (conn->is_unknown) { /* at the door it could say what sessions are believed */
        conn_bye(house, conn,
                 _("The house has restarted and no longer knows who you are: sign in again."));
        return;
    }
    conn->awaits_hello = false;
    conn->is_lost = false;
    if (conn->phase == PHASE_NEW) {
        conn->phase = conn->peer == PEER_SESSION ? PHASE_DOOR : PHASE_IN;
    }
    hello_welcome(house, conn);
    if ((conn->phase & (PHASE_IN | PHASE_VISITOR)) != 0 && conn->peer == PEER_SESSION) {
        read_only_tell(house, conn);
    }
    if (conn->peer == PEER_GATE) {
        barring_changed(house);
    } else if (conn->peer == PEER_KEEPER) {
        keeping_keeper_ready(house, conn);
    } else if (conn->peer == PEER_AUTH) {
        auth_worker_ready(house, conn);
    } else if (conn->peer == PEER_HOOK) {
        hook_posts_worker_ready(house, conn);
    } else if (conn->peer == PEER_BOT) {
        bots_ask_again(house);
    } else if (conn->person != NULL) {
        int64_t heard = 0;
        if (!json_read_number(body, "heard", 0, INT64_MAX, &heard)) {
            heard = 0; /* then it is all told again */
        }
        entry_tell_all(house, conn, heard);
        closing_tell(house, conn);
        staff_end_telnet(house, conn); /* made staff while no core was there */
    }
}
