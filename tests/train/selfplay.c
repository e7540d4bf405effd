#include "tests/train/selfplay.h"

#include "games/card.h"
#include "tests/games/random_play.h"
#include "tests/train/critic.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define BATCH 128
#define DECISIONS_MAX 512 /* of a round */
#define STANDINGS_MAX (GAME_ROUNDS_MAX * SEATS_MAX)

/* How likely a seat is a careless player or an earlier self; a careless player makes so many moves
 * at random. */
#define CARELESS 0.06F
#define EARLIER 0.14F
#define CARELESS_MOVES 0.3F
#define USUAL_OPTIONS 0.5F /* of the games */

/* How much what the round has brought counts against what the net expected at the seat's next
 * decision: the rest of the round says little of a move, and much of luck. */
#define OUTCOME 0.7F

/* A decision of the net in the present round. */
struct decision {
    struct sample sample;
    uint8_t seat;
    float expected;    /* what the best move was worth to the net */
    bool is_of_tricks; /* the targets are not what the move is worth, but how likely each number of
                          tricks of the next seat is */
};

/* A game in progress. */
struct course {
    struct selfplay *play;
    struct game_config config;
    struct game_state state;
    const struct learner *nets[SEATS_MAX]; /* who plays; NULL: careless */
    struct decision decisions[DECISIONS_MAX];
    unsigned decision_count;
    int16_t totals[SEATS_MAX]; /* when the round began */
    float chances[SEATS_MAX];  /* to win, when the round began */
    struct standing standings[STANDINGS_MAX];
    uint8_t standing_seats[STANDINGS_MAX];
    unsigned standing_count;
};

static const struct table_state *table_of(const struct game_state *state)
{
    return (const void *)state->bytes; /* every state begins with it */
}

static float draw_part(struct quick_random *random)
{
    return (float)(quick_random_next(random) >> 40) / (float)(1U << 24);
}

/* Finds out the layout and the number of inputs of the game's encoding. */
static struct learner find_sizes(const struct game_def *game, unsigned hidden, unsigned middle)
{
    struct game_config config = game_config_default(game, game->seats_max);
    const uint8_t seed[SEED_BYTES] = {0};
    struct game_state state;
    struct encoding encoding;
    enum game_result result = game_start(game, &config, seed, &state, NULL);
    assert(result == GAME_OK);
    (void)result;
    encode_state(game, state.bytes, bits_index_of_lowest(table_of(&state)->to_act), &encoding);
    return (struct learner){.layout = encoding.layout,
                            .inputs = encoding.inputs,
                            .hidden = hidden,
                            .middle = middle,
                            .outputs = encode_count_outputs(game)};
}

bool selfplay_init(struct selfplay *play, const struct game_def *game, unsigned hidden,
                   unsigned middle, uint64_t seed)
{
    const struct learner sizes = find_sizes(game, hidden, middle);
    *play = (struct selfplay){.game = game};
    quick_random_init(&play->random, seed);
    bool is_made = learner_init(&play->net, &sizes, &play->random) &&
                   critic_init(&play->critic, &play->random);
    for (unsigned i = 0; i < SELFPLAY_SELVES && is_made; i++) {
        is_made = learner_init(&play->selves[i], &sizes, &play->random);
    }
    return is_made;
}

void selfplay_free(struct selfplay *play)
{
    learner_free(&play->net);
    learner_free(&play->critic);
    for (unsigned i = 0; i < SELFPLAY_SELVES; i++) {
        learner_free(&play->selves[i]);
    }
}

void selfplay_keep_self(struct selfplay *play)
{
    uint32_t at = play->self_count < SELFPLAY_SELVES
                      ? play->self_count++
                      : quick_random_draw_below(&play->random, SELFPLAY_SELVES);
    learner_copy_weights(&play->selves[at], &play->net);
}

static float rate_move(const struct learner *net, const float *middle,
                       const struct encoding *encoding, uint8_t move)
{
    const uint8_t *points = encoding->game->encode->points;
    struct encode_outputs outputs;
    float worth = 0;
    encode_move(encoding, move, &outputs);
    for (uint8_t i = 0; i < outputs.count; i++) {
        worth += learner_output(net, middle, outputs.at[i]);
    }
    return outputs.is_pair ? worth * (float)points[1] / (float)points[0] : worth;
}

/* Noise of the Gumbel distribution: the best of several numbers with such noise is each of them as
 * often as in a soft maximum. */
static float draw_noise(struct quick_random *random)
{
    return -logf(-logf(draw_part(random) * 0.999998F + 1e-6F));
}

/* Also tells what the best move is worth, which may be another one. */
static uint8_t choose_move(const struct learner *net, const struct encoding *encoding,
                           const struct move_set *legal, float heat, struct quick_random *random,
                           float *expected)
{
    float middle[NET_MIDDLE_MAX + 1];
    float most = 0;
    uint8_t best = MOVE_NONE;
    learner_look(net, encoding->active, encoding->count, middle);
    for (uint8_t move = move_set_next(legal, 0); move != MOVE_NONE;
         move = move_set_next(legal, move + 1U)) {
        float worth = rate_move(net, middle, encoding, move);
        *expected = best == MOVE_NONE || worth > *expected ? worth : *expected;
        worth += heat > 0 ? heat * draw_noise(random) : 0;
        if (best == MOVE_NONE || worth > most) {
            most = worth;
            best = move;
        }
    }
    return best;
}

