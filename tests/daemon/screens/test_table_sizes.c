#include "reach.h"
#include "stage.h"

#include "games/face.h"
#include "tests/environment.h"
#include "tests/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests, for every game and every number of players, what the table shows at several sizes, and
 * that keys can make every legal move. */
#define STEPS_MAX 110
#define CARDS_MAX 128
#define WORDS_MAX 80
#define ASCII_YOU                                                                                  \
    "{\"name\":\"mira\",\"kind\":\"player\",\"role\":\"player\",\"has_password\":true,"            \
    "\"settings\":{\"ascii\":true},\"is_new\":false}"

/* The forms in which a card may appear on the screen. */
enum card_words {
    CARD_CLOSE, /* "T♥", "10Gr" */
    CARD_APART, /* "10 Gr" */
    CARD_NAMED, /* for example "grey 10" */
    CARD_FORMS,
};

static void write_card_forms(const struct deck_def *deck, uint8_t card, bool is_ascii,
                             char forms[CARD_FORMS][WORDS_MAX])
{
    uint8_t index = card_suit(deck, card);
    for (int form = 0; form < CARD_FORMS; form++) {
        struct text text = text_init(forms[form], WORDS_MAX);
        if (index == SUIT_NONE) {
            card_write_rank(deck, card, &text);
            continue;
        }
        const struct suit_def *suit = &deck->suits[index];
        if (form == CARD_NAMED) {
            text_put(&text, suit->title);
            text_put_char(&text, ' ');
        }
        card_write_rank(deck, card, &text);
        text_put(&text, form == CARD_APART ? " " : "");
        if (form != CARD_NAMED) {
            text_put(&text, is_ascii || suit->symbol == NULL ? suit->letters : suit->symbol);
        }
    }
}

/* True if the screen shows the words by themselves, not as part of longer words. */
static bool shows_whole_words(const char *screen, const char *words)
{
    size_t len = strlen(words);
    for (const char *at = screen; (at = strstr(at, words)) != NULL; at++) {
        bool is_begun = at > screen && isalnum((unsigned char)at[-1]) != 0;
        bool goes_on =
            isalnum((unsigned char)at[len]) != 0 && isalnum((unsigned char)words[len - 1]) != 0;
        if (!is_begun && !goes_on) {
            return true;
        }
    }
    return false;
}

static void mark_cards_named_by_phrase(const struct phrase *phrase, bool known[CARDS_MAX])
{
    for (int i = 0; phrase->format != NULL && i < PHRASE_ARGS_MAX; i++) {
        known[phrase->args[i].number & (CARDS_MAX - 1)] |= phrase->args[i].type == ARG_CARD;
    }
}

/* Marks the cards in the game's own texts as known, because a game makes these texts from the view
 * alone. */
static void mark_cards_named_by_game(const struct game_view *view, bool known[CARDS_MAX])
{
    const struct game_face *face = view->game->face;
    struct phrase facts[FACE_HEADLINE_MAX];
    struct face_fact board[FACE_BOARD_MAX];
    uint8_t count = face->headline(view, facts);
    for (uint8_t i = 0; i < count; i++) {
        mark_cards_named_by_phrase(&facts[i], known);
    }
    count = face->board != NULL ? face->board(view, NULL, board) : 0;
    for (uint8_t i = 0; i < count; i++) {
        mark_cards_named_by_phrase(&board[i].value, known);
    }
    for (uint8_t move = move_set_next(&view->legal, 0); move != MOVE_NONE;
         move = move_set_next(&view->legal, move + 1U)) {
        struct phrase label = face_label(view, move);
        mark_cards_named_by_phrase(&label, known);
    }
    struct phrase prompt = face_prompt(view);
    mark_cards_named_by_phrase(&prompt, known);
}

