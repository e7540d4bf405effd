#include "lobby/house/parts.h"
#include "tests/faults/data_check_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A moderation command (order) is carried out and recorded in the audit log in one transaction. So
 * for each row of the audit log, either the data have the effect of the command, or a later row has
 * reversed the effect. */

/* SQL: `a` is the row of a moderation command that was carried out, `l` is a later row */
#define DONE(verb) "a.result = 'ok' AND a.verb = '" verb "'"
#define NO_LATER(verbs)                                                                            \
    " AND NOT EXISTS (SELECT 1 FROM audit l WHERE l.id > a.id AND l.result = 'ok'"                 \
    " AND l.target_id = a.target_id AND l.verb IN (" verbs "))"
#define IN_FORCE_AT(sanction, at)                                                                  \
    sanction ".since_ms < " at " AND " sanction ".until_ms > " at " AND (" sanction                \
             ".ended_ms = 0 OR " sanction ".ended_ms > " at ")"

static const struct {
    const char *what, *sql; /* a query that counts the rows whose effect is missing */
} effects[] = {
    {"imposed sanctions", "SELECT count(*) FROM audit a WHERE a.result = 'ok'"
                          " AND a.verb IN ('warn', 'mute', 'suspend', 'ban', 'rankban', 'hold')"
                          " AND NOT EXISTS (SELECT 1 FROM sanctions s WHERE s.since_ms = a.at_ms"
                          " AND s.audit >= a.id)"}, /* a later row may have changed the duration, so
                                                       any later row counts */
    {"sanctions still in force",
     "SELECT count(*) FROM sanctions s WHERE s.ended_ms <> 0 AND s.ended_ms < s.until_ms"
     " AND s.kind <> 0 AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.at_ms = s.ended_ms"
     " AND a.result = 'ok' AND (a.verb IN"
     " ('unmute', 'unsuspend', 'unban', 'unrankban', 'release', 'hold', 'resolve')"
     " OR a.verb = CASE s.kind WHEN 1 THEN 'mute' WHEN 2 THEN 'suspend' WHEN 3 THEN 'ban'"
     " WHEN 4 THEN 'rankban' END))"}, /* a sanction replaces one of its kind */
    {"lifted sanctions",
     "SELECT count(*) FROM audit a JOIN sanctions s ON s.account = a.target_id"
     " AND " IN_FORCE_AT(
         "s",
         "a.at_ms") " WHERE a.result = 'ok' AND a.target_type = 'user'"
                    " AND (a.verb = 'unmute' AND s.kind = 1 OR a.verb = 'unsuspend' AND s.kind = 2"
                    " OR a.verb = 'unban' AND s.kind = 3 OR a.verb = 'unrankban' AND s.kind = 4"
                    " OR a.verb = 'release' AND s.kind = 5) AND NOT EXISTS"
                    " (SELECT 1 FROM audit l WHERE l.id > a.id AND l.result = 'ok' AND l.verb = "
                    "'merge')"},
    {"the chat lines of muted people",
     "SELECT count(*) FROM chat c JOIN sanctions s ON s.account = c.account AND s.kind = 1"
     " AND s.scopes >> c.channel & 1 = 1 AND " IN_FORCE_AT(
         "s", "c.at_ms") " WHERE c.kind < 2"
                         " AND NOT EXISTS (SELECT 1 FROM audit m WHERE m.result = 'ok' AND m.verb "
                         "= 'merge')"},
    {"the connections of banned people",
     "SELECT count(*) FROM sign_ins i JOIN sanctions s ON s.account = i.account AND s.kind = 3"
     " AND " IN_FORCE_AT("s", "i.last_ms") " WHERE NOT EXISTS"
                                           " (SELECT 1 FROM audit m WHERE m.result = 'ok' AND "
                                           "m.verb IN ('merge', 'allowlist'))"},
    {"the seats of suspended people",
     "SELECT count(*) FROM table_seats p JOIN tables t ON t.id = p.table_id AND t.state IN (0, 1)"
     " JOIN sanctions s ON s.account = p.account AND s.kind = 2 AND s.ended_ms = 0"
     " WHERE s.until_ms > ?1 AND NOT EXISTS"
     " (SELECT 1 FROM audit m WHERE m.result = 'ok' AND m.verb = 'merge')"},
    {"ended connections",
     "SELECT count(*) FROM audit a JOIN connections c ON c.account = a.target_id"
     " AND c.since_ms < a.at_ms AND c.bye = '' WHERE a.result = 'ok' AND a.target_type = 'user'"
     " AND (a.verb IN ('delete', 'merge') OR a.verb = 'kick' AND a.table_id = 0)"},
    {"changed names",
     "SELECT count(*) FROM audit a LEFT JOIN accounts c ON c.id = a.target_id"
     " WHERE " DONE("rename") " AND c.name IS NOT json_extract(a.state_after, '$.name')" NO_LATER(
         "'rename', 'delete'")},
    {"names in the scores of games",
     "SELECT count(*) FROM scores s JOIN accounts c ON c.id = s.account"
     " WHERE c.name <> s.name AND c.password_hash <> '' AND NOT EXISTS"
     " (SELECT 1 FROM audit m WHERE m.result = 'ok' AND m.verb = 'merge')"},
    {"changed roles",
     "SELECT count(*) FROM audit a LEFT JOIN accounts c ON c.id = a.target_id"
     " WHERE " DONE("role") " AND c.role IS NOT CASE json_extract(a.state_after, '$.role')"
                            " WHEN 'admin' THEN 2 WHEN 'mod' THEN 1 ELSE 0 END" NO_LATER(
                                "'role', 'delete', 'merge'")},
    {"accounts made bot accounts",
     "SELECT count(*) FROM audit a LEFT JOIN accounts c ON c.id = a.target_id"
     " WHERE " DONE("program") " AND c.kind IS NOT json_extract(a.state_after, "
                               "'$.is_program')" NO_LATER("'program'")},
    {"deleted accounts",
     "SELECT count(*) FROM audit a JOIN accounts c ON c.id = a.target_id WHERE a.result = 'ok'"
     " AND (a.verb = 'delete' AND c.name <> 'deleted-account-' || c.id"
     " OR a.verb IN ('delete', 'merge') AND (c.password_hash <> '' OR EXISTS"
     " (SELECT 1 FROM ratings r WHERE r.account = c.id)))"},
    {"games moved to another account",
     "SELECT count(*) FROM audit a JOIN scores s ON s.account = a.target_id"
     " WHERE " DONE("merge")},
    {"games declared void", "SELECT count(*) FROM audit a JOIN games g ON g.id = a.target_id"
                            " WHERE " DONE("void") " AND g.state <> 3"},
    {"games ended by staff",
     "SELECT count(*) FROM audit a JOIN games g ON g.id = a.game_id"
     " WHERE " DONE("adjudicate") " AND a.arguments LIKE '# %void%' AND g.state <> 2"},
    {"hidden chat lines",
     "SELECT count(*) FROM audit a, json_each(a.state_after, '$.hidden') n"
     " JOIN chat c ON c.number = n.value WHERE " DONE(
         "hide") " AND c.hidden_ms = 0"
                 " AND NOT EXISTS (SELECT 1 FROM audit b, json_each(CASE WHEN b.verb = 'unhide' "
                 "AND b.result = 'ok' THEN b.state_after ELSE '{}' END, '$.shown') s"
                 "  WHERE b.id > a.id AND b.verb = 'unhide' AND s.value = n.value)"},
    {"lines shown again",
     "SELECT count(*) FROM audit a, json_each(a.state_after, '$.shown') n"
     " JOIN chat c ON c.number = n.value WHERE " DONE(
         "unhide") " AND c.hidden_ms > 1"
                   " AND NOT EXISTS (SELECT 1 FROM audit b, json_each(CASE WHEN b.verb = 'hide' "
                   "AND b.result = 'ok' THEN b.state_after ELSE '{}' END, '$.hidden') s"
                   "  WHERE b.id > a.id AND b.verb = 'hide' AND s.value = n.value)"},
    {"notes",
     "SELECT count(*) FROM audit a WHERE " DONE(
         "note") " AND NOT EXISTS"
                 " (SELECT 1 FROM staff_notes n WHERE n.text = a.reason)" NO_LATER("'delete'")},
    {"news",
     "SELECT abs((SELECT count(*) FROM audit a WHERE " DONE(
         "news") " AND a.arguments LIKE 'add %') - (SELECT ifnull(max(seq), 0) FROM sqlite_sequence"
                 " WHERE name = 'news'))"},
    {"disabled and enabled commands",
     "SELECT count(*) FROM (SELECT max(id), verb,"
     " substr(arguments || ' ', 1, instr(arguments || ' ', ' ') - 1) AS name FROM audit"
     " WHERE result = 'ok' AND verb IN ('disable', 'enable') GROUP BY name) a"
     " WHERE a.name IN (SELECT game FROM games) AND (a.verb = 'disable') <>"
     " EXISTS (SELECT 1 FROM rules r WHERE r.kind = 2 AND r.name = a.name)"},
    {"the stop of new games",
     "SELECT count(*) FROM audit a WHERE " DONE(
         "drain") " AND (ifnull((SELECT value FROM meta WHERE name = 'draining'), '') = '') <> "
                  "(a.arguments = "
                  "'off') AND a.arguments <> ''"
                  " AND NOT EXISTS (SELECT 1 FROM audit l WHERE l.result = 'ok' AND (l.verb ="
                  " 'shutdown' OR l.id > a.id AND l.verb = 'drain' AND l.arguments <> ''))"},
    {"the message of the day",
     "SELECT count(*) FROM audit a WHERE " DONE(
         "motd") " AND ifnull((SELECT value FROM meta WHERE name = 'motd'), '')"
                 " <> CASE a.arguments WHEN '@' THEN '' ELSE a.arguments END"
                 " AND NOT EXISTS (SELECT 1 FROM audit l WHERE l.id > a.id AND l.result = 'ok'"
                 " AND l.verb = 'motd')"},
    {"rows of the audit log", "SELECT (SELECT ifnull(max(id), 0) FROM audit)"
                              " - (SELECT count(*) FROM audit)"},
};

