#include "tests/lobby/seen.h"

#include "games/macros.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIFFERENCES_MAX 6
#define PATH_MAX_LEN 160

/* Message types of which only the newest message is compared. */
static const char *const latest[] = {"mine",  "channels", "friends", "unfit",  "you",
                                     "table", "view",     "result",  "invite", "review"};
/* Message types of which all messages are compared. */
static const char *const lists[] = {"chat", "notice", "hidden", "sent_out", "bye"};

/* Returns "" when the member is absent. */
static const char *read_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text == NULL ? "" : text;
}

/* Returns -1 when the member is absent. */
static int64_t read_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : -1;
}

static bool is_one_of(const char *type, const char *const *types, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(types[i], type) == 0) {
            return true;
        }
    }
    return false;
}

static json_t *get_or_add_member(json_t *seen, const char *key, bool is_list)
{
    if (json_object_get(seen, key) == NULL) {
        (void)json_object_set_new(seen, key, is_list ? json_array() : json_object());
    }
    return json_object_get(seen, key);
}

static void delete_members_about_table(json_t *seen)
{
    static const char *const parts[] = {"table", "view", "sheet", "result"};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        (void)json_object_del(seen, parts[i]);
    }
}

static void add_lobby_message(json_t *seen, const json_t *message)
{
    size_t i = 0;
    const json_t *row = NULL;
    char key[32];
    if (json_is_true(json_object_get(message, "reset"))) {
        (void)json_object_clear(get_or_add_member(seen, "people", false));
        (void)json_object_clear(get_or_add_member(seen, "tables", false));
    }
    json_array_foreach(json_object_get(message, "gone_people"), i, row)
    {
        (void)json_object_del(get_or_add_member(seen, "people", false), json_string_value(row));
    }
    json_array_foreach(json_object_get(message, "gone_tables"), i, row)
    {
        (void)snprintf(key, sizeof(key), "%" PRId64, (int64_t)json_integer_value(row));
        (void)json_object_del(get_or_add_member(seen, "tables", false), key);
        if (read_number(json_object_get(seen, "table"), "id") == json_integer_value(row)) {
            delete_members_about_table(seen);
        }
    }
    json_array_foreach(json_object_get(message, "people"), i, row)
    {
        (void)json_object_set_new(get_or_add_member(seen, "people", false), read_text(row, "name"),
                                  json_deep_copy(row));
    }
    json_array_foreach(json_object_get(message, "tables"), i, row)
    {
        (void)snprintf(key, sizeof(key), "%" PRId64, read_number(row, "id"));
        (void)json_object_set_new(get_or_add_member(seen, "tables", false), key,
                                  json_deep_copy(row));
    }
}

/* Adds the rows of a score sheet. Newcomers are sent an empty sheet; it counts as no sheet. */
static void add_sheet_message(json_t *seen, const json_t *message)
{
    json_t *sheet = get_or_add_member(seen, "sheet", true);
    if (json_is_true(json_object_get(message, "reset"))) {
        (void)json_array_clear(sheet);
    }
    (void)json_array_extend(sheet, json_object_get(message, "rows"));
    if (json_array_size(sheet) == 0) {
        (void)json_object_del(seen, "sheet");
    }
}

/* Before a table message is added, deletes what was seen of the previous game if the viewer entered
 * another table or a new game begins. */
static void delete_previous_game(json_t *seen, const json_t *message)
{
    const json_t *before = json_object_get(seen, "table");
    bool is_other = read_number(before, "id") != read_number(message, "id");
    bool is_open = strcmp(read_text(message, "state"), "open") == 0;
    if (is_other || is_open) {
        delete_members_about_table(seen);
    }
    if (strcmp(read_text(message, "state"), "finished") != 0) {
        (void)json_object_del(seen, "result");
    }
}

/* Adds an answer that says who the requester is now. The house sends this only in the answer, so no
 * other message shows it. */
static void add_identity_from_answer(json_t *seen, const json_t *answer)
{
    json_t *you = json_object_get(answer, "you");
    if (json_is_object(you)) {
        (void)json_object_set_new(seen, "phase", json_string("in"));
        (void)json_object_set_new(seen, "you", json_pack("{s:s,s:O}", "t", "you", "you", you));
    } else if (strcmp(read_text(answer, "result"), "visitor") == 0) {
        (void)json_object_set_new(seen, "phase", json_string("visitor"));
    }
}

void seen_add_message(json_t *seen, const json_t *message)
{
    const char *type = read_text(message, "t");
    if (strcmp(type, "lobby") == 0) {
        add_lobby_message(seen, message);
    } else if (strcmp(type, "ok") == 0) {
        add_identity_from_answer(seen, message);
    } else if (strcmp(type, "sheet") == 0) {
        add_sheet_message(seen, message);
    } else if (strcmp(type, "welcome") == 0) {
        (void)json_object_set(seen, "phase", json_object_get(message, "phase"));
        (void)json_object_set_new(
            seen, "you",
            json_pack("{s:s,s:O}", "t", "you", "you", json_object_get(message, "you")));
    } else if (is_one_of(type, lists, ARRAY_LEN(lists))) {
        (void)json_array_append_new(get_or_add_member(seen, type, true), json_deep_copy(message));
    } else if (is_one_of(type, latest, ARRAY_LEN(latest))) {
        if (strcmp(type, "table") == 0) {
            delete_previous_game(seen, message);
        }
        (void)json_object_set_new(seen, type, json_deep_copy(message));
    }
}

