#include "daemon/queries/queries.h"
#include "lobby/protocol/protocol.h"
#include "tests/daemon/queries/query_end.h"
#include "tests/unit.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tests which requests each query sends, and what it prints for the answers. */

static const char player[] = "{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"player\"}";
static const char admin[] = "{\"name\":\"ada\",\"kind\":\"player\",\"role\":\"admin\"}";
static const char guest[] = "{\"name\":\"guest-1\",\"kind\":\"guest\",\"role\":\"player\"}";

/* A running query, the requests that it has sent, and its output. */
struct running_query {
    struct query_setup setup;
    struct query_run run;
    struct client *client;
    json_t *sent;
    char *said; /* the query's output; NULL until read_output was called */
};

static void record_sent_message(void *context, const char *json, size_t len)
{
    json_t *sent = context;
    (void)json_array_append_new(sent, json_loadb(json, len, 0, NULL));
}

static struct running_query *start_query_as(const char *line, const char *asker_json,
                                            bool has_terminal)
{
    struct running_query *running_query = calloc(1, sizeof *running_query);
    assert_non_null(running_query);
    running_query->sent = json_array();
    running_query->client = client_new(record_sent_message, running_query->sent);
    json_t *row = asker_json == NULL ? NULL : json_loads(asker_json, 0, NULL);
    running_query->setup = (struct query_setup){.line = line,
                                                .client = running_query->client,
                                                .you = row,
                                                .are_guests_welcome = true,
                                                .has_terminal = has_terminal,
                                                .now_ms = 1000000};
    query_begin(&running_query->run, &running_query->setup);
    running_query->setup.you = NULL;
    json_decref(row);
    return running_query;
}

static struct running_query *start_query(const char *line)
{
    return start_query_as(line, player, false);
}

static void end_query(struct running_query *running_query)
{
    query_end(&running_query->run);
    client_free(running_query->client);
    json_decref(running_query->sent);
    free(running_query->said);
    free(running_query);
}

/* Passes to the query a message from the core: JSON text with ' in place of ". */
static void deliver_message(struct running_query *running_query, const char *message)
{
    char *text = strdup(message);
    for (char *at = text; *at != '\0'; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    assert_int_equal(client_receive_packet(running_query->client, text, strlen(text)), CLIENT_OK);
    free(text);
}

static const char *read_output(struct running_query *running_query)
{
    struct bytes out;
    bytes_init(&out, 1 << 20);
    assert_true(query_is_answered(&running_query->run));
    query_write_result(&running_query->run, "\n", &out);
    assert_true(bytes_add(&out, "", 1));
    running_query->said = out.at;
    return running_query->said;
}

static void expect_query_fails_at_once(const char *line, const char *asker_json,
                                       enum query_status status)
{
    struct running_query *running_query = start_query_as(line, asker_json, false);
    assert_true(query_is_answered(&running_query->run));
    assert_int_equal(running_query->run.status, status);
    assert_int_not_equal(strlen(running_query->run.why), 0);
    assert_null(strchr(running_query->run.why, '\n'));
    assert_int_equal(json_array_size(running_query->sent), 0);
    end_query(running_query);
}

static void an_unknown_or_misused_query_sends_no_request(void **state)
{
    (void)state;
    static const char *const unknown[] = {
        "",
        "   ",
        "ls -l",
        "TOP oh-hell",
        "/who",
        "caf\xc3\xa9",
        "x x x x x x x x x x x x x x x x x",
    };
    static const char *const lines[] = {
        "top",
        "top nothing",
        "who now",
        "games",
        "games a b",
        "finger",
        "replay",
        "replay x",
        "replay 0",
        "replay 1 --step",
        "replay -1",
        "verify 1 2",
        "top oh --count",
        "top oh --json x",
        "help --json",
        "inbox x",
        "top oh\x1b[m",
        "top oh --count 51",
        "replay 99999999999999999999",
        "who x x x x x x x x x x x x x x x x x",
    };
    for (size_t i = 0; i < ARRAY_LEN(unknown); i++) {
        expect_query_fails_at_once(unknown[i], player, QUERY_REFUSED);
    }
    for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
        expect_query_fails_at_once(lines[i], player, QUERY_USAGE);
    }
    char endless[QUERY_LINE_MAX + 8];
    memset(endless, 'x', sizeof endless - 1);
    memcpy(endless, "who ", 4);
    endless[sizeof endless - 1] = '\0';
    expect_query_fails_at_once(endless, player, QUERY_USAGE);
}