/* A row of the audit log. */
struct staff_row {
    int64_t session;
    const char *verb, *arguments, *result;
};

/* The number of rows that the audit log has for each moderation command in the ledger. */
struct staff_count {
    uint32_t rows, done;
};

static bool staff_row_matches_order(const struct ledger_order *order, const struct staff_row *row)
{
    const size_t len = strlen(row->verb);
    const char *rest = order->line + len;
    return order->conn == row->session && strncmp(order->line, row->verb, len) == 0 &&
           (*rest == '\0' || *rest == ' ') && strcmp(rest + (*rest == ' '), row->arguments) == 0;
}

static void staff_count_row(const struct ledger *ledger, const struct staff_row *row,
                            struct staff_count *counts)
{
    for (size_t i = 0; i < ledger->order_count; i++) {
        if (staff_row_matches_order(&ledger->orders[i], row)) {
            counts[i].rows++;
            counts[i].done += strcmp(row->result, "ok") == 0;
            return;
        }
    }
}

static void staff_count_rows(sqlite3 *db, const struct ledger *ledger, struct staff_count *counts)
{
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(db,
                           "SELECT session, verb, arguments, result FROM audit"
                           " WHERE session <> 0 AND verb NOT IN ('backup', 'report', 'appeal')",
                           -1, &row, NULL) == SQLITE_OK) {
        while (sqlite3_step(row) == SQLITE_ROW) {
            const struct staff_row one = {sqlite3_column_int64(row, 0),
                                          (const char *)sqlite3_column_text(row, 1),
                                          (const char *)sqlite3_column_text(row, 2),
                                          (const char *)sqlite3_column_text(row, 3)};
            staff_count_row(ledger, &one, counts);
        }
    }
    (void)sqlite3_finalize(row);
}

