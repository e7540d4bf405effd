#include "stage.h"

#include "games/face.h"
#include "games/history.h"
#include "lobby/protocol/protocol.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[SEATS_MAX] = {
    "mira", "ada", "bob", "ella", "chen", "dmitri", "charlotte-anne9"};

/* Player names of the greatest allowed length. */
static const char *const long_names[SEATS_MAX] = {"mira",
                                                  "bartholomew_iii1",
                                                  "charlotte-anne-9",
                                                  "wolfeschlegel-55",
                                                  "montgomery-smit",
                                                  "anastasia-maria4",
                                                  "konstantin_wurst"};

static const char *get_seat_name(const struct stage *stage, uint8_t seat)
{
    return stage->has_long_names ? long_names[seat] : names[seat];
}

static void push_message(struct stage *stage, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    assert_non_null(text);
    driver_push(stage->driver, text);
    free(text);
    json_decref(message);
}

static json_t *make_seat_json(const struct stage *stage, uint8_t seat)
{
    bool is_bot = seat % 2 == 1 && seat != stage->you;
    json_t *json =
        json_pack("{s:s, s:s, s:i, s:b, s:b, s:b}", "name", get_seat_name(stage, seat), "kind",
                  is_bot ? "bot" : "player", "rating", 1500 + 31 * seat, "is_provisional",
                  seat % 3 == 0, "here", seat != 4, "played_by_bot", 0);
    if (is_bot) {
        json_object_set_new(json, "policy", json_string("medium"));
    }
    return json;
}

static void write_seed_commitment(const struct stage *stage, char out[65])
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(hash, stage->seed, sizeof(stage->seed));
    sodium_bin2hex(out, 65, hash, sizeof(hash));
}

static void merge_json_fields(json_t *message, const char *fields_text)
{
    if (fields_text != NULL) {
        json_t *fields = json_loads(fields_text, 0, NULL);
        assert_non_null(fields);
        assert_int_equal(json_object_update_new(message, fields), 0);
    }
}

/* 30 seconds a move. */
static json_t *make_clock(void)
{
    return json_pack("{s:s, s:i}", "kind", "move", "move_s", 30);
}

void stage_push_table(struct stage *stage, const char *table_state)
{
    bool is_open = strcmp(table_state, "open") == 0;
    json_t *seats = json_array();
    int taken = is_open ? stage->config.players - 1 : stage->config.players;
    for (uint8_t seat = 0; seat < stage->config.players; seat++) {
        json_array_append_new(
            seats, seat < taken || seat == stage->you ? make_seat_json(stage, seat) : json_null());
    }
    char commitment[65];
    write_seed_commitment(stage, commitment);
    json_t *message = json_pack(
        "{s:s, s:i, s:s, s:i, s:i, s:i, s:o, s:s, s:s, s:b, s:i, s:b, s:b, s:o}", "t", "table",
        "id", STAGE_TABLE, "game", stage->game->id, "players", (int)stage->config.players, "seated",
        taken, "bots", 1, "clock", make_clock(), "state", table_state, "host", "mira", "is_locked",
        0, "watchers", 1, "is_host", 1, "is_rated", 1, "seats", seats);
    json_object_set_new(message, "options", config_to_json(stage->game, &stage->config));
    json_object_set_new(message, "you", stage->you < 0 ? json_null() : json_integer(stage->you));
    json_object_set_new(message, "watcher_names", json_pack("[s]", "guest-12"));
    json_object_set_new(message, "rematch", json_array());
    json_object_set_new(message, "game_id", is_open ? json_null() : json_integer(STAGE_GAME_ID));
    json_object_set_new(message, "commitment", is_open ? json_null() : json_string(commitment));
    merge_json_fields(message, stage->table_fields);
    push_message(stage, message);
}

void stage_write_view(const struct stage *stage, struct game_view *view)
{
    game_fill_view(stage->game, &stage->state, stage->you, view);
}

static void stage_push_view(struct stage *stage)
{
    struct game_view view;
    char *buffer = malloc(VIEW_TEXT_MAX);
    assert_non_null(buffer);
    struct text text = text_init(buffer, VIEW_TEXT_MAX);
    stage_write_view(stage, &view);
    view_write(&view, &text);
    assert_false(text.is_cut);
    json_t *json = json_loads(buffer, 0, NULL);
    assert_non_null(json);
    free(buffer);
    json_t *message =
        json_pack("{s:s, s:i, s:o, s:[], s:{s:i, s:i}}", "t", "view", "table", STAGE_TABLE, "view",
                  json, "labels", "clock", "left_ms", 24000, "of_ms", 30000);
    merge_json_fields(message, stage->view_fields);
    push_message(stage, message);
}

