#include "tests/lobby/seen_by_all.h"

#include "games/game.h"
#include "lobby/house/parts.h"
#include "tests/lobby/seen.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define VIEWERS_MAX 16
#define TITLE_MAX 200
#define SETTLE_MS 2000

/* What each viewer in `viewers` sees, in the same order. */
struct views {
    json_t *seen[VIEWERS_MAX];
};

struct viewers {
    int64_t conns[VIEWERS_MAX];
    size_t count;
};

/* Returns what the messages in a connection's inbox show. The caller releases it. */
static json_t *collect_shown_data(const struct driver *driver, int64_t conn)
{
    json_t *seen = json_object();
    size_t i = 0;
    const json_t *message = NULL;
    json_array_foreach(driver->inbox[conn], i, message)
    {
        seen_add_message(seen, message);
    }
    return seen;
}

/* Makes the house send everything to a connection again. Returns what those messages show; the
 * caller releases it. */
static json_t *resend_and_collect_shown_data(struct driver *driver, int64_t conn)
{
    driver_clear_inbox(driver, conn);
    house_note_output_dropped(driver->house, conn);
    driver_commit(driver);
    driver_clear_inbox(driver, conn);
    (void)driver_send_hello(driver, conn);
    return collect_shown_data(driver, conn);
}