/* Counts the reports and appeals, whose words are in the case alone. The command ends with them. */
static void staff_count_cases(sqlite3 *db, const struct ledger *ledger, struct staff_count *counts)
{
    sqlite3_stmt *found = NULL;
    (void)sqlite3_prepare_v2(db, "SELECT count(*) FROM reports WHERE ?1 LIKE '% ' || text", -1,
                             &found, NULL);
    for (size_t i = 0; i < ledger->order_count; i++) {
        const char *line = ledger->orders[i].line;
        if (strncmp(line, "report ", 7) == 0 || strncmp(line, "appeal ", 7) == 0) {
            (void)sqlite3_bind_text(found, 1, line, -1, SQLITE_STATIC);
            counts[i].rows =
                sqlite3_step(found) == SQLITE_ROW ? (uint32_t)sqlite3_column_int(found, 0) : 0;
            counts[i].done = counts[i].rows;
            (void)sqlite3_reset(found);
        }
    }
    (void)sqlite3_finalize(found);
}

/* Whether the audit log must have a row for a moderation command that was answered with `ok`. It
 * has none for commands about one's own account, for commands that only show something, and for
 * commands that change nothing. The row of a backup has no arguments. */
static bool staff_order_needs_audit_row(const char *line)
{
    static const char *const without[] = {
        "sanctions", "reports", "desk", "ignore", "unignore",     "noplay",
        "unnoplay",  "backup",  "news", "motd",   "registration", "guests",
    };
    for (size_t i = 0; i < ARRAY_LEN(without); i++) {
        const size_t len = strlen(without[i]);
        const bool is_it = strncmp(line, without[i], len) == 0;
        const bool is_change = strcmp(without[i], "news") == 0 || strcmp(without[i], "motd") == 0
                                   ? line[len] == ' '
                                   : false;
        if (is_it && (line[len] == '\0' || line[len] == ' ')) {
            return is_change;
        }
    }
    return true;
}