uint8_t selfplay_choose_move(const struct selfplay *play, const struct game_state *state,
                             uint8_t seat)
{
    struct encoding encoding;
    struct move_set legal = move_set_empty();
    float expected;
    play->game->legal(state->bytes, seat, &legal);
    encode_state(play->game, state->bytes, seat, &encoding);
    return choose_move(&play->net, &encoding, &legal, 0, NULL, &expected);
}

/* Any number of players; usual options in some of the games, any in the others. */
static struct game_config draw_config(struct selfplay *play)
{
    const struct game_def *game = play->game;
    struct quick_random *random = &play->random;
    uint32_t span = (uint32_t)(game->seats_max - game->seats_min + 1);
    struct game_config config = game_config_default(
        game, (uint8_t)(game->seats_min + quick_random_draw_below(random, span)));
    bool is_usual = draw_part(random) < USUAL_OPTIONS;
    for (uint8_t i = 0; i < game->option_count && !is_usual; i++) {
        config.options[i] = (uint8_t)quick_random_draw_below(random, game->options[i].value_count);
    }
    game_config_reset_unused_options(game, &config);
    return config;
}

static void draw_players(struct course *course)
{
    struct selfplay *play = course->play;
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        float part = draw_part(&play->random);
        course->nets[seat] = &play->net;
        if (part < CARELESS) {
            course->nets[seat] = NULL;
        } else if (part < CARELESS + EARLIER && play->self_count > 0) {
            course->nets[seat] =
                &play->selves[quick_random_draw_below(&play->random, play->self_count)];
        }
    }
}

static void begin_game(struct course *course)
{
    struct selfplay *play = course->play;
    uint8_t seed[SEED_BYTES];
    for (unsigned i = 0; i < SEED_BYTES; i += sizeof(uint64_t)) {
        uint64_t word = quick_random_next(&play->random);
        memcpy(seed + i, &word, sizeof(word));
    }
    course->config = draw_config(play);
    course->standing_count = 0;
    draw_players(course);
    enum game_result result = game_start(play->game, &course->config, seed, &course->state, NULL);
    assert(result == GAME_OK);
    (void)result;
}

/* Rates the standings of all seats before a round, which the critic learns from when the game is
 * over. */
static void rate_standings(struct course *course, float chances[SEATS_MAX])
{
    for (uint8_t seat = 0; seat < course->config.players; seat++) {
        struct standing *standing = &course->standings[course->standing_count];
        critic_look(course->play->game, &course->state, &course->config, seat, standing);
        chances[seat] = critic_rate(&course->play->critic, standing);
        course->standing_seats[course->standing_count] = seat;
        course->standing_count += course->standing_count + 1 < STANDINGS_MAX;
    }
}

static void begin_round(struct course *course, const float chances[SEATS_MAX])
{
    course->decision_count = 0;
    memcpy(course->totals, table_of(&course->state)->scores, sizeof(course->totals));
    memcpy(course->chances, chances, sizeof(course->chances));
}

static void note_decision(struct course *course, const struct encoding *encoding, uint8_t seat,
                          uint8_t move, float expected)
{
    if (course->decision_count == DECISIONS_MAX) {
        return;
    }
    struct decision *decision = &course->decisions[course->decision_count++];
    struct sample *sample = &decision->sample;
    struct encode_outputs outputs;
    uint16_t first;
    const struct encode_moves *range = encode_find_range(encoding->game, move, &first);
    decision->seat = seat;
    decision->expected = expected;
    decision->is_of_tricks = range->kind == ENCODE_TRICKS;
    sample->is_sum = !decision->is_of_tricks;
    encode_move(encoding, move, &outputs);
    sample->output_count = decision->is_of_tricks ? ENCODE_TRICK_NUMBERS : outputs.count;
    for (uint16_t i = 0; i < sample->output_count; i++) {
        sample->outputs[i] = decision->is_of_tricks ? (uint16_t)(first + i) : outputs.at[i];
    }
    sample->count = encoding->count;
    memcpy(sample->active, encoding->active, encoding->count * sizeof(encoding->active[0]));
}

static uint8_t decide(struct course *course, uint8_t seat)
{
    struct selfplay *play = course->play;
    struct encoding encoding;
    struct move_set legal = move_set_empty();
    play->game->legal(course->state.bytes, seat, &legal);
    bool is_careless = course->nets[seat] == NULL && draw_part(&play->random) < CARELESS_MOVES;
    if (move_set_count(&legal) == 1 || is_careless) {
        return random_play_pick_move(&legal, &play->random);
    }
    const struct learner *net = course->nets[seat] == NULL ? &play->net : course->nets[seat];
    encode_state(play->game, course->state.bytes, seat, &encoding);
    float expected;
    uint8_t move = choose_move(net, &encoding, &legal, play->heat, &play->random, &expected);
    if (course->nets[seat] == &play->net) {
        note_decision(course, &encoding, seat, move, expected);
    }
    return move;
}

