#include "tests/lobby/seen_by_all.h"

#include "games/game.h"
#include "lobby/house/conns.h"
#include "lobby/house/parts.h"
#include "tests/lobby/seen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define VIEWERS_MAX 16
#define TITLE_MAX 200
#define SETTLE_MS 2000

/* What each of these connections sees. */
struct sight {
    json_t *seen[VIEWERS_MAX];
};

struct viewers {
    int64_t conns[VIEWERS_MAX];
    size_t count;
};

/* What a connection knows by all it was told since its inbox was emptied. The caller's. */
static json_t *seen_of(const struct driver *driver, int64_t conn)
{
    json_t *seen = json_object();
    size_t i = 0;
    const json_t *message = NULL;
    json_array_foreach(driver->inbox[conn], i, message)
    {
        seen_add(seen, message);
    }
    return seen;
}

/* Has the house tell a connection everything anew, and gives that. The caller's. */
static json_t *seen_anew(struct driver *driver, int64_t conn)
{
    driver_forget(driver, conn);
    house_drop_output(driver->house, conn);
    driver_commit(driver);
    driver_forget(driver, conn);
    (void)driver_send_hello(driver, conn);
    return seen_of(driver, conn);
}

/* What somebody reads who asks; it is compared like what is pushed. */
static const char *const questions[] = {
    "{'t':'friends'}",
    "{'t':'channels'}",
    "{'t':'keys'}",
    "{'t':'hook'}",
    "{'t':'registration'}",
    "{'t':'best'}",
    "{'t':'assess'}",
    "{'t':'why','table':1}",
    "{'t':'why','table':3}",
    "{'t':'why','table':6}",
    "{'t':'games','count':10}",
    "{'t':'profile'}",
    "{'t':'profile','name':'bob'}",
    "{'t':'profile','name':'uma'}",
    "{'t':'profile','name':'jon'}",
    "{'t':'profile','name':'umami'}",
    "{'t':'record','game_id':1}",
    "{'t':'mod','line':'help'}",
    "{'t':'mod','line':'sanctions'}",
    "{'t':'mod','line':'reports mine'}",
    "{'t':'mod','line':'motd'}",
};

/* The same of staff, once: reading is noted, too. */
static const char *const staff_questions[] = {
    "{'t':'held'}",
    "{'t':'mod','line':'banlist'}",
    "{'t':'mod','line':'reports all'}",
    "{'t':'mod','line':'whois uma'}",
    "{'t':'mod','line':'whois bob'}",
    "{'t':'mod','line':'sessions bob'}",
    "{'t':'mod','line':'notes uma'}",
    "{'t':'mod','line':'log lobby max=20'}",
};

static void ask(struct driver *driver, int64_t conn, const char *question, json_t *answers)
{
    json_t *answer = json_deep_copy(driver_ask(driver, conn, "%s", question));
    (void)json_object_del(answer, "id");
    (void)json_object_set_new(answers, question, answer);
}

static void ask_leaders(struct driver *driver, int64_t conn, json_t *answers)
{
    static const char *const filters[] = {"", ",'bots':true", ",'span':'season'", ",'span':'week'",
                                          ",'among':'friends'"};
    for (size_t i = 0; i < ARRAY_LEN(filters); i++) {
        char question[128];
        (void)snprintf(question, sizeof(question),
                       "{'t':'leaders','game':'%s','offset':0,'count':20%s}", game_at(0)->id,
                       filters[i]);
        ask(driver, conn, question, answers);
    }
}

static json_t *answers_to(struct driver *driver, int64_t conn)
{
    json_t *answers = json_object();
    if (conn == ADA) {
        (void)driver_ask(driver, conn, "{'t':'step_up','password':'password of ada'}");
    }
    for (size_t i = 0; i < ARRAY_LEN(questions); i++) {
        ask(driver, conn, questions[i], answers);
    }
    ask_leaders(driver, conn, answers);
    for (size_t i = 0; conn == ADA && i < ARRAY_LEN(staff_questions); i++) {
        ask(driver, conn, staff_questions[i], answers);
    }
    return answers;
}

