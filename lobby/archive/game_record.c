#include "lobby/archive/archive.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "lobby/protocol/protocol.h"
#include "lobby/ratings/ratings.h"
#include "lobby/tables/tables.h"

#include <math.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static bool append_move(void *context, const struct storage_move *row)
{
    struct game_record *record = context;
    record->moves =
        memory_grow(record->moves, record->move_count, &record->move_cap, sizeof(*record->moves));
    record->moves[record->move_count++] =
        (struct history_move){row->seat, game_move_parse(record->source.game, row->text)};
    return true;
}

static bool append_seat_change(void *context, const struct storage_seat_change *change)
{
    struct game_record *record = context;
    record->rows =
        memory_grow(record->rows, record->row_count, &record->row_cap, sizeof(*record->rows));
    record->rows[record->row_count++] = *change;
    return true;
}

static struct history_seat make_history_seat(const struct storage_seat *seat)
{
    bool is_bot = seat->holder == STORAGE_SEAT_BOT;
    return (struct history_seat){seat->name, is_bot ? seat->policy : NULL};
}

/* Fills in the game and its options; false when this program does not know them. */
static bool read_game_config(struct game_record *record)
{
    struct history_source *source = &record->source;
    const struct storage_game *row = &record->row;
    json_t *options = json_loads(row->options, 0, NULL);
    source->game = game_find(row->game);
    bool is_known = false;
    if (source->game != NULL && row->format == GAME_FORMAT &&
        row->players >= source->game->seats_min && row->players <= source->game->seats_max) {
        source->config = game_config_default(source->game, row->players);
        is_known = config_from_json(source->game, options, &source->config);
    }
    json_decref(options);
    return is_known;
}

static void convert_seat_changes(struct game_record *record)
{
    record->changes = memory_new((record->row_count + 1) * sizeof(*record->changes));
    for (size_t i = 0; i < record->row_count; i++) {
        const struct storage_seat_change *row = &record->rows[i];
        record->changes[i] =
            (struct history_change){row->step, row->seat, make_history_seat(&row->who)};
    }
}

enum storage_result game_record_read(struct storage *storage, int64_t id,
                                     struct game_record *record)
{
    struct history_source *source = &record->source;
    *record = (struct game_record){0};
    enum storage_result result = storage_game_read(storage, id, &record->row);
    if (result != STORAGE_OK) {
        return result;
    }
    record->is_known = read_game_config(record);
    if (!record->is_known) {
        return STORAGE_OK;
    }
    result = storage_moves_each(storage, id, 0, append_move, record);
    if (result == STORAGE_OK) {
        result = storage_seat_changes_each(storage, id, append_seat_change, record);
    }
    for (uint8_t seat = 0; seat < record->row.players; seat++) {
        record->seats[seat] = make_history_seat(&record->row.seats[seat]);
    }
    convert_seat_changes(record);
    memcpy(source->seed, record->row.seed, sizeof(source->seed));
    memcpy(source->commitment, record->row.commitment, sizeof(source->commitment));
    source->id = id;
    source->seats = record->seats;
    source->moves = record->moves;
    source->move_count = (uint32_t)record->move_count;
    source->changes = record->changes;
    source->change_count = (uint32_t)record->row_count;
    return result;
}

void game_record_clear(struct game_record *record)
{
    free(record->changes);
    free(record->rows);
    free(record->moves);
    *record = (struct game_record){0};
}

/* Replays the game from its seed, and stores its final state in *state. */
static enum game_record_verdict replay_to_end(const struct history_source *source,
                                              struct game_state *state)
{
    uint8_t promised[32];
    (void)crypto_hash_sha256(promised, source->seed, sizeof(source->seed));
    if (memcmp(promised, source->commitment, sizeof(promised)) != 0) {
        return GAME_RECORD_MISDEALT;
    }
    if (game_start(source->game, &source->config, source->seed, state, NULL) != GAME_OK) {
        return GAME_RECORD_UNKNOWN;
    }
    for (uint32_t step = 0; step < source->move_count; step++) {
        const struct history_move *move = &source->moves[step];
        if (move->move == MOVE_NONE ||
            game_apply(source->game, state, move->seat, move->move, NULL) != GAME_OK) {
            return GAME_RECORD_BAD_MOVE;
        }
    }
    return game_seats_to_act(state) == 0 ? GAME_RECORD_HOLDS : GAME_RECORD_NOT_OVER;
}

