#include "games/bots/bots.h"
#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/play/play.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"

#include <stdlib.h>
#include <string.h>

static bool set_has_played(void *context, UNUSED const struct storage_past_game *played)
{
    bool *has_played = context;
    *has_played = true;
    return false;
}

/* True when the account has a seat at a table, or had one when the table's current game began. */
static bool account_has_seat(const struct house *house, int64_t account)
{
    bool sits = false;
    TABLES_EACH(table, house) {
        for (int seat = 0; seat < table->row.players; seat++) {
            sits = sits || table->row.seats[seat].account == account ||
                   table->plays[seat].starter.account == account;
        }
    }
    return sits;
}

static bool account_has_played(struct house *house, int64_t account)
{
    bool has_played = account_has_seat(house, account);
    if (!has_played) {
        stored_or_fail(house, storage_past_games_by_account(house->storage, account, INT64_MAX, 1,
                                                            set_has_played, &has_played));
    }
    return has_played;
}

void message_bot_account(const struct request *request)
{
    struct house *house = request->house;
    struct person *person = request->conn->person;
    if (person->kind == PERSON_BOT) {
        answer_ok(request, NULL);
    } else if (person->account == 0) {
        answer_no(request, "guest",
                  _("A guest has no account: sign in with an account made for your program."));
    } else if (person->role != STORAGE_ROLE_PLAYER) {
        answer_no(request, "staff",
                  _("Staff accounts cannot become bots: make another account for your program."));
    } else if (account_has_played(house, person->account)) {
        answer_no(request, "played",
                  _("This account has played already, which changed people's ratings: make another "
                    "account for your program."));
    } else {
        stored_or_fail(house,
                       storage_account_set_kind(house->storage, person->account, STORAGE_BOT));
        person->kind = PERSON_BOT;
        person_send_you_row(house, person);
        journal_write(house, request->conn, "bot-account", JOURNAL_PAIRS("account", person->name));
        answer_ok(request, NULL);
    }
}

/*
 * Automatic moves: for bots, for people whose clock has run out, and for people who are absent from
 * a game without a clock. The core asks a bot process for the move at once. The move is shown at a
 * time that does not depend on the cards. If the process does not answer, the core chooses the move
 * itself by the same bot policy.
 */

#define THINK_MAX (VIEW_TEXT_MAX + 2048)

/* the policy that plays for absent people */
static const char *const stand_in = "medium";

/* On a busy machine some answers come late, mostly those for which there was a choice. So that the
 * time of a move does not tell whether there was one, all bots' moves then wait for whole beats. */
#define BEATS 3 /* within the usual delay of a bot's move (play_bot_delay_ms) */
#define BEATS_MAX 5
#define BEATS_KEPT_MS 30000 /* how long a late answer delays the moves */

struct bots {
    size_t turn;      /* index of the bot process to ask next */
    int64_t beats_ms; /* how much later all moves are shown, up to late_until_ms */
    int64_t late_until_ms;
};

PART_STATE(bots_state_of_house, struct bots, bots);

/* Returns the bot policy that makes this seat's move; NULL when the person on the seat makes it. */
static const char *policy_for_seat(const struct table *table, int seat)
{
    const struct storage_seat *holder = &table->row.seats[seat];
    if (holder->holder == STORAGE_SEAT_BOT) {
        return holder->policy;
    }
    return holder->is_absent || table->plays[seat].is_out_of_time ? stand_in : NULL;
}

/* The scripted move after the moves made so far; MOVE_NONE when the game does not follow the script
 * of a lesson. Sets *seat to the seat that makes it. */
static uint8_t table_find_lesson_move(const struct table *table, int *seat)
{
    const struct lesson_move *next =
        table_is_lesson(table) ? lesson_next_move(table->game, table->moves, table->move_count)
                               : NULL;
    if (next == NULL) {
        return MOVE_NONE;
    }
    *seat = next->seat;
    return game_move_parse(table->game, next->move);
}

