#include "daemon/base/base.h"
#include "daemon/processes/workers/workers.h"
#include "games/game.h"
#include "lobby/protocol/protocol.h"
#include "tests/daemon/fixtures/peer_fixture.h"
#include "tests/unit.h"

#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define TABLE 7

static int core_end, bot_end;
static pid_t bot;

static int run_bot(int socket)
{
    return bot_run(socket, &(const struct metrics){0});
}

static int set_up_worker(void **state)
{
    (void)state;
    bot = peer_start_process(run_bot, &core_end);
    json_decref(peer_expect_message(core_end, "hello"));
    return 0;
}

static int tear_down_worker(void **state)
{
    (void)state;
    close(core_end);
    return peer_wait_for_exit(bot);
}

static json_t *parse_json(struct text *text)
{
    assert_false(text->is_cut);
    json_t *json = json_loadb(text->at, text->len, 0, NULL);
    assert_non_null(json);
    return json;
}

/* Makes the message by which the core asks a bot for its move. */
static json_t *make_think_message(const struct game_def *game, const struct game_config *config,
                                  const struct game_view *view, const char *policy)
{
    static char buffer[VIEW_TEXT_MAX];
    struct text text = text_init(buffer, sizeof buffer);
    game_config_write(game, config, &text);
    json_t *options = parse_json(&text);
    text = text_init(buffer, sizeof buffer);
    view_write(view, &text);
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:s, s:i, s:o, s:s, s:o}", "t", "think", "table",
                     TABLE, "seat", view->seat, "step", view->step, "within", 900, "game", game->id,
                     "players", config->players, "options", options, "policy", policy, "view",
                     parse_json(&text));
}

/* Waits for the bot's answer, which must belong to this view; returns the move. */
static uint8_t expect_bot_move(const struct game_view *view, int table)
{
    json_t *answer = peer_expect_any_message(core_end);
    assert_string_equal(json_string_value(json_object_get(answer, "t")), "bot_move");
    assert_int_equal(json_integer_value(json_object_get(answer, "table")), table);
    assert_int_equal(json_integer_value(json_object_get(answer, "seat")), view->seat);
    assert_int_equal(json_integer_value(json_object_get(answer, "step")), view->step);
    const char *text = json_string_value(json_object_get(answer, "move"));
    assert_non_null(text);
    uint8_t move = game_move_parse(view->game, text);
    assert_true(move_set_has(&view->legal, move));
    json_decref(answer);
    return move;
}

static struct game_state start_game(const struct game_def *game, const struct game_config *config)
{
    static const uint8_t seed[SEED_BYTES] = {1, 2, 3};
    struct game_state state;
    assert_int_equal(game_start(game, config, seed, &state, NULL), GAME_OK);
    return state;
}

static struct game_view make_view_of_next_seat(const struct game_def *game,
                                               const struct game_state *state)
{
    struct game_view view;
    int8_t seat = 0;
    while ((game_seats_to_act(state) >> seat & 1) == 0) {
        seat++;
    }
    game_fill_view(game, state, seat, &view);
    return view;
}

static void play_game_to_its_end(const struct game_def *game, uint8_t players, const char *policy)
{
    struct game_config config = game_config_default(game, players);
    struct game_state state = start_game(game, &config);
    while (game_seats_to_act(&state) != 0) {
        struct game_view view = make_view_of_next_seat(game, &state);
        peer_send(core_end, make_think_message(game, &config, &view, policy));
        uint8_t move = expect_bot_move(&view, TABLE);
        assert_int_equal(game_apply(game, &state, (uint8_t)view.seat, move, NULL), GAME_OK);
    }
}

static void bots_play_every_game_to_its_end(void **state)
{
    (void)state;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        play_game_to_its_end(game, game->seats_min, "medium");
        play_game_to_its_end(game, game->seats_max, "random");
    }
    play_game_to_its_end(game_find("hund"), 2, "strong"); /* the shortest game */
}

static json_t *make_valid_think_message(struct game_view *view)
{
    const struct game_def *game = game_at(0);
    struct game_config config = game_config_default(game, game->seats_min);
    struct game_state state = start_game(game, &config);
    *view = make_view_of_next_seat(game, &state);
    return make_think_message(game, &config, view, "medium");
}