/* True when every seat has exactly one score of a player who did not leave, and the replay gives
 * that score. A lesson has no scores: it counts for nobody. */
static bool scores_match_outcome(const struct game_record *record,
                                 const struct game_outcome *outcome,
                                 const struct storage_score *scores, size_t count)
{
    uint8_t seen = 0;
    if (lesson_has_seed(record->source.game, record->source.seed)) {
        return count == 0;
    }
    for (size_t i = 0; i < count; i++) {
        const struct storage_score *score = &scores[i];
        if (score->seat >= record->row.players) {
            return false;
        }
        if (score->left_for_good) {
            continue;
        }
        bool is_winner = (outcome->winners >> score->seat & 1) != 0;
        if (score->score != outcome->scores[score->seat] ||
            score->rank != outcome->ranks[score->seat] || score->is_winner != is_winner) {
            return false;
        }
        seen |= (uint8_t)(1U << score->seat);
    }
    return seen == (1U << record->row.players) - 1;
}

enum storage_result game_record_check(struct storage *storage, const struct game_record *record,
                                      enum game_record_verdict *verdict)
{
    struct game_state state;
    *verdict = GAME_RECORD_UNKNOWN;
    if (!record->is_known) {
        return STORAGE_OK;
    }
    *verdict = replay_to_end(&record->source, &state);
    if (*verdict != GAME_RECORD_HOLDS) {
        return STORAGE_OK;
    }
    struct game_outcome outcome;
    struct storage_score scores[STORAGE_SCORES_MAX];
    size_t count = 0;
    game_fill_outcome(record->source.game, &state, &outcome);
    enum storage_result result =
        storage_scores_read(storage, record->row.id, scores, STORAGE_SCORES_MAX, &count);
    if (result == STORAGE_OK && !scores_match_outcome(record, &outcome, scores, count)) {
        *verdict = GAME_RECORD_BAD_SCORE;
    }
    return result;
}

const char *game_record_describe_verdict(enum game_record_verdict verdict)
{
    static const char *const words[] = {
        [GAME_RECORD_HOLDS] = "holds",
        [GAME_RECORD_UNKNOWN] = "uses a game or options that this program does not know",
        [GAME_RECORD_MISDEALT] = "was dealt from a seed that does not match the promised hash",
        [GAME_RECORD_BAD_MOVE] = "contains a move that the rules refuse",
        [GAME_RECORD_NOT_OVER] = "is stored as finished, but is not over",
        [GAME_RECORD_BAD_SCORE] = "has stored scores that differ from those its moves lead to",
    };
    return words[verdict];
}

/*
 * Lets spectators step back through the running game. They see each step as spectators saw it when
 * it happened, and never a step later than they may see (tables/tables.h).
 */

/* The nearest steps at which a trick or a round ended, before and after the step that is shown. */
struct nearest_steps {
    size_t before, after; /* `after` is SIZE_MAX when no later trick or round has ended */
};

struct past_step {
    size_t step;
    struct nearest_steps tricks, rounds;
    bool is_trick, is_round; /* whether the last move ended a trick or a round */
};

static void record_trick_or_round_end(void *context, const struct game_event *event)
{
    struct past_step *past_step = context;
    past_step->is_trick = past_step->is_trick || strcmp(event->kind, "trick") == 0;
    past_step->is_round = past_step->is_round || strcmp(event->kind, "round") == 0;
}

static void update_nearest_steps(struct nearest_steps *nearest, size_t end_step, size_t shown_step)
{
    if (end_step < shown_step) {
        nearest->before = end_step;
    } else if (end_step > shown_step && nearest->after == SIZE_MAX) {
        nearest->after = end_step;
    }
}

