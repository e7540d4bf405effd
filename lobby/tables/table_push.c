#include "lobby/tables/tables.h"

#include "games/history.h"
#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The table where the move is made and its deck of cards: needed to write the move's label. */
struct label_context {
    const struct table *table;
    const struct deck_def *deck;
};

static void write_suit(const struct deck_def *deck, uint8_t suit, struct text *out)
{
    if (suit >= deck->suit_count) {
        return;
    }
    const struct suit_def *def = &deck->suits[suit];
    text_put(out, def->symbol == NULL ? _(def->title) : def->symbol);
}

static void write_card(const struct deck_def *deck, uint8_t card, struct text *out)
{
    uint8_t suit = card_suit(deck, card);
    card_write_rank(deck, card, out);
    if (suit == SUIT_NONE) {
        return;
    }
    text_put(out, deck->suits[suit].symbol == NULL ? " " : "");
    write_suit(deck, suit, out);
}

static void write_phrase_arg(void *context, const struct phrase_arg *arg, struct text *out)
{
    const struct label_context *label = context;
    switch ((enum phrase_arg_type)arg->type) {
    case ARG_CARD:
        write_card(label->deck, (uint8_t)arg->number, out);
        break;
    case ARG_SUIT:
        write_suit(label->deck, (uint8_t)arg->number, out);
        break;
    case ARG_SEAT:
        if (arg->number >= 0 && arg->number < label->table->row.players) {
            text_put(out, label->table->row.seats[arg->number].name);
        }
        break;
    case ARG_WORDS:
        text_put(out, _(arg->words));
        break;
    case ARG_NUMBER:
    case ARG_POINTS:
        text_put_number(out, arg->number);
        break;
    case ARG_SEATS: /* labels of moves have no such arguments */
    case ARG_SLOTS:
    case ARG_PHRASE:
    case ARG_NONE:
        break;
    }
}

/* Writes the label of a move for a button: the game's own label, with cards and suits as symbols.
 * When the game defines no label, writes what a player types to make the move. */
static void move_label_write(const struct table *table, const struct game_view *view, uint8_t move,
                             char out[LABEL_MAX])
{
    struct text text = text_init(out, LABEL_MAX);
    struct phrase phrase = table->game->face == NULL ? phrase_absent() : face_label(view, move);
    if (phrase.format == NULL) {
        game_move_write(table->game, move, &text);
        return;
    }
    struct label_context context = {table, table->game->deck};
    phrase_write(&phrase, _(phrase.format), write_phrase_arg, &context, &text);
}

bool table_is_lesson(const struct table *table)
{
    return table->has_game && lesson_has_seed(table->game, table->seed);
}

/* Describes the open claim for a player; a claim of 0 tricks when there is none. */
static struct claim_row table_claim_make_row(const struct table *table)
{
    const struct table_claim *claim = &table->claim;
    struct claim_row row = {.tricks = claim->count};
    if (claim->count == 0) {
        return row;
    }
    row.seat = claim->seat;
    row.asked = claim->asked;
    struct text cards = text_init(row.cards, sizeof(row.cards));
    for (uint8_t i = 0; i < claim->count; i++) {
        text_put(&cards, i == 0 ? "" : " ");
        card_write_name(table->game->deck, claim->cards[i], &cards);
    }
    return row;
}

#define VIEW_MESSAGE_MAX (VIEW_TEXT_MAX + 24576)

/* What is sent to the people at a table. Each view is made when it is first needed: one for each
 * seat, one for spectators, one for spectators with a delay. */
struct views {
    struct payload *by_viewer[SEATS_MAX + 2];
    /* for people without a delay, and for spectators with one ([true]): */
    json_t *tables[2];        /* the part of the message `table` that is the same for all */
    bool is_table_changed[2]; /* whether it has to be sent to all of them */
};

static struct row_rating read_rating_of_holder(struct house *house, const struct table *table,
                                               const struct storage_seat *holder)
{
    struct storage_rating rating;
    bool has_rating =
        holder->account != 0 && stored(house, storage_rating_read(house->storage, holder->account,
                                                                  table->game->id, 0, &rating));
    return rating_row_make(has_rating ? &rating : NULL, house->now_ms);
}

