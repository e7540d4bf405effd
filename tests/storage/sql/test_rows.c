#include "storage/sql/sql.h"

#include "storage/accounts/accounts.h"
#include "storage/archive/archive.h"
#include "storage/chat/chat.h"
#include "storage/mod/mod.h"
#include "storage/people/people.h"
#include "storage/ratings/ratings.h"
#include "storage/tables/tables.h"
#include "storage/webhooks/hooks.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/*
 * Writes every kind of row with a distinct value in each column, reads the row back and compares it
 * column by column. The values are made from the column lists, so a new column is tested without
 * further code. References are not enforced in this test, so any number will do for a reference.
 */

static const char *const borrowed[] = {
    "a text",    "another text", "a third", "a fourth", "a fifth", "a sixth", "a seventh",
    "an eighth", "a ninth",      "a tenth", "an 11th",  "a 12th",  "a 13th",  "a 14th",
    "a 15th",    "a 16th",       "a 17th",  "an 18th",  "a 19th",  "a 20th"};

static void write_nth_test_text(char *text, size_t size, unsigned n)
{
    memset(text, (int)('a' + n % 26), size - 1);
    text[size - 1] = '\0';
    text[0] = (char)('A' + n / 26);
}

/* Returns the test value of the n-th column of a row. */
#define FILL(...) STORAGE_COLUMN(FILL_OF, __VA_ARGS__)
#define FILL_OF(how, type, after, last, member, column)                                            \
    n++;                                                                                           \
    FILL_##how(type, last, row->member)
#define FILL_INTEGER(type, last, place) place = (type)(100 + n);
#define FILL_LINK(type, last, place) place = 100 + (int64_t)n;
#define FILL_FLAG(type, last, place) place = true;
#define FILL_CHOICE(type, last, place) place = (type)last;
#define FILL_REAL(type, last, place) place = 0.25 + n;
#define FILL_TEXT(type, last, place) write_nth_test_text(place, sizeof place, n);
#define FILL_BYTES(type, last, place) memset(place, (int)n, sizeof place);
#define FILL_BORROWED(type, last, place) place = borrowed[n % ARRAY_LEN(borrowed)];

#define SAME(...) STORAGE_COLUMN(SAME_OF, __VA_ARGS__)
#define SAME_OF(how, type, after, last, member, column)                                            \
    if (!(SAME_##how(row->member, read->member))) {                                                \
        fail_msg("%s is not read as it was written", #column);                                     \
    }
#define SAME_INTEGER(one, other) one == other
#define SAME_LINK(one, other) one == other
#define SAME_FLAG(one, other) one == other
#define SAME_CHOICE(one, other) one == other
#define SAME_REAL(one, other) !(one < other || one > other)
#define SAME_TEXT(one, other) strcmp(one, other) == 0
#define SAME_BYTES(one, other) memcmp(one, other, sizeof one) == 0
#define SAME_BORROWED(one, other) strcmp(one, other) == 0

/* Defines fill_NAME and same_NAME for a kind of row, and a callback that asserts the expected
 * row. */
#define ROW_KIND(name, type, LIST)                                                                 \
    ROW_UNUSED static void fill_##name(type *row, unsigned n){                                     \
        LIST(FILL, FILL)} ROW_UNUSED static void same_##name(const type *row, const type *read){   \
        LIST(SAME, SAME)} ROW_UNUSED static bool hear_##name(void *context, const type *read)      \
    {                                                                                              \
        struct heard *heard = context;                                                             \
        same_##name(heard->row, read);                                                             \
        heard->count++;                                                                            \
        return true;                                                                               \
    }                                                                                              \
    ROWS_END

struct heard {
    const void *row;
    unsigned count;
};

