#include "daemon/processes/core/core.h"

#include "daemon/metrics/metrics.h"
#include "daemon/processes/core/core_state.h"
#include "games/text.h"
#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/protocol/protocol.h"

#include <sodium.h>
#include <string.h>

#define TYPE_MAX 32

/* Returns a number for the packet, which is the same when it is sent again; 0 if it is never
 * refused. No two connections have the same number in the whole life of a house. */
static uint64_t compute_packet_number(const struct core *core, const struct link *link, size_t len)
{
    static const char hand_over[] = "{\"t\":\"connection\",";
    uint8_t key[crypto_shorthash_KEYBYTES] = {0};
    uint64_t number = 0;
    bool is_hand_over = link->kind == PEER_GATE && len >= sizeof hand_over - 1 &&
                        memcmp(core->buffer, hand_over, sizeof hand_over - 1) == 0;
    if (link->kind == PEER_SESSION || is_hand_over) {
        memcpy(key, &link->conn, sizeof link->conn);
        crypto_shorthash((uint8_t *)&number, (const uint8_t *)core->buffer, len, key);
    }
    return number;
}

static bool was_fatal(const struct core *core, uint64_t number)
{
    for (size_t i = 0; core->fatal != NULL && number != 0 && i < CORE_FATAL_MAX; i++) {
        if (core->fatal[i] == number) {
            return true;
        }
    }
    return false;
}

static void refuse_packet(struct link *link, const json_t *message)
{
    static const char *const openings[] = {"hello", "key_check", "sign_in", NULL};
    const char *type = json_read_text(message, "t", TYPE_MAX);
    int64_t conn = link->conn;
    int64_t id;
    if (link->kind == PEER_GATE) {
        conn = json_integer_value(json_object_get(message, "conn"));
        link_send_json(
            link, json_pack("{s:s, s:I, s:b}", "t", "drop", "conn", (json_int_t)conn, "end", 1));
    } else if (type == NULL || text_find_word(openings, type) >= 0 ||
               !json_read_number(message, "id", 1, INT64_MAX, &id)) {
        link_send_goodbye(link,
                          say(_("The house failed twice at this connection, and closes it.")));
        link_end(link, LINK_DISMISSED);
    } else {
        json_t *refusal =
            json_pack("{s:s, s:I, s:s}", "t", "no", "id", (json_int_t)id, "code", "failed");
        say_set_field(refusal, "why",
                      say(_("The house failed twice at that, and does not try it again.")));
        link_send_json(link, refusal);
    }
    log_pairs(LOG_LEVEL_ERROR, conn, "fatal", LOG_PAIRS("type", type));
}

bool core_fatal_refuse_packet(struct core *core, struct link *link, size_t len)
{
    uint64_t number = compute_packet_number(core, link, len);
    life_set_work(&core->metrics, number);
    if (!was_fatal(core, number)) {
        return false;
    }
    json_t *message = json_read_object(core->buffer, len);
    refuse_packet(link, message);
    json_decref(message);
    return true;
}