/* Makes the row of a seat. Timeouts and lost connections during the game are hidden from spectators
 * with a delay. */
static struct seat_row make_seat_row(struct house *house, const struct table *table, int seat,
                                     bool is_delayed)
{
    static_assert((int)STORAGE_SEAT_PLAYER == (int)PERSON_PLAYER + 1 &&
                      (int)STORAGE_SEAT_GUEST == (int)PERSON_GUEST + 1 &&
                      (int)STORAGE_SEAT_BOT == (int)PERSON_BOT + 1,
                  "kinds of people follow each other as kinds of holders do");
    const struct storage_seat *holder = &table->row.seats[seat];
    if (holder->holder == STORAGE_SEAT_EMPTY) {
        return (struct seat_row){.is_taken = false};
    }
    const struct person *person = table_connected_holder(house, table, seat);
    bool is_bot = holder->holder == STORAGE_SEAT_BOT;
    int64_t vacation_ms = table->plays[seat].time.vacation_ms;
    bool is_gone = !is_bot && table_is_playing(table) && table->gone_ms[seat] != 0;
    bool is_on_vacation = table_is_turn_by_turn(table) && vacation_ms > house->now_ms;
    struct seat_row row = {
        .is_taken = true,
        .kind = (uint8_t)(holder->holder - STORAGE_SEAT_PLAYER),
        .is_program = !is_bot && account_is_bot(house, holder->account),
        .is_here = is_bot || (person != NULL && table_is_entered_by(table, person)),
        .is_gone = !is_delayed && is_gone,
        .is_played_by_bot = !is_delayed && holder->is_absent,
        .rating = read_rating_of_holder(house, table, holder),
        .vacation_ms = is_on_vacation ? vacation_ms : 0,
    };
    row_copy_text(row.name, sizeof(row.name), holder->name);
    row_copy_text(row.policy, sizeof(row.policy), is_bot ? holder->policy : "");
    return row;
}

/* most names of spectators in one message; the message also has their total number */
#define SPECTATOR_NAMES_MAX 1000

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Lists the names of the spectators, sorted, because a restarted core does not know their order of
 * arrival. */
static json_t *list_spectator_names(const struct table *table)
{
    const char *names[SPECTATOR_NAMES_MAX] = {NULL};
    size_t count = 0;
    json_t *list = json_array();
    LINKED_CONNS_EACH(conn, &table->conns) {
        if (table_counts_conn_as_spectator(table, conn) && count < SPECTATOR_NAMES_MAX) {
            names[count++] = conn->person->name;
        }
    }
    qsort(names, count, sizeof(names[0]), compare_names);
    for (size_t i = 0; i < count; i++) {
        (void)json_array_append_new(list, json_string(names[i]));
    }
    return list;
}

/* Returns the halt (enum table_halt) to show. Spectators with a delay see the stop between two
 * rounds while the last move that they know is the last of a round, whether or not the table still
 * stops. */
static uint8_t visible_halt(const struct table *table, bool is_delayed)
{
    uint8_t halt = is_delayed ? table_row_halt(table) : (uint8_t)table->row.halt;
    return is_delayed && halt == HALT_NONE && table->watch.is_round_over ? HALT_ROUND : halt;
}

/* Returns how long the stop between two rounds lasts at most from now on; 0: there is no stop, or
 * it has no deadline. */
static int64_t time_until_end_of_stop_ms(const struct house *house, const struct table *table)
{
    if (table->row.halt != STORAGE_HALT_ROUND || table->row.resume_due_ms == 0) {
        return 0;
    }
    int64_t left_ms = table->row.resume_due_ms - house->now_ms;
    return left_ms > 0 ? left_ms : 1;
}

/* Makes the part of the message `table` that is the same for all receivers. With is_delayed, it
 * shows what spectators with a delay may know. */
