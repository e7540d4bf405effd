#include "daemon/screens/drawing/words.h"
#include "tests/unit.h"

/* Tests how people, tables and leaderboard rows are described; screens, plain mode and queries
 * share these descriptions. */

static const char *describe_location_of_person(int64_t table, bool is_seated)
{
    static char line[100];
    struct text text = text_init(line, sizeof line);
    person_write_location(table, is_seated, &text);
    return line;
}

static void a_person_is_described_as_in_the_lobby_playing_or_watching(void **state)
{
    (void)state;
    assert_string_equal(describe_location_of_person(0, false), "in the lobby");
    assert_string_equal(describe_location_of_person(7, true), "playing at #7");
    assert_string_equal(describe_location_of_person(7, false), "watching #7");
}

static void a_person_is_described_as_a_bot_or_by_a_staff_role(void **state)
{
    (void)state;
    assert_string_equal(person_label(PERSON_BOT, BOT_LEVEL_EASY, ROLE_PLAYER), "easy bot");
    assert_string_equal(person_label(PERSON_BOT, BOT_LEVEL_STRONG, ROLE_PLAYER), "strong bot");
    assert_string_equal(person_brief_bot_label(BOT_LEVEL_MEDIUM), "medium");
    assert_string_equal(person_brief_bot_label(BOT_LEVEL_NONE), "bot");
    assert_string_equal(person_label(PERSON_BOT, BOT_LEVEL_NONE, ROLE_ADMIN), "bot");
    assert_string_equal(person_label(PERSON_GUEST, BOT_LEVEL_NONE, ROLE_PLAYER), "guest");
    assert_string_equal(person_label(PERSON_PLAYER, BOT_LEVEL_NONE, ROLE_ADMIN), "admin");
    assert_string_equal(person_label(PERSON_PLAYER, BOT_LEVEL_NONE, ROLE_MOD), "moderator");
    assert_string_equal(person_label(PERSON_PLAYER, BOT_LEVEL_NONE, ROLE_PLAYER), "");
}

static const char *describe_presence_of_person(enum person_presence kind, const char *away_text,
                                               int64_t idle_s)
{
    static char line[100];
    struct text text = text_init(line, sizeof line);
    person_write_presence(kind, away_text, idle_s, &text);
    return line;
}

static void a_person_is_described_as_away_on_request_or_after_three_idle_minutes(void **state)
{
    (void)state;
    assert_string_equal(describe_presence_of_person(PRESENCE_HERE, "", 179), "");
    assert_string_equal(describe_presence_of_person(PRESENCE_HERE, "", 180), "away for 3m");
    assert_string_equal(describe_presence_of_person(PRESENCE_AWAY, "lunch", 0), "away: lunch");
    assert_string_equal(describe_presence_of_person(PRESENCE_DND, "", 600), "not to be disturbed");
}

static const char *describe_table_state(enum table_phase phase, enum table_halt halt, int round,
                                        int rounds)
{
    static char line[100];
    struct text text = text_init(line, sizeof line);
    table_write_state(phase, halt, round, rounds, &text);
    return line;
}

static void a_running_game_is_described_by_its_progress_or_by_its_halt(void **state)
{
    (void)state;
    assert_string_equal(describe_table_state(TABLE_OPEN, HALT_NONE, 0, 0), "open");
    assert_string_equal(describe_table_state(TABLE_FINISHED, HALT_NONE, 7, 7), "finished");
    assert_string_equal(describe_table_state(TABLE_PLAYING, HALT_NONE, 0, 0), "playing");
    assert_string_equal(describe_table_state(TABLE_PLAYING, HALT_NONE, 2, 0), "round 2");
    assert_string_equal(describe_table_state(TABLE_PLAYING, HALT_NONE, 2, 7), "round 2 of 7");
    assert_string_equal(describe_table_state(TABLE_PLAYING, HALT_PAUSE, 2, 7), "paused");
    assert_string_equal(describe_table_state(TABLE_PLAYING, HALT_ADJOURN, 2, 7), "adjourned");
    assert_string_equal(describe_table_state(TABLE_PLAYING, HALT_HOUSE, 2, 7), "waiting");
}

static const char *describe_leaderboard_cell(enum leader_column column, bool is_drawn)
{
    static char text[100];
    const struct theme theme = {.is_ascii = !is_drawn, .is_plain_mode = !is_drawn};
    const struct leader_row row = {
        .rank = 3,
        .name = "ada",
        .role = ROLE_MOD,
        .rating = {1583, true},
        .deviation = 120,
        .change_week = -12,
        .games = 31,
        .wins_tenths = 333,
        .stat_tenths = ROW_NONE,
        .best = 1600,
    };
    struct text out = text_init(text, sizeof text);
    leader_write_cell(&theme, &row, column, 0, &out);
    return text;
}

static void drawn_and_printed_leaderboards_show_the_same_values(void **state)
{
    (void)state;
    static const struct {
        enum leader_column column;
        const char *drawn, *told;
    } cells[] = {
        {LEADER_RANK, "3", "3"},
        {LEADER_CHANGE, "-12", "-12"},
        {LEADER_NAME, "ada (mod)", "ada (mod)"},
        {LEADER_RATING, "1583? ±120", "1583? +-120"},
        {LEADER_WINS, "33%", "33%"},
        {LEADER_STAT, "–", "-"},
        {LEADER_STREAK, "0", "0"},
        {LEADER_BEST, "1600", "1600"},
        {LEADER_BEST_DAY, "", ""},
    };
    for (size_t i = 0; i < ARRAY_LEN(cells); i++) {
        assert_string_equal(describe_leaderboard_cell(cells[i].column, true), cells[i].drawn);
        assert_string_equal(describe_leaderboard_cell(cells[i].column, false), cells[i].told);
    }
}

TEST_GROUP(describers)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_is_described_as_in_the_lobby_playing_or_watching),
        cmocka_unit_test(a_person_is_described_as_a_bot_or_by_a_staff_role),
        cmocka_unit_test(a_person_is_described_as_away_on_request_or_after_three_idle_minutes),
        cmocka_unit_test(a_running_game_is_described_by_its_progress_or_by_its_halt),
        cmocka_unit_test(drawn_and_printed_leaderboards_show_the_same_values),
    };
    return cmocka_run_group_tests_name("describers", tests, NULL, NULL);
}
