#include "storage/archive/past_games.h"
#include "storage/mod/audit.h"
#include "storage/mod/reports.h"
#include "storage/mod/sources.h"
#include "storage/ratings/ratings.h"
#include "storage/sql/sql.h"
#include "storage/upkeep/migrate.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdlib.h>

/* These tests run the house's migrations over old data: correct data keeps its meaning, wrong data
 * is repaired.
 *
 * Returns a house in memory after its first `form` migrations. */
static struct storage *make_house_of_form(size_t form)
{
    struct storage *past = calloc(1, sizeof *past);
    size_t count = 0;
    const struct migration *list = migrate_list_steps(&count);

    assert_non_null(past);
    past->engine = &sql_sqlite;
    assert_int_equal(sqlite3_open(":memory:", &past->db), SQLITE_OK);
    assert_ok(migrate_run_steps(past, list, form));
    return past;
}

/* Runs all other migrations. */
static void run_remaining_migrations(struct storage *past)
{
    size_t count = 0;
    const struct migration *list = migrate_list_steps(&count);

    assert_ok(migrate_run_steps(past, list, count));
}

static int64_t read_number(struct storage *past, const char *query)
{
    return fixture_read_number(past, query);
}

static void an_old_file_migrates_without_open_requests_of_seats(void **state)
{
    struct storage *past = make_house_of_form(13);

    (void)state;
    assert_ok(sql_run_script(past,
                             "INSERT INTO tables (game, players, options, clock_s, password_hash,"
                             " host_name, state, created_ms, game_id, conn, request)"
                             " VALUES ('whist', 4, '{}', 0, '', 'mira', 1, 1, 1, 0, 0)"));
    run_remaining_migrations(past);
    assert_int_equal(read_number(past, "SELECT count(*) FROM tables WHERE rematch = 0"
                                       " AND asks_pause + asks_adjourn + asks_resume = 0"),
                     1);
    storage_close(past);
}

/* Before leader lines existed, standings had no sums and days were kept for ever. */
static void migration_creates_the_leaderboard_lines_of_existing_boards(void **state)
{
    static const char full[] =
        "INSERT INTO accounts (id, name, skeleton, kind, role, password_hash, settings, created_ms,"
        " seen_ms) VALUES (3, 'ada', 'ada', 0, 1, '', '{}', 0, 5);"
        "INSERT INTO ratings VALUES (3, 'whist', 0, 27.5, 5.0, 8640000000, 30, 9.0, 12.0, 1, 2, 29,"
        " 1, -1, 28.0, 77);"
        "INSERT INTO season_ratings VALUES (3, 'whist', 19702, 26.0, 5.0, 8640000000, 12, 2.0, 3.0,"
        " 1, 2, 12, 0, 1, 28.0, 77);"
        "INSERT INTO tallies VALUES (3, 'whist', 0, 4, 88, 6, 5.0, 4.0, 3, 4, 5, 1),"
        " (3, 'whist', -100, 4, 88, 1, 1.0, 1.0, 0, 0, 1, 0),"
        " (3, 'whist', -9, 4, 88, 1, 1.0, 1.0, 0, 0, 1, 0);"
        "INSERT INTO boards VALUES (1, 'whist', 0, 0, 0), (2, 'whist', 0, 4, 0),"
        " (3, 'whist', 1, 0, 0), (4, 'whist', 19702, 0, 0);"
        "INSERT INTO standings VALUES (3, 1, 1, 27.5, NULL, NULL), (3, 2, 1, 27.5, NULL, NULL),"
        " (3, 3, 1, 27.5, NULL, NULL), (3, 4, 1, 26.0, NULL, NULL);";
    struct storage *past = make_house_of_form(14);

    (void)state;
    assert_ok(sql_run_script(past, full));
    run_remaining_migrations(past);
    assert_int_equal(read_number(past, "SELECT count(*) FROM leader_lines"), 2);
    assert_int_equal(read_number(past,
                                 "SELECT count(*) FROM leader_lines WHERE board = 1 AND mu = 27.5"
                                 " AND name = 'ada' AND games = 30 AND seen_ms = 5"),
                     1);
    assert_int_equal(read_number(past,
                                 "SELECT count(*) FROM leader_lines WHERE board = 4 AND mu = 26.0"
                                 " AND games = 12"),
                     1);
    assert_int_equal(
        read_number(past, "SELECT board FROM standings WHERE games = 6 AND wins = 5.0"), 2);
    assert_int_equal(read_number(past, "SELECT count(*) FROM standings WHERE games IS NULL"), 3);
    assert_int_equal(read_number(past, "SELECT count(*) FROM tallies WHERE span = -9"), 0);
    assert_int_equal(read_number(past, "SELECT count(*) FROM tallies"), 2);
    storage_close(past);
}

