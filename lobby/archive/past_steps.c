#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"

#include <stdlib.h>
#include <string.h>

/*
 * Lets spectators step back through the running game. They see each step as spectators saw it when
 * it happened, and never a step later than they may see (table_watch.h).
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

static void record_trick_or_round_end(void *context, const struct fields *event)
{
    struct past_step *past_step = context;
    const struct field *name = fields_find(event, "e");
    if (name != NULL && name->type == FIELD_TEXT) {
        past_step->is_trick = past_step->is_trick || strcmp(name->text, "trick") == 0;
        past_step->is_round = past_step->is_round || strcmp(name->text, "round") == 0;
    }
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

static void message_past(const struct request *request)
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
    if (!json_read_key_is_absent(request->body, "step") &&
        !json_read_number(request->body, "step", 0, INT64_MAX, &step)) {
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

const struct message_handler handler_past = {message_past};