static void guests_and_unregistered_people_may_run_only_some_queries(void **state)
{
    (void)state;
    expect_query_fails_at_once("who", NULL, QUERY_REFUSED);
    expect_query_fails_at_once("inbox", guest, QUERY_REFUSED);
    struct running_query *running_query = start_query_as("who", guest, false);
    assert_int_equal(running_query->run.status, QUERY_OK);
    end_query(running_query);
}

static void a_house_that_admits_no_guests_refuses_their_queries(void **state)
{
    (void)state;
    for (int is_guest = 0; is_guest < 2; is_guest++) {
        struct query_run run;
        json_t *sent = json_array();
        json_t *you = json_loads(is_guest ? guest : player, 0, NULL);
        const struct query_setup setup = {
            .line = "top oh-hell",
            .client = client_new(record_sent_message, sent),
            .you = you,
        };
        query_begin(&run, &setup);
        assert_int_equal(run.status, is_guest ? QUERY_REFUSED : QUERY_OK);
        assert_int_equal(json_array_size(sent), is_guest ? 0 : 1);
        query_end(&run);
        client_free(setup.client);
        json_decref(you);
        json_decref(sent);
    }
}

static void a_games_name_may_be_abbreviated_and_options_may_stand_anywhere(void **state)
{
    (void)state;
    struct running_query *running_query =
        start_query("top --count 3 oh --from 11 --json --players 4 --week");
    const json_t *sent = json_array_get(running_query->sent, 0);
    assert_string_equal(json_string_value(json_object_get(sent, "t")), "leaders");
    assert_string_equal(json_string_value(json_object_get(sent, "game")), "oh-hell");
    assert_int_equal(json_integer_value(json_object_get(sent, "count")), 3);
    assert_int_equal(json_integer_value(json_object_get(sent, "offset")), 10);
    assert_int_equal(json_integer_value(json_object_get(sent, "players")), 4);
    assert_string_equal(json_string_value(json_object_get(sent, "span")), "week");
    end_query(running_query);
}

#define EMPTY_LOBBY "{'t':'lobby','reset':true,'people':[],'tables':[]}"

#define ROW                                                                                        \
    "'kind':'player','role':'player','rating':1583,'deviation':120,'is_provisional':true,"         \
    "'games':31,'wins':33.3,'place':50.0,'stat':null,'finished':100.0,'best':1600,'best_at':1,"    \
    "'seen_at':86400000"

static void a_leaderboard_has_aligned_columns_and_the_askers_own_row(void **state)
{
    (void)state;
    struct running_query *running_query = start_query("top oh-hell");
    assert_false(query_is_answered(&running_query->run));
    deliver_message(running_query, "{'t':'ok','id':1,'total':1,'is_young':false,"
                                   "'rows':[{'rank':1,'name':'sixteen-letters-'," ROW "}],"
                                   "'me':{'rank':0,'name':'ada'," ROW "}}");
    const char *said = read_output(running_query);
    assert_non_null(strstr(said, "Oh Hell: 1 player is listed.\n"));
    assert_non_null(
        strstr(said, "1  sixteen-letters-  1583? +-120     31  33%    50%     -  100%"));
    assert_non_null(strstr(said, "-  ada               1583? +-120"));
    for (const char *line = said; *line != '\0'; line = strchr(line, '\n') + 1) {
        assert_in_range(strcspn(line, "\n"), 0, QUERY_COLUMNS);
    }
    end_query(running_query);
}

