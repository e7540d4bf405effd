#include "lobby/tables/tables.h"

#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/people/people.h"

#include <stdio.h>
#include <stdlib.h>

struct watch_rule table_watch_rule(const struct table *table)
{
    return (struct watch_rule){
        .policy = (enum watch_policy)table->row.watch_policy,
        .moves = table->row.watch_moves,
        .talk = (enum watch_talk)table->row.watch_talk,
    };
}

/* True when some player at the table has this person as a friend. */
static bool is_friend_of_a_player(struct house *house, const struct table *table,
                                  const struct person *person)
{
    for (int seat = 0; seat < table->row.players && person->account != 0; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        if (holder->holder == STORAGE_SEAT_PLAYER &&
            stored(house,
                   storage_friend_exists(house->storage, holder->account, person->account))) {
            return true;
        }
    }
    return false;
}

bool table_watch_allows(struct house *house, const struct table *table, const struct person *person)
{
    if (!table_is_playing(table) || table->row.watch_policy <= WATCH_DELAY) {
        return true;
    }
    return table->row.watch_policy == WATCH_FRIENDS && is_friend_of_a_player(house, table, person);
}

bool table_watch_is_delayed(const struct table *table)
{
    return table->row.watch_policy == WATCH_DELAY && table_is_playing(table);
}

/* Returns how many moves spectators may know. When they are one round behind, they know as many
 * moves of the previous round as have been made in the present one. */
static size_t find_step_visible_to_spectators(const struct table *table)
{
    const struct table_watch *watch = &table->watch;
    size_t moves = table->row.watch_moves;
    size_t count = table->move_count;
    if (!table_watch_is_delayed(table)) {
        return count;
    }
    if (moves > 0) {
        return count > moves ? count - moves : 0;
    }
    if (watch->round_step == 0) {
        return 0;
    }
    size_t step = watch->former_round_step + (count - watch->round_step);
    return step < watch->round_step ? step : watch->round_step - 1;
}

/* Returns the time from which chat lines of players and the house are hidden from spectators (unix
 * ms); INT64_MAX: no lines are hidden. */
static int64_t start_of_hidden_chat_ms(const struct table *table)
{
    const struct table_watch *watch = &table->watch;
    bool is_behind = table->row.watch_policy == WATCH_DELAY && watch->step < table->move_count;
    return is_behind ? watch->made_ms[watch->step] : INT64_MAX;
}

#define DELAYED_LINES_MAX 80 /* so many of the last lines are looked at */

bool table_watch_is_spectator(const struct table *table, const struct conn *conn)
{
    return table_seat_of(table, conn->person) < 0 && !conn_is_observing(conn);
}

bool table_watch_is_delayed_for(const struct table *table, const struct conn *conn)
{
    return table_watch_is_delayed(table) && table_watch_is_spectator(table, conn);
}

/* True when a line said at the table at at_ms (INT64_MAX: just now) may be sent to this connection.
 * is_by_spectator: a spectator said the line. */
static bool may_hear_line(const struct table *table, const struct conn *conn, int64_t at_ms,
                          bool is_by_spectator)
{
    if (!table_is_playing(table) || conn_is_observing(conn)) {
        return true;
    }
    if (table_seat_of(table, conn->person) >= 0) {
        return !is_by_spectator || table->row.watch_talk == WATCH_TALK_ALL;
    }
    int64_t hidden_since_ms = start_of_hidden_chat_ms(table);
    return is_by_spectator || hidden_since_ms == INT64_MAX || at_ms < hidden_since_ms;
}

void table_send_line(struct house *house, const struct storage_chat *line,
                     const struct table *table)
{
    if (line->channel != STORAGE_CHAT_TABLE) {
        chat_send_line(house, line);
        return;
    }
    struct payload *payload = chat_make_line_payload(line, false);
    LINKED_CONNS_EACH(conn, &table->conns) {
        if (may_hear_line(table, conn, INT64_MAX, line->is_by_spectator)) {
            chat_deliver(house, conn, payload, line->account);
        }
    }
    payload_release(payload);
}

