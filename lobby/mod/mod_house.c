#include "lobby/mod/mod.h"

#include "lobby/accounts/accounts.h"
#include "lobby/chat/chat.h"
#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/persons/persons_state.h"
#include "lobby/protocol/protocol.h"
#include "lobby/tables/tables.h"
#include "storage/house/house.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rules of the house that stay in force until staff change them. */

static const struct policy_words {
    const char *unknown; /* the refusal when a policy has no such value */
    struct {
        const char *name, *words;
    } values[3];
} policy_words[] = {
    [POLICY_REGISTRATION] =
        {
            N_("Registration is open, hold or closed: say which."),
            {
                {"open", N_("Registration is open: anybody may make an account.")},
                {"hold", N_("New accounts are held: they play, and talk once released.")},
                {"closed", N_("Registration is closed: strangers come in as guests only.")},
            },
        },
    [POLICY_GUESTS] =
        {
            N_("Say what guests may do: yes, play-only or no."),
            {
                {"yes", N_("Guests may come in, play and talk.")},
                {"play-only", N_("Guests may come in and play, but cannot talk.")},
                {"no", N_("No guests are let in. Those who are here stay, but cannot talk.")},
            },
        },
};

void mod_run_policy(struct order *order)
{
    struct house *house = order->house;
    const enum policy policy = order->command->kind;
    const struct policy_words *words = &policy_words[policy];
    if (order->word[0] == '\0') {
        order->flags |= MOD_READS;
    } else {
        order->before = json_pack("{s:s}", "state", policy_value(house, policy));
        if (!mod_require_rank(order, RANK_ADMIN)) {
            return;
        }
        if (!policy_set(house, order->conn, policy, order->word)) {
            order_refuse(order, "bad", "%s", words->unknown);
            return;
        }
    }
    order->data = json_pack("{s:s}", "state", policy_value(house, policy));
    for (size_t i = 0; i < ARRAY_LEN(words->values); i++) {
        if (policy_has_value(house, policy, words->values[i].name)) {
            order_add_line(order, "%s", words->values[i].words);
        }
    }
}

/* Finds the name under which a command or game can be disabled; NULL when it cannot be. */
static const char *find_command_or_game_to_disable(const char *word)
{
    const struct mod_command_info *command = mod_command_info_find(word);
    const struct game_def *game = game_find(word);
    const char *type = message_type_of_command(word);
    if (type != NULL) {
        return type;
    }
    if (game != NULL) {
        return game->id;
    }
    return command != NULL && command->rank < RANK_MOD ? command->name : NULL;
}

void mod_run_disable_or_enable(struct order *order)
{
    const char *name = find_command_or_game_to_disable(order->word);
    (void)snprintf(order->target.name, sizeof(order->target.name), "%s", order->word);
    if (name == NULL) {
        order_refuse(order, "unknown", _("%s is neither a game nor a command of players."),
                     order->word);
        return;
    }
    sanctions_set_rule(order->house, STORAGE_RULE_OFF, name, order->command->kind != 0);
    order_add_sentence(order, json_pack("[s,s]", order->command->said, order->word));
}

static bool count_report(void *context, UNUSED const struct storage_report *report)
{
    ++*(int64_t *)context;
    return true;
}

