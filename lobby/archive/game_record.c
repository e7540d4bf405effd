#include "lobby/archive/archive.h"

#include "games/history.h"
#include "lobby/house/parts.h"
#include "lobby/protocol/protocol.h"
#include "storage/archive/archive.h"

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