static json_t *make_table_message(struct house *house, struct table *table, bool is_delayed)
{
    struct table_row table_row = table_make_row(table);
    struct entered_row row = {
        .seats.count = table->row.players,
        .options = config_to_json(table->game, &table->config),
        .watcher_names = list_spectator_names(table),
        .is_lesson = table_is_lesson(table),
        .is_rated = table->has_game ? table->is_rated : table_may_be_rated(house, table),
        .rematch = table->row.rematch,
        .pace = table->row.pace,
        .game_id = table->row.game_id,
    };
    for (int seat = 0; seat < table->row.players; seat++) {
        row.seats.at[seat] = make_seat_row(house, table, seat, is_delayed);
    }
    table_row.halt = visible_halt(table, is_delayed);
    if (!is_delayed) {
        row.awaited = table->row.halt == STORAGE_HALT_ROUND
                          ? table_seats_awaited_at_stop(house, table)
                          : table->row.awaited;
        row.asks = (struct asks_row){
            .pause = table->row.asks[STORAGE_ASK_PAUSE],
            .adjourn = table->row.asks[STORAGE_ASK_ADJOURN],
            .resume = table->row.asks[STORAGE_ASK_RESUME],
        };
        row.resume_by_ms = table->row.resume_due_ms;
        row.resume_in_ms = time_until_end_of_stop_ms(house, table);
    }
    if (table->has_game) {
        struct text text = text_init(row.commitment, sizeof(row.commitment));
        text_put_hex(&text, table->commitment, sizeof(table->commitment));
    }
    json_t *json = json_pack("{s:s}", "t", "table");
    table_row_put(&table_row, json);
    entered_row_put(&row, json);
    json_decref(row.watcher_names);
    json_decref(row.options);
    return json;
}

static void send_table_message(struct house *house, const struct table *table,
                               const struct conn *conn, json_t *common_part)
{
    json_t *message = json_copy(common_part);
    int seat = table_seat_of(table, conn->person);
    struct place_row row = {
        .you = (int8_t)(seat < 0 ? SPECTATOR : seat),
        .is_host = strcmp(table->row.host_name, conn->person->name) == 0,
    };
    if (seat >= 0) {
        row.claim = table_claim_make_row(table);
    }
    place_row_put(&row, message);
    const char *halt = json_string_value(json_object_get(message, "halt"));
    if (!conn->shows_stops && strcmp(halt, row_word_of_value(&table_halt_words, HALT_ROUND)) == 0) {
        /* a program that does not know the stop knows a pause, which ends in the same way */
        (void)json_object_set_new(message, "halt",
                                  json_string(row_word_of_value(&table_halt_words, HALT_PAUSE)));
    }
    conn_send(house, conn, message);
}

/* How many rows of the score sheet fit into one message: each row has at most 1,000 bytes. */
#define SHEET_ROWS_MAX 50

/* Sends the score sheet's rows of the rounds that finished since the last call; with is_reset, the
 * rows of all rounds. */
static void send_score_sheet(struct house *house, const struct table *table,
                             const struct conn *conn, bool is_reset)
{
    bool is_watcher = table_watch_is_spectator(table, conn);
    size_t told = is_watcher ? table->watch.rows_told : table->sheet_told;
    size_t count = is_watcher ? table->watch.rows : json_array_size(table->sheet);
    if (!is_reset && told >= count) {
        return;
    }
    size_t at = is_reset ? 0 : told;
    do {
        json_t *rows = json_array();
        bool is_first = is_reset && at == 0;
        for (; at < count && json_array_size(rows) < SHEET_ROWS_MAX; at++) {
            (void)json_array_append(rows, json_array_get(table->sheet, at));
        }
        conn_send(house, conn,
                  json_pack("{s:s,s:I,s:b,s:o}", "t", "sheet", "table", (json_int_t)table->row.id,
                            "reset", is_first, "rows", rows));
    } while (at < count);
}

/* True when it is this seat's turn and a person plays it. */
static bool person_has_turn_on_seat(const struct table *table, int seat)
{
    return (table_seats_on_turn(table) >> seat & 1) != 0 &&
           table->row.seats[seat].holder != STORAGE_SEAT_BOT && !table->row.seats[seat].is_absent;
}

/* Returns the seat whose clock is shown to the viewer: their own on their turn, otherwise the one
 * that runs out first; -1 when no clock runs. */