/* Finds the cards that the viewer knows, which the screen may show. */
static void find_known_cards(const struct game_view *view, bool known[CARDS_MAX])
{
    memset(known, 0, CARDS_MAX);
    for (uint8_t seat = 0; seat < view->seats; seat++) {
        for (uint8_t i = 0; i < view->slot_count[seat]; i++) {
            uint8_t card = view->hands[seat][i].card;
            known[card & (CARDS_MAX - 1)] |= card != CARD_NONE && !view->hands[seat][i].is_empty;
        }
    }
    for (uint8_t i = 0; i < view->trick.count; i++) {
        known[view->trick.plays[i].card] = true;
    }
    for (uint8_t i = 0; i < view->last_trick.count; i++) {
        known[view->last_trick.plays[i].card] = true;
    }
    for (uint8_t i = 0; i < view->past_count; i++) {
        for (uint8_t j = 0; j < view->past[i].count; j++) {
            known[view->past[i].plays[j].card] = true;
        }
    }
    mark_cards_named_by_game(view, known);
}

/* True if the words name a card that the viewer knows; a deck may contain the same card twice. */
static bool is_name_of_known_card(const struct deck_def *deck, const char *words, bool is_ascii,
                                  const bool known[CARDS_MAX])
{
    char forms[CARD_FORMS][WORDS_MAX];
    for (uint8_t card = 0; card < card_count(deck); card++) {
        write_card_forms(deck, card, is_ascii, forms);
        for (int form = 0; form < CARD_FORMS && known[card]; form++) {
            if (strcmp(forms[form], words) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* The cards that the log of the game may name: those that the viewer was told of in this round and
 * the one before it. */
struct told {
    struct game_view view; /* the view that was told last */
    bool cards[2][CARDS_MAX];
};

/* Marks the cards that the step from the last view to the present one has told the viewer. */
static void mark_told_cards(const struct stage *stage, struct told *told)
{
    static struct game_view now;
    static struct story story;
    const struct deck_def *deck = stage->game->deck;
    stage_write_view(stage, &now);
    story_tell(&told->view, &now, &story);
    if (now.round != told->view.round) {
        memcpy(told->cards[1], told->cards[0], sizeof(told->cards[1]));
        memset(told->cards[0], 0, sizeof(told->cards[0]));
    }
    for (uint8_t i = 0; i < story.count; i++) {
        const struct phrase *words = &story.lines[i].words;
        mark_cards_named_by_phrase(words, told->cards[0]);
        for (uint8_t special = 0; special < deck->special_count; special++) {
            uint8_t card = (uint8_t)(deck->suit_count * deck->value_count + special);
            told->cards[0][card] |= strstr(words->format, deck->specials[special].title) != NULL;
        }
    }
    told->view = now;
}

static void assert_shows_only_known_cards(struct stage *stage, bool is_ascii,
                                          const struct told *told)
{
    struct game_view view;
    bool known[CARDS_MAX];
    const struct deck_def *deck = stage->game->deck;
    stage_write_view(stage, &view);
    find_known_cards(&view, known);
    for (int card = 0; card < CARDS_MAX; card++) {
        known[card] = known[card] || told->cards[0][card] || told->cards[1][card];
    }
    const char *screen = driver_read_screen(stage->driver);
    for (uint8_t card = 0; card < card_count(deck); card++) {
        char forms[CARD_FORMS][WORDS_MAX];
        write_card_forms(deck, card, is_ascii, forms);
        for (int form = 0; form < CARD_FORMS && !known[card]; form++) {
            if (shows_whole_words(screen, forms[form]) &&
                !is_name_of_known_card(deck, forms[form], is_ascii, known)) {
                driver_print_screen(stage->driver, "shows what its viewer does not know");
                fail_msg("%s", forms[form]);
            }
        }
    }
}

static void assert_shows_card(struct stage *stage, uint8_t card, bool is_ascii)
{
    char forms[CARD_FORMS][WORDS_MAX];
    char rank[CARD_TEXT_MAX];
    struct text text = text_init(rank, sizeof(rank));
    const char *screen = driver_read_screen(stage->driver);
    write_card_forms(stage->game->deck, card, is_ascii, forms);
    card_write_rank(stage->game->deck, card, &text);
    for (int form = 0; form < CARD_FORMS; form++) {
        if (shows_whole_words(screen, forms[form])) {
            return;
        }
    }
    /* In narrow columns the suit is below the rank, and long names are cut. */
    rank[4] = '\0';
    if (!shows_whole_words(screen, rank) && strstr(screen, rank) == NULL) {
        driver_print_screen(stage->driver, "a card of one's own is missing");
        fail_msg("%s", forms[CARD_NAMED]);
    }
}

static void assert_shows_own_hand_and_all_names(struct stage *stage, bool is_ascii)
{
    static const char *const names[] = {"ada", "bob", "ella", "chen", "dmitri", "charlotte-anne9"};
    struct game_view view;
    stage_write_view(stage, &view);
    for (uint8_t i = 0; i < view.slot_count[stage->you]; i++) {
        const struct view_slot *slot = &view.hands[stage->you][i];
        if (!slot->is_empty && slot->card != CARD_NONE) {
            assert_shows_card(stage, slot->card, is_ascii);
        }
    }
    for (uint8_t seat = 1; seat < view.seats; seat++) {
        driver_expect(stage->driver,
                      seat < stage->config.players ? names[seat - 1] : "virtual player");
    }
    driver_expect(stage->driver, "round");
}

/* Asserts that the screen shows the other players' cards that the view contains. Skips hands in
 * columns, of which only the top cards are shown. */
static void assert_shows_open_hands(struct stage *stage, bool is_ascii)
{
    struct game_view view;
    const struct game_face *face = stage->game->face;
    stage_write_view(stage, &view);
    for (uint8_t seat = 1; seat < view.seats; seat++) {
        if (face->columns != NULL && face->columns(&view, seat) > 0) {
            continue;
        }
        for (uint8_t i = 0; i < view.slot_count[seat]; i++) {
            uint8_t card = view.hands[seat][i].card;
            char forms[CARD_FORMS][WORDS_MAX];
            if (view.hands[seat][i].is_empty || card == CARD_NONE ||
                card_suit(stage->game->deck, card) == SUIT_NONE) {
                continue;
            }
            write_card_forms(stage->game->deck, card, is_ascii, forms);
            driver_expect(stage->driver, driver_shows(stage->driver, forms[CARD_NAMED])
                                             ? forms[CARD_NAMED]
                                             : forms[CARD_CLOSE]);
        }
    }
}

struct screen_form {
    int columns, rows;
    bool is_ascii;
};

/* Makes one move. Before the viewer's first move in a phase, requests every legal move with
 * keys. */
static void make_one_move(struct stage *stage, uint32_t *phases_reached)
{
    struct game_view view;
    stage_write_view(stage, &view);
    if (!view_viewer_may_move(&view)) {
        assert_true(stage_make_random_move(stage));
        return;
    }
    if ((*phases_reached >> view.phase & 1) == 0) {
        *phases_reached |= 1U << view.phase;
        reach_request_every_move_with_keys(stage);
    }
    uint8_t move = policy_random_move(&view, &stage->config, &stage->random);
    reach_make_move_with_keys(stage, move);
    driver_answer(stage->driver, "move", NULL);
    stage_make_move(stage, (uint8_t)stage->you, move);
}

/* True if the screen may show a long list of choices, which covers players. */
static bool may_choice_list_cover_players(const struct stage *stage)
{
    struct game_view view;
    stage_write_view(stage, &view);
    return view_viewer_may_move(&view) && move_set_count(&view.legal) > SLOTS_MAX;
}

/* Plays a game on a screen of one size, and checks the screen after every step. */
static void play_game_and_check_screens(const struct game_def *game, uint8_t player_count,
                                        const struct screen_form *screen_form)
{
    struct driver_setup setup = {.columns = screen_form->columns,
                                 .rows = screen_form->rows,
                                 .you = screen_form->is_ascii ? ASCII_YOU : NULL};
    struct stage stage;
    uint32_t phases_reached = 0;
    bool is_tall = screen_form->rows >= 37; /* tall screens draw rank and suit on separate lines */
    stage_init(&stage, &setup, game, player_count, 0);
    stage_deal(&stage, player_count);
    static struct told told;
    memset(&told, 0, sizeof(told));
    stage_write_view(&stage, &told.view);
    for (int i = 0; i < STEPS_MAX && game_seats_to_act(&stage.state) != 0; i++) {
        make_one_move(&stage, &phases_reached);
        mark_told_cards(&stage, &told);
        driver_wait(stage.driver, 1300);
        driver_type(stage.driver, "\x7f");
        driver_wait(stage.driver, 300);
        driver_wait(stage.driver, 8000);
        bool is_over = game_seats_to_act(&stage.state) == 0;
        if (is_over || is_tall || may_choice_list_cover_players(&stage)) {
            continue;
        }
        assert_shows_only_known_cards(&stage, screen_form->is_ascii, &told);
        assert_shows_own_hand_and_all_names(&stage, screen_form->is_ascii);
        assert_shows_open_hands(&stage, screen_form->is_ascii);
    }
    assert_true(!screen_form->is_ascii || !driver_saw_non_ascii(stage.driver));
    stage_clear(&stage);
}

static void play_all_games(const struct screen_form *screen_form)
{
    uint64_t games = 0;
    for (uint8_t i = 0; i < game_count(); i++) {
        for (uint8_t players = game_at(i)->seats_min; players <= game_at(i)->seats_max; players++) {
            if (environment_tries(games++)) {
                play_game_and_check_screens(game_at(i), players, screen_form);
            }
        }
    }
}

static void every_step_of_every_game_fits_80_by_24(void **unused)
{
    (void)unused;
    play_all_games(&(struct screen_form){80, 24, false});
}

static void every_step_of_every_game_fits_60_by_18(void **unused)
{
    (void)unused;
    play_all_games(&(struct screen_form){60, 18, false});
}

static void every_step_of_every_game_fits_120_by_40(void **unused)
{
    (void)unused;
    play_all_games(&(struct screen_form){120, 40, false});
}

static void ascii_mode_writes_only_ascii(void **unused)
{
    (void)unused;
    for (uint8_t i = 0; i < game_count(); i++) {
        static const struct screen_form forms[] = {{80, 24, true}, {60, 18, true}, {120, 40, true}};
        for (size_t form = 0; form < ARRAY_LEN(forms); form++) {
            const struct game_def *game = game_at(i);
            if (environment_tries(i * ARRAY_LEN(forms) + form)) {
                play_game_and_check_screens(game, form == 1 ? game->seats_max : game->seats_min,
                                            &forms[form]);
            }
        }
    }
}

static void the_table_survives_any_resize_during_a_game(void **unused)
{
    (void)unused;
    static const struct {
        int columns, rows;
    } sizes[] = {{80, 24}, {20, 10},  {200, 60}, {79, 23},
                 {60, 18}, {111, 30}, {112, 12}, {500, 200}};
    static const char *const keys[] = {"t", "s", "q", "i"};
    struct driver_setup setup = {.columns = 80, .rows = 24};
    for (uint8_t game = 0; game < game_count(); game++) {
        struct stage stage;
        stage_init(&stage, &setup, game_at(game), game_at(game)->seats_max, 0);
        stage_deal(&stage, 9);
        for (size_t i = 0; i < 96 && stage_make_random_move(&stage); i++) {
            driver_resize(stage.driver, sizes[i % ARRAY_LEN(sizes)].columns,
                          sizes[i % ARRAY_LEN(sizes)].rows);
            driver_type(stage.driver, keys[i % ARRAY_LEN(keys)]);
            driver_type(stage.driver, "\x1b");
        }
        driver_resize(stage.driver, 80, 24);
        driver_wait(stage.driver, 9000);
        driver_expect(stage.driver, game_at(game)->title);
        stage_clear(&stage);
    }
}

TEST_GROUP(table_sizes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_of_every_game_fits_80_by_24),
        cmocka_unit_test(every_step_of_every_game_fits_60_by_18),
        cmocka_unit_test(every_step_of_every_game_fits_120_by_40),
        cmocka_unit_test(ascii_mode_writes_only_ascii),
        cmocka_unit_test(the_table_survives_any_resize_during_a_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