ROW_KIND(account, struct storage_account, STORAGE_ACCOUNT_COLUMNS);
ROW_KIND(key, struct storage_key, STORAGE_KEY_COLUMNS);
ROW_KIND(connection, struct storage_connection, STORAGE_CONNECTION_COLUMNS);
ROW_KIND(guest, struct storage_guest, STORAGE_GUEST_COLUMNS);
ROW_KIND(former_name, struct storage_former_name, STORAGE_FORMER_NAME_COLUMNS);
ROW_KIND(code, struct storage_code, STORAGE_CODE_COLUMNS);
ROW_KIND(totp, struct storage_totp, STORAGE_TOTP_COLUMNS);
ROW_KIND(notice, struct storage_notice, STORAGE_NOTICE_COLUMNS);
ROW_KIND(clock, struct storage_clock, STORAGE_CLOCK_COLUMNS);
ROW_KIND(time_away, struct storage_time_away, STORAGE_TIME_AWAY_COLUMNS);
ROW_KIND(review, struct storage_shared_replay, STORAGE_SHARED_REPLAY_COLUMNS);
ROW_KIND(table, struct storage_table, STORAGE_TABLE_ALL_COLUMNS);
ROW_KIND(table_change, struct storage_table, STORAGE_TABLE_CHANGE_COLUMNS);
ROW_KIND(seat, struct storage_seat, STORAGE_SEAT_COLUMNS);
ROW_KIND(game, struct storage_game, STORAGE_GAME_COLUMNS);
ROW_KIND(change, struct storage_seat_change, STORAGE_CHANGE_COLUMNS);
ROW_KIND(score, struct storage_score, STORAGE_SCORE_COLUMNS);
ROW_KIND(move, struct storage_move, STORAGE_MOVE_COLUMNS);
ROW_KIND(invitation, struct storage_invitation, STORAGE_INVITATION_COLUMNS);
ROW_KIND(decision, struct storage_decision, STORAGE_DECISION_COLUMNS);
ROW_KIND(backoff, struct storage_backoff, STORAGE_BACKOFF_COLUMNS);
ROW_KIND(registration, struct storage_registration, STORAGE_REGISTRATION_COLUMNS);
ROW_KIND(report, struct storage_report, STORAGE_REPORT_ALL_COLUMNS);
ROW_KIND(note, struct storage_note, STORAGE_NOTE_COLUMNS);
ROW_KIND(sanction, struct storage_sanction, STORAGE_SANCTION_COLUMNS);
ROW_KIND(audit, struct storage_audit, STORAGE_AUDIT_COLUMNS);
ROW_KIND(chat, struct storage_chat, STORAGE_CHAT_COLUMNS);
ROW_KIND(news, struct storage_news, STORAGE_NEWS_COLUMNS);
ROW_KIND(hook, struct storage_hook, STORAGE_HOOK_COLUMNS);
ROW_KIND(event, struct storage_hook_event, STORAGE_HOOK_EVENT_COLUMNS);
ROW_KIND(rating, struct storage_rating, STORAGE_RATING_COLUMNS);
ROW_KIND(rating_change, struct storage_rating_change, STORAGE_RATING_CHANGE_ALL_COLUMNS);
ROW_KIND(values, struct storage_rating_change, STORAGE_RATING_CHANGE_VALUE_COLUMNS);
ROW_KIND(refund, struct storage_refund, STORAGE_REFUND_COLUMNS);

ROWS(refund, struct storage_refund, STORAGE_REFUND_COLUMNS);

static struct storage *set_up_without_foreign_key_checks(void **state)
{
    struct fixture *fixture = *state;

    assert_ok(sql_run_script(fixture->storage, fixture_is_postgres()
                                                   ? "SET session_replication_role = replica"
                                                   : "PRAGMA foreign_keys = OFF"));
    return fixture->storage;
}

