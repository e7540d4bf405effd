#include "games/game.h"
#include "tests/fuzz/fuzz.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * The input controls a game from its set-up on. It makes moves by numbers and texts that no client
 * would send, and passes views that no real game has to `sample`, which draws a game that fits a
 * view.
 *
 * The bytes are: game, players, four options, eight bytes of seed, then commands of one byte with
 * their arguments.
 */

#define TEXT_MAX 48
#define TAMPERED_MAX 64

enum order {
    ORDER_NUMBER, /* applies any move; arguments: seat, move number */
    ORDER_TEXT,   /* applies a move as text; arguments: seat, move text up to a newline */
    ORDER_LEGAL,  /* makes the nth legal move of a seat that may move */
    ORDER_TAMPER, /* changes a view and passes it to `sample`; arguments: viewer, number of changes,
                     then for each change the number to change and its new value */
    ORDER_COUNT,
};

struct input {
    const uint8_t *at;
    size_t left;
};

static uint8_t read_byte(struct input *input)
{
    if (input->left == 0) {
        return 0;
    }
    input->left--;
    return *input->at++;
}

struct fuzzed {
    const struct game_def *game;
    struct game_config config;
    struct game_state state;
};

/* Tries any seat with any move number. The move is accepted if and only if it is legal, and a
 * refusal changes nothing. */
static void apply_move(struct fuzzed *fuzzed, uint8_t seat, uint8_t move)
{
    struct game_state before = fuzzed->state;
    struct move_set legal;
    game_find_legal_moves(fuzzed->game, &fuzzed->state, seat, &legal);
    enum game_result result = game_apply(fuzzed->game, &fuzzed->state, seat, move, NULL);
    fuzz_assert((result == GAME_OK) == move_set_has(&legal, move));
    fuzz_assert((result == GAME_OK) == (memcmp(&before, &fuzzed->state, sizeof(before)) != 0));
}

static void apply_move_text(struct fuzzed *fuzzed, struct input *input)
{
    uint8_t seat = read_byte(input);
    char text[TEXT_MAX] = {0};
    for (size_t i = 0; i + 1 < sizeof(text) && input->left > 0; i++) {
        char c = (char)read_byte(input);
        if (c == '\n') {
            break;
        }
        text[i] = c;
    }
    uint8_t move = game_move_parse(fuzzed->game, text);
    if (move == MOVE_NONE) {
        return;
    }
    char buffer[MOVE_TEXT_MAX];
    struct text spelling = text_init(buffer, sizeof(buffer));
    game_move_write(fuzzed->game, move, &spelling);
    fuzz_assert(strcmp(buffer, text) == 0);
    apply_move(fuzzed, seat, move);
}

static void make_legal_move(struct fuzzed *fuzzed, struct input *input)
{
    uint8_t n = read_byte(input);
    uint8_t to_act = game_seats_to_act(&fuzzed->state);
    if (to_act == 0) {
        return;
    }
    uint8_t seat = (uint8_t)__builtin_ctz(to_act);
    struct move_set legal;
    game_find_legal_moves(fuzzed->game, &fuzzed->state, seat, &legal);
    fuzz_assert(move_set_count(&legal) > 0);
    apply_move(fuzzed, seat, move_set_nth(&legal, (uint8_t)(n % move_set_count(&legal))));
}

/* Finds the number in the view that the test changes, as a faulty or hostile house could. */
static uint8_t *find_view_number(struct game_view *view, uint8_t field, uint8_t index)
{
    struct view_trick *const tricks[] = {&view->trick, &view->last_trick, view->past,
                                         view->past + TRICKS_MAX - 1};
    struct view_trick *trick = tricks[index % 4];
    uint8_t seat = index % SEATS_MAX;
    switch (field % 12) {
    case 0:
        return &view->seats;
    case 1:
        return &view->phase;
    case 2:
        return &view->to_act;
    case 3:
        return &view->round;
    case 4:
        return &view->slot_count[seat];
    case 5:
        return &view->hands[seat][index % SLOTS_MAX].card;
    case 6:
        return &trick->count;
    case 7:
        return &trick->winner;
    case 8:
        return &trick->plays[seat].seat;
    case 9:
        return &trick->plays[seat].card;
    case 10:
        return &view->past_count;
    default:
        return &view->tricks[seat];
    }
}

/* Changes a view, and draws a game that fits the view. A game drawn from an unchanged view must fit
 * it; a changed view may be refused, but must do no harm. */
static void change_and_sample_view(struct fuzzed *fuzzed, struct input *input)
{
    static struct game_view view, again;
    static char texts[2][VIEW_TEXT_MAX];
    uint8_t seats = game_seats(fuzzed->game, &fuzzed->config);
    uint8_t viewer = (uint8_t)(read_byte(input) % (seats + 1));
    int8_t seat = viewer == seats ? SPECTATOR : (int8_t)viewer;
    game_fill_view(fuzzed->game, &fuzzed->state, seat, &view);
    uint8_t changes = read_byte(input) % TAMPERED_MAX;
    for (uint8_t i = 0; i < changes; i++) {
        uint8_t field = read_byte(input);
        uint8_t *at = find_view_number(&view, field, read_byte(input));
        *at = read_byte(input);
    }
    struct quick_random random;
    struct game_state sampled;
    quick_random_init(&random, changes);
    enum game_result result = game_sample_state(&view, &fuzzed->config, &random, &sampled);
    fuzz_assert(changes > 0 || result == GAME_OK);
    if (changes > 0) {
        return;
    }
    game_fill_view(fuzzed->game, &sampled, seat, &again);
    struct text text = text_init(texts[0], VIEW_TEXT_MAX);
    view_write(&view, &text);
    text = text_init(texts[1], VIEW_TEXT_MAX);
    view_write(&again, &text);
    fuzz_assert(strcmp(texts[0], texts[1]) == 0);
}

static bool start_game(struct fuzzed *fuzzed, struct input *input)
{
    uint8_t seed[SEED_BYTES] = {0};
    fuzzed->game = game_at((uint8_t)(read_byte(input) % game_count()));
    fuzzed->config.players = read_byte(input);
    for (size_t i = 0; i < GAME_OPTIONS_MAX; i++) {
        fuzzed->config.options[i] = read_byte(input);
    }
    for (size_t i = 0; i < 8; i++) {
        seed[i] = read_byte(input);
    }
    return game_start(fuzzed->game, &fuzzed->config, seed, &fuzzed->state, NULL) == GAME_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct input input = {bytes, len};
    static struct fuzzed fuzzed;
    if (!start_game(&fuzzed, &input)) {
        return 0;
    }
    while (input.left > 0) {
        switch ((enum order)(read_byte(&input) % ORDER_COUNT)) {
        case ORDER_NUMBER: {
            uint8_t seat = read_byte(&input);
            apply_move(&fuzzed, seat, read_byte(&input));
            break;
        }
        case ORDER_TEXT:
            apply_move_text(&fuzzed, &input);
            break;
        case ORDER_LEGAL:
            make_legal_move(&fuzzed, &input);
            break;
        case ORDER_TAMPER:
            change_and_sample_view(&fuzzed, &input);
            break;
        case ORDER_COUNT:
            break;
        }
    }
    return 0;
}
