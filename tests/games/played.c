#include "tests/games/played.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

const uint8_t counting_seed[SEED_BYTES] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
};

struct game_state played_start_game(const struct game_def *game, uint8_t players,
                                    const char *option, const char *value)
{
    struct game_state state;
    struct game_config config = game_config_default(game, players);
    assert_true(option == NULL || game_config_set(game, &config, option, value));
    assert_int_equal(game_start(game, &config, counting_seed, &state, NULL), GAME_OK);
    return state;
}

static enum game_result apply_named_move(const struct game_def *game, struct game_state *state,
                                         uint8_t seat, const char *move, const struct game_log *log)
{
    uint8_t code = game_move_parse(game, move);
    assert_int_not_equal(code, MOVE_NONE);
    return game_apply(game, state, seat, code, log);
}

enum game_result played_try_move(const struct game_def *game, struct game_state *state,
                                 uint8_t seat, const char *move)
{
    return apply_named_move(game, state, seat, move, NULL);
}

void played_make_moves(const struct game_def *game, struct game_state *state,
                       const char *const *moves, size_t count, const struct game_log *log)
{
    for (size_t i = 0; i < count; i++) {
        enum game_result result = apply_named_move(game, state, (uint8_t)(moves[i][0] - '0'),
                                                   moves[i] + 2, i + 1 == count ? log : NULL);
        assert_int_equal(result, GAME_OK);
    }
}

uint8_t played_read_cards(const struct deck_def *deck, const char *names, uint8_t cards[SLOTS_MAX])
{
    uint8_t count = 0;
    while (*names != '\0') {
        char name[CARD_TEXT_MAX];
        size_t len = strcspn(names, " ");
        assert_true(len < sizeof(name) && count < SLOTS_MAX);
        memcpy(name, names, len);
        name[len] = '\0';
        cards[count] = card_parse(deck, name);
        assert_int_not_equal(cards[count++], CARD_NONE);
        names += len + (names[len] == ' ');
    }
    return count;
}

/* Writes the numbers of the set bits, plus `first`: "2 and 5". */
static void write_bit_numbers(uint32_t bits, int first, struct text *out)
{
    const char *separator = "";
    for (int i = 0; i < 32; i++) {
        if ((bits >> i & 1) != 0) {
            text_put(out, separator);
            text_put_number(out, i + first);
            separator = " and ";
        }
    }
}

static void write_phrase_argument(void *context, const struct phrase_arg *arg, struct text *out)
{
    const struct deck_def *deck = context;
    switch ((enum phrase_arg_type)arg->type) {
    case ARG_CARD:
        card_write_name(deck, (uint8_t)arg->number, out);
        break;
    case ARG_SUIT:
        text_put(out, deck->suits[arg->number].title);
        break;
    case ARG_SEAT:
        text_put(out, "seat ");
        text_put_number(out, arg->number);
        break;
    case ARG_WORDS:
        text_put(out, arg->words);
        break;
    case ARG_SEATS:
        text_put(out, "seat ");
        write_bit_numbers((uint32_t)arg->number, 0, out);
        break;
    case ARG_SLOTS:
        write_bit_numbers((uint32_t)arg->number, 1, out);
        break;
    case ARG_PHRASE: {
        struct phrase inner = phrase_get_inner(arg);
        phrase_write(&inner, inner.format, write_phrase_argument, context, out);
        break;
    }
    case ARG_NUMBER:
    case ARG_POINTS:
    case ARG_NONE:
        fail_msg("phrase_write writes numbers itself");
    }
}

void played_write_phrase(const struct deck_def *deck, struct phrase phrase, char *buffer,
                         size_t buffer_size)
{
    struct deck_def own = *deck; /* phrase_write wants a context that is not const */
    struct text text = text_init(buffer, buffer_size);
    if (phrase.format != NULL) {
        phrase_write(&phrase, phrase.format, write_phrase_argument, &own, &text);
    }
}

const char *played_write_story(const struct deck_def *deck, const struct story *story,
                               int8_t reader, struct text *out)
{
    for (uint8_t i = 0; i < story->count; i++) {
        char line[256];
        struct phrase words = story->lines[i].words;
        words.format = phrase_choose_format(&words, reader);
        played_write_phrase(deck, words, line, sizeof(line));
        text_put(out, line);
        text_put(out, story->lines[i].great.format != NULL ? "!\n" : "\n");
    }
    assert_false(out->is_cut);
    return out->at;
}

void played_expect_phrase(const struct deck_def *deck, struct phrase phrase, const char *expected)
{
    char buffer[256];
    played_write_phrase(deck, phrase, buffer, sizeof(buffer));
    assert_string_equal(buffer, expected);
}

static void collect_event(void *context, const struct game_event *event)
{
    struct played_events *story = context;
    text_put(&story->text, event->json.at);
    text_put_char(&story->text, '\n');
    assert_false(story->text.is_cut);
}

struct game_log played_make_event_log(struct played_events *events)
{
    events->text = text_init(events->lines, sizeof(events->lines));
    return (struct game_log){.context = events, .event = collect_event};
}
