#include "storage/accounts/accounts.h"

#include "storage/archive/archive.h"
#include "storage/chat/chat.h"
#include "storage/mod/mod.h"
#include "storage/people/people.h"
#include "storage/ratings/ratings.h"
#include "storage/tables/tables.h"
#include "tests/storage/boards_fixture.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#define AT_MS INT64_C(1790000000000)

/* The chat lines in the order they arrived, as "from>to:text" separated by blanks. */
struct words {
    char text[512];
    size_t empty;
};

static bool collect_line(void *context, const struct storage_chat *line)
{
    struct words *words = context;
    size_t len = strlen(words->text);
    (void)snprintf(words->text + len, sizeof words->text - len, "%s>%s:%s ", line->from, line->to,
                   line->text);
    words->empty += line->text[0] == '\0' && line->is_hidden;
    return true;
}

static void add_chat_line(struct storage *storage, int64_t account, const char *from,
                          const char *to, const char *text)
{
    int64_t number = 0;
    struct storage_chat line = {
        .channel = to[0] == '\0' ? STORAGE_CHAT_LOBBY : STORAGE_CHAT_DIRECT,
        .account = account,
        .at_ms = AT_MS,
    };
    (void)snprintf(line.from, sizeof line.from, "%s", from);
    (void)snprintf(line.to, sizeof line.to, "%s", to);
    (void)snprintf(line.text, sizeof line.text, "%s", text);
    assert_ok(storage_chat_add(storage, &line, &number));
}

static size_t rewrite_all_lines_in_batches(struct storage *storage, size_t max_lines)
{
    bool is_more = true;
    size_t calls = 0;
    while (is_more) {
        assert_ok(storage_chat_continue_rewrites(storage, max_lines, &is_more));
        calls++;
    }
    return calls;
}