/* Requests whose answers are compared, in addition to the pushed messages. */
static const char *const questions[] = {
    "{'t':'friends'}",
    "{'t':'channels'}",
    "{'t':'keys'}",
    "{'t':'hook'}",
    "{'t':'registration'}",
    "{'t':'best'}",
    "{'t':'people'}",
    "{'t':'tables'}",
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

/* Requests of staff. Only one admin sends them, since the audit log records reading too. */
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

static void send_request_and_add_answer(struct driver *driver, int64_t conn, const char *question,
                                        json_t *answers)
{
    json_t *answer = json_deep_copy(driver_request(driver, conn, "%s", question));
    (void)json_object_del(answer, "id");
    (void)json_object_set_new(answers, question, answer);
}

static void request_leaderboards(struct driver *driver, int64_t conn, json_t *answers)
{
    static const char *const filters[] = {"", ",'bots':true", ",'span':'season'", ",'span':'week'",
                                          ",'among':'friends'"};
    for (size_t i = 0; i < ARRAY_LEN(filters); i++) {
        char question[128];
        (void)snprintf(question, sizeof(question),
                       "{'t':'leaders','game':'%s','offset':0,'count':20%s}", game_at(0)->id,
                       filters[i]);
        send_request_and_add_answer(driver, conn, question, answers);
    }
}

static json_t *collect_answers_to_requests(struct driver *driver, int64_t conn)
{
    json_t *answers = json_object();
    if (conn == ADA) {
        (void)driver_request(driver, conn, "{'t':'step_up','password':'password of ada'}");
    }
    for (size_t i = 0; i < ARRAY_LEN(questions); i++) {
        send_request_and_add_answer(driver, conn, questions[i], answers);
    }
    request_leaderboards(driver, conn, answers);
    for (size_t i = 0; conn == ADA && i < ARRAY_LEN(staff_questions); i++) {
        send_request_and_add_answer(driver, conn, staff_questions[i], answers);
    }
    return answers;
}

/* Sends the changes of the lobby without the usual delay. */
static void send_lobby_changes(struct driver *driver)
{
    PARTS_CALL(tell_now, driver->house);
    driver_commit(driver);
}

/* Returns whether requests may be sent for the person: a request would end their status "away". */
static bool may_send_requests(const json_t *seen)
{
    const json_t *you = json_object_get(json_object_get(seen, "you"), "you");
    const json_t *presence = json_object_get(json_object_get(you, "settings"), "presence");
    return strcmp(driver_read_text(seen, "phase"), "in") == 0 &&
           strcmp(driver_read_text(presence, "kind"), "away") != 0;
}

static void collect_views(struct driver *driver, const struct viewers *viewers, struct views *views)
{
    send_lobby_changes(driver);
    for (size_t i = 0; i < viewers->count; i++) {
        views->seen[i] = resend_and_collect_shown_data(driver, viewers->conns[i]);
    }
    for (size_t i = 0; i < viewers->count; i++) {
        if (may_send_requests(views->seen[i])) {
            (void)json_object_set_new(views->seen[i], "answers",
                                      collect_answers_to_requests(driver, viewers->conns[i]));
        }
    }
}

static bool views_are_equal(const char *title, const struct viewers *viewers,
                            const struct views *before, const struct views *after, bool is_pushed)
{
    bool is_same = true;
    for (size_t i = 0; i < viewers->count; i++) {
        char words[TITLE_MAX];
        (void)snprintf(words, sizeof(words), "%s: %s, connection %" PRId64 ":", title,
                       is_pushed ? "told" : "restarted", viewers->conns[i]);
        is_same &= seen_are_equal(words, before->seen[i], after->seen[i], is_pushed);
    }
    return is_same;
}

static void release_views(struct views *views)
{
    for (size_t i = 0; i < VIEWERS_MAX; i++) {
        json_decref(views->seen[i]);
    }
}

/* Returns the viewers still connected; disconnects those who were sent `bye`, as the core would. */
static struct viewers find_remaining_viewers(struct driver *driver)
{
    struct viewers viewers = {.count = 0};
    int64_t conn = 0;
    for (size_t i = 0; (conn = evening_viewer_conn_at(i)) != 0; i++) {
        if (conn_find(driver->house, conn) == NULL) {
            continue; /* this viewer is not connected yet */
        }
        if (driver_newest_message(driver, conn, "bye") == NULL) {
            viewers.conns[viewers.count++] = conn;
        } else {
            driver_disconnect(driver, conn);
        }
    }
    return viewers;
}

void seen_disconnect_those_sent_bye(struct driver *driver)
{
    (void)find_remaining_viewers(driver);
}

void seen_restart_core(struct driver *driver)
{
    struct viewers viewers = find_remaining_viewers(driver);
    evening_restart_core(driver, viewers.conns, viewers.count);
}

bool seen_stays_same_over_restart(struct driver *driver, const char *title)
{
    struct views told = {{NULL}};
    struct views before = {{NULL}};
    struct views after = {{NULL}};
    struct viewers viewers = find_remaining_viewers(driver);
    driver_pass_time(driver, SETTLE_MS);
    send_lobby_changes(driver);
    for (size_t i = 0; i < viewers.count; i++) {
        told.seen[i] = collect_shown_data(driver, viewers.conns[i]);
    }
    collect_views(driver, &viewers, &before);
    evening_restart_core(driver, viewers.conns, viewers.count);
    collect_views(driver, &viewers, &after);
    bool is_same = views_are_equal(title, &viewers, &told, &before, true);
    is_same &= views_are_equal(title, &viewers, &before, &after, false);
    release_views(&told);
    release_views(&before);
    release_views(&after);
    return is_same;
}

char *seen_collect_text(struct driver *driver)
{
    struct views views = {{NULL}};
    const struct viewers viewers = find_remaining_viewers(driver);
    json_t *everything = json_object();
    collect_views(driver, &viewers, &views);
    for (size_t i = 0; i < viewers.count; i++) {
        char conn[24];
        (void)snprintf(conn, sizeof(conn), "%" PRId64, viewers.conns[i]);
        (void)json_object_set(everything, conn, views.seen[i]);
    }
    char *text = json_dumps(everything, JSON_SORT_KEYS | JSON_INDENT(1));
    assert_non_null(text);
    json_decref(everything);
    release_views(&views);
    return text;
}

void seen_send_all_requests(struct driver *driver)
{
    int64_t conn = 0;
    for (size_t i = 0; (conn = evening_viewer_conn_at(i)) != 0; i += 2) {
        if (driver_read_text(driver_newest_message(driver, conn, "welcome"), "phase")[0] == 'i') {
            json_decref(collect_answers_to_requests(driver, conn));
        }
    }
}
