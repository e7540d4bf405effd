#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/protocol/protocol.h"

static void hello_send_welcome(struct house *house, const struct conn *conn)
{
    json_t *welcome =
        json_pack("{s:s,s:i,s:s,s:s,s:I,s:s}", "t", "welcome", "protocol", PROTOCOL_NUMBER, "house",
                  house->config.house_name, "version", TRICKHOUSE_VERSION, "conn",
                  (json_int_t)conn->id, "phase", phase_name(conn->phase));
    PARTS_CALL(describe, house, conn, welcome);
    conn_send(house, conn, welcome);
}

static void message_hello(const struct request *request)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    int64_t protocol = 0;
    if (!json_read_number(request->body, "protocol", PROTOCOL_NUMBER, PROTOCOL_NUMBER, &protocol)) {
        conn_dismiss(
            house, conn,
            say(_("This house speaks protocol %d and no other: please update your program."),
                PROTOCOL_NUMBER));
        return;
    }
    /* The gate said that somebody had signed in on this session, but the storage does not say
     * who. */
    if (conn->is_unknown) {
        conn_dismiss(
            house, conn,
            say(_("The house has restarted and no longer knows who you are: sign in again.")));
        return;
    }
    conn->shows_stops = json_read_bool(request->body, "stops", false);
    conn->follows_lobby = json_read_bool(request->body, "lobby", false);
    conn->awaits_hello = false;
    conn->is_lost = false;
    if (conn->phase == PHASE_NEW) {
        conn->phase = conn->peer == PEER_SESSION ? PHASE_UNAUTHENTICATED : PHASE_IN;
    }
    hello_send_welcome(house, conn);
    if ((conn->phase & (PHASE_IN | PHASE_UNREGISTERED)) != 0 && conn->peer == PEER_SESSION) {
        read_only_notify_session(house, conn);
    }
    if (conn->peer != PEER_SESSION) {
        parts_call_peer_ready_hooks(house, conn);
    } else if (conn->phase == PHASE_IN) {
        int64_t heard = 0;
        if (!json_read_number(request->body, "heard", 0, INT64_MAX, &heard)) {
            heard = 0; /* without the number of the last lobby line that the peer received, all
                          lines are sent again */
        }
        PARTS_CALL(hello, house, conn, heard);
    }
}

const struct message_handler handler_hello = {message_hello};