/* Two players, second and last, left a game of five, and one stayed. In another season Ada finished
 * a game of five and left a game of three, second. */
static const char leavers[] =
    "INSERT INTO accounts (id, name, skeleton, kind, role, password_hash, settings, created_ms,"
    " seen_ms) VALUES (3, 'ada', 'ada', 0, 0, '', '{}', 0, 5), (4, 'bob', 'bob', 0, 0, '', '{}', 0,"
    " 5), (5, 'chen', 'chen', 0, 0, '', '{}', 0, 5);"
    "INSERT INTO tables (id, game, players, options, clock_s, password_hash, host_name, state,"
    " created_ms, game_id, conn, request)"
    " VALUES (1, 'whist', 5, '{}', 0, '', 'ada', 2, 1, 1, 0, 0);"
    "INSERT INTO games (id, table_id, game, players, options, seed, commitment, is_rated, state,"
    " started_ms, finished_ms, people) VALUES"
    " (1, 1, 'whist', 5, '{}', zeroblob(32), zeroblob(32), 1, 1, 1, 2, '3,4,5'),"
    " (2, 1, 'whist', 5, '{}', zeroblob(32), zeroblob(32), 1, 1, 1, 2, '3'),"
    " (3, 1, 'whist', 3, '{}', zeroblob(32), zeroblob(32), 1, 1, 1, 2, '3');"
    "INSERT INTO scores VALUES (1, 0, 0, 1, 5, 'chen', '', 90, 1, 1, 0, 0, 0),"
    " (1, 1, 1, 3, NULL, 'ella', 'easy', 50, 2, 0, 0, 0, 0),"
    " (1, 2, 2, 3, NULL, 'fay', 'easy', 20, 5, 0, 0, 0, 0),"
    " (1, 3, 1, 1, 3, 'ada', '', 50, 2, 0, 0, 0, 1),"
    " (1, 4, 2, 1, 4, 'bob', '', 20, 5, 0, 0, 0, 1),"
    " (2, 0, 0, 1, 3, 'ada', '', 70, 1, 1, 0, 0, 0),"
    " (3, 0, 1, 1, 3, 'ada', '', 60, 2, 0, 0, 0, 1);"
    "INSERT INTO rating_changes (game_id, seat, account, game, mu_before, sigma_before, mu_after,"
    " sigma_after, at_ms, by, players, rank, win, stat_hits, stat_chances, has_left, is_bot,"
    " season, season_mu_before, season_sigma_before, season_mu_after, season_sigma_after) VALUES"
    " (1, 1, 3, 'whist', 25, 8, 24, 8, 8640000005, '', 5, 2, 0, 0, 0, 1, 0, 19702, 25, 8, 24, 8),"
    " (1, 2, 4, 'whist', 25, 8, 23, 8, 8640000005, '', 5, 5, 0, 0, 0, 1, 0, 19702, 25, 8, 23, 8),"
    " (2, 0, 3, 'whist', 24, 8, 25, 8, 8640000007, '', 5, 1, 1, 0, 0, 0, 0, 19702, 24, 8, 25, 8),"
    " (3, 1, 3, 'whist', 24, 8, 25, 8, 8726400007, '', 3, 2, 0, 0, 0, 1, 0, 19800, 24, 8, 25, 8);"
    "INSERT INTO ratings VALUES"
    " (3, 'whist', 0, 25, 8, 8726400007, 3, 1, 2.25, 0, 0, 1, 2, 1, 25, 7),"
    " (4, 'whist', 0, 23, 8, 8640000005, 4, 3, 3.0, 0, 0, 3, 1, -1, 25, 7);"
    "INSERT INTO season_ratings VALUES"
    " (3, 'whist', 19702, 25, 8, 8640000007, 2, 1, 1.75, 0, 0, 1, 1, 1, 25, 7),"
    " (3, 'whist', 19800, 25, 8, 8726400007, 1, 0, 0.5, 0, 0, 0, 1, 1, 25, 7);"
    "INSERT INTO tallies VALUES (3, 'whist', 0, 5, 8, 2, 1, 1.75, 0, 0, 1, 1),"
    " (3, 'whist', 19702, 5, 8, 2, 1, 1.75, 0, 0, 1, 1),"
    " (3, 'whist', -100, 5, 8, 2, 1, 1.75, 0, 0, 1, 1),"
    " (3, 'whist', 0, 3, 8, 1, 0, 0.5, 0, 0, 0, 1),"
    " (3, 'whist', 19800, 3, 8, 1, 0, 0.5, 0, 0, 0, 1),"
    " (3, 'whist', -101, 3, 8, 1, 0, 0.5, 0, 0, 0, 1),"
    " (4, 'whist', 0, 5, 8, 4, 3, 3.0, 0, 0, 3, 1);"
    "INSERT INTO boards VALUES (1, 'whist', 0, 0, 0), (2, 'whist', 0, 5, 0),"
    " (3, 'whist', 19702, 0, 0);"
    "INSERT INTO standings (account, board, class, mu) VALUES (3, 1, 1, 25), (3, 3, 1, 25),"
    " (4, 1, 1, 23);"
    "INSERT INTO standings VALUES (3, 2, 1, 25, NULL, NULL, 8, 2, 1, 1.75, 0, 0, 1, 1);";