void mod_run_stats(struct order *order)
{
    struct house *house = order->house;
    int64_t playing = 0, reports = 0, rows = 0;
    TABLES_EACH(table, house) {
        playing += table_is_playing(table);
    }
    stored_or_fail(house, storage_reports_each(house->storage, STORAGE_REPORTS_OPEN, 0,
                                               count_report, &reports));
    stored_or_fail(house, storage_audit_read_next_id(house->storage, &rows));
    const struct figure {
        const char *name, *words;
        int64_t value;
    } figures[] = {
        {"people", N_("People in the house"), (int64_t)index_count(&persons_of(house)->by_name)},
        {"connections", N_("Connections"), (int64_t)index_count(&house->conns)},
        {"tables", N_("Tables"), (int64_t)index_count(&tables_of(house)->by_id)},
        {"playing", N_("Running games"), playing},
        {"reports", N_("Open reports and appeals"), reports},
        {"sanctions", N_("Sanctions in force"), (int64_t)index_count(sanctions_in_force(house))},
        {"audit", N_("Rows of the audit log"), rows - 1},
    };
    order->data = json_object();
    for (size_t i = 0; i < ARRAY_LEN(figures); i++) {
        order_add_line(order, "%p: %lld", say_word_argument(figures[i].words),
                       (long long)figures[i].value);
        (void)json_object_set_new(order->data, figures[i].name, json_integer(figures[i].value));
    }
}

/* The news of the house, which everybody reads and admins write. */

#define NEWS_SHOWN_MAX 20

static bool add_news_line(void *context, const struct storage_news *news)
{
    struct order *order = context;
    const struct person *person = order->conn->person;
    bool is_new = person != NULL && news->id > news_last_read_entry(person);
    order_add_line(order, is_new ? _("new, %p: %s (%lld)") : "%p: %s (%lld)",
                   say_date_argument(news->at_ms), news->text, (long long)news->id);
    if (order->number < news->id) {
        order->number = news->id;
    }
    return true;
}

static void list_news(struct order *order)
{
    struct house *house = order->house;
    order->flags |= MOD_READS | MOD_OWN;
    order->number = 0;
    stored_or_fail(house,
                   storage_news_read_last(house->storage, NEWS_SHOWN_MAX, add_news_line, order));
    if (order->number == 0) {
        order_add_line(order, _("There is no news."));
    } else if (order->conn->person != NULL) {
        news_set_last_read(house, order->conn->person, order->number);
    }
}

void mod_run_news(struct order *order)
{
    struct house *house = order->house;
    const char *rest = order->reason + strcspn(order->reason, " ");
    bool is_add = strncmp(order->reason, "add ", 4) == 0;
    bool is_remove = strncmp(order->reason, "remove ", 7) == 0;
    if (order->reason[0] == '\0') {
        list_news(order);
        return;
    }
    if (!mod_require_rank(order, RANK_ADMIN)) {
        return;
    }
    if (is_add) {
        if (!voice_allows_order(order, MUTE_LOBBY)) {
            return;
        }
        struct storage_news news = {.at_ms = house->now_ms};
        (void)snprintf(news.text, sizeof(news.text), "%s", rest + 1);
        stored_or_fail(house, storage_news_add(house->storage, &news, &news.id));
        order_add_line(order, _("News entry %lld is added: everybody reads it when they come in."),
                       (long long)news.id);
    } else if (is_remove &&
               stored(house, storage_news_remove(house->storage, strtoll(rest, NULL, 10)))) {
        order_add_line(order, _("That entry is gone."));
    } else if (is_remove) {
        order_refuse(order, "unknown", _("No entry has that number: /news lists them."));
    } else {
        order_refuse(order, "bad", _("Say add and a text, or remove and an entry's number."));
    }
}

#define BACKUP_META                                                                                \
    "backup_ms" /* key of the stored time at which the last successful backup began */
#define BACKUP_AGAIN_MS 600000 /* how soon a failed backup is tried again */
#define BACKUP_PATH_MAX 4096
#define RELOAD_WHY_MAX 1024

#define BACKUP_REQUESTERS_MAX 8

struct backups {
    int64_t keeper; /* the connection of the keeper process; 0: not connected */
    int64_t due_ms; /* when the next scheduled backup is due; INT64_MAX: never */
    int64_t job;    /* the number of the latest backup; backup numbers ascend */
    int64_t begun_ms;
    bool is_running;
    size_t requester_count;
    struct {
        int64_t conn;
        int64_t request;
        struct audit_source source;
    } requesters[BACKUP_REQUESTERS_MAX]; /* the requests that wait for the result of the running
                                            backup */
};