static int find_seat_of_shown_clock(const struct house *house, const struct table *table,
                                    int8_t viewer)
{
    int first = -1;
    int64_t first_ms = INT64_MAX;
    for (int seat = 0; seat < table->row.players; seat++) {
        int64_t left_ms =
            table_clock_turn_left_ms(&table->clock, seat, &table->plays[seat].time, house->now_ms);
        if (!person_has_turn_on_seat(table, seat) || left_ms == INT64_MAX) {
            continue;
        }
        if (seat == viewer) {
            return seat;
        }
        if (first < 0 || left_ms < first_ms) {
            first = seat;
            first_ms = left_ms;
        }
    }
    return first;
}

static void write_shown_clock(const struct house *house, const struct table *table, int8_t viewer,
                              struct text *out)
{
    int seat = find_seat_of_shown_clock(house, table, viewer);
    if (seat < 0) {
        text_put(out, "null");
        return;
    }
    text_put(out, "{\"seat\":");
    text_put_number(out, seat);
    text_put(out, ",\"left_ms\":");
    text_put_number(out, table_clock_turn_left_ms(&table->clock, seat, &table->plays[seat].time,
                                                  house->now_ms));
    text_put(out, ",\"of_ms\":");
    text_put_number(out, table_clock_full_turn_ms(&table->clock, seat));
    text_put(out,
             table->clock.stopped_ms == 0 ? ",\"is_stopped\":false}" : ",\"is_stopped\":true}");
}

/* Writes a time in ms as the field `key`; null when the time is unknown. */
static void write_time_or_null(struct text *out, const char *key, bool is_known, int64_t ms)
{
    text_put(out, key);
    if (is_known) {
        text_put_number(out, ms > 0 ? ms : 0);
    } else {
        text_put(out, "null");
    }
}

/* Writes `times`: for each seat the time left of its turn, the time in its bank, and the time until
 * a bot plays for an absent holder. */
static void write_times(const struct house *house, const struct table *table, struct text *out)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        bool is_waiting = person_has_turn_on_seat(table, seat);
        int64_t left_ms =
            table_clock_turn_left_ms(&table->clock, seat, &table->plays[seat].time, house->now_ms);
        int64_t over_ms = INT64_MAX;
        if (is_waiting && table->gone_ms[seat] != 0) {
            over_ms = table_times_timeout_at_ms(house, table, seat);
        }
        text_put(out, seat == 0 ? "{" : ",{");
        write_time_or_null(out, "\"left_ms\":", is_waiting && left_ms != INT64_MAX, left_ms);
        bool has_bank = clock_rule_has_time_bank(&table->clock.rule) &&
                        table->row.seats[seat].holder != STORAGE_SEAT_BOT;
        write_time_or_null(out, ",\"bank_ms\":", has_bank,
                           table_clock_left_in_bank_ms(&table->clock, seat, house->now_ms));
        write_time_or_null(out, ",\"bot_ms\":", over_ms != INT64_MAX, over_ms - house->now_ms);
        text_put_char(out, '}');
    }
}

static struct payload *make_view_payload(struct house *house, const struct table *table,
                                         int8_t seat, bool is_delayed)
{
    struct game_view view;
    game_fill_view(table->game, is_delayed ? table_watch_visible_state(table) : &table->state, seat,
                   &view);
    char *buffer = memory_new(VIEW_MESSAGE_MAX);
    struct text text = text_init(buffer, VIEW_MESSAGE_MAX);
    text_put(&text, "{\"t\":\"view\",\"table\":");
    text_put_number(&text, table->row.id);
    text_put(&text, ",\"view\":");
    view_write(&view, &text);
    text_put(&text, ",\"labels\":[");
    for (uint8_t move = move_set_next(&view.legal, 0), is_next = 0; move != MOVE_NONE;
         move = move_set_next(&view.legal, move + 1U), is_next = 1) {
        char label[LABEL_MAX];
        move_label_write(table, &view, move, label);
        text_put(&text, is_next ? "," : "");
        text_put_json(&text, label);
    }
    if (is_delayed) {
        text_put(&text, "],\"clock\":null,\"times\":[]}"); /* clocks and times would show a delayed
                                                              spectator the present state */
    } else {
        text_put(&text, "],\"clock\":");
        write_shown_clock(house, table, seat, &text);
        text_put(&text, ",\"times\":[");
        write_times(house, table, &text);
        text_put(&text, "]}");
    }
    struct payload *payload = payload_new(buffer, text.len);
    free(buffer);
    return payload;
}