void stage_push_table_and_view(struct stage *stage, const char *table_fields,
                               const char *view_fields)
{
    stage->table_fields = table_fields;
    stage->view_fields = view_fields;
    stage_push_table(stage, "playing");
    stage_push_view(stage);
}

static void add_score_row(void *context, const struct game_event *event)
{
    const struct score_row *row = &event->row;
    struct stage *stage = context;
    char buffer[8192];
    if (!event->is_score) {
        return;
    }
    struct text text = text_init(buffer, sizeof(buffer));
    text_put(&text, event->json.at);
    json_t *json = json_loads(buffer, 0, NULL);
    assert_non_null(json);
    json_t *bids = json_array();
    json_t *tricks = json_array();
    for (uint8_t seat = 0; seat < game_seats(stage->game, &stage->config); seat++) {
        if (row->has_bids) {
            json_array_append_new(bids, json_integer(row->bids[seat]));
        }
        json_array_append_new(tricks, json_integer(row->tricks[seat]));
    }
    json_t *parts = json_array();
    for (uint8_t part = 0; part < row->part_count; part++) {
        json_t *points = json_array();
        for (uint8_t seat = 0; seat < game_seats(stage->game, &stage->config); seat++) {
            json_array_append_new(points, json_integer(row->parts[part][seat]));
        }
        json_array_append_new(parts, points);
    }
    json_object_set_new(json, "parts", parts);
    json_object_set_new(json, "n", json_integer(row->round));
    json_object_set_new(json, "bids", bids);
    json_object_set_new(json, "tricks", tricks);
    json_array_append(stage->sheet, json);
    push_message(stage, json_pack("{s:s, s:i, s:b, s:[o]}", "t", "sheet", "table", STAGE_TABLE,
                                  "reset", 0, "rows", json));
}

void stage_deal(struct stage *stage, uint32_t seed_number)
{
    memset(stage->seed, 0, sizeof(stage->seed));
    memcpy(stage->seed, &seed_number, sizeof(seed_number));
    assert_int_equal(game_start(stage->game, &stage->config, stage->seed, &stage->state, NULL),
                     GAME_OK);
    json_array_clear(stage->moves);
    stage_push_table(stage, "playing");
    push_message(stage, json_pack("{s:s, s:i, s:b, s:[]}", "t", "sheet", "table", STAGE_TABLE,
                                  "reset", 1, "rows"));
    stage_push_view(stage);
}

void stage_begin_lesson(struct stage *stage, const struct driver_setup *setup,
                        const struct game_def *game)
{
    const struct game_lesson *lesson = game->face->lesson;
    stage_init(stage, setup, game, lesson->players, (int8_t)lesson->seat);
    stage->config = lesson_config(game);
    memcpy(stage->seed, lesson->seed, sizeof(stage->seed));
    assert_int_equal(game_start(game, &stage->config, stage->seed, &stage->state, NULL), GAME_OK);
    stage_push_table_and_view(stage, "{\"lesson\":true,\"is_rated\":false}", NULL);
}

void stage_make_move(struct stage *stage, uint8_t seat, uint8_t move)
{
    const struct game_log log = {.context = stage, .event = add_score_row};
    char written[MOVE_TEXT_MAX];
    struct text text = text_init(written, sizeof(written));
    game_move_write(stage->game, move, &text);
    json_array_append_new(stage->moves, json_pack("[i, s]", (int)seat, written));
    assert_int_equal(game_apply(stage->game, &stage->state, seat, move, &log), GAME_OK);
    stage_push_view(stage);
}

bool stage_make_random_move(struct stage *stage)
{
    uint8_t turn = game_seats_to_act(&stage->state);
    if (turn == 0) {
        return false;
    }
    struct game_view view;
    uint8_t seat = (uint8_t)__builtin_ctz(turn);
    game_fill_view(stage->game, &stage->state, (int8_t)seat, &view);
    stage_make_move(stage, seat, policy_random_move(&view, &stage->config, &stage->random));
    return true;
}

bool stage_play_until_turn(struct stage *stage, uint8_t phase)
{
    struct game_view view;
    for (;;) {
        stage_write_view(stage, &view);
        if (view.phase == phase && view_viewer_may_move(&view)) {
            return true;
        }
        if (!stage_make_random_move(stage)) {
            return false;
        }
    }
}