static void the_number_of_listed_rows_is_worded_in_singular_or_plural(void **state)
{
    (void)state;
    static const struct {
        int total;
        const char *words;
    } cases[] = {
        {0, "Oh Hell: nobody is listed yet."},
        {1, "Oh Hell: 1 player is listed.\n"},
        {2, "Oh Hell: 2 players are listed.\n"},
        {1001, "Oh Hell: 1001 players are listed.\n"},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char answer[256];
        struct running_query *running_query = start_query("top oh-hell");
        snprintf(answer, sizeof answer,
                 "{'t':'ok','id':1,'total':%d,'is_young':false,'rows':[],'me':null}",
                 cases[i].total);
        deliver_message(running_query, answer);
        assert_non_null(strstr(read_output(running_query), cases[i].words));
        end_query(running_query);
    }
}

static void a_refusal_of_the_core_is_printed(void **state)
{
    (void)state;
    struct running_query *running_query = start_query("games nobody");
    deliver_message(running_query,
                    "{'t':'no','id':1,'code':'unknown','why':'Nobody has that name.'}");
    assert_string_equal(read_output(running_query), "");
    assert_int_equal(running_query->run.status, QUERY_REFUSED);
    assert_string_equal(running_query->run.why, "Nobody has that name.");
    end_query(running_query);
}

#define PERSON(name) "{'name':'" name "','kind':'player','role':'player','table':null}"

static void the_list_of_people_is_printed_only_when_it_is_complete(void **state)
{
    (void)state;
    struct running_query *running_query = start_query_as("who", guest, false);
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(running_query->sent, 0), "t")), "hello");
    assert_int_equal(json_array_size(running_query->sent), 1);
    assert_false(query_is_answered(&running_query->run));
    deliver_message(running_query,
                    "{'t':'lobby','reset':true,'people':[" PERSON("old") "],'tables':[]}");
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(running_query->sent, 1), "t")), "ping");
    deliver_message(running_query, "{'t':'lobby','reset':true,'people':[" PERSON("bob") "," PERSON(
                                       "eve") "],'tables':[]}");
    deliver_message(
        running_query,
        "{'t':'lobby','reset':false,'people':[{'name':'bob','kind':'player','role':'admin',"
        "'rating':1500,'table':7,'seated':true,'idle_s':120},"
        "{'name':'guest-1','kind':'guest','role':'player','table':null}],"
        "'tables':[],'gone_people':['eve'],'gone_tables':[]}");
    assert_false(query_is_answered(&running_query->run));
    deliver_message(running_query, "{'t':'ok','id':1}");
    assert_string_equal(read_output(running_query), "Name     R  Where          Idle  \n"
                                                    "bob   1500  playing at #7    2m  admin\n");
    end_query(running_query);
}

/* Answers the requests of `finger` about somebody who has finished no games and is not online. */
static void answer_finger(struct running_query *running_query, const char *profile)
{
    deliver_message(running_query, "{'t':'ok','id':1,'rows':[]}");
    deliver_message(running_query, profile);
    deliver_message(running_query, "{'t':'ok','id':3,'people':[" PERSON("bobby") "]}");
}

static void a_persons_ratings_are_printed_in_a_table(void **state)
{
    (void)state;
    struct running_query *running_query = start_query("finger bob");
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(running_query->sent, 1), "t")), "profile");
    answer_finger(
        running_query,
        "{'t':'ok','id':2,'name':'bob','games':[{'name':'bob','game':'oh-hell','rank':3," ROW
        ",'chart':[1500,1583]}]}");
    const char *said = read_output(running_query);
    assert_non_null(strstr(said, "bob is not online.\n"));
    assert_non_null(strstr(said, "#  Game     Rating"));
    assert_non_null(strstr(said, "3  Oh Hell  1583? +-120     31  33%    50%     -  100%  1600"));
    assert_non_null(strstr(said, "No finished games yet."));
    end_query(running_query);
}