void chat_announce_at_table(struct house *house, struct table *table, json_t *sentence)
{
    struct storage_chat line = {
        .channel = STORAGE_CHAT_TABLE,
        .table = table->row.id,
        .kind = STORAGE_CHAT_SYSTEM,
        .at_ms = house->now_ms,
    };
    chat_set_sentence(&line, sentence);
    table_check_storage_result(house, table, storage_chat_add(house->storage, &line, &line.number));
    table_send_line(house, &line, table);
}

/* Stored lines of a table that are sent to a connection, or to spectators. */
struct table_backlog {
    struct house *house;
    const struct table *table;
    const struct conn *conn;
    int64_t from_ms, to_ms;
};

static bool send_stored_line(void *context, const struct storage_chat *line)
{
    const struct table_backlog *backlog = context;
    if (!line->is_hidden &&
        may_hear_line(backlog->table, backlog->conn, line->at_ms, line->is_by_spectator)) {
        struct payload *payload = chat_make_line_payload(line, false);
        chat_deliver(backlog->house, backlog->conn, payload, line->account);
        payload_release(payload);
    }
    return true;
}

void chat_send_table_backlog(struct house *house, const struct conn *conn)
{
    struct table_backlog backlog = {.house = house, .table = conn_table(conn), .conn = conn};
    stored_or_fail(house,
                   storage_chat_read_last(house->storage, STORAGE_CHAT_TABLE, backlog.table->row.id,
                                          CHAT_BACKLOG_TABLE, send_stored_line, &backlog));
}

static bool send_delayed_line(void *context, const struct storage_chat *line)
{
    const struct table_backlog *backlog = context;
    if (line->is_by_spectator || line->is_hidden || line->at_ms < backlog->from_ms ||
        line->at_ms >= backlog->to_ms) {
        return true;
    }
    struct payload *payload = chat_make_line_payload(line, false);
    LINKED_CONNS_EACH(conn, &backlog->table->conns) {
        if (table_watch_is_spectator(backlog->table, conn)) {
            chat_deliver(backlog->house, conn, payload, line->account);
        }
    }
    payload_release(payload);
    return true;
}

/* Sends the lines that were hidden until now to the spectators who see the table with a delay:
 * those that players and the house said between the two times (unix ms). */
static void send_delayed_lines(struct house *house, const struct table *table, int64_t from_ms,
                               int64_t to_ms)
{
    struct table_backlog backlog = {house, table, NULL, from_ms, to_ms};
    stored_or_fail(house, storage_chat_read_last(house->storage, STORAGE_CHAT_TABLE, table->row.id,
                                                 DELAYED_LINES_MAX, send_delayed_line, &backlog));
}

void message_say(const struct request *request)
{
    struct conn *conn = request->conn;
    struct storage_chat line = {0};
    const struct table *table = conn_table(conn);
    bool is_quiet = false;
    const char *to = json_read_text(request->body, "to", CHANNEL_SIZE - 1);
    const char *kind = json_read_text(request->body, "kind", 16);
    size_t place = row_value_of_word(&chat_place_words, to);
    if (place == CHAT_PLACE_LOBBY) {
        line.channel = STORAGE_CHAT_LOBBY;
    } else if (place == CHAT_PLACE_TABLE && table != NULL) {
        line.channel = STORAGE_CHAT_TABLE;
        line.table = table->row.id;
        line.is_by_spectator = table_is_playing(table) && table_seat_of(table, conn->person) < 0;
        is_quiet = line.is_by_spectator && table->row.watch_talk == WATCH_TALK_OFF;
    } else if (to != NULL && channels_has_joined(conn->person, to)) {
        line.channel = STORAGE_CHAT_CHANNEL;
        (void)snprintf(line.to, sizeof(line.to), "%s", to);
    } else {
        answer_no(request, "absent",
                  _("Nobody would read that: write to the lobby, or enter a table or /join a "
                    "channel first."));
        return;
    }
    if (is_quiet) {
        answer_no(request, "quiet",
                  _("Spectators cannot talk at this table: write in the lobby, or wait until the "
                    "game ends."));
        return;
    }
    line.kind = kind != NULL && strcmp(kind, "me") == 0 ? STORAGE_CHAT_ME : STORAGE_CHAT_SAY;
    if (chat_read_line(request, &line)) {
        if (chat_store_line(request->house, &line)) {
            table_send_line(request->house, &line, table);
        }
        answer_ok(request, NULL);
    }
}