/* The lobby tells its changes with a pause; here everybody knows all at once. */
static void flush(struct driver *driver)
{
    PARTS_CALL(tell_now, driver->house);
    driver_commit(driver);
}

/* Whoever is away would be back by asking. */
static bool may_ask(const json_t *seen)
{
    const json_t *you = json_object_get(json_object_get(seen, "you"), "you");
    const json_t *presence = json_object_get(json_object_get(you, "settings"), "presence");
    return strcmp(driver_text(seen, "phase"), "in") == 0 &&
           strcmp(driver_text(presence, "kind"), "away") != 0;
}

static void look(struct driver *driver, const struct viewers *viewers, struct sight *sight)
{
    flush(driver);
    for (size_t i = 0; i < viewers->count; i++) {
        sight->seen[i] = seen_anew(driver, viewers->conns[i]);
    }
    for (size_t i = 0; i < viewers->count; i++) {
        if (may_ask(sight->seen[i])) {
            (void)json_object_set_new(sight->seen[i], "answers",
                                      answers_to(driver, viewers->conns[i]));
        }
    }
}

static bool same(const char *title, const struct viewers *viewers, const struct sight *before,
                 const struct sight *after, bool is_told)
{
    bool is_same = true;
    for (size_t i = 0; i < viewers->count; i++) {
        char words[TITLE_MAX];
        (void)snprintf(words, sizeof(words), "%s: %s, connection %" PRId64 ":", title,
                       is_told ? "told" : "restarted", viewers->conns[i]);
        is_same &= seen_is_same(words, before->seen[i], after->seen[i], is_told);
    }
    return is_same;
}

static void forget(struct sight *sight)
{
    for (size_t i = 0; i < VIEWERS_MAX; i++) {
        json_decref(sight->seen[i]);
    }
}

/* Who was told `bye` is disconnected, as the core does it. */
static struct viewers who_is_left(struct driver *driver)
{
    struct viewers viewers = {.count = 0};
    int64_t conn = 0;
    for (size_t i = 0; (conn = evening_viewer_at(i)) != 0; i++) {
        if (conn_find(driver->house, conn) == NULL) {
            continue; /* nobody has come there */
        }
        if (driver_newest(driver, conn, "bye") == NULL) {
            viewers.conns[viewers.count++] = conn;
        } else {
            driver_disconnect(driver, conn);
        }
    }
    return viewers;
}

void seen_disconnect_dismissed(struct driver *driver)
{
    (void)who_is_left(driver);
}

void seen_restart_core(struct driver *driver)
{
    struct viewers viewers = who_is_left(driver);
    evening_restart(driver, viewers.conns, viewers.count);
}

bool seen_survives_restart(struct driver *driver, const char *title)
{
    struct sight told = {{NULL}};
    struct sight before = {{NULL}};
    struct sight after = {{NULL}};
    struct viewers viewers = who_is_left(driver);
    driver_pass(driver, SETTLE_MS);
    flush(driver);
    for (size_t i = 0; i < viewers.count; i++) {
        told.seen[i] = seen_of(driver, viewers.conns[i]);
    }
    look(driver, &viewers, &before);
    evening_restart(driver, viewers.conns, viewers.count);
    look(driver, &viewers, &after);
    bool is_same = same(title, &viewers, &told, &before, true);
    is_same &= same(title, &viewers, &before, &after, false);
    forget(&told);
    forget(&before);
    forget(&after);
    return is_same;
}

void seen_ask_everything(struct driver *driver)
{
    int64_t conn = 0;
    for (size_t i = 0; (conn = evening_viewer_at(i)) != 0; i += 2) {
        if (driver_text(driver_newest(driver, conn, "welcome"), "phase")[0] == 'i') {
            json_decref(answers_to(driver, conn));
        }
    }
}
