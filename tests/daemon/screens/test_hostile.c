#include "tests/daemon/screens/samples.h"
#include "tests/daemon/screens/stage.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Tests that sessions trust no message: no screen breaks when any value in a message of the core is
 * replaced by junk. The junk is the same on every run. Sanitizer builds run this test, too.
 */
#define ROUNDS 4000

static unsigned next_random(unsigned *seed, unsigned limit)
{
    *seed = *seed * 1103515245u + 12345u;
    return (*seed >> 16) % limit;
}

static json_t *make_junk(unsigned *seed)
{
    switch (next_random(seed, 12)) {
    case 0:
        return json_null();
    case 1:
        return json_integer(INT64_MIN);
    case 2:
        return json_integer(INT64_MAX);
    case 3:
        return json_integer(-1);
    case 4:
        return json_integer(next_random(seed, 300));
    case 5:
        return json_real(-1e300);
    case 6:
        return json_string("");
    case 7:
        return json_string("\033[2J\x01"
                           "9\u202e日本語日本語日本語日本語日本語日本語日本語");
    case 8:
        return json_pack("[i, s, n, [], {}]", 99, "x");
    case 9:
        return json_pack("{s:i, s:[i, i]}", "seat", 77, "card", 1, 2);
    case 10:
        return json_true();
    default:
        return json_array();
    }
}

/* Replaces one random value of the message, at any depth, by junk. */
static void replace_a_value_by_junk(json_t *message, unsigned *seed)
{
    json_t *at = message;
    for (int depth = 0; depth < 8; depth++) {
        size_t count = json_is_object(at) ? json_object_size(at) : json_array_size(at);
        if (count == 0) {
            return;
        }
        size_t which = next_random(seed, (unsigned)count);
        const char *key = NULL;
        json_t *value = NULL;
        if (json_is_object(at)) {
            void *member = json_object_iter(at);
            for (size_t i = 0; i < which; i++) {
                member = json_object_iter_next(at, member);
            }
            key = json_object_iter_key(member);
            value = json_object_iter_value(member);
        } else {
            value = json_array_get(at, which);
        }
        bool is_deep = json_is_object(value) || json_is_array(value);
        if (!is_deep || next_random(seed, 4) == 0) {
            /* Keeps the message's type, and usually the number of its table. */
            bool is_kept = key != NULL && (strcmp(key, "t") == 0 ||
                                           (strcmp(key, "table") == 0 && next_random(seed, 8) > 0));
            if (key != NULL && !is_kept) {
                json_object_set_new(at, key, make_junk(seed));
            } else if (key == NULL) {
                json_array_set_new(at, which, make_junk(seed));
            }
            return;
        }
        at = value;
    }
}

static void push_message_with_junk(struct driver *driver, const json_t *message, unsigned *seed)
{
    json_t *copy = json_deep_copy(message);
    for (unsigned left = 1 + next_random(seed, 3); left > 0; left--) {
        replace_a_value_by_junk(copy, seed);
    }
    char *text = json_dumps(copy, JSON_COMPACT);
    driver_push(driver, text);
    free(text);
    json_decref(copy);
}

/* Returns messages of every type that the core sends about the stage's table in its current
 * state. */