static void send_view(struct house *house, const struct table *table, const struct conn *conn,
                      struct views *views)
{
    int seat = table_seat_of(table, conn->person);
    bool is_delayed = table_watch_is_delayed_for(table, conn);
    struct payload **payload = &views->by_viewer[seat >= 0 ? seat : SEATS_MAX + is_delayed];
    if (*payload == NULL) {
        *payload =
            make_view_payload(house, table, (int8_t)(seat < 0 ? SPECTATOR : seat), is_delayed);
    }
    conn_send_payload(house, conn, *payload);
}

/* Sends what has changed to a connection at the table. A spectator with a delay gets `table` only
 * when it differs from what they already have, so that its arrival reveals nothing, and `view` only
 * when the step that they see has changed. */
static void send_changes_to_conn(struct house *house, struct table *table, struct conn *conn,
                                 struct views *views)
{
    bool is_all = table_conn_state(conn)->is_new;
    bool is_delayed = table_watch_is_delayed_for(table, conn);
    bool is_view_changed = is_delayed ? table->watch.is_changed : table->view_changed;
    if (is_all || views->is_table_changed[is_delayed]) {
        send_table_message(house, table, conn, views->tables[is_delayed]);
    }
    send_score_sheet(house, table, conn, is_all || table->sheet_reset);
    if (table->has_game && (is_all || is_view_changed)) {
        send_view(house, table, conn, views);
    }
    if (table->result != NULL && (is_all || table->result_changed)) {
        conn_send_payload(house, conn, table->result);
    }
    table_conn_state(conn)->is_new = false;
}

/* Adds a number to a hash. Nobody chooses these numbers so that hashes collide. */
static void hash_add(uint64_t *hash, int64_t number)
{
    *hash = (*hash ^ (uint64_t)number) * UINT64_C(0x9e3779b97f4a7c15);
    *hash ^= *hash >> 29;
}

/* Hashes what `table` says besides the table's row: who is there, and the open claim. Delayed
 * spectators are told of the rounds that end for them. */
static uint64_t hash_people(const struct table *table)
{
    const struct table_claim *claim = &table->claim;
    const struct table_watch *watch = &table->watch;
    uint64_t hash = 0;
    LINKED_CONNS_EACH(conn, &table->conns) {
        hash_add(&hash, conn->id);
        hash_add(&hash, conn_is_observing(conn));
        for (const char *c = conn->person->name; *c != '\0'; c++) {
            hash_add(&hash, *c);
        }
    }
    for (int seat = 0; seat < table->row.players; seat++) {
        hash_add(&hash, table->gone_ms[seat] != 0);
        hash_add(&hash, table->plays[seat].time.vacation_ms);
    }
    hash_add(&hash, claim->count == 0 ? 0 : claim->count << 16 | claim->seat << 8 | claim->asked);
    if (table_watch_is_delayed(table)) {
        hash_add(&hash, (int64_t)watch->rows);
        hash_add(&hash, watch->is_round_over);
    }
    return hash;
}

/* Hashes what changes the message `view`: moves, times, and who plays for a seat. */
static uint64_t hash_times(const struct table *table)
{
    uint64_t hash = 0;
    hash_add(&hash, table->row.game_id);
    hash_add(&hash, (int64_t)table->move_count);
    hash_add(&hash, table->clock.stopped_ms);
    for (int seat = 0; seat < table->row.players; seat++) {
        const struct storage_seat *holder = &table->row.seats[seat];
        const struct storage_clock *own = &table->clock.seats[seat];
        const struct player_time_off *time = &table->plays[seat].time;
        hash_add(&hash, (int64_t)holder->holder << 1 | holder->is_absent);
        hash_add(&hash, table->gone_ms[seat]);
        hash_add(&hash, own->since_ms);
        hash_add(&hash, own->due_ms);
        hash_add(&hash, own->bank_ms);
        hash_add(&hash, time->respite_ms);
        hash_add(&hash, time->quiet.from_min << 16 | time->quiet.to_min);
        hash_add(&hash, time->quiet.offset_min);
    }
    return hash;
}