/* Checks that each moderation command is in the audit log, and each report among the reports, as
 * often as it was carried out: at least as often as a player was told so, and at most as often as
 * it was requested. */
static void staff_check_orders(sqlite3 *db, const struct ledger *ledger, struct findings *findings)
{
    struct staff_count *counts = memory_new((ledger->order_count + 1) * sizeof(*counts));
    staff_count_rows(db, ledger, counts);
    staff_count_cases(db, ledger, counts);
    for (size_t i = 0; i < ledger->order_count; i++) {
        const struct ledger_order *order = &ledger->orders[i];
        char what[sizeof(order->line) + 40];
        findings->checked += order->done;
        if (counts[i].done < order->done && staff_order_needs_audit_row(order->line)) {
            (void)snprintf(what, sizeof(what), "/%s, over connection", order->line);
            data_check_note_lost_fact(findings, what, order->conn);
            findings->orders++;
        } else if (counts[i].rows > order->asked) {
            (void)snprintf(what, sizeof(what), "done twice: /%s, over connection", order->line);
            data_check_note_contradiction(findings, what, order->conn);
        }
    }
    free(counts);
}

static void staff_check_effects(sqlite3 *db, const struct ledger *ledger, struct findings *findings)
{
    for (size_t i = 0; i < ARRAY_LEN(effects); i++) {
        const int64_t count = data_check_read_number(db, effects[i].sql, ledger->now_ms);
        if (count != 0) {
            data_check_note_lost_fact(findings, effects[i].what, count);
        }
    }
    findings->checked +=
        (uint64_t)data_check_read_number(db, "SELECT count(*) FROM audit WHERE result = 'ok'", 0);
}

void data_check_orders(sqlite3 *db, const struct ledger *ledger, struct findings *findings)
{
    staff_check_orders(db, ledger, findings);
    staff_check_effects(db, ledger, findings);
}