/* Returns whether a member is left out of the comparison. Some members are always left out, since
 * the next core does not know them or they are sent only once. Others are left out only if
 * `is_pushed`, since time or the viewer's own request changes them and no new message says so. An
 * open claim is told by messages, but the next core has forgotten it (tables.h). */
static bool is_left_out_of_comparison(const char *key, bool is_pushed)
{
    static const char *const never[] = {"idle_s", "kept", "is_new", "recovery", "is_recovered"};
    static const char *const passing[] = {"left_ms", "bank_ms", "bot_ms",  "resume_in",
                                          "for_s",   "round",   "settings"};
    return is_one_of(key, never, ARRAY_LEN(never)) ||
           (is_pushed ? is_one_of(key, passing, ARRAY_LEN(passing)) : strcmp(key, "claim") == 0);
}

/* Deletes from `seen_before` what a request of the viewer's own ended, so that `seen_after` lacks
 * it: the house sends no message about that. */
static void delete_members_missing_in(json_t *seen_before, const json_t *seen_after)
{
    static const char *const parts[] = {"table", "view", "sheet", "result", "invite", "review"};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (json_object_get(seen_after, parts[i]) == NULL) {
            (void)json_object_del(seen_before, parts[i]);
        }
    }
}

/* A new core gives back the time in which no core ran (house/parts.h), so times may grow a little.
 */
static bool times_agree(const char *key, const json_t *before, const json_t *after)
{
    static const char *const times[] = {"left_ms", "bank_ms", "bot_ms", "due_at", "resume_by"};
    int64_t more = json_integer_value(after) - json_integer_value(before);
    /* the wait for an absent player starts anew */
    int64_t most = strcmp(key, "bot_ms") == 0 ? 120000 : 1000;
    return is_one_of(key, times, ARRAY_LEN(times)) && json_is_integer(before) &&
           json_is_integer(after) && more >= 0 && more <= most;
}

struct comparison {
    bool is_pushed;
    const char *title;
    char path[PATH_MAX_LEN];
    unsigned differences;
};

static char *format_value(const json_t *value)
{
    char *words = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    return words == NULL ? strdup("nothing") : words;
}

static void report_difference(struct comparison *comparison, const json_t *before,
                              const json_t *after)
{
    char *was = format_value(before);
    char *is = format_value(after);
    if (comparison->differences++ < DIFFERENCES_MAX) {
        (void)fprintf(stderr, "%s%s: was %.400s, is %.400s\n", comparison->title, comparison->path,
                      was, is);
    }
    free(was);
    free(is);
}

static void compare_values(struct comparison *comparison, const json_t *before,
                           const json_t *after);

static void compare_member(struct comparison *comparison, const char *key, const json_t *before,
                           const json_t *after)
{
    size_t len = strlen(comparison->path);
    if (is_left_out_of_comparison(key, comparison->is_pushed) || times_agree(key, before, after)) {
        return;
    }
    (void)snprintf(comparison->path + len, sizeof(comparison->path) - len, " %s", key);
    compare_values(comparison, before, after);
    comparison->path[len] = '\0';
}

static void compare_objects(struct comparison *comparison, const json_t *before,
                            const json_t *after)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach((json_t *)(uintptr_t)before, key, value)
    {
        compare_member(comparison, key, value, json_object_get(after, key));
    }
    json_object_foreach((json_t *)(uintptr_t)after, key, value)
    {
        if (json_object_get(before, key) == NULL) {
            compare_member(comparison, key, NULL, value);
        }
    }
}

static void compare_arrays(struct comparison *comparison, const json_t *before, const json_t *after)
{
    char key[24];
    for (size_t i = 0; i < json_array_size(before); i++) {
        (void)snprintf(key, sizeof(key), "[%zu]", i);
        compare_member(comparison, key, json_array_get(before, i), json_array_get(after, i));
    }
}

/* Compares members and elements one by one as long as both values have the same type. JSON from the
 * house has few levels, so the recursion is shallow. */
static void compare_values(struct comparison *comparison, const json_t *before, const json_t *after)
{
    if (json_equal((json_t *)(uintptr_t)before, (json_t *)(uintptr_t)after)) {
        return;
    }
    if (json_is_object(before) && json_is_object(after)) {
        compare_objects(comparison, before, after);
    } else if (json_is_array(before) && json_array_size(before) == json_array_size(after)) {
        compare_arrays(comparison, before, after);
    } else if (before != NULL || after != NULL) {
        report_difference(comparison, before, after);
    }
}

bool seen_are_equal(const char *title, const json_t *before, const json_t *after, bool is_pushed)
{
    if (is_pushed && json_object_get(before, "friends") == NULL) {
        return true; /* a viewer who is not signed in, or may only ask for data, has not been sent
                        everything */
    }
    struct comparison comparison = {.title = title, .is_pushed = is_pushed};
    json_t *left = json_deep_copy(before);
    json_t *right = json_deep_copy(after);
    for (size_t i = 0; is_pushed && i < ARRAY_LEN(lists); i++) {
        (void)json_object_del(left, lists[i]);
        (void)json_object_del(right, lists[i]);
    }
    if (is_pushed) {
        (void)json_object_del(right, "answers");
        delete_members_missing_in(left, right);
    }
    compare_values(&comparison, left, right);
    json_decref(left);
    json_decref(right);
    return comparison.differences == 0;
}