/* What the round has brought a seat. `chances` are those to win after it. */
static float reward(const struct course *course, uint8_t seat, const float chances[SEATS_MAX])
{
    const struct game_def *game = course->play->game;
    return worth_of_round(game, course->totals, table_of(&course->state), seat) +
           game->encode->goal.win_worth * (chances[seat] - course->chances[seat]);
}

/* Learns from the decisions of a finished round, the last one first. `tricks` are those taken in
 * it. */
static void learn_round(struct course *course, const float chances[SEATS_MAX],
                        const uint8_t tricks[SEATS_MAX])
{
    struct selfplay *play = course->play;
    const struct table_state *table = table_of(&course->state);
    float brought[SEATS_MAX];
    for (uint8_t seat = 0; seat < table->players; seat++) {
        brought[seat] = reward(course, seat, chances);
    }
    for (unsigned i = course->decision_count; i-- > 0;) {
        struct decision *decision = &course->decisions[i];
        struct sample *sample = &decision->sample;
        float *of_seat = &brought[decision->seat];
        if (decision->is_of_tricks) {
            memset(sample->targets, 0, sizeof(sample->targets));
            sample->targets[tricks[table->next[decision->seat]]] =
                (float)play->game->encode->points[0] / play->game->encode->goal.points_unit;
        } else {
            sample->targets[0] = *of_seat;
            *of_seat = OUTCOME * *of_seat + (1 - OUTCOME) * decision->expected;
        }
        learner_learn(&play->net, sample, BATCH, play->rate);
        play->samples++;
    }
}

static void learn_standings(struct course *course, const float shares[SEATS_MAX])
{
    for (unsigned i = 0; i < course->standing_count; i++) {
        critic_learn(&course->play->critic, &course->standings[i],
                     shares[course->standing_seats[i]]);
    }
}

/* Each seat's share of the win. */
static void share_win(const struct course *course, float shares[SEATS_MAX])
{
    struct game_outcome outcome = {.winners = 0};
    course->play->game->score(course->state.bytes, &outcome);
    for (uint8_t seat = 0; seat < SEATS_MAX; seat++) {
        bool has_won = (outcome.winners >> seat & 1) != 0;
        shares[seat] = has_won ? 1.0F / (float)bits_count(outcome.winners) : 0;
    }
}

/* Plays a round to its end. Fills in the tricks taken in it. Returns false if the game is over. */
static bool play_round(struct course *course, uint8_t tricks[SEATS_MAX])
{
    const struct game_def *game = course->play->game;
    const struct table_state *table = table_of(&course->state);
    uint8_t round = table->round;
    uint8_t to_act;
    while ((to_act = table_seats_to_act_in_round(table, round)) != 0) {
        uint8_t seat = bits_index_of_lowest(to_act);
        memcpy(tricks, table->tricks, SEATS_MAX);
        uint8_t move = decide(course, seat);
        game_make_legal_move(game, (void *)course->state.bytes, seat, move, NULL);
    }
    if (table->round == round) {
        memcpy(tricks, table->tricks, SEATS_MAX);
        return false;
    }
    tricks[table->last_trick.winner]++; /* the last move has finished it, and dealt again */
    return true;
}

void selfplay_play(struct selfplay *play)
{
    static struct course course; /* too large for the stack */
    float shares[SEATS_MAX];
    uint8_t tricks[SEATS_MAX];
    course.play = play;
    begin_game(&course);
    rate_standings(&course, shares);
    begin_round(&course, shares);
    while (play_round(&course, tricks)) {
        rate_standings(&course, shares);
        learn_round(&course, shares, tricks);
        begin_round(&course, shares);
    }
    share_win(&course, shares);
    learn_round(&course, shares, tricks);
    learn_standings(&course, shares);
    play->games++;
}

/* What is saved besides the nets. */
struct saved_play {
    struct quick_random random;
    uint64_t samples, games;
    uint64_t self_count;
};

bool selfplay_save(const struct selfplay *play, FILE *file)
{
    const struct saved_play saved = {play->random, play->samples, play->games, play->self_count};
    bool is_saved = fwrite(&saved, sizeof saved, 1, file) == 1 && learner_save(&play->net, file) &&
                    learner_save(&play->critic, file);
    for (unsigned i = 0; i < SELFPLAY_SELVES && is_saved; i++) {
        is_saved = learner_save(&play->selves[i], file);
    }
    return is_saved;
}

bool selfplay_load(struct selfplay *play, FILE *file)
{
    struct saved_play saved;
    bool is_loaded = fread(&saved, sizeof saved, 1, file) == 1 && learner_load(&play->net, file) &&
                     learner_load(&play->critic, file);
    for (unsigned i = 0; i < SELFPLAY_SELVES && is_loaded; i++) {
        is_loaded = learner_load(&play->selves[i], file);
    }
    if (is_loaded) {
        play->random = saved.random;
        play->samples = saved.samples;
        play->games = saved.games;
        play->self_count = (uint32_t)saved.self_count;
    }
    return is_loaded;
}