PART_STATE(backups_state, struct backups, backups);

static void backups_load_schedule(struct house *house)
{
    struct backups *backups = backups_state(house);
    char value[STORAGE_META_SIZE];
    int64_t last_ms = 0;
    if (stored(house, storage_meta_get(house->storage, BACKUP_META, value))) {
        last_ms = strtoll(value, NULL, 10);
    }
    backups->due_ms = INT64_MAX;
    if (house->config.backup_every_h > 0) {
        backups->due_ms = last_ms + (int64_t)house->config.backup_every_h * HOUR_MS;
    }
}

/* Returns when the next scheduled backup is due: now, if the last one is in the future because the
 * clock was set back since; INT64_MAX: never. */
static int64_t backups_scheduled_ms(const struct house *house)
{
    int64_t due_ms = backups_state(house)->due_ms;
    int64_t every_ms = (int64_t)house->config.backup_every_h * HOUR_MS;
    return due_ms != INT64_MAX && due_ms - every_ms > house->now_ms ? house->now_ms : due_ms;
}

/* Starts a backup that somebody has asked for, or that is due, unless one is running. */
static void backups_start_due_backup(struct house *house)
{
    struct backups *backups = backups_state(house);
    const struct conn *keeper = conn_find(house, backups->keeper);
    bool is_due = backups->requester_count > 0 || house->now_ms >= backups_scheduled_ms(house);
    if (keeper == NULL || backups->is_running || !is_due) {
        return;
    }
    backups->is_running = true;
    backups->job++;
    backups->begun_ms = house->now_ms;
    conn_send(house, keeper,
              json_pack("{s:s,s:I}", "t", "backup", "job", (json_int_t)backups->job));
}

static void backups_register_keeper(struct house *house, struct conn *keeper)
{
    backups_state(house)->keeper = keeper->id;
    backups_state(house)->is_running = false;
    backups_start_due_backup(house);
}

static int64_t backups_next_due_ms(const struct house *house)
{
    const struct backups *backups = backups_state(house);
    return backups->keeper == 0 || backups->is_running ? INT64_MAX : backups_scheduled_ms(house);
}

void mod_run_backup(struct order *order)
{
    struct backups *backups = backups_state(order->house);
    if (backups->requester_count == ARRAY_LEN(backups->requesters)) {
        order_refuse(order, "busy", _("A backup is being made: ask again later."));
        return;
    }
    backups->requesters[backups->requester_count].conn = order->conn->id;
    audit_fill_source(order->conn, order->via,
                      &backups->requesters[backups->requester_count].source);
    backups->requesters[backups->requester_count++].request = order->request;
    order->is_answered = true;
    order->is_unfinished = true;
    backups_start_due_backup(order->house);
}

/* Sends the keeper a message without arguments; false when no keeper is connected. */
static bool backups_send_to_keeper(struct house *house, const char *type)
{
    const struct conn *keeper = conn_find(house, backups_state(house)->keeper);
    if (keeper != NULL) {
        conn_send(house, keeper, json_pack("{s:s}", "t", type));
    }
    return keeper != NULL;
}

void mod_run_reload(struct order *order)
{
    if (!backups_send_to_keeper(order->house, "reload")) {
        order_refuse(order, "failed", _("This house cannot be reloaded."));
        return;
    }
    journal_write(order->house, order->conn, "reload",
                  JOURNAL_PAIRS("by", staff_name_of_conn(order->conn)));
    order_add_line(
        order, "%s",
        _("The configuration is read again. If something is wrong with it, you are told."));
}

bool backups_request_shutdown(struct house *house)
{
    return backups_send_to_keeper(house, "close");
}