static void a_rename_changes_the_name_in_every_database_table(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_account account;
    struct words words = {"", 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    (void)fixture_add_account(storage, "bob", STORAGE_PLAYER);
    add_chat_line(storage, mira, "mira", "bob", "one");
    add_chat_line(storage, 0, "bob", "mira", "two");
    assert_result(storage_account_rename(storage, mira, "bob", "bob"), STORAGE_TAKEN);
    assert_ok(storage_account_rename(storage, mira, "ada", "ada"));
    (void)rewrite_all_lines_in_batches(storage, 100);
    assert_result(storage_account_by_name(storage, "mira", &account), STORAGE_NOT_FOUND);
    assert_ok(storage_account_by_name(storage, "ada", &account));
    assert_int_equal(account.id, mira);
    assert_ok(storage_chat_read_direct_messages(storage, "ada", 10, collect_line, &words));
    assert_string_equal(words.text, "ada>bob:one bob>ada:two ");
}

static void the_next_owner_of_a_name_cannot_read_the_previous_owners_messages(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct words words = {"", 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);

    add_chat_line(storage, 0, "bob", "mira", "for the first");
    assert_ok(storage_account_erase(storage, mira, "gone-1"));
    (void)fixture_add_account(storage, "mira", STORAGE_PLAYER);
    add_chat_line(storage, 0, "bob", "mira", "for the second");
    (void)rewrite_all_lines_in_batches(storage, 1);
    assert_ok(storage_chat_read_direct_messages(storage, "mira", 10, collect_line, &words));
    assert_string_equal(words.text, "bob>mira:for the second ");
}

static void chat_lines_are_erased_in_batches_newest_first(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const struct storage_chat_search search = {.text = "", .most = 100};
    struct words words = {"", 0};
    bool is_more = false;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    for (int i = 0; i < 10; i++) {
        add_chat_line(storage, mira, "mira", "", "x");
        add_chat_line(storage, bob, "bob", "", "y");
    }
    assert_ok(storage_account_erase(storage, mira, "gone-1"));
    assert_ok(storage_chat_continue_rewrites(storage, 4, &is_more));
    assert_true(is_more);
    assert_ok(
        storage_chat_search_channel(storage, STORAGE_CHAT_LOBBY, 0, &search, collect_line, &words));
    assert_int_equal(words.empty, 4);
    assert_int_equal(strncmp(words.text, "bob>:y gone-1>: bob>:y gone-1>: ", 32), 0);
    fixture_commit(fixture);
    fixture_reopen(fixture);
    assert_int_equal(rewrite_all_lines_in_batches(fixture->storage, 4), 2);
    words = (struct words){"", 0};
    assert_ok(storage_chat_search_channel(fixture->storage, STORAGE_CHAT_LOBBY, 0, &search,
                                          collect_line, &words));
    assert_int_equal(words.empty, 10);
    assert_null(strstr(words.text, "mira"));
}

static void a_deleted_account_leaves_no_key_rating_or_leaderboard_row(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_account account;
    struct storage_rating rating = {.game = "oh-hell", .mu = 25, .sigma = 8};
    int64_t others[4];
    size_t count = 0;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    rating.account = mira;
    assert_ok(storage_rating_save(storage, &rating));
    assert_ok(storage_account_set_role(storage, mira, STORAGE_ROLE_MOD));
    assert_ok(storage_block_add(storage, bob, mira, STORAGE_BLOCK_IGNORE));
    assert_ok(storage_account_erase(storage, mira, "gone-1"));
    assert_ok(storage_account_by_id(storage, mira, &account));
    assert_string_equal(account.name, "gone-1");
    assert_string_equal(account.password_hash, "");
    assert_int_equal(account.role, STORAGE_ROLE_PLAYER);
    assert_result(storage_rating_read(storage, mira, "oh-hell", 0, &rating), STORAGE_NOT_FOUND);
    assert_ok(storage_blocks_read(storage, bob, STORAGE_BLOCK_IGNORE, others, 4, &count));
    assert_int_equal(count, 0);
}

static void a_deleted_or_merged_account_is_closed(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_account account;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    assert_ok(storage_account_merge(storage, mira, bob));
    assert_ok(storage_account_by_id(storage, mira, &account));
    assert_true(account.is_closed);
    assert_ok(storage_account_by_id(storage, bob, &account));
    assert_false(account.is_closed);
    assert_ok(storage_account_erase(storage, bob, "gone-1"));
    assert_ok(storage_account_by_id(storage, bob, &account));
    assert_true(account.is_closed);
}

static bool count_staff_note(void *context, const struct storage_note *note)
{
    *(int *)context += strcmp(note->text, "shouts") == 0;
    return true;
}

static void a_merge_moves_everything_to_the_other_account(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_note note = {.by_name = "max", .text = "shouts", .at_ms = AT_MS};
    int notes = 0;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    note.account = mira;
    assert_ok(storage_note_add(storage, &note));
    assert_ok(storage_account_merge(storage, mira, bob));
    assert_ok(storage_notes_each(storage, &(struct storage_note){.account = mira}, count_staff_note,
                                 &notes));
    assert_int_equal(notes, 0);
    assert_ok(storage_notes_each(storage, &(struct storage_note){.account = bob}, count_staff_note,
                                 &notes));
    assert_int_equal(notes, 1);
}

static bool collect_answer(void *context, const struct storage_report *report)
{
    return fixture_add_word(context, "%s", report->answer);
}

static void after_a_merge_the_other_account_gets_the_answers_to_its_reports(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words heard = {.count = 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    struct storage_report report = {.by_account = mira,
                                    .by_name = "mira",
                                    .about_name = "eve",
                                    .category = "abuse",
                                    .text = "shouts",
                                    .at_ms = AT_MS};

    assert_ok(storage_report_add(storage, &report, &report.id));
    assert_ok(storage_account_merge(storage, mira, bob));
    report.state = STORAGE_REPORT_RESOLVED;
    report.closed_ms = AT_MS + 1;
    (void)snprintf(report.answer, sizeof(report.answer), "muted");
    assert_ok(storage_report_save(storage, &report));
    assert_ok(storage_reports_each(storage, STORAGE_REPORTS_UNREAD, bob, collect_answer, &heard));
    assert_words(&heard, "muted ");
    assert_ok(storage_reports_each(storage, STORAGE_REPORTS_UNREAD, mira, collect_answer, &heard));
    assert_words(&heard, "");
}

static void a_merge_moves_a_vacation_only_to_an_account_without_one(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t carl = fixture_add_account(storage, "carl", STORAGE_PLAYER);
    struct storage_time_away time = {.account = mira, .vacation_year = 2026, .vacation_days = 9};

    assert_ok(storage_time_away_save(storage, &time));
    assert_ok(storage_account_merge(storage, mira, bob));
    assert_ok(storage_time_away_read(storage, bob, &time));
    assert_int_equal(time.vacation_days, 9);
    time = (struct storage_time_away){.account = carl, .vacation_year = 2026, .vacation_days = 2};
    assert_ok(storage_time_away_save(storage, &time));
    assert_ok(storage_account_merge(storage, carl, bob));
    assert_ok(storage_time_away_read(storage, bob, &time));
    assert_int_equal(time.vacation_days, 9);
    assert_result(storage_time_away_read(storage, carl, &time), STORAGE_NOT_FOUND);
}

static void an_erased_account_leaves_no_vacation(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    struct storage_time_away time = {.account = mira, .vacation_year = 2026, .vacation_days = 9};

    assert_ok(storage_time_away_save(storage, &time));
    assert_ok(storage_account_erase(storage, mira, "gone-1"));
    assert_result(storage_time_away_read(storage, mira, &time), STORAGE_NOT_FOUND);
}

/* Gives the account credentials, waiting messages and preferences. */
static void add_credentials_and_messages(struct storage *storage, int64_t account, int64_t other)
{
    const struct storage_key key = {
        .fingerprint = "SHA256:mira", .type = "ssh-ed25519", .added_ms = 1};
    const struct storage_code code = {
        .account = account, .purpose = STORAGE_CODE_KEY, .hash = "abc", .expires_ms = 99};
    const struct storage_totp totp = {.secret = "JBSWY3DPEHPK3PXP"};

    assert_ok(storage_account_set_password(storage, account, "hash"));
    assert_ok(storage_key_add(storage, account, &key));
    assert_ok(storage_code_put(storage, &code));
    assert_ok(storage_totp_put(storage, account, &totp));
    assert_ok(storage_friend_add(storage, account, other, AT_MS));
    assert_ok(storage_friend_add(storage, other, account, AT_MS));
    assert_ok(storage_channel_join(storage, account, "#tea", AT_MS));
}

static void assert_no_credential_is_left(struct storage *storage, int64_t account, int64_t other)
{
    struct storage_account found;
    struct storage_code code;
    struct storage_totp totp;
    bool is_there = true;

    assert_ok(storage_account_by_id(storage, account, &found));
    assert_string_equal(found.password_hash, "");
    assert_result(storage_code_find(storage, STORAGE_CODE_KEY, "abc", &code), STORAGE_NOT_FOUND);
    assert_result(storage_totp_read(storage, account, &totp), STORAGE_NOT_FOUND);
    assert_result(storage_friend_exists(storage, account, other), STORAGE_NOT_FOUND);
    assert_result(storage_friend_exists(storage, other, account), STORAGE_NOT_FOUND);
    assert_ok(storage_channel_exists(storage, "#tea", &is_there));
    assert_false(is_there);
}

static void nobody_can_sign_in_to_a_deleted_account(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_account found;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    add_credentials_and_messages(storage, mira, bob);
    assert_ok(storage_account_erase(storage, mira, "gone-1"));
    assert_no_credential_is_left(storage, mira, bob);
    assert_result(storage_account_by_key(storage, "SHA256:mira", &found), STORAGE_NOT_FOUND);
}

static void only_the_key_of_a_merged_account_signs_in_to_the_other_account(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct storage_account found;
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);

    add_credentials_and_messages(storage, mira, bob);
    assert_ok(storage_account_merge(storage, mira, bob));
    assert_no_credential_is_left(storage, mira, bob);
    assert_ok(storage_account_by_key(storage, "SHA256:mira", &found));
    assert_int_equal(found.id, bob);
}

static bool collect_sanction(void *context, const struct storage_sanction *sanction)
{
    return fixture_add_word(context, "%s", sanction->reason);
}

static void a_merge_moves_the_sanctions_in_force(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const struct storage_sanction sanction = {.kind = STORAGE_SANCTION_BAN,
                                              .account = mira,
                                              .name = "mira",
                                              .reason = "cheating",
                                              .until_ms = STORAGE_SANCTION_FOR_GOOD};
    int64_t id = 0;

    assert_ok(storage_sanction_add(storage, &sanction, &id));
    assert_ok(storage_account_merge(storage, mira, bob));
    assert_ok(storage_sanctions_list_of_account(storage, bob, collect_sanction, &words));
    assert_words(&words, "cheating ");
    assert_ok(storage_sanctions_list_of_account(storage, mira, collect_sanction, &words));
    assert_words(&words, "");
}

static bool collect_game(void *context, const struct storage_past_game *played)
{
    return fixture_add_word(context, "%d", (int)played->game_id);
}

static void a_merge_moves_the_games(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t eve = fixture_add_account(storage, "eve", STORAGE_PLAYER);
    const int64_t people[] = {mira, eve};
    struct storage_refund refund = {.account = mira, .game = "whist", .at_ms = 50, .mu = 1.5};
    struct storage_refund_sum sum;

    refund.game_id = fixture_add_finished_game(storage, people, 2, 100);
    assert_ok(storage_refund_add(storage, &refund));
    assert_ok(storage_account_merge(storage, mira, bob));
    assert_ok(storage_past_games_by_account(storage, bob, INT64_MAX, 9, collect_game, &words));
    assert_words(&words, "1 ");
    assert_ok(storage_past_games_by_account(storage, mira, INT64_MAX, 9, collect_game, &words));
    assert_words(&words, "");
    assert_ok(storage_refunds_sum(
        storage, &(struct storage_rating){.account = bob, .game = "whist"}, 100, &sum));
    assert_true(sum.mu == 1.5);
}

/* Repeated games of two people count less and less. If merged accounts did not count as one person,
 * their games with a friend would count in full again. */
static void after_a_merge_games_of_both_accounts_against_a_friend_count_together(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    const int64_t eve = fixture_add_account(storage, "eve", STORAGE_PLAYER);
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t games[][3] = {{mira, eve}, {bob, eve}, {mira, eve, bob}};
    const size_t players[] = {2, 2, 3};
    struct storage_rating_change change = {
        .game_id = INT64_MAX, .account = bob, .game = "whist", .at_ms = 400};
    uint32_t count = 99;

    for (size_t i = 0; i < 3; i++) {
        const int64_t game = fixture_add_finished_game(storage, games[i], players[i], 100);
        for (size_t seat = 0; seat < players[i]; seat++) {
            const struct storage_rating_change one = {.game_id = game,
                                                      .seat = (uint8_t)seat,
                                                      .account = games[i][seat],
                                                      .game = "whist",
                                                      .by = "[]",
                                                      .at_ms = 100};
            assert_ok(storage_rating_change_add(storage, &one));
        }
    }
    assert_ok(storage_rating_changes_count_shared(storage, &change, eve, 1000, &count));
    assert_int_equal(count, 2);
    assert_ok(storage_account_merge(storage, mira, bob));
    assert_ok(storage_rating_changes_count_shared(storage, &change, eve, 1000, &count));
    assert_int_equal(count, 3);
}

static bool collect_tally(void *context, uint8_t players, const struct storage_tally *tally)
{
    return fixture_add_word(context, "%d:%u/%.1f/%.2f/%u+%u@%d", players, tally->games, tally->wins,
                            tally->place_sum, tally->finished, tally->left,
                            (int)(tally->last_ms - AT_MS));
}

static void a_merge_adds_up_the_games_of_both_accounts(void **state)
{
    struct fixture *fixture = *state;
    struct storage *storage = fixture->storage;
    struct fixture_words words = {.count = 0};
    const struct storage_board board = {.game = "whist"};
    const int64_t mira = fixture_add_account(storage, "mira", STORAGE_PLAYER);
    const int64_t bob = fixture_add_account(storage, "bob", STORAGE_PLAYER);
    struct storage_rating_change change = {.account = mira,
                                           .game = "whist",
                                           .season = 19723,
                                           .players = 4,
                                           .rank = 1,
                                           .win = 1.0,
                                           .at_ms = AT_MS + 2};

    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    change.players = 3;
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    change = (struct storage_rating_change){.account = bob,
                                            .game = "whist",
                                            .season = 19723,
                                            .players = 4,
                                            .rank = 2,
                                            .has_left = true,
                                            .at_ms = AT_MS + 1};
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    assert_ok(storage_account_merge(storage, mira, bob));
    assert_ok(boards_tallies_each(storage, bob, &board, collect_tally, &words));
    assert_words(&words, "3:1/1.0/1.00/1+0@2 4:2/1.0/1.00/1+1@2 ");
    assert_ok(boards_tallies_each(storage, mira, &board, collect_tally, &words));
    assert_words(&words, "");
}

TEST_GROUP(account_changes)
{
    const struct CMUnitTest tests[] = {
        FIXTURE_TEST(a_rename_changes_the_name_in_every_database_table),
        FIXTURE_TEST(the_next_owner_of_a_name_cannot_read_the_previous_owners_messages),
        FIXTURE_TEST(chat_lines_are_erased_in_batches_newest_first),
        FIXTURE_TEST(a_deleted_account_leaves_no_key_rating_or_leaderboard_row),
        FIXTURE_TEST(a_deleted_or_merged_account_is_closed),
        FIXTURE_TEST(a_merge_moves_everything_to_the_other_account),
        FIXTURE_TEST(nobody_can_sign_in_to_a_deleted_account),
        FIXTURE_TEST(only_the_key_of_a_merged_account_signs_in_to_the_other_account),
        FIXTURE_TEST(a_merge_moves_the_sanctions_in_force),
        FIXTURE_TEST(a_merge_moves_the_games),
        FIXTURE_TEST(after_a_merge_games_of_both_accounts_against_a_friend_count_together),
        FIXTURE_TEST(after_a_merge_the_other_account_gets_the_answers_to_its_reports),
        FIXTURE_TEST(a_merge_moves_a_vacation_only_to_an_account_without_one),
        FIXTURE_TEST(an_erased_account_leaves_no_vacation),
        FIXTURE_TEST(a_merge_adds_up_the_games_of_both_accounts),
    };
    return cmocka_run_group_tests_name("account_changes", tests, NULL, NULL);
}
