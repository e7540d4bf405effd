#include "tests/games/property.h"
#include "tests/unit.h"

#include <string.h>

static void write_move_text(const struct game_def *game, uint8_t move, char buffer[MOVE_TEXT_MAX])
{
    struct text text = text_init(buffer, MOVE_TEXT_MAX);
    game_move_write(game, move, &text);
    assert_false(text.is_cut);
}

static void a_move_is_written_and_read_back_as_the_same_number(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        const struct game_def *game = game_at(i);
        unsigned written = 0;
        for (unsigned move = 0; move <= UINT8_MAX; move++) {
            char text[MOVE_TEXT_MAX];
            write_move_text(game, (uint8_t)move, text);
            if (text[0] == '\0') {
                continue;
            }
            written++;
            assert_true(move < MOVES_MAX);
            assert_int_equal(game_move_parse(game, text), move);
        }
        assert_true(written > 0);
    }
}

/* Changes a move's text by one character (inserted, removed or replaced). The result must be the
 * exact text of another move, or of no move. */
static void check_similar_texts(const struct game_def *game, const char *text)
{
    static const char characters[] = "0123456789:,-+ aASKCxyzplb\n\x80";
    size_t len = strlen(text);
    for (size_t at = 0; at <= len; at++) {
        for (size_t c = 0; c < sizeof(characters);
             c++) { /* the character is NUL, which cuts the text short */
            for (size_t skip = 0; skip < 2 && at + skip <= len; skip++) {
                char near[MOVE_TEXT_MAX + 2] = {0};
                memcpy(near, text, at);
                near[at] = characters[c];
                memcpy(near + at + 1, text + at + skip, len - at - skip);
                uint8_t move = game_move_parse(game, near);
                char again[MOVE_TEXT_MAX] = "";
                if (move != MOVE_NONE) {
                    write_move_text(game, move, again);
                    assert_string_equal(near, again);
                }
            }
        }
    }
}

static void only_the_exact_text_of_a_move_is_read_as_the_move(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        for (uint8_t move = 0; move < MOVES_MAX; move++) {
            char text[MOVE_TEXT_MAX];
            write_move_text(game_at(i), move, text);
            check_similar_texts(game_at(i), text);
        }
    }
}

static void play_and_check_move_texts(struct trial *trial)
{
    for (uint8_t seat; trial_choose_seat(trial, &seat);) {
        struct move_set moves;
        game_find_legal_moves(trial->game, &trial->state, seat, &moves);
        for (uint8_t move = move_set_next(&moves, 0); move != MOVE_NONE;
             move = move_set_next(&moves, move + 1U)) {
            char text[MOVE_TEXT_MAX];
            write_move_text(trial->game, move, text);
            trial_expect(trial, text[0] != '\0', "a legal move has a text");
        }
        trial_make_move(trial, seat, trial_choose_move(trial, seat), NULL);
    }
}

static void every_legal_move_has_a_text(void **unused)
{
    (void)unused;
    property_run_check(play_and_check_move_texts, 1);
}

TEST_GROUP(property_moves)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_is_written_and_read_back_as_the_same_number),
        cmocka_unit_test(only_the_exact_text_of_a_move_is_read_as_the_move),
        cmocka_unit_test(every_legal_move_has_a_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