/* Checks that the bot does not answer this message, but answers the next message. */
static void expect_question_ignored(json_t *question)
{
    struct game_view view;
    peer_send(core_end, question);
    question = make_valid_think_message(&view);
    json_object_set_new(question, "table", json_integer(TABLE + 1));
    peer_send(core_end, question);
    expect_bot_move(&view, TABLE + 1);
}

static void invalid_think_messages_are_ignored(void **state)
{
    (void)state;
    static const char *const keys[] = {"table",  "seat",    "step", "within", "game",
                                       "policy", "players", "view", "options"};
    struct game_view view;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        json_t *question = make_valid_think_message(&view);
        json_object_del(question, keys[i]);
        expect_question_ignored(question);
        question = make_valid_think_message(&view);
        json_object_set_new(question, keys[i], json_integer(-1));
        expect_question_ignored(question);
    }
}

static void an_absurd_deadline_is_ignored(void **state)
{
    (void)state;
    struct game_view view;
    json_t *question = make_valid_think_message(&view);
    json_object_set_new(question, "within", json_integer(PACE_BOT_WITHIN_MS_MAX + 1));
    expect_question_ignored(question);
}

static void a_view_of_another_seat_or_step_is_ignored(void **state)
{
    (void)state;
    struct game_view view;
    json_t *question = make_valid_think_message(&view);
    json_object_set_new(question, "seat", json_integer(view.seat == 0 ? 1 : 0));
    expect_question_ignored(question);
    question = make_valid_think_message(&view);
    json_object_set_new(question, "step", json_integer(1));
    expect_question_ignored(question);
}

static void an_oversized_view_does_no_harm(void **state)
{
    (void)state;
    static const char *const lists[] = {"hands",  "trick",  "past",   "bids",
                                        "tricks", "scores", "to_act", "legal"};
    struct game_view view;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        json_t *question = make_valid_think_message(&view);
        json_t *list = json_array();
        for (int n = 0; n < 1000; n++) {
            json_array_append_new(list, json_integer(n));
        }
        json_object_set_new(json_object_get(question, "view"), lists[i], list);
        peer_send(core_end, question);
        peer_send(core_end, json_pack("{s:s}", "t", "resync"));
        json_decref(peer_expect_message(core_end, "hello"));
    }
}

/* Makes a socket pair whose messages to the bot wait until start_bot. */
static int make_sockets(void **state)
{
    (void)state;
    int ends[2];
    if (packet_make_socket_pair(ends) != 0) {
        return -1;
    }
    core_end = ends[0];
    bot_end = ends[1];
    return 0;
}

static void start_bot(void)
{
    bot = fork();
    assert_true(bot >= 0);
    if (bot == 0) {
        close(core_end);
        _exit(bot_run(bot_end, &(const struct metrics){0}));
    }
    close(bot_end);
    json_decref(peer_expect_message(core_end, "hello"));
}

/* Makes a message about the first move of a game, with a choice of moves. */
static json_t *make_question(struct game_view *view, int table, int64_t within_ms,
                             const char *policy)
{
    json_t *question = make_valid_think_message(view);
    assert_true(move_set_count(&view->legal) > 1);
    json_object_set_new(question, "table", json_integer(table));
    json_object_set_new(question, "within", json_integer(within_ms));
    json_object_set_new(question, "policy", json_string(policy));
    return question;
}

static void the_most_urgent_of_the_waiting_messages_is_answered_first(void **state)
{
    (void)state;
    static const int64_t within_ms[] = {60000, 20000, 100000, 40000, 80000};
    static const int order[] = {1, 3, 0, 4, 2};
    struct game_view view;
    for (int i = 0; i < 5; i++) {
        peer_send(core_end, make_question(&view, TABLE + i, within_ms[i], "medium"));
    }
    start_bot();
    for (int i = 0; i < 5; i++) {
        expect_bot_move(&view, TABLE + order[i]);
    }
}