static void count_score_row(void *context, const struct game_event *event)
{
    struct table_watch *watch = context;
    watch->rows += event->is_score;
}

/* Replays moves up to `step` into the state that spectators know. */
static void replay_visible_moves(struct table *table, size_t step)
{
    struct table_watch *watch = &table->watch;
    const struct game_log log = {.context = watch, .event = count_score_row};
    while (watch->step < step) {
        const struct history_move *move = &table->moves[watch->step];
        size_t rows = watch->rows;
        if (game_apply(table->game, &watch->state, move->seat, move->move, &log) != GAME_OK) {
            return; /* this cannot happen: the move was already carried out */
        }
        watch->is_round_over = watch->rows != rows;
        watch->step++;
    }
}

/* Shows spectators the state after `step` moves. */
static void show_step(struct house *house, struct table *table, size_t step)
{
    struct table_watch *watch = &table->watch;
    if (step == watch->step) {
        return;
    }
    int64_t hidden_since_ms = start_of_hidden_chat_ms(table);
    if (table_watch_is_delayed(table)) {
        replay_visible_moves(table, step);
    } else {
        watch->step = step;
        watch->rows = json_array_size(table->sheet);
    }
    watch->is_changed = true;
    if (house != NULL && hidden_since_ms != INT64_MAX) {
        send_delayed_lines(house, table, hidden_since_ms, start_of_hidden_chat_ms(table));
    }
}

void table_watch_update_visible_state(struct house *house, struct table *table)
{
    show_step(house, table, find_step_visible_to_spectators(table));
}

/* Returns the number of moves that spectators know at this time of the beat. The first of the
 * beat's moves is shown at once. */
static size_t step_of_beat(const struct table_watch *watch, int64_t at_ms)
{
    size_t moves = watch->beat_to - watch->beat_from;
    size_t shown = moves * (size_t)(at_ms - watch->beat_ms) / WATCH_BEAT_MS + 1;
    return watch->beat_from + (shown < moves ? shown : moves);
}

/* Shows the moves of this beat that are due. Begins the next beat when its time has come, or when
 * the machine's clock was set back. */
static void show_moves_of_beat(struct house *house, struct table *table)
{
    struct table_watch *watch = &table->watch;
    if (house->now_ms - watch->beat_ms >= WATCH_BEAT_MS || house->now_ms < watch->beat_ms) {
        watch->beat_ms = house->now_ms - house->now_ms % WATCH_BEAT_MS;
        watch->beat_from = watch->step;
        watch->beat_to = find_step_visible_to_spectators(table);
    }
    show_step(house, table, step_of_beat(watch, house->now_ms));
}

/* Returns when the next move is shown or the next beat begins. */
static int64_t next_shown_ms(const struct house *house, const struct table *table)
{
    const struct table_watch *watch = &table->watch;
    if (!table_watch_is_delayed(table)) {
        return INT64_MAX;
    }
    if (house->now_ms < watch->beat_ms) {
        return house->now_ms;
    }
    int64_t moves = (int64_t)(watch->beat_to - watch->beat_from);
    int64_t shown = (int64_t)(watch->step - watch->beat_from);
    return watch->beat_ms +
           (shown < moves ? (shown * WATCH_BEAT_MS + moves - 1) / moves : WATCH_BEAT_MS);
}

const struct table_timer table_watch_timer = {next_shown_ms, show_moves_of_beat};

const struct game_state *table_watch_visible_state(const struct table *table)
{
    return table_watch_is_delayed(table) ? &table->watch.state : &table->state;
}

struct invitation {
    int64_t table; /* the number of the table the person is invited to; 0: none */
    int64_t until_ms;
};

PERSON_STATE(invitation_of, struct invitation, invites);

bool invites_person_is_invited(const struct house *house, const struct person *person,
                               const struct table *table)
{
    return invitation_of(person)->table == table->row.id &&
           invitation_of(person)->until_ms > house->now_ms;
}