static void migration_ranks_past_leavers_last_without_a_score(void **state)
{
    struct storage *past = make_house_of_form(21);
    struct storage_score scores[STORAGE_SCORES_MAX];
    static const uint8_t ranks[] = {1, 2, 5, 6, 7};
    static const int32_t points[] = {90, 50, 20, 0, 0};
    struct storage_game game;
    size_t count = 0;

    (void)state;
    assert_ok(sql_run_script(past, leavers));
    run_remaining_migrations(past);
    assert_ok(storage_scores_read(past, 1, scores, STORAGE_SCORES_MAX, &count));
    assert_int_equal(count, 5);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(scores[i].rank, ranks[i]);
        assert_int_equal(scores[i].score, points[i]);
    }
    assert_ok(storage_scores_read(past, 2, scores, STORAGE_SCORES_MAX, &count));
    assert_int_equal(count, 1);
    assert_int_equal(scores[0].rank, 1);
    assert_int_equal(scores[0].score, 70);
    assert_ok(storage_game_read(past, 1, &game));
    assert_int_equal(game.format, 1); /* old moves keep their meaning */
    storage_close(past);
}

static void migration_counts_past_leavers_as_last_in_the_sums(void **state)
{
    struct storage *past = make_house_of_form(21);
    struct storage_rating rating;

    (void)state;
    assert_ok(sql_run_script(past, leavers));
    assert_int_equal(read_number(past, "SELECT count(*) FROM leader_lines"), 3);
    run_remaining_migrations(past);
    assert_ok(storage_rating_read(past, 3, "whist", &rating));
    assert_true(rating.place_sum == 1.0);
    assert_ok(storage_rating_read(past, 4, "whist", &rating)); /* was last already */
    assert_true(rating.place_sum == 3.0);
    assert_ok(storage_season_rating_read(past, 3, "whist", 19702, &rating));
    assert_true(rating.place_sum == 1.0);
    assert_ok(storage_season_rating_read(past, 3, "whist", 19800, &rating));
    assert_true(rating.place_sum == 0.0);
    assert_int_equal(read_number(past,
                                 "SELECT count(*) FROM tallies WHERE account = 3 AND players = 5"
                                 " AND span IN (0, 19702, -100) AND place_sum = 1.0"),
                     3);
    assert_int_equal(read_number(past,
                                 "SELECT count(*) FROM tallies WHERE account = 3 AND players = 3"
                                 " AND span IN (0, 19800, -101) AND place_sum = 0.0"),
                     3);
    assert_int_equal(read_number(past, "SELECT count(*) FROM tallies WHERE place_sum = 3.0"), 1);
    assert_int_equal(read_number(past, "SELECT board FROM standings WHERE place_sum = 1.0"), 2);
    assert_int_equal(read_number(past, "SELECT count(*) FROM standings WHERE place_sum IS NULL"),
                     3);
    assert_int_equal(read_number(past, "SELECT sum(board) FROM leader_lines WHERE place_sum = 1.0"),
                     4);
    assert_int_equal(read_number(past, "SELECT account FROM leader_lines WHERE place_sum = 3.0"),
                     4);
    storage_close(past);
}

