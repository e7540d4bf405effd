#include "tests/games/property.h"

#include "games/bots/bots.h"
#include "tests/games/random_play.h"
#include "tests/unit.h"

#include <string.h>

#define MOVES_PER_GAME_MAX 8192

static bool are_states_equal(const struct game_state *a, const struct game_state *b)
{
    return memcmp(a, b, sizeof(*a)) == 0;
}

/* Tries every illegal move of every seat, each on a copy of the state. Each move must be refused
 * and must change nothing. */
static void check_illegal_moves_are_refused(const struct trial *trial)
{
    uint8_t to_act = game_seats_to_act(&trial->state);
    struct game_state state = trial->state;
    for (unsigned seat = 0; seat <= UINT8_MAX; seat += seat < SEATS_MAX ? 1 : 31) {
        bool may_act = seat < SEATS_MAX && (to_act >> seat & 1) != 0;
        struct move_set moves;
        game_find_legal_moves(trial->game, &state, (uint8_t)seat, &moves);
        trial_expect(trial, may_act == (move_set_count(&moves) > 0),
                     "exactly the seats to act have legal moves");
        for (unsigned move = 0; move <= UINT8_MAX; move++) {
            if (move_set_has(&moves, (uint8_t)move)) {
                continue;
            }
            enum game_result expected = to_act == 0 ? GAME_OVER
                                        : may_act   ? GAME_ILLEGAL
                                                    : GAME_NOT_YOUR_TURN;
            enum game_result result =
                game_apply(trial->game, &state, (uint8_t)seat, (uint8_t)move, NULL);
            trial_expect(trial, result == expected, "an illegal move is refused");
        }
    }
    trial_expect(trial, are_states_equal(&state, &trial->state), "a refusal changes nothing");
}

static void play_and_check_refusals(struct trial *trial)
{
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        if (trial_draw_yes_or_no(trial, 4)) {
            check_illegal_moves_are_refused(trial);
        }
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
    check_illegal_moves_are_refused(trial);
}

static void moves_that_are_not_legal_are_refused_and_change_nothing(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_refusals, 1);
}

/* Makes every legal move, each on its own copy of the state. */
static void check_legal_moves_are_accepted(const struct trial *trial, uint8_t seat)
{
    struct move_set moves;
    game_find_legal_moves(trial->game, &trial->state, seat, &moves);
    for (uint8_t move = move_set_next(&moves, 0); move != MOVE_NONE;
         move = move_set_next(&moves, move + 1U)) {
        struct game_state state = trial->state;
        trial_expect(trial, game_apply(trial->game, &state, seat, move, NULL) == GAME_OK,
                     "a legal move is accepted");
    }
}

static void play_and_check_legal_moves(struct trial *trial)
{
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        if (trial_draw_yes_or_no(trial, 1)) {
            check_legal_moves_are_accepted(trial, seat);
        }
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
}

static void every_legal_move_is_accepted(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_legal_moves, 2);
}

static void play_and_check_replay(struct trial *trial)
{
    static struct {
        uint8_t seat, move;
    } made[MOVES_PER_GAME_MAX];
    unsigned count = 0;
    for (uint8_t seat; trial_choose_seat(trial, &seat); count++) {
        assert_true(count < MOVES_PER_GAME_MAX);
        made[count].seat = seat;
        made[count].move = trial_choose_move(trial, seat);
        trial_make_move(trial, seat, made[count].move, NULL);
    }
    struct game_state played = trial->state;
    trial_start(trial, NULL);
    for (unsigned i = 0; i < count; i++) {
        trial_make_move(trial, made[i].seat, made[i].move, NULL);
    }
    trial_expect(trial, are_states_equal(&played, &trial->state), "a replay gives equal bytes");
}

static void replaying_the_moves_of_a_game_gives_the_same_state_byte_for_byte(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_replay, 8);
}

/* The events and scores that a log receives. */
struct heard {
    const struct trial *trial;
    int16_t totals[SEATS_MAX];
    unsigned rounds, scores, ends;
};

static void collect_score(struct heard *heard, const struct score_row *row)
{
    trial_expect(heard->trial, row->round == heard->rounds,
                 "a score row has the number of the current round");
    for (uint8_t seat = 0; seat < heard->trial->seats; seat++) {
        heard->totals[seat] = (int16_t)(heard->totals[seat] + row->points[seat]);
        trial_expect(heard->trial, heard->totals[seat] == row->totals[seat],
                     "points sum to totals");
    }
}