/* Sets *move to the move that the script of a lesson has for this bot; MOVE_NONE when there is no
 * script. Returns false when the script has another seat's move next: then the bot waits. */
static bool find_scripted_move(const struct table *table, int seat, uint8_t *move)
{
    int next = seat;
    *move = table_find_lesson_move(table, &next);
    return next == seat || table->row.seats[seat].holder != STORAGE_SEAT_BOT;
}

/* the time in which a player reads a note of two rows */
#define READING_MS 5000

/* Milliseconds that a bot waits longer with the scripted move, because the player is told something
 * before it; 0 at other tables and without a scripted move. */
static int64_t table_lesson_pause_ms(const struct table *table)
{
    int seat;
    bool is_scripted = table_find_lesson_move(table, &seat) != MOVE_NONE;
    return is_scripted && lesson_tells_note_after(table->game, (uint16_t)table->move_count)
               ? READING_MS
               : 0;
}

/* Returns the earliest time to show a bot's move while the machine is not busy. After a finished
 * trick, the pause is twice as long; in a lesson, the player also gets time to read. */
static int64_t bot_move_needed_ms(const struct house *house, const struct table *table)
{
    int64_t delay_ms =
        pace_bot_delay_ms((enum pace)table->row.pace, house->config.play_bot_delay_ms);
    return table->moved_ms + (table->is_trick_over ? 2 * delay_ms : delay_ms) +
           table_lesson_pause_ms(table);
}

/* Returns the earliest time to show a bot's move. */
static int64_t bot_move_due_ms(const struct house *house, const struct table *table)
{
    const struct bots *bots = bots_state_of_house(house);
    return bot_move_needed_ms(house, table) +
           (house->now_ms < bots->late_until_ms ? bots->beats_ms : 0);
}

/* Returns the nth bot process that is ready; NULL when there are fewer. */
static struct conn *nth_ready_bot_process(struct house *house, size_t n)
{
    PROCESSES_EACH(conn, house) {
        bool is_ready = conn->peer == PEER_BOT && conn->phase == PHASE_IN && !conn->awaits_hello;
        if (is_ready && n-- == 0) {
            return conn;
        }
    }
    return NULL;
}

/* Chooses the next bot process in turn; NULL when none is connected. */
static struct conn *choose_bot_process(struct house *house)
{
    struct conn *conn = nth_ready_bot_process(house, bots_state_of_house(house)->turn++);
    if (conn == NULL) {
        bots_state_of_house(house)->turn = 1;
        conn = nth_ready_bot_process(house, 0);
    }
    return conn;
}

/* Whether nobody waits for the bots' moves. */
static bool is_unhurried(const struct table *table)
{
    return table_is_turn_by_turn(table) ||
           (table_seats_of_people(table) & ~table_seats_absent(table)) == 0;
}

/* Notes when a move became known: if that was late, the next ones wait as long. */
static void note_move_is_known(const struct house *house, const struct table *table, int seat,
                               int64_t known_ms)
{
    struct bots *bots = bots_state_of_house(house);
    int64_t asked_ms = table->plays[seat].asked_ms;
    int64_t needed_ms = bot_move_needed_ms(house, table);
    int64_t late_ms = known_ms - (needed_ms > asked_ms ? needed_ms : asked_ms);
    int64_t beat_ms = house->config.play_bot_delay_ms / BEATS;
    bool was_late = house->now_ms < bots->late_until_ms;
    if (late_ms <= 0 || beat_ms == 0 || is_unhurried(table)) {
        return;
    }
    int64_t beats = (late_ms + beat_ms - 1) / beat_ms;
    int64_t beats_ms = (beats < BEATS_MAX ? beats : BEATS_MAX) * beat_ms;
    if (!was_late || beats_ms >= bots->beats_ms) {
        bots->beats_ms = beats_ms;
        bots->late_until_ms = house->now_ms + BEATS_KEPT_MS;
    }
}

/* Returns in how many milliseconds a bot's move is needed: when it is to be shown, or later if
 * nobody waits for it. */