static json_t *make_messages_about_table(const struct stage *stage)
{
    static const char *const others[] = {
        "{'t':'lobby','reset':false,'people':[{'name':'ada','kind':'bot','role':'mod',"
        "'rating':1500,'is_provisional':true,'table':7,'seated':true,'idle_s':9}],'tables':["
        "{'id':7,'players':4,'seated':3,'bots':1,'clock':{'kind':'move','move_s':30},'state':'"
        "playing','round':1,"
        "'rounds':19,'host':'ada','is_locked':true,'watchers':2}],'gone_people':['bob'],"
        "'gone_tables':[9]}",
        "{'t':'mine','tables':[{'table':7,'turn':true}]}",
        "{'t':'chat','channel':'table','kind':'me','from':'ada','text':'hello','at':1,'n':1}",
        "{'t':'chat','channel':'tell','kind':'say','from':'ada','to':'mira','text':'hello',"
        "'at':1,'n':2}",
        "{'t':'notice','kind':'warn','text':'careful'}",
        "{'t':'welcome','house':'Home','you':{'name':'mira','kind':'player','settings':"
        "{'theme':'mono','ascii':true,'bell':false}}}",
        "{'t':'table','id':7,'players':4,'state':'playing','seats':[{'name':'ada','kind':"
        "'player','rating':1,'here':true},null,{'name':'ella','kind':'bot','policy':'medium'},"
        "{'name':'mira'}],'you':3,'is_host':true,'options':{'a':1},'watcher_names':['x'],"
        "'rematch':[1],'game_id':812,'commitment':'00','is_rated':true}",
        "{'t':'sheet','table':7,'reset':true,'rows':[{'n':1,'bids':[1,2,3,4],'tricks':[1,2,3,4],"
        "'round':[11,12,-3,4],'total':[11,12,-3,4]}]}",
        "{'t':'result','table':7,'game_id':812,'scores':[1,2,3,4],'ranks':[4,3,2,1],"
        "'winners':[3],'seed':'00','ratings':[null,{'before':1500,'after':1512,'deviation':90,"
        "'is_provisional':true,'by':[{'seat':0,'change':3.1}]}]}",
    };
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s", others[i]);
        for (char *at = text; (at = strchr(at, '\'')) != NULL;) {
            *at = '"';
        }
        json_t *message = json_loads(text, 0, NULL);
        assert_non_null(message);
        json_object_set_new(message, "game", json_string(stage->game->id));
        json_array_append_new(list, message);
    }
    struct game_view *view = calloc(1, sizeof *view);
    char *text = malloc(VIEW_TEXT_MAX);
    struct text out = text_init(text, VIEW_TEXT_MAX);
    stage_write_view(stage, view);
    view_write(view, &out);
    json_array_append_new(list, json_pack("{s:s, s:i, s:o, s:{s:i, s:i}}", "t", "view", "table",
                                          STAGE_TABLE, "view", json_loads(text, 0, NULL), "clock",
                                          "left_ms", 1000, "of_ms", 30000));
    free(text);
    free(view);
    return list;
}

static void return_to_table(struct stage *stage, const char *phase)
{
    stage_push_table(stage, phase);
    driver_type(stage->driver, "\033\033/watch 7\r");
    if (driver_find_request(stage->driver, "table_enter") != NULL) {
        driver_answer(stage->driver, "table_enter", NULL);
    }
}

static void no_message_from_the_core_breaks_a_screen(void **state)
{
    (void)state;
    static const char *const keys[] = {"s", "\033", "t", "?", "w", "j", "\r", "1", "r", "\t"};
    unsigned seed = 7;
    struct stage stage = {0};
    struct driver_setup setup = {0};
    stage_init(&stage, &setup, game_at(0), 4, 0);
    stage_push_table(&stage, "playing");
    stage_deal(&stage, 3);
    json_t *messages = make_messages_about_table(&stage);
    for (int i = 0; i < ROUNDS && !driver_is_session_over(stage.driver); i++) {
        size_t which = next_random(&seed, (unsigned)json_array_size(messages));
        push_message_with_junk(stage.driver, json_array_get(messages, which), &seed);
        if (i % 5 == 0) {
            driver_type(stage.driver, keys[next_random(&seed, 10)]);
        }
        if (i % 50 == 0) {
            driver_resize(stage.driver, 60 + (int)next_random(&seed, 80),
                          18 + (int)next_random(&seed, 30));
        }
        if (i % 10 == 0) {
            return_to_table(&stage, i % 20 == 0 ? "playing" : "finished");
        }
    }
    assert_false(driver_is_session_over(stage.driver));
    json_decref(messages);
    stage_clear(&stage);
}

TEST_GROUP(hostile)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_message_from_the_core_breaks_a_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
