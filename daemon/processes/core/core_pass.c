#include "daemon/processes/core/core.h"

#include "daemon/base/base.h"
#include "daemon/metrics/metrics.h"
#include "daemon/processes/core/core_state.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"

#include <string.h>

/* Tells the peer, the house and the gate that the connection of a session or operator ends. */
static void end_session_or_operator(struct core *core, struct link *link)
{
    static const char *const what[] = {
        [LINK_GONE] = "gone",
        [LINK_DISMISSED] = "dismissed",
        [LINK_UNFIT] = "broke-protocol",
    };
    log_pairs(LOG_LEVEL_INFO, link->conn, "unlink", LOG_PAIRS("why", what[link->end]));
    if (link->end == LINK_UNFIT) {
        link_send_goodbye(
            link, say(_("The connection ends: your program did not keep to the protocol.")));
    }
    struct link *gate = link->kind == PEER_SESSION ? link_find(&core->links, link->gate) : NULL;
    if (gate != NULL) {
        link_send_json(gate, json_pack("{s:s, s:I, s:b}", "t", "drop", "conn",
                                       (json_int_t)link->conn, "end", link->end != LINK_GONE));
    }
    core_abort_unless_written(core, house_disconnect(core->house, clock_unix_ms(), link->conn));
    link_free(link);
}

/* Handles the end or a protocol error of a worker or a gate. These are our own processes: a process
 * that breaks the protocol starts over on the same socket. Those of other nodes may go. */
static void handle_own_process_fault(struct core *core, struct link *link)
{
    if (link->end != LINK_GONE || !core_nodes_is_of_other_node(link)) {
        log_event(LOG_LEVEL_ERROR, link->conn, "one of our own processes %s",
                  link->end == LINK_GONE ? "closed its socket" : "broke the protocol");
    }
    core_abort_unless_written(core, house_disconnect(core->house, clock_unix_ms(), link->conn));
    if (link->end == LINK_GONE) {
        if (link == core->gate) {
            core->gate = NULL;
        }
        link_free(link);
        return;
    }
    link_cancel_end(link);
    core_abort_unless_written(
        core, house_connect(core->house, clock_unix_ms(), link->conn, link->kind, "", ""));
    link_ask_to_start_over(link);
}

/* Handles all links that were marked in this pass of the core's loop. Returns true if the house was
 * sent a message. */
static bool handle_marked_links(struct core *core)
{
    bool has_changed = false;
    struct link *link;
    while ((link = link_take_next_marked(&core->links)) != NULL) {
        has_changed = true;
        if (link->end == LINK_GONE && core_nodes_keep_link(core, link)) {
            continue;
        }
        if (link->end != LINK_LIVES) {
            bool is_visit = link->kind == PEER_SESSION || link->kind == PEER_OPERATOR;
            (is_visit ? end_session_or_operator : handle_own_process_fault)(core, link);
        } else if (link->is_lost) {
            log_pairs(LOG_LEVEL_INFO, link->conn, "behind", LOG_PAIRS(NULL));
            house_note_output_dropped(core->house, link->conn);
        }
    }
    return has_changed;
}

/* Whether the message begins with these bytes. */
static bool begins_with(const struct house_output *output, const char *beginning)
{
    size_t len = strlen(beginning);
    return output->len >= len && memcmp(output->json, beginning, len) == 0;
}

static void send_to_peer(struct link *link, const struct house_output *output)
{
    if (begins_with(output, "{\"t\":\"resync\"")) {
        link_send_resync(link, output->json, output->len);
        return;
    }
    link_gather(link, output->json, output->len);
    if (link->kind == PEER_SESSION && begins_with(output, "{\"t\":\"bye\"")) {
        link_end(link, LINK_DISMISSED);
    }
}

/* Sends the messages of all durable turns. Each peer gets its messages in the order in which the
 * house queued them. */
static void deliver_messages(struct core *core)
{
    struct house_output output;
    while (house_output(core->house, &output) != 0) {
        if (output.conn == CORE_CONN_KEEPER) {
            keeper_receive(core->keeper, output.json, output.len);
            continue;
        }
        struct link *link = link_find(&core->links, output.conn);
        if (link != NULL) {
            send_to_peer(link, &output);
        }
    }
    links_send_gathered(&core->links);
}

void core_finish_pass(struct core *core)
{
    do {
        core_metrics_begin_commit(core);
        core_abort_unless_written(core, house_commit(core->house));
        core_metrics_end_commit(core);
        deliver_messages(core);
    } while (handle_marked_links(core));
    life_set_work(&core->metrics, 0);
    core_metrics_end_pass(core);
}
