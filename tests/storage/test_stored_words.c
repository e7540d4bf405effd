#include "storage/stored_words.h"

#include "storage/accounts/accounts.h"
#include "tests/storage/fixture.h"
#include "tests/unit.h"

/* The stored numbers of one list of choices, in the order of the list. */
#define NUMBER(prefix, name, number, word) number,

#define LISTS(X)                                                                                   \
    X(STORED_ACCOUNT_KINDS)                                                                        \
    X(STORED_ROLES)                                                                                \
    X(STORED_HOLDERS)                                                                              \
    X(STORED_TABLE_STATES)                                                                         \
    X(STORED_HALTS)                                                                                \
    X(STORED_PACES)                                                                                \
    X(STORED_CLOCK_KINDS)                                                                          \
    X(STORED_WATCH_POLICIES)                                                                       \
    X(STORED_WATCH_TALKS)                                                                          \
    X(STORED_CHAT_CHANNELS)                                                                        \
    X(STORED_CHAT_KINDS)                                                                           \
    X(STORED_SANCTION_KINDS)                                                                       \
    X(STORED_REPORT_STATES)

static void the_stored_numbers_of_each_list_of_choices_ascend_from_0_without_a_gap(void **state)
{
    (void)state;
#define GOES_UP(LIST)                                                                              \
    {                                                                                              \
        static const int numbers[] = {LIST(NUMBER, )};                                             \
        for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {                                          \
            assert_int_equal(numbers[i], i);                                                       \
        }                                                                                          \
        assert_int_equal(STORED_LAST(LIST), ARRAY_LEN(numbers) - 1);                               \
    }
    LISTS(GOES_UP)
}

/* Existing data files hold these numbers, so a list of choices may only grow at its end. */
static void a_stored_number_keeps_its_meaning(void **state)
{
#define SPELL(prefix, name, number, word) #name "=" #number " "
#define SPELL_LIST(LIST) LIST(SPELL, ) "\n"
    (void)state;
    assert_string_equal(LISTS(SPELL_LIST), "PLAYER=0 BOT=1 \n"
                                           "PLAYER=0 MOD=1 ADMIN=2 \n"
                                           "EMPTY=0 PLAYER=1 GUEST=2 BOT=3 \n"
                                           "OPEN=0 PLAYING=1 FINISHED=2 CLOSED=3 \n"
                                           "NONE=0 PAUSE=1 ADJOURN=2 HOUSE=3 ROUND=4 \n"
                                           "NORMAL=0 QUICK=1 SLOW=2 \n"
                                           "NONE=0 MOVE=1 BANK=2 DAYS=3 \n"
                                           "PUBLIC=0 DELAY=1 FRIENDS=2 NONE=3 \n"
                                           "ALL=0 APART=1 OFF=2 \n"
                                           "LOBBY=0 TABLE=1 DIRECT=2 CHANNEL=3 \n"
                                           "SAY=0 ME=1 SYSTEM=2 \n"
                                           "WARN=0 MUTE=1 SUSPEND=2 BAN=3 RANKBAN=4 HOLD=5 \n"
                                           "OPEN=0 TAKEN=1 RESOLVED=2 DISMISSED=3 \n");
}

static void enums_and_words_are_made_from_the_lists_of_choices(void **state)
{
    static const char *const words[] = {STORED_WORDS(STORED_ROLES)};

    (void)state;
    assert_int_equal(STORAGE_ROLE_LAST, STORAGE_ROLE_ADMIN);
    assert_int_equal(ARRAY_LEN(words), STORAGE_ROLE_LAST + 1);
    assert_string_equal(words[STORAGE_ROLE_MOD], "mod");
}

TEST_GROUP(stored_words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_stored_numbers_of_each_list_of_choices_ascend_from_0_without_a_gap),
        cmocka_unit_test(a_stored_number_keeps_its_meaning),
        cmocka_unit_test(enums_and_words_are_made_from_the_lists_of_choices),
    };

    return cmocka_run_group_tests_name("stored_words", tests, NULL, NULL);
}
