#include "games/history.h"

#include "games/game.h"

#include <assert.h>
#include <string.h>

/* The text is sent once it is this long; the rest of the buffer has room for the longest event. */
#define PIECE_BYTES 8192
#define EVENT_BYTES_MAX 24576

struct history_out {
    history_sink *sink;
    void *context;
    bool has_events;
    struct text text;
    char bytes[PIECE_BYTES + EVENT_BYTES_MAX];
};

static void pass_text_to_sink(struct history_out *out)
{
    assert(!out->text.is_cut);
    if (out->text.len > 0) {
        out->sink(out->context, out->text.at, out->text.len);
    }
    out->text = text_init(out->bytes, sizeof(out->bytes));
}

static void begin_event(struct history_out *out)
{
    if (out->text.len >= PIECE_BYTES) {
        pass_text_to_sink(out);
    }
    if (out->has_events) {
        text_put_char(&out->text, ',');
    }
    out->has_events = true;
}

static void write_event(void *context, const struct game_event *event)
{
    struct history_out *out = context;
    begin_event(out);
    text_put(&out->text, event->json.at);
}

static void write_player(struct text *text, const struct history_seat *who)
{
    assert(strlen(who->name) < HISTORY_NAME_MAX);
    text_put(text, "\"name\":");
    text_put_json(text, who->name);
    if (who->bot != NULL) {
        assert(strlen(who->bot) < HISTORY_NAME_MAX);
        text_put(text, ",\"bot\":");
        text_put_json(text, who->bot);
    }
}

static void write_hash_field(struct text *text, const char *key, const uint8_t bytes[32])
{
    text_put(text, key);
    text_put_char(text, '"');
    text_put_hex(text, bytes, 32);
    text_put_char(text, '"');
}

static void write_history_head(struct history_out *out, const struct history_source *source,
                               bool is_over)
{
    struct text *text = &out->text;
    text_put(text, "{\"format\":\"" HISTORY_FORMAT);
    text_put_number(text, GAME_FORMAT);
    text_put(text, "\",\"id\":");
    text_put_number(text, source->id);
    text_put(text, ",\"game\":");
    text_put_json(text, source->game->id);
    text_put(text, ",\"options\":");
    game_config_write(source->game, &source->config, text);
    text_put(text, ",\"seats\":[");
    uint8_t seats = game_seats(source->game, &source->config);
    for (uint8_t s = 0; s < seats; s++) {
        text_put(text, s == 0 ? "{" : ",{");
        if (s < source->config.players) {
            write_player(text, &source->seats[s]);
        } else {
            text_put(text, "\"name\":\"" HISTORY_VIRTUAL_NAME "\",\"virtual\":true");
        }
        text_put_char(text, '}');
    }
    text_put_char(text, ']');
    if (is_over) {
        write_hash_field(text, ",\"seed\":", source->seed);
    } else {
        text_put(text, ",\"seed\":null");
    }
    write_hash_field(text, ",\"commitment\":", source->commitment);
    text_put(text, ",\"events\":[");
}

static void write_seat_change(struct history_out *out, const struct history_change *change)
{
    begin_event(out);
    text_put(&out->text, "{\"e\":\"seat\",\"seat\":");
    text_put_number(&out->text, change->seat);
    text_put_char(&out->text, ',');
    write_player(&out->text, &change->who);
    text_put_char(&out->text, '}');
}

static void write_move(struct history_out *out, const struct history_source *source,
                       const struct game_state *state, const struct history_move *move)
{
    begin_event(out);
    struct text *text = &out->text;
    text_put(text, "{\"e\":\"move\",\"seat\":");
    text_put_number(text, move->seat);
    text_put(text, ",\"move\":\"");
    game_move_write(source->game, move->move, text);
    text_put_char(text, '"');
    if (source->with_legal) {
        struct move_set legal = move_set_empty();
        game_find_legal_moves(source->game, state, move->seat, &legal);
        const char *before = ",\"legal\":[\"";
        for (uint8_t m = move_set_next(&legal, 0); m != MOVE_NONE;
             m = move_set_next(&legal, m + 1U)) {
            text_put(text, before);
            game_move_write(source->game, m, text);
            before = "\",\"";
        }
        text_put(text, "\"]");
    }
    text_put_char(text, '}');
}

/* Replays the moves without writing, so that a corrupt record is refused before the first byte is
 * written. */
static enum history_result check_moves_are_legal(const struct history_source *source, bool *is_over)
{
    struct game_state state;
    if (game_start(source->game, &source->config, source->seed, &state, NULL) != GAME_OK) {
        return HISTORY_BAD_CONFIG;
    }
    for (uint32_t i = 0; i < source->move_count; i++) {
        const struct history_move *move = &source->moves[i];
        if (game_apply(source->game, &state, move->seat, move->move, NULL) != GAME_OK) {
            return HISTORY_BAD_MOVE;
        }
    }
    *is_over = game_seats_to_act(&state) == 0;
    return HISTORY_OK;
}

enum history_result history_write(const struct history_source *source, history_sink *sink,
                                  void *context)
{
    bool is_over;
    enum history_result checked = check_moves_are_legal(source, &is_over);
    if (checked != HISTORY_OK) {
        return checked;
    }
    struct history_out out;
    out.sink = sink;
    out.context = context;
    out.has_events = false;
    out.text = text_init(out.bytes, sizeof(out.bytes));
    write_history_head(&out, source, is_over);

    struct game_log log = {.context = &out, .event = write_event};
    struct game_state state;
    enum game_result went = game_start(source->game, &source->config, source->seed, &state, &log);
    uint32_t changed = 0;
    for (uint32_t i = 0; i <= source->move_count; i++) {
        bool has_ended = i == source->move_count && is_over;
        while (!has_ended && changed < source->change_count && source->changes[changed].step <= i) {
            write_seat_change(&out, &source->changes[changed++]);
        }
        if (i < source->move_count) {
            const struct history_move *move = &source->moves[i];
            write_move(&out, source, &state, move);
            went = game_apply(source->game, &state, move->seat, move->move, &log);
            assert(went == GAME_OK);
        }
    }
    (void)went; /* check_moves_are_legal has already made the same moves */
    if (is_over) {
        text_put(&out.text, "],\"result\":");
        history_write_result(source->game, &state, &out.text);
        text_put_char(&out.text, '}');
    } else {
        text_put(&out.text, "],\"result\":null}");
    }
    pass_text_to_sink(&out);
    return HISTORY_OK;
}

void history_write_result(const struct game_def *game, const struct game_state *state,
                          struct text *out)
{
    struct game_outcome outcome;
    struct game_view view;
    game_fill_outcome(game, state, &outcome);
    game_fill_view(game, state, SPECTATOR, &view);
    text_put_char(out, '{');
    json_open(out, "scores", '[');
    for (uint8_t s = 0; s < view.seats; s++) {
        json_put_number(out, NULL, outcome.scores[s]);
    }
    json_close(out, ']');
    json_put_outcome(out, &outcome, view.seats);
    view_write_info(&view, true, out);
    json_close(out, '}');
}