/* Replays the game up to `last_step`, and copies its state at past_step->step to `shown`. Returns
 * false when a move is refused, which never happens to moves that were carried out before. */
static bool replay_to_step(const struct table *table, size_t last_step, struct past_step *past_step,
                           struct game_state *shown)
{
    const struct game_log log = {.context = past_step, .event = record_trick_or_round_end};
    struct game_state *state = memory_new(sizeof(*state));
    bool is_played = game_start(table->game, &table->config, table->seed, state, NULL) == GAME_OK;
    for (size_t at = 0; is_played && at <= last_step; at++) {
        if (past_step->is_trick) {
            update_nearest_steps(&past_step->tricks, at, past_step->step);
        }
        if (past_step->is_round) {
            update_nearest_steps(&past_step->rounds, at, past_step->step);
        }
        past_step->is_trick = false;
        past_step->is_round = false;
        if (at == past_step->step) {
            *shown = *state;
        }
        const struct history_move *move = &table->moves[at];
        is_played = at == last_step ||
                    game_apply(table->game, state, move->seat, move->move, &log) == GAME_OK;
    }
    free(state);
    return is_played;
}

/* Makes the JSON array [before, after] of the nearest steps that spectators may see. */
static json_t *make_nearest_steps_json(const struct nearest_steps *nearest, size_t last_step)
{
    size_t after = nearest->after > last_step ? last_step : nearest->after;
    return json_pack("[I,I]", (json_int_t)nearest->before, (json_int_t)after);
}

static json_t *make_spectator_view_json(const struct table *table, const struct game_state *state)
{
    struct game_view view;
    char *buffer = memory_new(VIEW_TEXT_MAX);
    struct text text = text_init(buffer, VIEW_TEXT_MAX);
    game_fill_view(table->game, state, SPECTATOR, &view);
    view_write(&view, &text);
    json_t *json = memory_check_allocated(json_loads(buffer, 0, NULL));
    free(buffer);
    return json;
}

static void answer_with_step(const struct request *request, size_t last_step,
                             struct past_step *past_step)
{
    struct game_state *shown = memory_new(sizeof(*shown));
    if (replay_to_step(conn_table(request->conn), last_step, past_step, shown)) {
        answer_ok(request,
                  json_pack("{s:I,s:I,s:o,s:o,s:o}", "step", (json_int_t)past_step->step, "last",
                            (json_int_t)last_step, "tricks",
                            make_nearest_steps_json(&past_step->tricks, last_step), "rounds",
                            make_nearest_steps_json(&past_step->rounds, last_step), "view",
                            make_spectator_view_json(conn_table(request->conn), shown)));
    } else {
        answer_no(request, "failed", _("That game cannot be replayed."));
    }
    free(shown);
}

void message_past(const struct request *request)
{
    const struct table *table = request->table;
    int64_t step = INT64_MAX;
    if (!table_is_playing(table)) {
        answer_no(request, "no_game", _("No game is running here: /replay shows a finished game."));
        return;
    }
    if (table_seat_of(table, request->conn->person) >= 0) {
        answer_no(request, "seated",
                  _("Until the game ends, its players can look back only at the last trick."));
        return;
    }
    if (!json_read_optional_number(request->body, "step", 0, INT64_MAX, &step)) {
        answer_no(request, "bad", _("Name a step of the game: step 0 is the first deal."));
        return;
    }
    size_t last_step =
        table_watch_is_delayed_for(table, request->conn) ? table->watch.step : table->move_count;
    struct past_step past_step = {
        .step = step > (int64_t)last_step ? last_step : (size_t)step,
        .tricks = {.after = SIZE_MAX},
        .rounds = {.after = SIZE_MAX},
    };
    answer_with_step(request, last_step, &past_step);
}

#define GAMES_MAX 50

/* Returns a player's score; ROW_NONE when the player left for good, since a bot finished the
 * game. */
static int32_t score_unless_player_left(const struct storage_score *score)
{
    return score->left_for_good ? ROW_NONE : score->score;
}