static void collect_event(void *context, const struct game_event *event)
{
    struct heard *heard = context;
    const char *kind = event->kind;
    const struct text *json = &event->json;
    trial_expect(heard->trial, !json->is_cut && json->at[json->len - 1] == '}',
                 "an event is complete");
    trial_expect(heard->trial, strncmp(json->at, "{\"e\":\"", 6) == 0,
                 "an event begins with its kind");
    trial_expect(heard->trial, heard->ends == 0, "no event follows the end of the game");
    heard->rounds += strcmp(kind, "round") == 0;
    heard->scores += strcmp(kind, "score") == 0;
    heard->ends += strcmp(kind, "end") == 0;
    if (event->is_score) {
        collect_score(heard, &event->row);
    }
}

/* Checks that a seat has rank r when exactly r - 1 seats have a better result. Virtual seats have
 * no rank and never win. */
static void check_ranks(const struct trial *trial, const struct game_outcome *outcome)
{
    for (uint8_t seat = 0; seat < trial->seats; seat++) {
        unsigned before = 0;
        for (uint8_t other = 0; other < trial->config.players; other++) {
            before += outcome->ranks[other] < outcome->ranks[seat];
        }
        bool is_virtual = seat >= trial->config.players;
        trial_expect(trial, outcome->ranks[seat] == (is_virtual ? 0 : before + 1),
                     "ranks are standard competition ranks");
        bool is_winner = (outcome->winners >> seat & 1) != 0;
        trial_expect(trial, !is_winner || outcome->ranks[seat] == 1, "winners rank first");
    }
}

static void play_and_check_scores(struct trial *trial)
{
    struct heard heard = {.trial = trial};
    const struct game_log log = {.context = &heard, .event = collect_event};
    trial_start(trial, &log);
    struct game_state start = trial->state;
    trial_start(trial, NULL);
    trial_expect(trial, are_states_equal(&start, &trial->state), "listening changes nothing");
    trial_finish(trial, &log);
    trial_expect(trial, heard.ends == 1 && heard.scores == heard.rounds && heard.rounds > 0,
                 "every round is scored and the game ended once");
    static struct game_outcome outcome;
    game_fill_outcome(trial->game, &trial->state, &outcome);
    trial_expect(trial, memcmp(outcome.scores, heard.totals, trial->seats * sizeof(int16_t)) == 0,
                 "the outcome's scores are the last totals");
    check_ranks(trial, &outcome);
}

static void a_seats_points_add_up_to_its_total_and_ranks_leave_gaps_after_ties(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_scores, 8);
}

static void play_to_end_and_check_move_count(struct trial *trial)
{
    uint64_t decisions = random_play(trial->game, &trial->state, &trial->random, UINT64_MAX, NULL);
    trial_expect(trial, game_seats_to_act(&trial->state) == 0, "random play ends");
    static struct game_view view;
    game_fill_view(trial->game, &trial->state, SPECTATOR, &view);
    trial_expect(trial, view.phase == PHASE_OVER && view.step == decisions,
                 "random play counts its moves");
}

static void random_play_goes_on_to_the_end_of_the_game_and_counts_its_moves(void **unused)
{
    (void)unused;
    property_run_check(play_to_end_and_check_move_count, 20);
}

static void play_and_check_bot_policies(struct trial *trial)
{
    static const char *const names[] = {"random", "easy", "medium"};
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        static struct game_view view;
        game_fill_view(trial->game, &trial->state, (int8_t)seat, &view);
        const struct policy *policy =
            policy_find(names[quick_random_draw_below(&trial->random, ARRAY_LEN(names))]);
        uint8_t move = policy_choose_move(policy, NULL, &view, &trial->config, &trial->random, 0);
        trial_make_move(trial, seat, move, NULL);
    }
}

static void bot_policies_make_only_legal_moves(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_bot_policies, 2);
}

TEST_GROUP(property)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_that_are_not_legal_are_refused_and_change_nothing),
        cmocka_unit_test(every_legal_move_is_accepted),
        cmocka_unit_test(replaying_the_moves_of_a_game_gives_the_same_state_byte_for_byte),
        cmocka_unit_test(a_seats_points_add_up_to_its_total_and_ranks_leave_gaps_after_ties),
        cmocka_unit_test(random_play_goes_on_to_the_end_of_the_game_and_counts_its_moves),
        cmocka_unit_test(bot_policies_make_only_legal_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