void stage_push_result(struct stage *stage)
{
    struct game_outcome outcome;
    game_fill_outcome(stage->game, &stage->state, &outcome);
    json_t *scores = json_array();
    json_t *ranks = json_array();
    json_t *winners = json_array();
    json_t *ratings = json_array();
    char seed[65];
    sodium_bin2hex(seed, sizeof(seed), stage->seed, sizeof(stage->seed));
    for (uint8_t seat = 0; seat < stage->config.players; seat++) {
        json_array_append_new(scores, json_integer(outcome.scores[seat]));
        json_array_append_new(ranks, json_integer(outcome.ranks[seat]));
        if ((outcome.winners >> seat & 1) != 0) {
            json_array_append_new(winners, json_integer(seat));
        }
        if (seat % 2 == 1) {
            json_array_append_new(ratings, json_null());
            continue;
        }
        json_t *by = json_array();
        for (int other = 0; other < stage->config.players; other += 2) {
            if (other != seat) {
                json_array_append_new(by, json_pack("{s:i, s:f}", "seat", other, "change",
                                                    seat < other ? 3.1 : -1.2));
            }
        }
        json_array_append_new(ratings, json_pack("{s:i, s:i, s:i, s:b, s:o}", "before",
                                                 1500 + 31 * seat, "after", 1512 + 31 * seat,
                                                 "deviation", 290, "is_provisional", 1, "by", by));
    }
    json_t *left = json_array();
    if (stage->leaver != NULL) {
        json_array_append_new(left, json_pack("{s:i, s:s, s:i}", "seat", STAGE_LEFT_SEAT, "name",
                                              stage->leaver, "rank", stage->config.players + 1));
    }
    stage_push_table(stage, "finished");
    push_message(stage,
                 json_pack("{s:s, s:i, s:i, s:o, s:o, s:o, s:s, s:o, s:o}", "t", "result", "table",
                           STAGE_TABLE, "game_id", STAGE_GAME_ID, "scores", scores, "ranks", ranks,
                           "winners", winners, "seed", seed, "ratings", ratings, "left", left));
}

json_t *stage_make_game_record(const struct stage *stage)
{
    json_t *seats = json_array();
    for (uint8_t seat = 0; seat < stage->config.players; seat++) {
        json_array_append_new(seats, json_pack("{s:s}", "name", get_seat_name(stage, seat)));
    }
    char seed[65];
    char commitment[65];
    sodium_bin2hex(seed, sizeof(seed), stage->seed, sizeof(stage->seed));
    write_seed_commitment(stage, commitment);
    return json_pack("{s:i, s:s, s:i, s:i, s:o, s:o, s:s, s:s, s:O, s:[], s:I}", "game_id",
                     STAGE_GAME_ID, "game", stage->game->id, "format", GAME_FORMAT, "players",
                     (int)stage->config.players, "options",
                     config_to_json(stage->game, &stage->config), "seats", seats, "seed", seed,
                     "commitment", commitment, "moves", stage->moves, "changes", "at",
                     (json_int_t)driver_clock_ms(stage->driver));
}

void stage_answer_with_record(struct stage *stage)
{
    json_t *fields = json_pack("{s:o}", "record", stage_make_game_record(stage));
    char *text = json_dumps(fields, JSON_COMPACT);
    assert_non_null(text);
    driver_answer(stage->driver, "record", text);
    free(text);
    json_decref(fields);
}

static json_t *make_lobby_row_of_table(const struct stage *stage)
{
    return json_pack("{s:i, s:s, s:i, s:i, s:i, s:o, s:s, s:s, s:b, s:i}", "id", STAGE_TABLE,
                     "game", stage->game->id, "players", (int)stage->config.players, "seated", 1,
                     "bots", 1, "clock", make_clock(), "state", "open", "host", "mira", "is_locked",
                     0, "watchers", 0);
}

void stage_init(struct stage *stage, const struct driver_setup *setup, const struct game_def *game,
                uint8_t player_count, int8_t own_seat)
{
    memset(stage, 0, sizeof(*stage));
    quick_random_init(&stage->random, 5);
    stage->driver = driver_new(setup);
    stage->game = game;
    stage->config = game_config_default(game, player_count);
    stage->you = own_seat;
    stage->sheet = json_array();
    stage->moves = json_array();
    push_message(stage, json_pack("{s:s, s:b, s:[], s:[o], s:[], s:[]}", "t", "lobby", "reset", 1,
                                  "people", "tables", make_lobby_row_of_table(stage), "gone_people",
                                  "gone_tables"));
    driver_type(stage->driver, "/watch 7\r");
    stage_push_table(stage, "open");
    driver_answer(stage->driver, "table_enter", NULL);
}

void stage_clear(struct stage *stage)
{
    if (stage->driver != NULL) {
        driver_free(stage->driver);
    }
    json_decref(stage->sheet);
    json_decref(stage->moves);
}

int stage_teardown(void **state)
{
    stage_clear(*state);
    free(*state);
    return 0;
}

const char *stage_find_sent_move(const struct stage *stage)
{
    const json_t *request = driver_find_request(stage->driver, "move");
    return request == NULL ? NULL : json_string_value(json_object_get(request, "move"));
}
