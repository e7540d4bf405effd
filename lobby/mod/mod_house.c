#include "lobby/mod/mod.h"

#include "lobby/chat/chat.h"
#include "storage/house/house.h"
#include "storage/upkeep/upkeep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values that are stored by their keys. */

/* Reads a stored text; "" when there is none. */
static void read_stored_text(struct house *house, const char *key, char value[STORAGE_META_SIZE])
{
    if (!stored(house, storage_meta_get(house->storage, key, value))) {
        value[0] = '\0';
    }
}

/* Reads a stored number; 0 when there is none. */
static int64_t read_stored_number(struct house *house, const char *key)
{
    char value[STORAGE_META_SIZE];
    read_stored_text(house, key, value);
    return strtoll(value, NULL, 10);
}

/* Stores a number; 0 as "". */
static void store_number(struct house *house, const char *key, int64_t number)
{
    char value[24];
    (void)snprintf(value, sizeof(value), "%" PRId64, number);
    stored_or_fail(house, storage_meta_set(house->storage, key, number == 0 ? "" : value));
}

/* Returns true if the word is one of the words in `list`, which are separated by blanks. */
static bool list_has_word(const char *list, const char *word)
{
    const size_t len = strlen(word);
    while (len > 0 && *list != '\0') {
        const size_t next = strcspn(list, " ");
        if (next == len && memcmp(list, word, len) == 0) {
            return true;
        }
        list += list[next] == ' ' ? next + 1 : next;
    }
    return false;
}

/* Returns the type of the message that a command sends ("say" for the command "chat"). Returns NULL
 * if no command with this name can be disabled. The string is static. */
