#include "tests/faults/sim_state.h"

#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "storage/sql/sql.h"
#include "tests/faults/player.h"

#include <stdlib.h>
#include <string.h>

/* Whether the answer reports a change. An answer to a query may differ after a restart, because the
 * next core looks the data up again. */
static bool answer_reports_change(const struct sim *sim, int64_t conn)
{
    sqlite3_stmt *row = NULL;
    bool result = false;
    if (sqlite3_prepare_v2(sim->storage->db,
                           "SELECT 1 FROM audit WHERE session = ? AND at_ms = ? AND result = 'ok'",
                           -1, &row, NULL) == SQLITE_OK) {
        (void)sqlite3_bind_int64(row, 1, conn);
        (void)sqlite3_bind_int64(row, 2, sim->now_ms);
        result = sqlite3_step(row) == SQLITE_ROW;
    }
    (void)sqlite3_finalize(row);
    return result;
}

/* Whether this is the answer that the simulation must lose. */
static bool answer_must_be_lost(struct sim *sim, const struct house_output *output)
{
    const struct sim_link *link = sim_find_link(sim, output->conn);
    if (sim->kill_before_ok == NULL || link == NULL) {
        return false;
    }
    json_t *message = json_read_object(output->json, output->len);
    const char *type = strcmp(ledger_read_text(message, "t"), "ok") != 0
                           ? NULL
                           : player_find_request_type(sim->players[link->player], output->conn,
                                                      ledger_read_number(message, "id"));
    json_decref(message);
    return type != NULL && strcmp(type, sim->kill_before_ok) == 0 &&
           (strcmp(type, "mod") != 0 || answer_reports_change(sim, output->conn));
}

/* Whether the message is an answer to the request whose answer was lost. Only answers count: in
 * other messages `id` may be the number of a table, for example. */
static bool message_answers_same_request(const char *lost, const char *json)
{
    json_t *answer = json_read_object(lost, strlen(lost));
    json_t *message = json_read_object(json, strlen(json));
    const char *type = ledger_read_text(message, "t");
    const bool is_same = (strcmp(type, "ok") == 0 || strcmp(type, "no") == 0) &&
                         ledger_read_number(message, "id") == ledger_read_number(answer, "id");
    json_decref(answer);
    json_decref(message);
    return is_same;
}

/* Compares the answer that was lost when a core died with the answer that a later core sends. */
static void compare_answer_with_lost_answer(struct sim *sim, const struct house_output *output)
{
    if (sim->untold.json == NULL || sim->untold.conn != output->conn ||
        !message_answers_same_request(sim->untold.json, output->json)) {
        return;
    }
    const bool is_same = strcmp(sim->untold.json, output->json) == 0;
    sim->counts.told_after += is_same;
    sim->counts.told_otherwise += !is_same;
    free(sim->untold.json);
    sim->untold.json = NULL;
}

bool sim_may_send_answer(struct sim *sim, const struct house_output *output)
{
    compare_answer_with_lost_answer(sim, output);
    if (!answer_must_be_lost(sim, output)) {
        return true;
    }
    free(sim->untold.json);
    sim->untold.json = memory_check_allocated(strndup(output->json, output->len));
    sim->untold.conn = output->conn;
    sim->kill_before_ok = NULL;
    sim->counts.untold++;
    return false;
}