static void a_persons_profile_row_is_in_the_json(void **state)
{
    (void)state;
    struct running_query *running_query = start_query("finger bob --json");
    answer_finger(running_query,
                  "{'t':'ok','id':2,'name':'bob','kind':'player','role':'mod',"
                  "'created_at':1790000000000,'seen_at':1795000000000,'is_here':true,'games':[]}");
    const char *said = read_output(running_query);
    assert_non_null(strstr(said, "\"role\":\"mod\""));
    assert_non_null(strstr(said, "\"seen_at\":1795000000000,\"is_here\":true"));
    assert_null(strstr(said, "\"t\""));
    end_query(running_query);
}

#define GAME(id, rank, score, change)                                                              \
    "{'game_id':" id ",'at':1795000000000,'game':'oh-hell','rank':" rank ",'score':" score         \
    ",'change':" change ",'players':[{'name':'bob'},{'name':'ada'},{'name':'a-long-name'},"        \
    "{'name':'another-long-name'}]}"

static void a_persons_games_are_listed_in_a_table(void **state)
{
    (void)state;
    struct running_query *running_query = start_query("games bob");
    deliver_message(running_query,
                    "{'t':'ok','id':1,'rows':[" GAME("12", "1", "31", "12.4") "," GAME(
                        "7", "4", "null", "null") "]}");
    assert_string_equal(
        read_output(running_query),
        "Number  Finished    Game     Place   Score  Rating  With\n"
        "    12  2026-11-18  Oh Hell  1 of 4     31     +12  ada, a-long-name, ...\n"
        "     7  2026-11-18  Oh Hell  4 of 4   left       -  ada, a-long-name, ...\n");
    end_query(running_query);
}

static void an_empty_house_is_reported_in_words(void **state)
{
    (void)state;
    struct running_query *running_query = start_query("tables");
    deliver_message(running_query, EMPTY_LOBBY);
    deliver_message(running_query, "{'t':'ok','id':1}");
    assert_string_equal(read_output(running_query), "No table is open.\n");
    end_query(running_query);
    running_query = start_query("who");
    deliver_message(running_query, EMPTY_LOBBY);
    deliver_message(running_query, "{'t':'ok','id':1}");
    assert_string_equal(read_output(running_query), "Nobody is online.\n");
    end_query(running_query);
    running_query = start_query("tables --json");
    deliver_message(running_query, EMPTY_LOBBY);
    deliver_message(running_query, "{'t':'ok','id':1}");
    assert_string_equal(read_output(running_query), "{\"tables\":[]}\n");
    end_query(running_query);
}

static void a_listed_table_shows_its_state_and_clock(void **state)
{
    (void)state;
    struct running_query *running_query = start_query("tables");
    deliver_message(running_query,
                    "{'t':'lobby','reset':true,'people':[],'tables':[{'id':7,'game':'oh-hell',"
                    "'players':4,'seated':4,'clock':{'kind':'move','move_s':30},'halt':'none',"
                    "'state':'playing','round':2,'rounds':19,'host':'ada','is_locked':false,"
                    "'watchers':2}]}");
    deliver_message(running_query, "{'t':'ok','id':1}");
    assert_non_null(strstr(read_output(running_query),
                           "7  Oh Hell    4/4  30s    round 2 of 19  ada   2 watching\n"));
    end_query(running_query);
}

static void printed_text_contains_no_terminal_controls(void **state)
{
    (void)state;
    struct running_query *running_query = start_query("inbox");
    deliver_message(running_query, "{'t':'mine','tables':[{'table':3,'game':'oh-hell','turn':true,"
                                   "'due_at':4600000,'halt':'none'}]}");
    deliver_message(running_query,
                    "{'t':'chat','channel':'tell','from':'bob','to':'ada','kind':'say',"
                    "'text':'a\\u001b[2Jb\\u0007\\n\\u202ec','at':0,'n':1}");
    deliver_message(running_query,
                    "{'t':'chat','channel':'tell','from':'ada','to':'bob','kind':'say',"
                    "'text':'mine','at':0,'n':2}");
    deliver_message(running_query, EMPTY_LOBBY);
    deliver_message(running_query, "{'t':'ok','id':1}");
    deliver_message(running_query, "{'t':'ok','id':2}");
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(running_query->sent, 1), "t")),
        "tells_read");
    const char *said = read_output(running_query);
    assert_non_null(strstr(said, "1 game waits for your move.\n"));
    assert_non_null(strstr(said, "#3  Oh Hell  yes        1h\n"));
    assert_non_null(strstr(said, "bob told you: a"));
    assert_null(strstr(said, "mine"));
    for (const char *at = said; *at != '\0'; at++) {
        assert_true((unsigned char)*at >= ' ' || *at == '\n');
    }
    end_query(running_query);
}