static void accounts_and_credentials_read_back_as_written(void **state)
{
    struct storage *storage = set_up_without_foreign_key_checks(state);
    struct storage_account account, found;
    struct storage_key key, found_key;
    struct storage_code code, found_code;
    struct storage_totp totp, found_totp;
    size_t count = 0;

    fill_account(&account, 0);
    assert_ok(storage_account_add(storage, &account, &account.id));
    assert_ok(storage_account_by_id(storage, account.id, &found));
    same_account(&account, &found);
    fill_key(&key, 0);
    assert_ok(storage_key_add(storage, key.account, &key));
    assert_ok(storage_key_list(storage, key.account, &found_key, 1, &count));
    assert_int_equal(count, 1);
    same_key(&key, &found_key);
    fill_code(&code, 0);
    for (int i = 0; i < 2; i++) {
        code.expires_ms++; /* the second pass of the loop replaces the row */
        assert_ok(storage_code_put(storage, &code));
        assert_ok(storage_code_find(storage, code.purpose, code.hash, &found_code));
        same_code(&code, &found_code);
    }
    fill_totp(&totp, 0);
    for (int i = 0; i < 2; i++) {
        totp.used_step++;
        assert_ok(storage_totp_put(storage, totp.account, &totp));
        assert_ok(storage_totp_read(storage, totp.account, &found_totp));
        same_totp(&totp, &found_totp);
    }
}

static void friends_blocks_and_invitations_read_back_as_written(void **state)
{
    struct storage *storage = set_up_without_foreign_key_checks(state);
    struct storage_connection connection, found;
    struct storage_guest guest, found_guest;
    struct storage_former_name name, found_name;
    struct storage_notice notice, notices[STORAGE_NOTICES_MAX];
    struct storage_invitation invitation, found_invitation;
    struct storage_time_away time, found_time;
    size_t count = 0;

    fill_connection(&connection, 0);
    assert_ok(storage_connection_save(storage, &connection));
    assert_ok(storage_connection_read(storage, connection.conn, &found));
    same_connection(&connection, &found);
    fill_guest(&guest, 0);
    assert_ok(storage_guest_save(storage, &guest, 0));
    assert_ok(storage_guest_read(storage, guest.name, &found_guest));
    same_guest(&guest, &found_guest);
    fill_former_name(&name, 0);
    assert_ok(storage_former_name_add(storage, &name));
    assert_ok(storage_former_name_find(storage, name.name, &found_name));
    same_former_name(&name, &found_name);
    fill_notice(&notice, 0);
    assert_ok(storage_notice_add(storage, &notice));
    assert_ok(
        storage_notices_read(storage, notice.account, "", notices, STORAGE_NOTICES_MAX, &count));
    assert_int_equal(count, 1);
    same_notice(&notice, &notices[0]);
    fill_invitation(&invitation, 0);
    assert_ok(storage_invitation_set(storage, &invitation));
    assert_ok(storage_invitation_read(storage, invitation.name, &found_invitation));
    same_invitation(&invitation, &found_invitation);
    fill_time_away(&time, 0);
    assert_ok(storage_time_away_save(storage, &time));
    assert_ok(storage_time_away_read(storage, time.account, &found_time));
    same_time_away(&time, &found_time);
}

static void tables_seats_clocks_and_shared_replays_read_back_as_written(void **state)
{
    struct storage *storage = set_up_without_foreign_key_checks(state);
    struct storage_table table = {0}, found;
    struct storage_clock clock;
    struct storage_shared_replay review, found_review;
    struct heard heard = {.row = &clock};

    fill_table(&table, 0);
    for (unsigned seat = 0; seat < table.players; seat++) {
        fill_seat(&table.seats[seat], 10 * seat);
        table.seats[seat].is_absent = seat % 2 == 1;
    }
    assert_ok(storage_table_add(storage, &table, &table.id));
    for (int i = 0; i < 2; i++) {
        assert_ok(storage_table_read(storage, table.id, &found));
        same_table(&table, &found);
        for (unsigned seat = 0; seat < table.players; seat++) {
            same_seat(&table.seats[seat], &found.seats[seat]);
            assert_int_equal(found.seats[seat].is_absent, table.seats[seat].is_absent);
        }
        fill_table_change(&table, 7); /* the saved table differs in every column */
        assert_ok(storage_table_save(storage, &table, NULL));
    }
    fill_clock(&clock, 0);
    assert_ok(storage_clock_save(storage, &clock, NULL));
    assert_ok(storage_clocks_each(storage, clock.table, hear_clock, &heard));
    assert_int_equal(heard.count, 1);
    fill_review(&review, 0);
    assert_ok(storage_shared_replay_add(storage, &review, &review.id));
    assert_ok(storage_shared_replay_read(storage, review.id, &found_review));
    same_review(&review, &found_review);
}

