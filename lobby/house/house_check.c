#include "lobby/house/house.h"

#include "games/text.h"
#include "lobby/house/words.h"

#include <stdio.h>
#include <string.h>

struct check {
    house_check_report *report_finding;
    void *context;
    char *why; /* an array of STORAGE_WHY_SIZE bytes */
};

static const char *find_pair_value(const char *const *keys_and_values, const char *key)
{
    for (size_t i = 0; keys_and_values[i] != NULL; i += 2) {
        if (strcmp(keys_and_values[i], key) == 0 && keys_and_values[i + 1] != NULL) {
            return keys_and_values[i + 1];
        }
    }
    return "";
}

/* Receives the events that the house logs, and reports those that are faults. */
static void report_log_event(void *context, UNUSED int64_t conn, const char *event,
                             const char *const *pairs)
{
    enum {
        CHECK_UNREADABLE,
        CHECK_CLOSED,
        CHECK_LEFT_OUT,
        CHECK_FAULT
    };
    static const char *const events[] = {
        [CHECK_UNREADABLE] = "unreadable",
        [CHECK_CLOSED] = "table-closed",
        [CHECK_LEFT_OUT] = "table-left-out",
        [CHECK_FAULT] = "fault",
        NULL,
    };
    struct check *check = context;
    char words[2 * WORDS_MAX];
    const char *why = find_pair_value(pairs, "why");
    const char *table = find_pair_value(pairs, "table");
    words[0] = '\0';
    switch (text_find_word(events, event)) {
    case CHECK_UNREADABLE:
        (void)snprintf(check->why, STORAGE_WHY_SIZE, "%s", why);
        break;
    case CHECK_CLOSED:
        (void)snprintf(words, sizeof(words), _("table #%s would be closed: %s"), table, why);
        break;
    case CHECK_LEFT_OUT:
        (void)snprintf(
            words, sizeof(words),
            _("table #%s would be left out: its game \"%s\" with its options is unknown"), table,
            find_pair_value(pairs, "game"));
        break;
    case CHECK_FAULT:
        if (table[0] == '\0') {
            (void)snprintf(words, sizeof(words),
                           _("%s would continue without some of its data: %s"),
                           find_pair_value(pairs, "part"), why);
        }
        break;
    default:
        break;
    }
    if (words[0] != '\0') {
        check->report_finding(check->context, words);
    }
}

bool house_check(struct storage *storage, int64_t now_ms, house_check_report *report_finding,
                 void *context, char why[STORAGE_WHY_SIZE])
{
    struct check check = {report_finding, context, why};
    struct house_config config = house_config_default();
    config.webhook_enabled = true;
    config.log = report_log_event;
    config.log_context = &check;
    why[0] = '\0';
    struct house *house = house_new(&config, storage, now_ms);
    if (house == NULL) {
        return false;
    }
    bool is_good = house_tick(house, now_ms) == HOUSE_OK && house_commit(house) == HOUSE_OK;
    if (!is_good) {
        (void)snprintf(why, STORAGE_WHY_SIZE, "%s", house_failure_reason(house));
    }
    house_free(house);
    return is_good;
}