void message_reload_refused(const struct request *request)
{
    struct house *house = request->house;
    const char *why = json_read_text(request->body, "why", RELOAD_WHY_MAX);
    if (why == NULL) {
        return;
    }
    staff_notify(house, STORAGE_ROLE_ADMIN,
                 say(_("The reload is refused, and nothing has changed: %s"), why));
    PROCESSES_EACH(other, house) {
        if (other->peer == PEER_OPERATOR) {
            conn_send(house, other, json_pack("{s:s,s:s}", "t", "reload_refused", "why", why));
        }
    }
}

/* Writes the audit row about the end of a backup that `source` asked for. `path` is NULL when the
 * backup failed, and `why` is the error. */
static void backups_write_audit_row(struct house *house, const struct audit_source *source,
                                    const char *why, const char *path)
{
    json_t *state = path == NULL ? json_pack("{s:s}", "why", why == NULL ? "" : why)
                                 : json_pack("{s:s}", "path", path);
    char *text = json_dumps(state, JSON_COMPACT);
    const struct storage_audit row = {
        .verb = "backup",
        .state_after = text,
        .result = path == NULL ? "error" : "ok",
        .error = path == NULL ? "failed" : "",
    };
    if (!house->is_read_only) { /* while the disk is full, a backup can succeed although no row can
                                   be written */
        audit_write_for_source(house, source, row);
    }
    free(text);
    json_decref(state);
}

static void backups_answer_requesters(struct house *house, const json_t *report, const char *path)
{
    struct backups *backups = backups_state(house);
    for (size_t i = 0; i < backups->requester_count; i++) {
        struct conn *conn = conn_find(house, backups->requesters[i].conn);
        backups_write_audit_row(house, &backups->requesters[i].source,
                                json_read_text(report, "why", STORAGE_WHY_SIZE), path);
        const struct request request = {house, conn, .id = backups->requesters[i].request};
        if (conn == NULL) {
            continue; /* the requester's connection has closed meanwhile */
        }
        if (path == NULL) {
            const char *why = json_read_text(report, "why", STORAGE_WHY_SIZE);
            answer_no(&request, "failed", "%s", why == NULL ? _("The backup failed.") : why);
            continue;
        }
        answer_ok(&request, json_pack("{s:s,s:[s],s:I}", "path", path, "lines", path, "ms",
                                      (json_int_t)(house->now_ms - backups->begun_ms)));
    }
    backups->requester_count = 0;
}

static void backups_store_last_time(struct house *house)
{
    char value[24];
    if (house->is_read_only) {
        return; /* if the time cannot be stored, a restart makes one backup too many, which does no
                   harm */
    }
    (void)snprintf(value, sizeof(value), "%" PRId64, backups_state(house)->begun_ms);
    stored_or_fail(house, storage_meta_set(house->storage, BACKUP_META, value));
}

void message_backed_up(const struct request *request)
{
    struct house *house = request->house;
    const json_t *body = request->body;
    struct backups *backups = backups_state(house);
    int64_t job = 0;
    if (!json_read_number(body, "job", 1, INT64_MAX, &job) || job != backups->job ||
        !backups->is_running) {
        return; /* the core had already given up this backup */
    }
    const char *path = json_read_text(body, "path", BACKUP_PATH_MAX);
    backups->is_running = false;
    if (path != NULL) {
        backups_store_last_time(house);
    }
    if (house->config.backup_every_h > 0) {
        backups->due_ms = path == NULL
                              ? house->now_ms + BACKUP_AGAIN_MS
                              : backups->begun_ms + (int64_t)house->config.backup_every_h * HOUR_MS;
    }
    backups_answer_requesters(house, body, path);
}

const struct part backups_part = {
    .name = "backups",
    .house_size = sizeof(struct backups),
    .load = backups_load_schedule,
    .tick = backups_start_due_backup,
    .next_ms = backups_next_due_ms,
    .helper = PEER_KEEPER,
    .listens = PEER_KEEPER,
    .peer_ready = backups_register_keeper,
};