static int64_t bot_move_within_ms(const struct house *house, const struct table *table)
{
    if (is_unhurried(table)) {
        return PACE_BOT_UNHURRIED_MS;
    }
    int64_t within_ms = bot_move_needed_ms(house, table) - house->now_ms;
    within_ms = within_ms < PACE_BOT_WITHIN_MS_MAX ? within_ms : PACE_BOT_WITHIN_MS_MAX;
    return within_ms > 0 ? within_ms : 0;
}

/* Writes the view of a seat (or SPECTATOR) as JSON. */
static void table_push_write_view(const struct table *table, int8_t seat, struct text *out)
{
    struct game_view view;
    game_fill_view(table->game, &table->state, seat, &view);
    view_write(&view, out);
}

static void ask_bot_for_move(struct house *house, struct table *table, int seat, const char *policy)
{
    struct seat_play *play = &table->plays[seat];
    const struct conn *peer = choose_bot_process(house);
    play->asked_ms = house->now_ms;
    play->answer = MOVE_NONE;
    play->asked_conn = peer == NULL ? 0 : peer->id;
    if (peer == NULL) {
        return;
    }
    char *buffer = memory_new(THINK_MAX);
    struct text text = text_init(buffer, THINK_MAX);
    text_put(&text, "{\"t\":\"think\",\"table\":");
    text_put_number(&text, table->row.id);
    text_put(&text, ",\"seat\":");
    text_put_number(&text, seat);
    text_put(&text, ",\"step\":");
    text_put_number(&text, (int64_t)table->move_count);
    text_put(&text, ",\"within\":");
    text_put_number(&text, bot_move_within_ms(house, table));
    text_put(&text, ",\"game\":");
    text_put_json(&text, table->game->id);
    text_put(&text, ",\"players\":");
    text_put_number(&text, table->config.players);
    text_put(&text, ",\"options\":");
    game_config_write(table->game, &table->config, &text);
    text_put(&text, ",\"policy\":");
    text_put_json(&text, policy);
    text_put(&text, ",\"view\":");
    table_push_write_view(table, (int8_t)seat, &text);
    text_put_char(&text, '}');
    struct payload *payload = payload_new(buffer, text.len);
    conn_send_payload(house, peer, payload);
    payload_release(payload);
    free(buffer);
}

void message_bot_move(const struct request *request)
{
    const json_t *body = request->body;
    int64_t id = 0;
    int64_t seat = 0;
    int64_t step = 0;
    const char *text = json_read_text(body, "move", MOVE_TEXT_MAX);
    if (text == NULL || !json_read_number(body, "table", 1, INT64_MAX, &id) ||
        !json_read_number(body, "seat", 0, SEATS_MAX - 1, &seat) ||
        !json_read_number(body, "step", 0, UINT16_MAX, &step)) {
        return;
    }
    struct table *table = table_find(request->house, id);
    if (table == NULL || (table_seats_on_turn(table) >> seat & 1) == 0 ||
        (size_t)step != table->move_count || table->plays[seat].asked_conn != request->conn->id) {
        return; /* the answer is too late: the move was made meanwhile */
    }
    struct move_set legal = move_set_empty();
    game_find_legal_moves(table->game, &table->state, (uint8_t)seat, &legal);
    uint8_t move = game_move_parse(table->game, text);
    if (move_set_has(&legal, move)) {
        table->plays[seat].answer = move;
        note_move_is_known(request->house, table, (int)seat, request->house->now_ms);
    }
}

/* Runs the policy in this process, because no bot process has answered. */
static uint8_t choose_move_in_core(struct house *house, const struct table *table, int seat,
                                   const char *policy)
{
    struct game_view view;
    uint64_t seed = 0;
    struct quick_random random;
    game_fill_view(table->game, &table->state, (int8_t)seat, &view);
    house->config.random(house->config.random_context, &seed, sizeof(seed));
    quick_random_init(&random, seed);
    const struct policy *play = policy_find(policy);
    return play == NULL ? policy_random_move(&view, &table->config, &random)
                        : policy_choose_move(play, NULL, &view, &table->config, &random, 0);
}