static void find_changes_at_table(struct house *house, struct table *table)
{
    struct table_seen *seen = &table->seen;
    uint64_t people = hash_people(table);
    uint64_t times = hash_times(table);
    size_t rounds = json_array_size(table->sheet) + table->watch.rows;
    bool is_changed = people != seen->people || !storage_table_is_same(&table->row, &seen->row);
    bool is_reopened =
        table->row.state == STORAGE_TABLE_OPEN && seen->row.state == STORAGE_TABLE_FINISHED;
    table->table_changed |= is_changed;
    table->view_changed |= times != seen->times;
    table->result_changed |= table->result != seen->result;
    table->sheet_reset |= is_reopened || table->row.game_id != seen->row.game_id;
    if (is_changed || rounds != seen->rounds) {
        table->is_changed = true;
        tables_of(house)->rows_changed = true;
    }
    *seen = (struct table_seen){table->row, people, times, rounds, table->result};
}

void tables_find_changes(struct house *house)
{
    if (!tables_of(house)->has_touched) {
        return;
    }
    TABLES_EACH(table, house) {
        if (table->is_touched) {
            find_changes_at_table(house, table);
        }
    }
}

static void mark_changes_sent(struct table *table)
{
    table->sheet_told = json_array_size(table->sheet);
    table->watch.rows_told = table->watch.rows;
    table->watch.is_changed = false;
    table->sheet_reset = false;
    table->table_changed = false;
    table->view_changed = false;
    table->result_changed = false;
}

/* True when some connection has entered the table but has been sent nothing about it yet. */
static bool has_newcomer_at_table(const struct table *table)
{
    bool has_newcomer = false;
    LINKED_CONNS_EACH(conn, &table->conns) {
        has_newcomer = has_newcomer || (table_conn_state(conn)->is_new && !conn->awaits_hello);
    }
    return has_newcomer;
}

static void send_changes_at_table(struct house *house, struct table *table)
{
    bool is_table_told = table->table_changed || has_newcomer_at_table(table);
    bool is_news = is_table_told || table->view_changed || table->result_changed ||
                   table->sheet_reset || table->watch.is_changed;
    if (!is_news) {
        return;
    }
    struct views views = {.is_table_changed = {table->table_changed}};
    if (is_table_told) {
        views.tables[false] = make_table_message(house, table, false);
    }
    if (is_table_told && table_watch_is_delayed(table)) {
        views.tables[true] = make_table_message(house, table, true);
        views.is_table_changed[true] =
            last_sent_replace_if_changed(&table->watch.told, json_incref(views.tables[true]));
    }
    LINKED_CONNS_EACH(conn, &table->conns) {
        if (!conn->awaits_hello) {
            send_changes_to_conn(house, table, conn, &views);
        }
    }
    json_decref(views.tables[false]);
    json_decref(views.tables[true]);
    for (size_t i = 0; i < ARRAY_LEN(views.by_viewer); i++) {
        payload_release(views.by_viewer[i]);
    }
    mark_changes_sent(table);
}

void table_push_send_changes(struct house *house)
{
    tables_find_changes(house);
    TABLES_EACH(table, house) {
        if (table->is_touched) {
            send_changes_at_table(house, table);
        }
    }
}

/* The others see a line of most changes. Whoever goes on with changes, such as pausing a game again
 * and again, gets so many bursts of them, and then so many times fewer a second. */
#define LASTING_BURSTS 3
#define LASTING_SLOWER 20

struct table *request_find_named_table(const struct request *request)
{
    int64_t id = 0;
    struct table *table = json_read_number(request->body, "table", 1, INT64_MAX, &id)
                              ? table_find(request->house, id)
                              : NULL;
    if (table != NULL) {
        table_touch(request->house, table);
    }
    return table;
}

bool need_table(struct request *request)
{
    request->table = conn_table(request->conn);
    if (request->table != NULL) {
        table_touch(request->house, request->table);
    } else {
        (void)answer_no(request, "no_table",
                        _("You are not at a table: enter one, or open your own."));
    }
    return request->table != NULL;
}