static void games_moves_and_scores_read_back_as_written(void **state)
{
    struct storage *storage = set_up_without_foreign_key_checks(state);
    struct storage_game game, found;
    struct storage_seat_change change;
    struct storage_score score, found_score;
    struct storage_move move;
    size_t count = 0;

    fill_game(&game, 0);
    for (unsigned seat = 0; seat < game.players; seat++) {
        fill_seat(&game.seats[seat], 10 * seat);
    }
    assert_ok(storage_game_start(storage, &game, &game.id));
    fill_move(&move, 0);
    move.game = game.id;
    move.step = 0; /* the first move of a game has step 0 */
    assert_ok(storage_moves_append(storage, &move, 1));
    struct heard heard = {.row = &move};
    assert_ok(storage_moves_each(storage, game.id, 0, hear_move, &heard));
    assert_int_equal(heard.count, 1);
    fill_change(&change, 0);
    fill_seat(&change.who, 0);
    assert_ok(storage_seat_change_add(storage, game.id, &change));
    heard = (struct heard){.row = &change};
    assert_ok(storage_seat_changes_each(storage, game.id, hear_change, &heard));
    assert_int_equal(heard.count, 1);
    fill_score(&score, 0);
    fill_seat(&score.who, 0);
    const struct storage_finish finish = {game.id, game.state, game.finished_ms, true, &score, 1};
    assert_ok(storage_game_finish(storage, &finish));
    assert_ok(storage_scores_read(storage, game.id, &found_score, 1, &count));
    assert_int_equal(count, 1);
    same_score(&score, &found_score);
    same_seat(&score.who, &found_score.who);
    assert_ok(storage_game_read(storage, game.id, &found));
    same_game(&game, &found);
    same_seat(&game.seats[6], &found.seats[6]);
}

static void sanctions_and_penalties_read_back_as_written(void **state)
{
    struct storage *storage = set_up_without_foreign_key_checks(state);
    struct storage_decision decision, found;
    struct storage_backoff backoff, found_backoff;
    struct storage_registration registration, found_registration;
    struct storage_sanction sanction, found_sanction;

    fill_decision(&decision, 0);
    assert_ok(storage_decision_set(storage, &decision));
    assert_ok(storage_decision_read(storage, decision.kind, decision.name, &found));
    same_decision(&decision, &found);
    fill_backoff(&backoff, 0);
    assert_ok(storage_backoff_save(storage, &backoff, 10));
    assert_ok(storage_backoff_read(storage, backoff.name_hash, &found_backoff));
    same_backoff(&backoff, &found_backoff);
    fill_registration(&registration, 0);
    assert_ok(storage_registration_save(storage, &registration));
    assert_ok(storage_registration_read(storage, registration.source, &found_registration));
    same_registration(&registration, &found_registration);
    fill_sanction(&sanction, 0);
    assert_ok(storage_sanction_add(storage, &sanction, &sanction.id));
    assert_ok(storage_sanction_edit(storage, &sanction));
    assert_ok(storage_sanction_end(storage, sanction.id, sanction.ended_ms, sanction.ended_by));
    assert_ok(storage_sanction_read(storage, sanction.id, &found_sanction));
    same_sanction(&sanction, &found_sanction);
}

static void reports_notes_and_the_audit_log_read_back_as_written(void **state)
{
    struct storage *storage = set_up_without_foreign_key_checks(state);
    struct storage_report report, found;
    struct storage_note note;
    struct storage_audit audit;
    const struct storage_audit_query query = {"", "", "", 0, 1};
    struct heard heard = {.row = &note};

    fill_report(&report, 0);
    assert_ok(storage_report_add(storage, &report, &report.id));
    assert_ok(storage_report_save(storage, &report));
    assert_ok(storage_report_read(storage, report.id, &found));
    same_report(&report, &found);
    fill_note(&note, 0);
    assert_ok(storage_note_add(storage, &note));
    assert_ok(storage_notes_each(storage, &note, hear_note, &heard));
    assert_int_equal(heard.count, 1);
    fill_audit(&audit, 0);
    assert_ok(storage_audit_add(storage, &audit, &audit.id));
    heard = (struct heard){.row = &audit};
    assert_ok(storage_audit_each(storage, &query, hear_audit, &heard));
    assert_int_equal(heard.count, 1);
}