/* Returns when to check next whether this seat's automatic move is due. Called only while it is the
 * seat's turn. */
static int64_t next_check_of_seat_ms(const struct house *house, const struct table *table, int seat)
{
    const struct seat_play *play = &table->plays[seat];
    uint8_t scripted;
    if (policy_for_seat(table, seat) == NULL) {
        return table_times_timeout_at_ms(house, table, seat);
    }
    if (!find_scripted_move(table, seat, &scripted)) {
        return INT64_MAX;
    }
    int64_t due_ms = bot_move_due_ms(house, table);
    if (scripted != MOVE_NONE) {
        return due_ms;
    }
    if (play->asked_ms == 0) {
        return house->now_ms;
    }
    if (play->answer != MOVE_NONE || play->asked_conn == 0) {
        return due_ms;
    }
    int64_t patience_ms = play->asked_ms + PACE_BOT_ANSWER_MS;
    return due_ms > patience_ms ? due_ms : patience_ms;
}

/* Counts how late a bot's move is, if people wait for it. */
static void measure_lateness(const struct house *house, const struct table *table, int seat)
{
    bool is_bot = table->row.seats[seat].holder == STORAGE_SEAT_BOT;
    if (is_bot && !is_unhurried(table)) {
        metrics_observe_ms(house, HOUSE_METRIC_bot_lateness,
                           house->now_ms - bot_move_needed_ms(house, table));
    }
}

/* Chooses the move of a seat whose bot process has not answered. */
static uint8_t choose_unanswered_move(struct house *house, const struct table *table, int seat,
                                      const char *policy)
{
    metrics_count(house, HOUSE_METRIC_bot_moves_unanswered, NULL, NULL, 1);
    if (table->plays[seat].asked_conn != 0) {
        note_move_is_known(house, table, seat, table->plays[seat].asked_ms + PACE_BOT_ANSWER_MS);
    }
    return choose_move_in_core(house, table, seat, policy);
}

/* Makes this seat's automatic move if it is due; true when it was made. */
static bool make_due_move_of_seat(struct house *house, struct table *table, int seat)
{
    if (policy_for_seat(table, seat) == NULL &&
        table_times_timeout_at_ms(house, table, seat) <= house->now_ms) {
        table_times_let_bot_play(house, table, seat);
    }
    const char *policy = policy_for_seat(table, seat);
    if (policy == NULL) {
        return false;
    }
    struct seat_play *play = &table->plays[seat];
    uint8_t move = MOVE_NONE;
    if (find_scripted_move(table, seat, &move) && move == MOVE_NONE && play->asked_ms == 0) {
        ask_bot_for_move(house, table, seat, policy);
    }
    if (next_check_of_seat_ms(house, table, seat) > house->now_ms) {
        return false;
    }
    bool is_late = play->is_out_of_time;
    move = move != MOVE_NONE ? move : play->answer;
    move = move != MOVE_NONE ? move : choose_unanswered_move(house, table, seat, policy);
    measure_lateness(house, table, seat);
    if (is_late) {
        chat_announce_at_table(
            house, table,
            say(_("%s ran out of time: a bot made this move."), table->row.seats[seat].name));
    }
    return table_game_make_move(house, table, (uint8_t)seat, move, NULL) == GAME_OK;
}

/* Makes at most one automatic move, since each move changes whose turn it is. */
static void make_due_move_at_table(struct house *house, struct table *table)
{
    bool has_moved = false;
    for (int seat = 0; seat < table->row.players && !has_moved; seat++) {
        if ((table_seats_on_turn(table) >> seat & 1) != 0) {
            has_moved = make_due_move_of_seat(house, table, seat);
        }
    }
}