static const char *message_type_of_command(const char *command)
{
    for (size_t i = 0; message_list[i].type != NULL; i++) {
        if (list_has_word(message_list[i].commands, command)) {
            return message_list[i].type;
        }
    }
    return NULL;
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
    const int64_t last_ms = read_stored_number(house, BACKUP_META);
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
    /* if the time cannot be stored, a restart makes one backup too many, which does no harm */
    if (path != NULL && !house->is_read_only) {
        store_number(house, BACKUP_META, backups->begun_ms);
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

/* Draining (no new games begin, lobby/sanctions/sanctions.h) and the announced shutdown. Both
 * survive a restart of the core. Draining lasts until staff end it or the house shuts down as
 * announced. */

#define DRAINING_META "draining" /* "1", or "" */
#define CLOSING_META                                                                               \
    "closing_ms" /* key of the closing time, stored as unix ms in decimal; "": none */
#define CLOSING_WHY "closing_why"
/* pause between attempts to close the house while no keeper is connected */
#define CLOSE_AGAIN_MS 1000
#define SHUTDOWN_MINUTES_MAX 1440

/* The announced shutdown, and whether the house is draining. */
struct closing {
    bool is_draining; /* no new games begin */
    bool was_away; /* the closing time passed while no core was running: whether the house closed is
                      not known yet */
    int64_t at_ms; /* the closing time, unix ms; 0: none is announced */
    int64_t due_ms; /* when to remind people or close the house next; INT64_MAX: the house is
                       closing already */
    char why[STORAGE_REASON_SIZE];
};

PART_STATE(closing_state, struct closing, closing);

/* Sends the sentence to everybody in the house. */
static void closing_notify_everybody(struct house *house, const char *kind, json_t *sentence)
{
    CONNS_EACH(conn, house) {
        if (conn->person != NULL) {
            conn_send_notice(house, conn, kind, json_incref(sentence));
        }
    }
    json_decref(sentence);
}

/* Returns when to remind people next: when half of the remaining time, in whole minutes, has
 * passed. */
static int64_t closing_next_reminder_ms(const struct closing *closing, int64_t now_ms)
{
    int64_t left = (closing->at_ms - now_ms) / MINUTE_MS;
    return left < 2 ? closing->at_ms : closing->at_ms - left / 2 * MINUTE_MS;
}

static json_t *make_shutdown_sentence(const struct house *house)
{
    const struct closing *closing = closing_state(house);
    int64_t left_ms = closing->at_ms - house->now_ms;
    int64_t minutes = left_ms < 0 ? 0 : (left_ms + MINUTE_MS - 1) / MINUTE_MS;
    return say(_("The house closes in %lld min: %s"), (long long)minutes, closing->why);
}

static void announce_shutdown(struct house *house)
{
    struct closing *closing = closing_state(house);
    closing_notify_everybody(house, "warn", make_shutdown_sentence(house));
    closing->due_ms = closing_next_reminder_ms(closing, house->now_ms);
}

static const char *make_draining_sentence(bool is_draining)
{
    return is_draining ? _("No new games begin for now; running games continue.")
                       : _("New games may begin again.");
}

/* Tells a person who enters that the house is about to close, or that it is draining. */
static void closing_notify_person(struct house *house, struct conn *conn)
{
    const struct closing *closing = closing_state(house);
    if (closing->at_ms != 0 && !closing->was_away) {
        conn_send_notice(house, conn, "warn", make_shutdown_sentence(house));
    } else if (closing->is_draining) {
        conn_send_notice(house, conn, "info", say("%s", make_draining_sentence(true)));
    }
}

static void closing_update_draining(struct house *house)
{
    const struct closing *closing = closing_state(house);
    sanctions_house_state(house)->is_draining = closing->is_draining || closing->at_ms != 0;
}

/* Stores the announced shutdown and whether the house is draining. */
static void store_shutdown_and_draining(struct house *house)
{
    const struct closing *closing = closing_state(house);
    store_number(house, DRAINING_META, closing->is_draining);
    store_number(house, CLOSING_META, closing->at_ms);
    stored_or_fail(house, storage_meta_set(house->storage, CLOSING_WHY,
                                           closing->at_ms == 0 ? "" : closing->why));
    closing_update_draining(house);
}

/* Loads the announced shutdown and whether the house is draining. */
static void load_shutdown_and_draining(struct house *house)
{
    struct closing *closing = closing_state(house);
    char why[STORAGE_META_SIZE];
    bool was_away = closing->was_away;
    *closing = (struct closing){
        .is_draining = read_stored_number(house, DRAINING_META) != 0,
        .at_ms = read_stored_number(house, CLOSING_META),
    };
    read_stored_text(house, CLOSING_WHY, why);
    (void)snprintf(closing->why, sizeof(closing->why), "%.*s", (int)sizeof(closing->why) - 1, why);
    bool is_past = closing->at_ms != 0 && closing->at_ms <= house->now_ms;
    /* A core that has just started has no connections yet. A core that loads its data again,
     * because the disk has room again, has connections. */
    closing->was_away = is_past && (was_away || index_count(&house->conns) == 0);
    closing->due_ms = is_past ? house->now_ms : closing_next_reminder_ms(closing, house->now_ms);
    closing_update_draining(house);
}

/* Called when all connections that survived a restart of the core have returned. If there are none,
 * the house was shut down as announced, and the announcement is deleted. If there are some, the
 * house was not shut down, and is shut down now. */
static void closing_check_past_shutdown(struct house *house, bool conns_survived)
{
    struct closing *closing = closing_state(house);
    if (!closing->was_away) {
        return;
    }
    if (conns_survived) {
        closing->was_away = false;
    } else {
        *closing = (struct closing){0};
        store_shutdown_and_draining(house);
    }
}

static int64_t next_shutdown_step_ms(const struct house *house)
{
    const struct closing *closing = closing_state(house);
    return closing->at_ms == 0 || closing->was_away ? INT64_MAX : closing->due_ms;
}

static void closing_do_next_shutdown_step(struct house *house)
{
    struct closing *closing = closing_state(house);
    if (house->now_ms < next_shutdown_step_ms(house)) {
        return;
    }
    if (house->now_ms < closing->at_ms) {
        announce_shutdown(house);
        return;
    }
    /* The announcement stays stored, since this core may end before the whole house does. The next
     * core that starts without connections deletes it. */
    closing->due_ms =
        backups_send_to_keeper(house, "close") ? INT64_MAX : house->now_ms + CLOSE_AGAIN_MS;
}

void mod_run_drain(struct order *order)
{
    struct closing *closing = closing_state(order->house);
    bool is_on = strcmp(order->word, "on") == 0;
    if (order->word[0] == '\0') {
        order->flags |= MOD_READS;
        order->data = json_pack("{s:b}", "is_draining", (int)closing->is_draining);
        order_add_line(order, closing->is_draining
                                  ? _("No new games begin; /drain off ends that.")
                                  : _("New games may begin; /drain on lets none begin."));
        return;
    }
    if (!is_on && strcmp(order->word, "off") != 0) {
        order_refuse(order, "bad", _("Say on or off."));
        return;
    }
    closing->is_draining = is_on;
    store_shutdown_and_draining(order->house);
    order_add_line(order, is_on ? _("No new games begin; running games continue.")
                                : _("Games begin again."));
    closing_notify_everybody(order->house, "info", say("%s", make_draining_sentence(is_on)));
}

static void cancel_shutdown(struct order *order)
{
    struct closing *closing = closing_state(order->house);
    if (closing->at_ms == 0 || closing->due_ms == INT64_MAX) {
        order_refuse(order, "unknown", _("The house is not about to close."));
        return;
    }
    closing->at_ms = 0;
    store_shutdown_and_draining(order->house);
    closing_notify_everybody(order->house, "info", say(_("The house stays open.")));
    order_add_line(order, _("The house stays open."));
}

void mod_run_shutdown(struct order *order)
{
    struct closing *closing = closing_state(order->house);
    char *end = NULL;
    if (strcmp(order->word, "cancel") == 0) {
        cancel_shutdown(order);
        return;
    }
    long minutes = strtol(order->word, &end, 10);
    if (*end != '\0' || minutes < 0 || minutes > SHUTDOWN_MINUTES_MAX) {
        order_refuse(order, "bad",
                     _("Type the minutes until the house closes, 0 to %d, or cancel."),
                     SHUTDOWN_MINUTES_MAX);
        return;
    }
    if (order->reason[0] == '\0') {
        order_refuse(order, "reason", _("Say why: everybody in the house reads it."));
        return;
    }
    closing->at_ms = order->house->now_ms + minutes * MINUTE_MS;
    order->expires_ms = closing->at_ms;
    closing->was_away = false;
    (void)snprintf(closing->why, sizeof(closing->why), "%s", order->reason);
    store_shutdown_and_draining(order->house);
    announce_shutdown(order->house);
    order_add_line(order, _("The house closes in %ld min."), minutes);
}

void mod_run_motd(struct order *order)
{
    char was[STORAGE_META_SIZE];
    struct house *house = order->house;
    read_stored_text(house, MOTD_META, was);
    if (order->reason[0] == '\0') {
        order->flags |= MOD_READS | MOD_OWN;
        order_add_line(
            order, "%p",
            say_word_argument(was[0] == '\0' ? _("There is no message of the day.") : was));
        return;
    }
    if (!mod_require_rank(order, RANK_ADMIN) || !voice_allows_order(order, MUTE_LOBBY)) {
        return;
    }
    bool is_none = strcmp(order->reason, "@") == 0;
    stored_or_fail(house,
                   storage_meta_set(house->storage, MOTD_META, is_none ? "" : order->reason));
    order->before = json_pack("{s:s}", "motd", was);
    order_add_line(order, is_none ? _("There is no message of the day any more.")
                                  : _("From now on, everybody who comes in reads this message."));
}

void mod_run_wall(struct order *order)
{
    if (!voice_allows_order(order, MUTE_LOBBY)) {
        return;
    }
    closing_notify_everybody(
        order->house, "wall",
        say(_("%p to everybody: %s"), say_word_argument(order->by_name), order->reason));
    order_add_line(order, _("Everybody in the house was told."));
}

const struct part closing_part = {
    .name = "closing",
    .house_size = sizeof(struct closing),
    .works_when_full = true,
    .load = load_shutdown_and_draining,
    .tick = closing_do_next_shutdown_step,
    .next_ms = next_shutdown_step_ms,
    .hello = closing_notify_person,
    .settled = closing_check_past_shutdown,
};

/*
 * Deletes once a day what is older than the settings of the section [retention] allow, a little in
 * each pass of the core's loop.
 *
 *     WAITING ──due──▶ RUNNING ──done──▶ WAITING for a day
 *
 * A machine whose clock is wrong must not cost a house its data. So when the clock is more than
 * RETENTION_GAP_MS past the time of the next run, the house waits another day before it runs: time
 * for somebody to set the clock, or after an upgrade to choose the settings.
 */

#define RETENTION_META "retention_due_ms" /* key of the stored time of the next run */
#define RETENTION_GAP_MS (7 * DAY_MS)
#define RETENTION_ROWS 100   /* rows looked at in one pass of the core's loop */
#define RETENTION_TURN_MS 50 /* pause between two such passes */

struct retention {
    int64_t due_ms; /* when the next run begins, or the running one continues */
    bool is_running;
    struct storage_retention_run run;
};

PART_STATE(retention_state, struct retention, retention);

static void retention_store_next_run(struct house *house, int64_t due_ms)
{
    retention_state(house)->due_ms = due_ms;
    store_number(house, RETENTION_META, due_ms);
}

static void retention_load_next_run(struct house *house)
{
    /* if nothing is stored, the first run also waits for a day */
    *retention_state(house) =
        (struct retention){.due_ms = read_stored_number(house, RETENTION_META)};
}

/* Whether the clock has moved so far past the time of the next run, or back from it, that it may be
 * wrong. */
static bool retention_clock_has_jumped(const struct house *house)
{
    int64_t due_ms = retention_state(house)->due_ms;
    return due_ms < house->now_ms - RETENTION_GAP_MS || due_ms > house->now_ms + DAY_MS;
}

static int64_t retention_limit(const struct house *house, uint32_t days)
{
    return days == 0 ? 0 : house->now_ms - (int64_t)days * DAY_MS;
}

static void retention_begin_run(struct house *house)
{
    struct retention *retention = retention_state(house);
    const struct house_config *config = &house->config;
    retention->is_running = true;
    retention->run = (struct storage_retention_run){
        .before_ms = {
            [STORAGE_RETENTION_CHAT] = retention_limit(house, config->retention_chat_days),
            [STORAGE_RETENTION_MESSAGES] = retention_limit(house, config->retention_messages_days),
            [STORAGE_RETENTION_ADDRESSES] =
                retention_limit(house, config->retention_addresses_days),
            [STORAGE_RETENTION_CASES] = retention_limit(house, config->retention_cases_days),
        }};
    stored_or_fail(house,
                   storage_guests_delete_before(house->storage, house->now_ms - GUESTS_KEPT_MS));
    stored_or_fail(house, storage_registrations_delete_until(
                              house->storage, house->now_ms - LIMIT_REGISTRATIONS_MS));
}

static void retention_end_run(struct house *house)
{
    struct retention *retention = retention_state(house);
    char counts[STORAGE_RETENTION_KINDS][24];
    int64_t sum = 0;
    for (size_t i = 0; i < STORAGE_RETENTION_KINDS; i++) {
        sum += retention->run.deleted[i];
        (void)snprintf(counts[i], sizeof(counts[i]), "%" PRId64, retention->run.deleted[i]);
    }
    if (sum > 0) {
        storage_empty_log_when_idle(house->storage);
    }
    retention->is_running = false;
    retention_store_next_run(house, house->now_ms + DAY_MS);
    journal_write_house_event(house, "retention",
                              JOURNAL_PAIRS("chat", counts[STORAGE_RETENTION_CHAT], "messages",
                                            counts[STORAGE_RETENTION_MESSAGES], "addresses",
                                            counts[STORAGE_RETENTION_ADDRESSES], "cases",
                                            counts[STORAGE_RETENTION_CASES]));
}

static void retention_continue_run(struct house *house)
{
    struct retention *retention = retention_state(house);
    int64_t addresses_ms = retention->run.before_ms[STORAGE_RETENTION_ADDRESSES];
    int64_t sealed = 0;
    bool is_done = false;
    stored_or_fail(house, storage_retention_continue(house->storage, &retention->run,
                                                     RETENTION_ROWS, &is_done));
    if (is_done && addresses_ms > 0) { /* at last the audit log, whose rows stay */
        stored_or_fail(house,
                       storage_audit_seal(house->storage, addresses_ms, RETENTION_ROWS, &sealed));
        is_done = sealed < RETENTION_ROWS;
    }
    retention->due_ms = house->now_ms + RETENTION_TURN_MS;
    if (is_done && stored_can_commit(house)) {
        retention_end_run(house);
    }
}

static void retention_delete_when_due(struct house *house)
{
    struct retention *retention = retention_state(house);
    if (retention_clock_has_jumped(house)) {
        retention->is_running = false;
        retention_store_next_run(house, house->now_ms + DAY_MS);
    }
    if (house->now_ms < retention->due_ms) {
        return;
    }
    if (!retention->is_running) {
        retention_begin_run(house);
    }
    retention_continue_run(house);
}

static int64_t retention_next_due_ms(const struct house *house)
{
    int64_t due_ms = retention_state(house)->due_ms;
    return due_ms > house->now_ms ? due_ms : house->now_ms; /* overdue after a start: at once */
}

const struct part retention_part = {
    .name = "retention",
    .house_size = sizeof(struct retention),
    .load = retention_load_next_run,
    .tick = retention_delete_when_due,
    .next_ms = retention_next_due_ms,
};
