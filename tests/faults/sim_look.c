#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "tests/faults/sim_state.h"
#include "tests/lobby/seen.h"

#include <sqlite3.h>
#include <stdio.h>

/* Compares what all players see of a core that is about to die with what they see of the next core.
 * Both cores are told that all connections have fallen behind, so they send everything again. These
 * messages do not reach the players. No simulated time passes. */

#define LOOK_TITLE_SIZE 160

/* What each connected player sees; NULL: this player is not compared. */
struct recording {
    json_t *seen[SIM_LINKS];
};

void sim_look_record_message(struct sim_link *link, const char *json, size_t len)
{
    json_t *message = json_read_object(json, len);
    seen_add_message(link->seen, message);
    json_decref(message);
}

/* Whether what this player sees can be compared with what the next core shows. A player whose
 * sign-in is not stored cannot be compared, because the next core asks for another sign-in. Nor can
 * a player who must still be told that a full disk has space again, because players are told that
 * only once. */
static bool can_compare_player(const struct sim *sim, const struct sim_link *link)
{
    const struct conn *conn = link->conn != 0 ? conn_find(sim->house, link->conn) : NULL;
    return conn != NULL && !conn->was_read_only && link->is_known && !link->is_dismissed &&
           !link->is_unsaved;
}

/* Restores the connections after recording: the core again sends everything to them, but only after
 * their players have sent `hello`. Returns false when the core has died. */
static bool restore_links_after_recording(struct sim *sim)
{
    for (size_t i = 0; i < SIM_LINKS; i++) {
        if (sim->links[i].seen != NULL) {
            house_note_output_dropped(sim->house, sim->links[i].conn);
            sim->links[i].awaits_hello = true;
        }
    }
    return sim_core_end_pass(sim);
}

static void take_recorded_messages(struct sim *sim, struct recording *recording)
{
    for (size_t i = 0; i < SIM_LINKS; i++) {
        struct sim_link *link = &sim->links[i];
        recording->seen[i] = link->seen;
        link->seen = NULL;
    }
}

/* Sends `hello`. Ignores a failure, because the commit will report it again. */
static void send_hello(struct sim *sim, int64_t conn)
{
    const enum house_result result =
        house_receive(sim->house, sim->now_ms, conn, SIM_HELLO, sizeof(SIM_HELLO) - 1);
    (void)result;
}

/* Records what all players see. Returns false when there is nothing to compare: the core has died,
 * or it cannot store anything. */
static bool record_what_players_see(struct sim *sim, struct recording *recording)
{
    PARTS_CALL(tell_now, sim->house); /* else changes of the lobby would be sent only later */
    if (!sim_core_end_pass(sim) || sim->house->is_read_only) {
        return false;
    }
    for (size_t i = 0; i < SIM_LINKS; i++) {
        struct sim_link *link = &sim->links[i];
        if (can_compare_player(sim, link)) {
            link->seen = json_object();
            house_note_output_dropped(sim->house, link->conn);
            send_hello(sim, link->conn);
        }
    }
    const bool is_alive = sim_core_end_pass(sim) && restore_links_after_recording(sim);
    take_recorded_messages(sim, recording);
    return is_alive && !sim->house->is_read_only;
}

/* Changes the data before the second recording, for a test whose comparison must find a
 * difference. */
static void damage_data_before_comparison(struct sim *sim)
{
    sqlite3 *db = NULL;
    (void)disk_use_for_new_files(sim->disk);
    if (sqlite3_open_v2(SIM_DATA, &db, SQLITE_OPEN_READWRITE, DISK_NAME) != SQLITE_OK ||
        sqlite3_exec(db, "PRAGMA locking_mode = EXCLUSIVE", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_exec(db, sim->options.spoils_look, NULL, NULL, NULL) != SQLITE_OK) {
        (void)fprintf(stderr, "nothing is spoiled: %s\n", sqlite3_errmsg(db));
    }
    (void)sqlite3_close(db);
}

static void compare_what_players_see(struct sim *sim, const char *title,
                                     const struct recording *before, const struct recording *after)
{
    char words[LOOK_TITLE_SIZE];
    for (size_t i = 0; i < SIM_LINKS; i++) {
        if (before->seen[i] != NULL && after->seen[i] != NULL) {
            (void)snprintf(words, sizeof(words), "%s, player %c:", title,
                           (char)('a' + sim->links[i].player));
            sim->counts.looks++;
            sim->counts.seen_otherwise +=
                !seen_are_equal(words, before->seen[i], after->seen[i], false);
        }
    }
}

static void free_recorded_views(struct recording *recording)
{
    for (size_t i = 0; i < SIM_LINKS; i++) {
        json_decref(recording->seen[i]);
    }
}

void sim_kill_core_and_compare_views(struct sim *sim, const char *title)
{
    struct recording before = {{NULL}};
    struct recording after = {{NULL}};
    sim->late.is_prompt = true; /* no simulated time passes */
    const bool is_seen = record_what_players_see(sim, &before);
    sim_core_die(sim);
    if (sim->options.spoils_look != NULL) {
        damage_data_before_comparison(sim);
    }
    sim_core_start(sim);
    if (is_seen && sim->house != NULL && record_what_players_see(sim, &after)) {
        compare_what_players_see(sim, title, &before, &after);
    }
    sim->late.is_prompt = false;
    free_recorded_views(&before);
    free_recorded_views(&after);
}