static int64_t next_check_of_table_ms(const struct house *house, const struct table *table)
{
    int64_t next_ms = INT64_MAX;
    uint8_t turn = table->row.halt == STORAGE_HALT_NONE ? table_seats_on_turn(table) : 0;
    for (int seat = 0; turn >> seat != 0; seat++) {
        int64_t seat_ms =
            (turn >> seat & 1) != 0 ? next_check_of_seat_ms(house, table, seat) : INT64_MAX;
        next_ms = seat_ms < next_ms ? seat_ms : next_ms;
    }
    return next_ms;
}

/* Forgets the moves that were requested from this bot process (0: from any) and not answered, so
 * that they are requested again. */
static void forget_unanswered_requests_at_table(struct table *table, int64_t process_conn)
{
    for (int seat = 0; seat < table->row.players; seat++) {
        struct seat_play *play = &table->plays[seat];
        if (play->answer == MOVE_NONE && (process_conn == 0 || play->asked_conn == process_conn)) {
            play->asked_ms = 0;
            play->asked_conn = 0;
        }
    }
}

static void forget_unanswered_requests(struct house *house, int64_t process_conn)
{
    TABLES_EACH(table, house) {
        forget_unanswered_requests_at_table(table, process_conn);
    }
}

static void forget_requests_to_gone_process(struct house *house, struct conn *conn)
{
    if (conn->peer == PEER_BOT) {
        forget_unanswered_requests(house, conn->id);
    }
}

static void request_moves_from_ready_process(struct house *house, UNUSED struct conn *process)
{
    forget_unanswered_requests(house, 0);
}

static void measure_unanswered_requests(const struct house *house)
{
    size_t waiting = 0;
    TABLES_EACH(table, house) {
        uint8_t turn = table_seats_on_turn(table);
        for (int seat = 0; turn >> seat != 0; seat++) {
            const struct seat_play *play = &table->plays[seat];
            bool is_asked = play->asked_ms != 0 && play->asked_conn != 0;
            waiting += (turn >> seat & 1) != 0 && is_asked && play->answer == MOVE_NONE;
        }
    }
    metrics_count(house, HOUSE_METRIC_queue_length, "bot", NULL, waiting);
}

/* Creates the missing accounts of the bots in persons/persons.h; while the disk is full, none. */
static void create_bot_accounts(struct house *house)
{
    for (size_t i = 0; !house->is_read_only && bot_name_at(i) != NULL; i++) {
        struct storage_account account;
        enum storage_result result =
            storage_account_by_name(house->storage, bot_name_at(i)->name, &account);
        if (result != STORAGE_NOT_FOUND) {
            stored_or_fail(house, result);
            continue;
        }
        account = (struct storage_account){
            .kind = STORAGE_BOT,
            .settings = "{}",
            .created_ms = house->now_ms,
            .seen_ms = house->now_ms,
        };
        (void)snprintf(account.name, sizeof(account.name), "%s", bot_name_at(i)->name);
        name_write_skeleton(account.name, account.skeleton);
        stored_or_fail(house, storage_account_add(house->storage, &account, &account.id));
    }
}

static const struct table_timer bot_timer = {next_check_of_table_ms, make_due_move_at_table};

/* The timers that the people at a table wait for. */
static const struct table_timer *const prompt_timers[] = {&claim_timer, &bot_timer,
                                                          &round_stop_timer, NULL};

static void run_prompt_timers(struct house *house)
{
    table_timers_run_due(house, prompt_timers);
}

static int64_t next_prompt_timer_ms(const struct house *house)
{
    return table_timers_next_ms(house, prompt_timers);
}

const struct part bots_part = {
    .name = "bots",
    .house_size = sizeof(struct bots),
    .is_prompt = true,
    .load = create_bot_accounts,
    .tick = run_prompt_timers,
    .next_ms = next_prompt_timer_ms,
    .measure = measure_unanswered_requests,
    .helper = PEER_BOT,
    .listens = PEER_BOT,
    .peer_ready = request_moves_from_ready_process,
    .conn_gone = forget_requests_to_gone_process,
};