static bool add_game_row(void *context, const struct storage_past_game *played)
{
    json_t *rows = context;
    const struct storage_score *own = &played->scores[played->own];
    struct game_row row = {
        .game_id = played->game_id,
        .game = game_find(played->game),
        .at_ms = played->finished_ms,
        .players.count = (uint8_t)played->score_count,
        .rank = (uint8_t)own->rank,
        .score = score_unless_player_left(own),
        .change_tenths = ROW_NONE,
    };
    if (row.game == NULL) {
        return true; /* this program no longer knows that game */
    }
    for (size_t i = 0; i < played->score_count; i++) {
        const struct storage_score *score = &played->scores[i];
        struct player_row *player = &row.players.at[i];
        row_copy_text(player->name, sizeof(player->name), score->who.name);
        player->rank = (uint8_t)score->rank;
        player->score = score_unless_player_left(score);
    }
    if (played->has_change) {
        row.change_tenths = (int32_t)lround(10.0 * rating_change_in_points(played->change_mu));
    }
    (void)json_array_append_new(rows, game_row_write(&row));
    return true;
}

_Static_assert(ROW_PLAYERS_MAX >= STORAGE_SCORES_MAX, "a game row has room for all players");

/* Finds the player whose games are requested. For an account, sets *account_id. For a connected
 * guest, sets *account_id to 0 and *guest_name. When nobody has the requested name, answers the
 * request and returns false. */
static bool find_requested_player(const struct request *request, int64_t *account_id,
                                  const char **guest_name)
{
    struct house *house = request->house;
    *account_id = request->conn->person->account;
    *guest_name = request->conn->person->name;
    if (json_read_key_is_absent(request->body, "name")) {
        return true;
    }
    const char *name = json_read_name(request->body, "name");
    const struct person *person = name == NULL ? NULL : person_find(house, name);
    struct storage_account account = {0};
    if (person != NULL && person->kind == PERSON_GUEST) {
        *account_id = 0;
        *guest_name = person->name;
        return true;
    }
    if (name == NULL || !stored(house, storage_account_by_name(house->storage, name, &account))) {
        return answer_no(request, "unknown", _("Nobody has that name: check its spelling."));
    }
    *account_id = account.id;
    return true;
}

void message_games(const struct request *request)
{
    struct house *house = request->house;
    const json_t *body = request->body;
    int64_t account = 0;
    const char *guest = NULL;
    int64_t before = INT64_MAX;
    int64_t count = GAMES_MAX;
    if (!json_read_optional_number(body, "before", 1, INT64_MAX, &before) ||
        !json_read_optional_number(body, "count", 1, GAMES_MAX, &count)) {
        answer_no(request, "bad", _("Ask for 1 to 50 games; `before` is the number of a game."));
        return;
    }
    if (!find_requested_player(request, &account, &guest)) {
        return;
    }
    json_t *rows = json_array();
    stored_or_fail(house, account != 0
                              ? storage_past_games_by_account(house->storage, account, before,
                                                              count, add_game_row, rows)
                              : storage_past_games_by_guest(house->storage, guest, before, count,
                                                            add_game_row, rows));
    answer_ok(request, json_pack("{s:o}", "rows", rows));
}

void message_record(const struct request *request)
{
    int64_t id = 0;
    struct game_record game = {0};
    if (!json_read_number(request->body, "game_id", 1, INT64_MAX, &id) ||
        !stored(request->house, game_record_read(request->house->storage, id, &game))) {
        game_record_clear(&game);
        answer_no(request, "unknown",
                  _("There is no such game: choose one from a player's history."));
        return;
    }
    bool is_finished =
        game.row.state == STORAGE_GAME_FINISHED || game.row.state == STORAGE_GAME_VOID;
    if (is_finished && game.is_known) {
        json_t *record = record_to_json(&game.source, game.row.finished_ms);
        if (game.row.state == STORAGE_GAME_VOID) {
            (void)json_object_set_new(record, "is_void", json_true());
        }
        answer_ok(request, json_pack("{s:o}", "record", record));
    } else {
        answer_no(request, "unfinished",
                  _("Only finished games can be replayed: wait until this game ends."));
    }
    game_record_clear(&game);
}