static void chat_news_and_webhooks_read_back_as_written(void **state)
{
    struct storage *storage = set_up_without_foreign_key_checks(state);
    struct storage_chat line, found;
    struct storage_news news;
    struct storage_hook hook;
    struct storage_hook_event event;
    bool was_full = false;

    fill_chat(&line, 0);
    assert_ok(storage_chat_add(storage, &line, &line.number));
    assert_ok(storage_chat_read(storage, line.number, &found));
    same_chat(&line, &found);
    fill_news(&news, 0);
    assert_ok(storage_news_add(storage, &news, &news.id));
    struct heard heard = {.row = &news};
    assert_ok(storage_news_read_last(storage, 1, hear_news, &heard));
    fill_hook(&hook, 0);
    for (int i = 0; i < 2; i++) {
        hook.failures++;
        heard.row = &hook;
        assert_ok(storage_hook_save(storage, &hook));
        assert_ok(storage_hooks_each(storage, hear_hook, &heard));
    }
    fill_event(&event, 0);
    assert_ok(storage_hook_event_add(storage, &event, &event.id, &was_full));
    heard.row = &event;
    assert_ok(storage_hook_events_each_due(storage, event.next_ms, hear_event, &heard));
    assert_int_equal(heard.count, 4);
}

static void ratings_read_back_as_written(void **state)
{
    struct storage *storage = set_up_without_foreign_key_checks(state);
    struct storage_rating rating, found;
    struct storage_refund refund, found_refund;

    fill_rating(&rating, 0);
    assert_ok(storage_rating_save(storage, &rating));
    assert_ok(storage_rating_read(storage, rating.account, rating.game, rating.season, &found));
    same_rating(&rating, &found);
    fill_refund(&refund, 0);
    assert_ok(storage_refund_add(storage, &refund));
    struct sql q = sql_read(storage, ROW_SELECT("refunds", STORAGE_REFUND_COLUMNS));
    assert_true(sql_first_row(&q));
    take_refund(&q, &found_refund);
    same_refund(&refund, &found_refund);
    assert_ok(sql_end(&q));
}

static void rating_changes_read_back_as_written_and_as_re_rated(void **state)
{
    struct storage *storage = set_up_without_foreign_key_checks(state);
    struct storage_rating_change change, found;
    size_t count = 0;

    fill_rating_change(&change, 0);
    assert_ok(storage_rating_change_add(storage, &change));
    for (int i = 0; i < 2; i++) {
        assert_ok(storage_rating_changes_read(storage, change.game_id, &found, 1, &count));
        assert_int_equal(count, 1);
        same_rating_change(&change, &found);
        fill_values(&change, 50);
        assert_ok(storage_rating_change_set(storage, &change));
    }
}

TEST_GROUP(rows)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(accounts_and_credentials_read_back_as_written),
        FIXTURE_TEST(friends_blocks_and_invitations_read_back_as_written),
        FIXTURE_TEST(tables_seats_clocks_and_shared_replays_read_back_as_written),
        FIXTURE_TEST(games_moves_and_scores_read_back_as_written),
        FIXTURE_TEST(sanctions_and_penalties_read_back_as_written),
        FIXTURE_TEST(reports_notes_and_the_audit_log_read_back_as_written),
        FIXTURE_TEST(chat_news_and_webhooks_read_back_as_written),
        FIXTURE_TEST(ratings_read_back_as_written),
        FIXTURE_TEST(rating_changes_read_back_as_written_and_as_re_rated),
    };

    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
