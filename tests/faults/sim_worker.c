#include "tests/faults/sim_state.h"

#include "games/game.h"
#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKER_DELAY_MS 60

static void worker_send_answer(struct sim *sim, int64_t conn, json_t *message)
{
    char *text = memory_check_allocated(json_dumps(message, JSON_COMPACT));
    json_decref(message);
    net_send(&sim->up, sim->now_ms + sim_draw_number_below(sim, WORKER_DELAY_MS), conn, NET_PACKET,
             text, strlen(text));
    free(text);
}

/* Answers a job with a fake hash: "hash of " followed by the password. */
static void worker_hash_password(struct sim *sim, const json_t *message)
{
    const char *type = ledger_read_text(message, "t");
    const json_int_t job = ledger_read_number(message, "job");
    char hash[256];
    (void)snprintf(hash, sizeof(hash), "hash of %s", ledger_read_text(message, "password"));
    if (strcmp(type, "hash") == 0) {
        worker_send_answer(sim, SIM_AUTH,
                           json_pack("{s:s,s:I,s:s}", "t", "hashed", "job", job, "hash", hash));
    } else if (strcmp(type, "check") == 0) {
        const bool is_right = strcmp(ledger_read_text(message, "hash"), hash) == 0;
        worker_send_answer(
            sim, SIM_AUTH,
            json_pack("{s:s,s:I,s:b}", "t", "checked", "job", job, "is_right", is_right));
    }
}

/* Answers as a bot: with a random legal move, and sometimes not at all. */
static void worker_choose_move(struct sim *sim, const json_t *message)
{
    const json_t *legal = json_object_get(json_object_get(message, "view"), "legal");
    if (strcmp(ledger_read_text(message, "t"), "think") != 0 || json_array_size(legal) == 0 ||
        sim_draw_number_below(sim, 50) == 0) {
        return;
    }
    const uint32_t choice = sim_draw_number_below(sim, (uint32_t)json_array_size(legal));
    worker_send_answer(sim, SIM_BOT,
                       json_pack("{s:s,s:I,s:I,s:I,s:O}", "t", "bot_move", "table",
                                 (json_int_t)ledger_read_number(message, "table"), "seat",
                                 (json_int_t)ledger_read_number(message, "seat"), "step",
                                 (json_int_t)ledger_read_number(message, "step"), "move",
                                 json_array_get(legal, choice)));
}

void sim_worker_receive(struct sim *sim, int64_t conn, const char *json, size_t len)
{
    json_t *message = json_read_object(json, len);
    if (strcmp(ledger_read_text(message, "t"), "resync") == 0) {
        worker_send_answer(sim, conn,
                           json_pack("{s:s,s:i,s:s}", "t", "hello", "protocol", PROTOCOL_NUMBER,
                                     "software", "sim"));
    } else if (conn == SIM_AUTH) {
        worker_hash_password(sim, message);
    } else if (conn == SIM_BOT) {
        worker_choose_move(sim, message);
    }
    json_decref(message);
}