static void send_invitation(struct house *house, const struct table *table, const struct conn *conn)
{
    int64_t left_ms = invitation_of(conn->person)->until_ms - house->now_ms;
    conn_send(house, conn,
              json_pack("{s:s,s:I,s:s,s:s,s:I}", "t", "invite", "table", (json_int_t)table->row.id,
                        "game", table->game->id, "from", table->row.host_name, "for_s",
                        (json_int_t)((left_ms + 999) / 1000)));
}

static void load_invitation(struct house *house, struct person *person)
{
    struct storage_invitation row;
    if (stored(house, storage_invitation_read(house->storage, person->name, &row))) {
        invitation_of(person)->table = row.table;
        invitation_of(person)->until_ms = row.until_ms;
    }
}

void invites_send_valid(struct house *house, struct conn *conn)
{
    const struct table *table = table_find(house, invitation_of(conn->person)->table);
    if (table != NULL && invites_person_is_invited(house, conn->person, table) &&
        table_seat_of(table, conn->person) < 0) {
        send_invitation(house, table, conn);
    }
}

void invites_resend_for_new_host(struct house *house, const struct table *table)
{
    CONNS_EACH(conn, house) {
        if (conn->person != NULL && !conn->awaits_hello &&
            invitation_of(conn->person)->table == table->row.id) {
            invites_send_valid(house, conn);
        }
    }
}

static void delete_expired_invitations(struct house *house, UNUSED bool conns_survived)
{
    stored_or_fail(house, storage_invitations_delete_expired(house->storage, house->now_ms));
}

/* True when the person does not want the invitation: they ignore the host, or refuse to play with
 * the host or with somebody seated at the table. */
static bool invitation_is_unwanted(struct house *house, const struct table *table,
                                   const struct person *host, const struct person *person)
{
    bool is_apart = false;
    if (host->account != 0 && person->account != 0) {
        stored_or_fail(house,
                       storage_block_exists_between(house->storage, person->account, host->account,
                                                    STORAGE_BLOCK_NOPLAY, &is_apart));
    }
    return is_apart || blocks_exist_with_someone_at_table(person, &table->row) ||
           !blocks_allow_messages_from(person, host->account);
}

void invites_create(struct house *house, const struct table *table, const struct person *host,
                    struct person *person)
{
    if (invitation_is_unwanted(house, table, host, person)) {
        return;
    }
    struct storage_invitation row = {
        .account = person->account,
        .table = table->row.id,
        .until_ms = house->now_ms + INVITE_MS,
    };
    (void)snprintf(row.name, sizeof(row.name), "%s", person->name);
    delete_expired_invitations(house, false);
    stored_or_fail(house, storage_invitation_set(house->storage, &row));
    invitation_of(person)->table = row.table;
    invitation_of(person)->until_ms = row.until_ms;
    LINKED_CONNS_EACH(conn, &person->conns) {
        send_invitation(house, table, conn);
    }
    person_mark_changed(house, person); /* the table admits the person now */
}

void message_decline(const struct request *request)
{
    struct house *house = request->house;
    struct person *person = request->conn->person;
    struct table *table = table_find(house, invitation_of(person)->table);
    if (table == NULL || !invites_person_is_invited(house, person, table)) {
        answer_no(request, "unknown", _("Nobody has invited you lately."));
        return;
    }
    const struct person *host = person_find(house, table->row.host_name);
    invitation_of(person)->table = 0;
    stored_or_fail(house, storage_invitation_delete(house->storage, person->name));
    if (host != NULL) {
        person_send_notice(house, host, "info",
                           say(_("%s has declined the invitation to #%lld."), person->name,
                               (long long)table->row.id));
    }
    answer_ok(request, NULL);
}

static void read_invitation_ahead(struct house *house, const struct storage_connection *row)
{
    struct storage_invitation invitation;
    if (row->name[0] != '\0') {
        stored_ahead(house, storage_invitation_read(house->storage, row->name, &invitation));
    }
}

const struct part tables_part = {
    .name = "tables",
    .house_size = sizeof(struct tables),
    .conn_size = sizeof(struct table_conn_state),
    .works_when_full = true,
    .flush = table_push_send_changes,
    .read_ahead = read_invitation_ahead,
    .settled = delete_expired_invitations,
};

const struct person_listener invites_person_listener = {
    .person_size = sizeof(struct invitation),
    .begin = load_invitation,
};