static bool collect_report(void *context, const struct storage_report *report)
{
    return fixture_add_word(context, "%d:%s:%s>%s@%d=%d", (int)report->id, report->category,
                            report->text, report->about_name, (int)report->at_ms,
                            (int)report->sanction);
}

static void migration_turns_open_appeals_into_cases_and_marks_given_answers_as_read(void **state)
{
    static const char full[] =
        "INSERT INTO accounts (id, name, skeleton, kind, role, password_hash, settings, created_ms,"
        " seen_ms) VALUES (3, 'ada', 'ada', 0, 0, '', '{}', 0, 5);"
        "INSERT INTO sanctions VALUES"
        " (1, 3, 3, 'ada', '', '', 0, 'r', '', 'max', 2, 1, 1, 99, 0, '', 'please', 50),"
        " (2, 3, 3, 'ada', '', '', 0, 'r', '', 'max', 2, 1, 1, 99, 60, 'max', 'before', 30),"
        " (3, 1, 3, 'ada', '', '', 0, 'r', '', 'max', 2, 1, 1, 99, 0, '', '', 0),"
        " (4, 3, NULL, '', '192.0.2.0/24', '', 0, 'r', '', 'max', 2, 1, 1, 99, 0, '', 'we', 40);"
        "INSERT INTO reports VALUES (1, 3, 'ada', 3, 'bob', 'spam', 'open', 0, 0, 0, 0, 10, 0, '',"
        " '', 0), (2, 3, 'ada', 3, 'bob', 'spam', 'done', 0, 0, 0, 0, 10, 2, 'max', 'ok', 77),"
        " (3, 3, 'ada', 3, 'bob', 'spam', 'no', 0, 0, 0, 0, 10, 3, 'max', 'no', 88);";
    struct storage *past = make_house_of_form(26);
    struct fixture_words words = {.count = 0};
    struct storage_report report;

    (void)state;
    assert_ok(sql_run_script(past, full));
    run_remaining_migrations(past);
    assert_ok(storage_reports_list_open(past, collect_report, &words));
    assert_words(&words, "1:spam:open>bob@10=0 4:appeal:we>192.0.2.0/24@40=4 "
                         "5:appeal:please>ada@50=1 ");
    assert_ok(storage_reports_list_unread_answers(past, 3, collect_report, &words));
    assert_words(&words, "");
    assert_ok(storage_report_read(past, 2, &report));
    assert_int_equal(report.read_ms, 77);
    assert_ok(storage_appeal_find_newest(past, 1, 0, &report));
    assert_int_equal(report.by_account, 3);
    assert_string_equal(report.by_name, "ada");
    storage_close(past);
}

static bool collect_sanction(void *context, const struct storage_sanction *sanction)
{
    return fixture_add_word(context, "%d", (int)sanction->id);
}