/* Plays a game until a seat has only one legal move. */
static json_t *make_forced_question(struct game_view *view)
{
    const struct game_def *game = game_at(0);
    struct game_config config = game_config_default(game, game->seats_min);
    struct game_state state = start_game(game, &config);
    *view = make_view_of_next_seat(game, &state);
    while (move_set_count(&view->legal) > 1) {
        uint8_t move = move_set_next(&view->legal, 0);
        assert_int_equal(game_apply(game, &state, (uint8_t)view->seat, move, NULL), GAME_OK);
        *view = make_view_of_next_seat(game, &state);
    }
    return make_think_message(game, &config, view, "strong");
}

static void a_forced_move_is_answered_before_an_earlier_search(void **state)
{
    (void)state;
    struct game_view view, forced_view;
    peer_send(core_end, make_question(&view, TABLE + 1, 0, "strong"));
    json_t *forced = make_forced_question(&forced_view);
    json_object_set_new(forced, "within", json_integer(60000));
    peer_send(core_end, forced);
    start_bot();
    expect_bot_move(&forced_view, TABLE);
    expect_bot_move(&view, TABLE + 1);
}

static void a_question_replaces_an_earlier_one_for_the_same_seat(void **state)
{
    (void)state;
    struct game_view view;
    peer_send(core_end, make_question(&view, TABLE, 0, "strong"));
    peer_send(core_end, make_question(&view, TABLE + 1, 20000, "medium"));
    peer_send(core_end, make_question(&view, TABLE, 60000, "medium"));
    start_bot();
    expect_bot_move(&view, TABLE + 1);
    expect_bot_move(&view, TABLE);
    peer_send(core_end, make_question(&view, TABLE + 2, 0, "medium"));
    expect_bot_move(&view, TABLE + 2);
}

static void every_message_is_answered_even_if_more_arrive_than_fit_into_the_queue(void **state)
{
    (void)state;
    enum {
        QUESTIONS = BOT_QUEUE_MAX + 100
    };
    bool is_answered[QUESTIONS] = {false};
    struct game_view view;
    start_bot();
    for (int i = 0; i < QUESTIONS; i++) {
        peer_send(core_end, make_question(&view, i + 1, 1000 + i % 7, "strong"));
    }
    for (int i = 0; i < QUESTIONS; i++) {
        json_t *answer = peer_expect_message(core_end, "bot_move");
        json_int_t table = json_integer_value(json_object_get(answer, "table"));
        assert_in_range(table, 1, QUESTIONS);
        assert_false(is_answered[table - 1]);
        is_answered[table - 1] = true;
        json_decref(answer);
    }
}

static void bots_run_at_a_lower_priority(void **state)
{
    (void)state;
    int own = getpriority(PRIO_PROCESS, 0);
    assert_int_equal(getpriority(PRIO_PROCESS, (id_t)bot), own + 10 < 19 ? own + 10 : 19);
}

TEST_GROUP(bot)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bots_play_every_game_to_its_end, set_up_worker,
                                        tear_down_worker),
        cmocka_unit_test_setup_teardown(invalid_think_messages_are_ignored, set_up_worker,
                                        tear_down_worker),
        cmocka_unit_test_setup_teardown(an_absurd_deadline_is_ignored, set_up_worker,
                                        tear_down_worker),
        cmocka_unit_test_setup_teardown(the_most_urgent_of_the_waiting_messages_is_answered_first,
                                        make_sockets, tear_down_worker),
        cmocka_unit_test_setup_teardown(a_forced_move_is_answered_before_an_earlier_search,
                                        make_sockets, tear_down_worker),
        cmocka_unit_test_setup_teardown(a_question_replaces_an_earlier_one_for_the_same_seat,
                                        make_sockets, tear_down_worker),
        cmocka_unit_test_setup_teardown(
            every_message_is_answered_even_if_more_arrive_than_fit_into_the_queue, make_sockets,
            tear_down_worker),
        cmocka_unit_test_setup_teardown(bots_run_at_a_lower_priority, set_up_worker,
                                        tear_down_worker),
        cmocka_unit_test_setup_teardown(a_view_of_another_seat_or_step_is_ignored, set_up_worker,
                                        tear_down_worker),
        cmocka_unit_test_setup_teardown(an_oversized_view_does_no_harm, set_up_worker,
                                        tear_down_worker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