static void a_moderation_command_is_sent_as_typed_in_one_line(void **state)
{
    (void)state;
    expect_query_fails_at_once("mod", admin, QUERY_USAGE);
    expect_query_fails_at_once("mod held\nquit", admin, QUERY_USAGE);
    expect_query_fails_at_once("mod held \x1b[2J", admin, QUERY_USAGE);
    expect_query_fails_at_once("mod warn bob \xff", admin, QUERY_USAGE);
    expect_query_fails_at_once("mod sanctions", guest, QUERY_REFUSED);
    struct running_query *running_query =
        start_query_as("mod  /warn bob caf\xc3\xa9 is  closed // for now", admin, true);
    const json_t *sent = json_array_get(running_query->sent, 0);
    assert_string_equal(json_string_value(json_object_get(sent, "line")),
                        "warn bob caf\xc3\xa9 is  closed // for now");
    assert_string_equal(json_string_value(json_object_get(sent, "via")), "exec");
    deliver_message(running_query, "{'t':'ok','id':1,'lines':['bob is warned.','Twice.']}");
    assert_string_equal(read_output(running_query), "bob is warned.\nTwice.\n");
    end_query(running_query);
}

#define STEP_UP "{'t':'no','id':1,'code':'step_up','why':'Confirm who you are first.'}"

static void confirming_a_moderation_command_requires_a_terminal(void **state)
{
    (void)state;
    struct running_query *running_query = start_query_as("mod notes bob", admin, true);
    deliver_message(running_query, STEP_UP);
    assert_true(query_is_answered(&running_query->run));
    assert_int_equal(running_query->run.status, QUERY_OK);
    assert_string_equal(running_query->run.typed, "/mod notes bob\n");
    end_query(running_query);
    running_query = start_query_as("mod notes bob", admin, false);
    deliver_message(running_query, STEP_UP);
    assert_string_equal(read_output(running_query), "");
    assert_int_equal(running_query->run.status, QUERY_REFUSED);
    assert_non_null(strstr(running_query->run.why, "ssh -t"));
    end_query(running_query);
}

/* Passes to the query the record of a game without a single move. */
static void deliver_game_record_that_may_be_void(struct running_query *running_query,
                                                 bool is_commitment_valid, bool is_void)
{
    const struct history_seat seats[] = {{"ada", NULL}, {"bob", NULL}, {"eve", NULL}};
    struct history_source source = {.id = 7, .game = game_find("oh-hell"), .seats = seats};
    source.config = game_config_default(source.game, 3);
    if (is_commitment_valid) {
        (void)crypto_hash_sha256(source.commitment, source.seed, sizeof source.seed);
    }
    json_t *record = record_to_json(&source, 0);
    if (is_void) {
        (void)json_object_set_new(record, "is_void", json_true());
    }
    json_t *answer = json_pack("{s:s, s:i, s:o}", "t", "ok", "id", 1, "record", record);
    char *text = json_dumps(answer, JSON_COMPACT);
    assert_int_equal(client_receive_packet(running_query->client, text, strlen(text)), CLIENT_OK);
    json_decref(answer);
    free(text);
}

static void deliver_game_record(struct running_query *running_query, bool is_commitment_valid)
{
    deliver_game_record_that_may_be_void(running_query, is_commitment_valid, false);
}