static void migration_adds_the_keys_of_sanctioned_accounts_as_sources(void **state)
{
    static const char full[] =
        "INSERT INTO accounts (id, name, skeleton, kind, role, password_hash, settings, created_ms,"
        " seen_ms) VALUES (3, 'ada', 'ada', 0, 0, '', '{}', 0, 5), (4, 'bob', 'bob', 0, 0, '', "
        "'{}',"
        " 0, 5);"
        "INSERT INTO keys VALUES ('SHA256:a', 3, 'ssh-ed25519', 1), ('SHA256:b', 3, 'ssh-rsa', 1),"
        " ('SHA256:c', 4, 'ssh-rsa', 1);"
        "INSERT INTO sanctions VALUES"
        " (1, 0, 3, 'ada', '', '', 0, 'warn', '', 'max', 2, 1, 1, 99, 0, '', '', 0),"
        " (2, 1, 3, 'ada', '', '', 0, 'mute', '', 'max', 2, 1, 1, 99, 0, '', '', 0),"
        " (3, 3, 3, 'ada', '', '', 0, 'ban', '', 'max', 2, 1, 1, 99, 60, 'max', '', 0),"
        " (4, 3, 3, 'ada', '', '', 0, 'ban', '', 'max', 2, 1, 1, 99, 0, '', '', 0);";
    struct storage *past = make_house_of_form(29);
    struct fixture_words words = {.count = 0};

    (void)state;
    assert_ok(sql_run_script(past, full));
    run_remaining_migrations(past);
    assert_int_equal(read_number(past, "SELECT count(*) FROM sanction_sources"), 4);
    assert_ok(storage_sanctions_list_by_source(past, "SHA256:a", collect_sanction, &words));
    assert_words(&words, "2 4 ");
    assert_ok(storage_sanctions_list_by_source(past, "SHA256:b", collect_sanction, &words));
    assert_words(&words, "2 4 ");
    assert_ok(storage_sanctions_list_by_source(past, "SHA256:c", collect_sanction, &words));
    assert_words(&words, "");
    storage_close(past);
}

/* Closed accounts got ratings back when a game was declared void. */
static void migration_deletes_the_ratings_of_deleted_and_merged_accounts(void **state)
{
    static const char full[] =
        "INSERT INTO accounts (id, name, skeleton, kind, role, password_hash, settings, created_ms,"
        " seen_ms) VALUES (3, 'deleted-account-3', 'c', 0, 0, '', '{}', 0, 5),"
        " (4, 'bob', 'bob', 0, 0, '', '{}', 0, 5), (5, 'eve', 'eve', 0, 0, '', '{}', 0, 5);"
        "INSERT INTO ratings (account, game, is_bot, mu, sigma, rated_ms, games, wins, place_sum,"
        " stat_hits, stat_chances, finished, \"left\", streak, best_mu, best_ms)"
        " SELECT id, 'whist', 0, 27.5, 5.0, 1, 3, 1.0, 1.0, 1, 2, 3, 0, 0, 27.5, 1 FROM accounts;";
    static const struct storage_audit rows[] = {
        {.verb = "delete", .target_type = "user", .target_id = 3, .result = "ok"},
        {.verb = "merge", .target_type = "user", .target_id = 5, .result = "denied"},
        {.verb = "merge", .target_type = "user", .target_id = 4, .result = "ok"},
    };
    struct storage *past = make_house_of_form(34);
    int64_t id = 0;

    (void)state;
    assert_ok(sql_run_script(past, full));
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_ok(storage_audit_add(past, &rows[i], &id));
    }
    assert_ok(storage_commit(past));
    run_remaining_migrations(past);
    assert_int_equal(read_number(past, "SELECT sum(id) FROM accounts WHERE is_closed = 1"), 7);
    assert_int_equal(read_number(past, "SELECT account FROM ratings"), 5);
    assert_int_equal(read_number(past, "SELECT count(*) FROM ratings"), 1);
    storage_close(past);
}

TEST_GROUP(migrations)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_old_file_migrates_without_open_requests_of_seats),
        cmocka_unit_test(migration_creates_the_leaderboard_lines_of_existing_boards),
        cmocka_unit_test(migration_ranks_past_leavers_last_without_a_score),
        cmocka_unit_test(migration_counts_past_leavers_as_last_in_the_sums),
        cmocka_unit_test(migration_turns_open_appeals_into_cases_and_marks_given_answers_as_read),
        cmocka_unit_test(migration_adds_the_keys_of_sanctioned_accounts_as_sources),
        cmocka_unit_test(migration_deletes_the_ratings_of_deleted_and_merged_accounts),
    };

    return cmocka_run_group_tests_name("migrations", tests, NULL, NULL);
}