bool need_idle_table(struct request *request)
{
    if (!need_table(request)) {
        return false;
    }
    if (table_is_playing(request->table)) {
        return answer_no(request, "started",
                         _("A game is on here: wait for its end, or find another table."));
    }
    return true;
}

bool need_hosted_table(struct request *request)
{
    if (!need_table(request)) {
        return false;
    }
    if (strcmp(request->table->row.host_name, request->conn->person->name) != 0) {
        return answer_no(request, "not_host",
                         _("Only the host of this table can do that: ask them, or open your own."));
    }
    return true;
}

bool need_own_table(struct request *request)
{
    return need_hosted_table(request) && need_idle_table(request);
}

bool request_is_within_rate_limit(const struct request *request)
{
    const struct house_config *config = &request->house->config;
    struct table_person_state *person = table_person_state(request->conn->person);
    const struct bucket_rule rule = {config->limits_changes_burst, config->limits_changes_per_s};
    const struct bucket_rule lasting = {LASTING_BURSTS * rule.burst,
                                        rule.per_second / LASTING_SLOWER};
    int64_t wait_s = LASTING_SLOWER / config->limits_changes_per_s + 1;
    if (!bucket_take_tokens(&person->stir, &rule, 1, request->house->now_ms)) {
        wait_s = 1;
    } else if (bucket_take_tokens(&person->lasting_stir, &lasting, 1, request->house->now_ms)) {
        return true;
    }
    return answer_retry_later(request, wait_s,
                              _("That was a lot of changes: wait %d s, then go on."), (int)wait_s);
}

bool need_change_rate(struct request *request)
{
    return request_is_within_rate_limit(request);
}

bool need_seat(struct request *request)
{
    int64_t seat = -1;
    if (!json_read_number(request->body, "seat", 0, request->table->row.players - 1, &seat)) {
        answer_no(request, "bad_seat", _("This table has no such seat: choose one that is shown."));
    }
    request->seat = (int)seat;
    return seat >= 0;
}

bool need_free_seat(struct request *request)
{
    const struct table *table = request->table;
    if (json_read_key_is_absent(request->body, "seat")) {
        request->seat = seats_first(table_seats_held_by(table, STORAGE_SEAT_EMPTY));
        if (request->seat < 0) {
            answer_no(request, "full",
                      _("Every seat is taken: watch, or open a table of your own."));
        }
        return request->seat >= 0;
    }
    if (!need_seat(request)) {
        return false;
    }
    bool is_empty = table->row.seats[request->seat].holder == STORAGE_SEAT_EMPTY;
    if (!is_empty) {
        answer_no(request, "full", _("That seat is taken: choose an empty one."));
    }
    return is_empty;
}

/* Returns the seats whose players have lost the connection, where that matters for a new game. */
static unsigned seats_that_delay_game(const struct table *table)
{
    unsigned seats = 0;
    for (int seat = 0; seat < SEATS_MAX && !table_is_turn_by_turn(table); seat++) {
        seats |= (unsigned)(table->gone_ms[seat] != 0) << seat;
    }
    return seats;
}

bool table_rematch_is_agreed(const struct table *table)
{
    unsigned agreed = table->row.rematch & ~seats_that_delay_game(table);
    return (table_seats_of_people(table) & ~agreed) == 0;
}

bool request_players_are_ready(const struct request *request)
{
    struct table *table = request->table;
    int missing = seats_first(seats_that_delay_game(table));
    if (missing >= 0) {
        return answer_no(request, "absent",
                         _("%s has lost the connection: wait a little, or free the seat."),
                         table->row.seats[missing].name);
    }
    int own = table_seat_of(table, request->conn->person);
    if (own >= 0 && table->row.state == STORAGE_TABLE_FINISHED) {
        table->row.rematch = (uint8_t)(table->row.rematch | 1U << own);
    }
    if (table->row.state == STORAGE_TABLE_FINISHED && !table_rematch_is_agreed(table)) {
        return answer_no(
            request, "rematch",
            _("The others have not asked for another game yet: it begins when they do."));
    }
    return true;
}