static void every_form_of_output_says_that_a_game_is_void(void **state)
{
    (void)state;
    static const struct form {
        const char *line, *said;
    } forms[] = {
        {"replay 7", "declared void"},
        {"replay 7 --step 0", "declared void"},
        {"replay 7 --json", "\"void\":true"},
        {"verify 7 --json", "\"is_void\":true"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct running_query *running_query = start_query(forms[i].line);
        deliver_game_record_that_may_be_void(running_query, true, true);
        assert_non_null(strstr(read_output(running_query), forms[i].said));
        end_query(running_query);
        running_query = start_query(forms[i].line);
        deliver_game_record_that_may_be_void(running_query, true, false);
        assert_null(strstr(read_output(running_query), forms[i].said));
        end_query(running_query);
    }
}

static void a_game_that_fails_verification_is_reported_with_the_reason(void **state)
{
    (void)state;
    static const char *const words[] = {"commitment", "not over"};
    for (size_t kept = 0; kept < 2; kept++) {
        struct running_query *running_query = start_query("verify 7");
        deliver_game_record(running_query, kept == 1);
        assert_string_equal(read_output(running_query), "");
        assert_int_equal(running_query->run.status, QUERY_REFUSED);
        assert_non_null(strstr(running_query->run.why, words[kept]));
        end_query(running_query);
    }
}

static void a_printed_replay_shows_all_hands(void **state)
{
    (void)state;
    struct running_query *running_query = start_query("replay 7 --step 0");
    deliver_game_record(running_query, true);
    const char *said = read_output(running_query);
    assert_non_null(strstr(said, "Cards of ada:"));
    assert_non_null(strstr(said, "Cards of eve:"));
    end_query(running_query);
    running_query = start_query("replay 7 --step 1");
    deliver_game_record(running_query, true);
    assert_string_equal(read_output(running_query), "");
    assert_int_equal(running_query->run.status, QUERY_REFUSED);
    end_query(running_query);
    running_query = start_query("replay 7 --json");
    deliver_game_record(running_query, true);
    assert_non_null(strstr(read_output(running_query), "\"format\":\"trickhouse-history/3\""));
    end_query(running_query);
}

static void a_printed_replay_begins_with_the_story_of_the_first_round(void **state)
{
    (void)state;
    struct running_query *running_query = start_query("replay 7");
    deliver_game_record(running_query, true);
    const char *output = read_output(running_query);
    assert_non_null(strstr(output, "Round 1 of "));
    assert_non_null(strstr(output, " begins."));
    end_query(running_query);
}

TEST_GROUP(queries)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_or_misused_query_sends_no_request),
        cmocka_unit_test(guests_and_unregistered_people_may_run_only_some_queries),
        cmocka_unit_test(a_house_that_admits_no_guests_refuses_their_queries),
        cmocka_unit_test(a_games_name_may_be_abbreviated_and_options_may_stand_anywhere),
        cmocka_unit_test(a_leaderboard_has_aligned_columns_and_the_askers_own_row),
        cmocka_unit_test(the_number_of_listed_rows_is_worded_in_singular_or_plural),
        cmocka_unit_test(a_refusal_of_the_core_is_printed),
        cmocka_unit_test(the_list_of_people_is_printed_only_when_it_is_complete),
        cmocka_unit_test(a_persons_ratings_are_printed_in_a_table),
        cmocka_unit_test(a_persons_profile_row_is_in_the_json),
        cmocka_unit_test(a_persons_games_are_listed_in_a_table),
        cmocka_unit_test(an_empty_house_is_reported_in_words),
        cmocka_unit_test(a_listed_table_shows_its_state_and_clock),
        cmocka_unit_test(printed_text_contains_no_terminal_controls),
        cmocka_unit_test(a_moderation_command_is_sent_as_typed_in_one_line),
        cmocka_unit_test(confirming_a_moderation_command_requires_a_terminal),
        cmocka_unit_test(a_game_that_fails_verification_is_reported_with_the_reason),
        cmocka_unit_test(every_form_of_output_says_that_a_game_is_void),
        cmocka_unit_test(a_printed_replay_shows_all_hands),
        cmocka_unit_test(a_printed_replay_begins_with_the_story_of_the_first_round),
    };
    return cmocka_run_group_tests_name("queries", tests, NULL, NULL);
}
