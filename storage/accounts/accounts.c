#include "storage/accounts/accounts.h"

#include <string.h>

ROWS(account, struct storage_account, STORAGE_ACCOUNT_COLUMNS);
ROWS(key, struct storage_key, STORAGE_KEY_COLUMNS);
ROWS(notice, struct storage_notice, STORAGE_NOTICE_COLUMNS);
ROWS(code, struct storage_code, STORAGE_CODE_COLUMNS);
ROWS(connection, struct storage_connection, STORAGE_CONNECTION_COLUMNS);
ROWS(former_name, struct storage_former_name, STORAGE_FORMER_NAME_COLUMNS);
ROWS(guest, struct storage_guest, STORAGE_GUEST_COLUMNS);
ROWS(sign_in, struct storage_sign_in, STORAGE_SIGN_IN_COLUMNS);
ROWS(totp, struct storage_totp, STORAGE_TOTP_COLUMNS);

#define SELECT_ACCOUNT ROW_SELECT("accounts", STORAGE_ACCOUNT_COLUMNS)
#define SELECT_CONNECTION ROW_SELECT("connections", STORAGE_CONNECTION_COLUMNS)
#define SELECT_FORMER ROW_SELECT("former_names", STORAGE_FORMER_NAME_COLUMNS) " WHERE "
#define SELECT_GUEST ROW_SELECT("guests", STORAGE_GUEST_COLUMNS)
#define NEWEST_FIRST " ORDER BY last_ms DESC, account, address, fingerprint"
#define SELECT_SIGN_INS                                                                            \
    ROW_SELECT("sign_ins", STORAGE_SIGN_IN_COLUMNS)                                                \
    " JOIN accounts ON accounts.id = account "                                                     \
    "WHERE "

/* Reads the account; STORAGE_NOT_FOUND also when the text is too long to be stored. */
static enum storage_result find_account(struct sql *q, struct storage_account *account)
{
    if (q->result == STORAGE_REFUSED) {
        q->result = STORAGE_NOT_FOUND;
    }
    return read_account(q, account);
}

#define STATEMENT STATEMENT_DEFINED
#include "storage/accounts/accounts.def"

enum storage_result storage_key_add(struct storage *storage, int64_t account,
                                    const struct storage_key *key)
{
    struct storage_key row = *key;

    row.account = account;
    return run_key(sql_write(storage, ROW_INSERT("keys", STORAGE_KEY_COLUMNS)), &row);
}

/* Runs one SQL statement that changes an account: binds `account` to ?1 and `other` to ?2. */
static enum storage_result run_statement(struct storage *storage, const char *statement,
                                         int64_t account, int64_t other)
{
    struct sql q = sql_write(storage, statement);

    sql_bind_int(&q, account);
    if (other != 0) {
        sql_bind_int(&q, other);
    }
    return sql_run(&q);
}

static enum storage_result run_statements(struct storage *storage, const char *const *statements,
                                          size_t count, int64_t account, int64_t other)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; i < count && result == STORAGE_OK; i++) {
        result = run_statement(storage, statements[i], account, other);
    }
    return result;
}

/* Queues the account's chat lines for rewriting (chat/chat.h). Must be called before the
 * account gets its new name. */
STATEMENT_INSIDE(queue_chat_rewrite, RUN,
                 "INSERT INTO chat_rewrites (account, old_name, is_erased,"
                 " below, until) SELECT id, name, ?2,"
                 " (SELECT coalesce(max(number), 0) + 1 FROM chat),"
                 " (SELECT coalesce(max(number), 0) FROM chat)"
                 " FROM accounts WHERE id = ?1",
                 INT(id), INT(is_erased));

STATEMENT_INSIDE(set_account_name, CHANGE,
                 "UPDATE accounts SET name = ?, skeleton = ? WHERE id = ?",
                 TEXT(name, STORAGE_NAME_SIZE), TEXT(skeleton, STORAGE_NAME_SIZE), INT(id));

/* Writes the account's new name into one database table: into the rows of its finished games (found
 * through the table `scores`), of its games in play (found through the table `tables`) and of those
 * that ended without a result (which have the state 2). */
#define NAMED_IN_GAMES(table)                                                                      \
    "UPDATE " table " SET name = (SELECT name FROM accounts WHERE id = ?1) WHERE account = ?1"     \
    " AND game_id IN (SELECT game_id FROM scores WHERE account = ?1"                               \
    " UNION ALL SELECT game_id FROM tables WHERE state <> 3"                                       \
    " UNION ALL SELECT id FROM games WHERE state = 2)"

static const char *const name_followers[] = {
    NAMED_IN_GAMES("game_seats"),
    NAMED_IN_GAMES("seat_changes"),
    "UPDATE scores SET name = (SELECT name FROM accounts WHERE id = ?1) WHERE account = ?1",
    "UPDATE connections SET name = (SELECT name FROM accounts WHERE id = ?1) WHERE account = ?1",
    ("UPDATE kept_tells SET from_name = (SELECT name FROM accounts WHERE id = ?1)"
     " WHERE (SELECT account FROM chat WHERE chat.number = kept_tells.number) = ?1"),
    "UPDATE invitations SET name = (SELECT name FROM accounts WHERE id = ?1) WHERE account = ?1",
};

static enum storage_result change_account_name(struct storage *storage, int64_t id,
                                               const char *name, const char *skeleton,
                                               bool is_erased)
{
    RETURN_FAILURE(queue_chat_rewrite(storage, id, is_erased));
    RETURN_FAILURE(set_account_name(storage, name, skeleton, id));
    return run_statements(storage, name_followers, ARRAY_LEN(name_followers), id, 0);
}

enum storage_result storage_account_rename(struct storage *storage, int64_t id, const char *name,
                                           const char *skeleton)
{
    RETURN_FAILURE(sql_savepoint_begin(storage));
    return sql_savepoint_end(storage, change_account_name(storage, id, name, skeleton, false));
}

static const char *const merges[] = {
    "UPDATE keys SET account = ?2 WHERE account = ?1",
    "UPDATE game_seats SET account = ?2 WHERE account = ?1"
    " AND game_id IN (SELECT game_id FROM scores WHERE account = ?1)",
    "UPDATE seat_changes SET account = ?2 WHERE account = ?1"
    " AND game_id IN (SELECT game_id FROM scores WHERE account = ?1)",
    "UPDATE scores SET account = ?2 WHERE account = ?1",
    "UPDATE rating_changes SET account = ?2 WHERE account = ?1",
    "UPDATE refunds SET account = ?2 WHERE account = ?1",
    "UPDATE refunds SET lost_to = ?2 WHERE lost_to = ?1",
    "INSERT INTO tallies (account, game, span, players, last_ms, games, wins, place_sum,"
    " stat_hits, stat_chances, finished, \"left\") SELECT ?2, game, span, players, last_ms, games,"
    " wins, place_sum, stat_hits, stat_chances, finished, \"left\" FROM tallies WHERE account = "
    "?1" TALLIES_ADD_UP,
    "UPDATE sanctions SET account = ?2 WHERE account = ?1",
    "UPDATE former_names SET account = ?2 WHERE account = ?1 AND NOT EXISTS (SELECT 1"
    " FROM former_names AS own WHERE own.account = ?2 AND own.name = former_names.name)",
    "UPDATE staff_notes SET account = ?2 WHERE account = ?1",
    "UPDATE reports SET about_account = ?2 WHERE about_account = ?1",
    "UPDATE reports SET by_account = ?2 WHERE by_account = ?1",
    "UPDATE player_times SET account = ?2 WHERE account = ?1"
    " AND NOT EXISTS (SELECT 1 FROM player_times AS own WHERE own.account = ?2)",
};

static const char *const closings[] = {
    "DELETE FROM keys WHERE account = ?1",
    "DELETE FROM codes WHERE account = ?1",
    "DELETE FROM totp WHERE account = ?1",
    "DELETE FROM ratings WHERE account = ?1",
    "DELETE FROM refunds WHERE account = ?1",
    "DELETE FROM tallies WHERE account = ?1",
    "DELETE FROM friends WHERE account = ?1 OR friend = ?1",
    "DELETE FROM channel_members WHERE account = ?1",
    "DELETE FROM kept_tells WHERE account = ?1",
    "DELETE FROM account_notices WHERE account = ?1",
    "DELETE FROM hooks WHERE account = ?1",
    "DELETE FROM invitations WHERE account = ?1",
    "DELETE FROM regards WHERE account = ?1 OR other = ?1",
    "DELETE FROM player_times WHERE account = ?1",
    "UPDATE accounts SET password_hash = '', settings = '{}', role = 0 WHERE id = ?1",
    "UPDATE accounts SET is_closed = 1 WHERE id = ?1",
};

static enum storage_result merge_accounts(struct storage *storage, int64_t from, int64_t into)
{
    RETURN_FAILURE(run_statements(storage, merges, ARRAY_LEN(merges), from, into));
    return run_statements(storage, closings, ARRAY_LEN(closings), from, 0);
}

enum storage_result storage_account_merge(struct storage *storage, int64_t from, int64_t into)
{
    RETURN_FAILURE(sql_savepoint_begin(storage));
    return sql_savepoint_end(storage, merge_accounts(storage, from, into));
}

static const char *const erasures[] = {
    "DELETE FROM sign_ins WHERE account = ?1",
    "DELETE FROM staff_notes WHERE account = ?1",
    "DELETE FROM former_names WHERE account = ?1",
};

static enum storage_result erase_account(struct storage *storage, int64_t id, const char *name)
{
    RETURN_FAILURE(change_account_name(storage, id, name, name, true));
    RETURN_FAILURE(run_statements(storage, closings, ARRAY_LEN(closings), id, 0));
    return run_statements(storage, erasures, ARRAY_LEN(erasures), id, 0);
}

enum storage_result storage_account_erase(struct storage *storage, int64_t id, const char *name)
{
    RETURN_FAILURE(sql_savepoint_begin(storage));
    return sql_savepoint_end(storage, erase_account(storage, id, name));
}

/* Makes an SQL expression that translates a stored choice into its word. */
#define WORD_OF(column, LIST) "CASE " column LIST(WORD_CASE, ) " END"
/* NOLINTNEXTLINE(bugprone-macro-parentheses): makes a text */
#define WORD_CASE(prefix, name, number, word) " WHEN " #number " THEN '" word "'"

#define MY_NAME "(SELECT name FROM accounts WHERE id = ?1)"
#define NAME_OF(column) "(SELECT name FROM accounts WHERE id = " column ")"
#define MY_GAMES                                                                                   \
    "(SELECT game_id FROM game_seats WHERE account = ?1"                                           \
    " UNION SELECT game_id FROM seat_changes WHERE account = ?1"                                   \
    " UNION SELECT game_id FROM scores WHERE account = ?1)"

/* The sections. ?1 is the account. The columns' names are the keys of the exported document. */
static const struct section {
    const char *name, *query;
} sections[] = {
    {"account", /* has one row, which stands in the document without a list */
     "SELECT id, name, " WORD_OF("kind", STORED_ACCOUNT_KINDS) " AS kind, " WORD_OF(
         "role",
         STORED_ROLES) " AS role, created_ms, seen_ms, is_held, is_closed,"
                       " password_hash <> '' AS has_password,"
                       " EXISTS (SELECT 1 FROM totp WHERE account = ?1) AS has_authenticator,"
                       " settings FROM accounts WHERE id = ?1"},
    {"keys", "SELECT type, fingerprint, added_ms FROM keys WHERE account = ?1"
             " ORDER BY added_ms, fingerprint"},
    {"former_names",
     "SELECT name, until_ms FROM former_names WHERE account = ?1 ORDER BY until_ms, name"},
    {"sign_ins", "SELECT address, fingerprint, first_ms, last_ms, count FROM sign_ins"
                 " WHERE account = ?1 ORDER BY last_ms, address, fingerprint"},
    {"connections", "SELECT address, transport, key_type, key_fingerprint, since_ms"
                    " FROM connections WHERE account = ?1 ORDER BY conn"},
    {"notices", "SELECT at_ms, text FROM account_notices WHERE account = ?1 ORDER BY id"},
    {"webhook", "SELECT events, is_off, failures, given_up,"
                " (SELECT count(*) FROM hook_events e WHERE e.account = ?1) AS waiting"
                " FROM hooks WHERE account = ?1"},
    {"vacation", "SELECT vacation_ms, vacation_year, vacation_days, respite_ms"
                 " FROM player_times WHERE account = ?1"},
    {"friends", "SELECT " NAME_OF("friend") " AS name, since_ms FROM friends"
                                            " WHERE account = ?1 ORDER BY since_ms, 1"},
    {"blocks",
     "SELECT " NAME_OF("other") " AS name,"
                                " CASE kind WHEN 0 THEN 'ignore' ELSE 'noplay' END AS kind"
                                " FROM regards WHERE account = ?1 ORDER BY 1, 2"},
    {"channels", "SELECT channel, since_ms FROM channel_members WHERE account = ?1 ORDER BY 1"},
    {"invitations", "SELECT table_id, until_ms FROM invitations WHERE account = ?1"
                    " ORDER BY until_ms, name"},
    {"seats", "SELECT s.table_id, t.game, s.seat, t.host = ?1 AS is_host FROM table_seats s"
              " JOIN tables t ON t.id = s.table_id WHERE s.account = ?1 AND t.state <> 3"
              " ORDER BY s.table_id, s.seat"},
    {"games", "SELECT g.id, g.game, g.players, g.options, g.is_rated,"
              " CASE g.state WHEN 0 THEN 'playing' WHEN 1 THEN 'finished' WHEN 2 THEN 'unfinished'"
              " ELSE 'void' END AS state, g.started_ms, g.finished_ms, s.seat, s.score, s.rank,"
              " s.is_winner, s.left_for_good AS has_left FROM games g"
              " LEFT JOIN scores s ON s.game_id = g.id AND s.account = ?1"
              " WHERE g.id IN " MY_GAMES " ORDER BY g.id"},
    /* of games in play nothing is exported that other players do not know */
    {"moves", "SELECT m.game_id, m.step, m.seat, m.move, m.at_ms FROM scores s"
              " JOIN games g ON g.id = s.game_id AND g.state IN (1, 3)"
              " JOIN moves m ON m.game_id = s.game_id AND m.seat = s.seat"
              " WHERE s.account = ?1 ORDER BY m.game_id, m.step"},
    {"ratings", "SELECT game, mu, sigma, rated_ms, games, wins, finished, \"left\", streak,"
                " best_mu, best_ms FROM ratings WHERE account = ?1 AND season = 0 ORDER BY game"},
    {"season_ratings", "SELECT game, season, mu, sigma, rated_ms, games, wins, finished, \"left\","
                       " streak, best_mu, best_ms FROM ratings WHERE account = ?1 AND season > 0"
                       " ORDER BY season, game"},
    {"rating_changes", "SELECT game_id, game, at_ms, mu_before, sigma_before, mu_after,"
                       " sigma_after FROM rating_changes WHERE account = ?1"
                       " ORDER BY at_ms, game_id"},
    {"refunds", "SELECT game_id, game, season, at_ms, mu FROM refunds WHERE account = ?1"
                " ORDER BY id"},
    {"chat", "SELECT number, " WORD_OF(
                 "channel", STORED_CHAT_CHANNELS) " AS channel, table_id,"
                                                  " to_name, text, at_ms, hidden_ms <> 0 AS "
                                                  "is_hidden, by_watcher AS is_by_spectator"
                                                  " FROM chat WHERE account = ?1 ORDER BY number"},
    {"messages_received", "SELECT number, from_name, text, at_ms FROM chat"
                          " WHERE channel = 2 AND to_name = " MY_NAME " ORDER BY number"},
    {"reports_made",
     "SELECT id, about_name, category, text, at_ms, " WORD_OF(
         "state", STORED_REPORT_STATES) " AS state, answer, closed_ms, sanction"
                                        " FROM reports WHERE by_account = ?1 ORDER BY id"},
    {"sanctions",
     "SELECT id, " WORD_OF(
         "kind",
         STORED_SANCTION_KINDS) " AS kind, reason,"
                                " since_ms, until_ms, ended_ms, appeal, appeal_ms FROM sanctions"
                                " WHERE account = ?1 ORDER BY id"},
    {"audit", "SELECT id, at_ms, address, fingerprint, via, verb, arguments, target_name, result"
              " FROM audit WHERE actor = ?1 ORDER BY id"},
};

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_json_column(const char *name)
{
    return strcmp(name, "settings") == 0 || strcmp(name, "options") == 0;
}

/* Makes the JSON value of the column of that name. */
static json_t *make_export_value(const char *name, const struct sql_value *stored)
{
    json_t *value = NULL;
    switch (stored->kind) {
    case SQL_KIND_INT:
        return begins_with(name, "is_") || begins_with(name, "has_")
                   ? json_boolean(stored->number != 0)
                   : json_integer(stored->number);
    case SQL_KIND_REAL:
        return json_real(stored->real);
    case SQL_KIND_TEXT:
    case SQL_KIND_BYTES:
        value = is_json_column(name) ? json_loads(stored->bytes, JSON_DECODE_ANY, NULL)
                                     : json_string(stored->bytes);
        break;
    case SQL_KIND_NULL:
    case SQL_KIND_END:
        break;
    }
    return value == NULL ? json_null() : value;
}

/* Adds the rows that the query returns to the list. */
static enum storage_result export_rows(struct storage *storage, int64_t account, const char *query,
                                       json_t *rows)
{
    struct sql *q = SQL_READ(storage, query, SQL_INT(account));

    while (sql_next_row(q)) {
        json_t *row = json_object();
        for (int columns = sql_column_count(q); columns > 0; columns--) {
            const char *name = sql_column_name(q);
            const struct sql_value value = sql_read_value(q);
            (void)json_object_set_new(row, name, make_export_value(name, &value));
        }
        (void)json_array_append_new(rows, row);
    }
    return sql_end(q);
}

enum storage_result storage_account_export(struct storage *storage, int64_t account,
                                           json_t *document)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; i < ARRAY_LEN(sections) && result == STORAGE_OK; i++) {
        json_t *rows = json_array();
        result = export_rows(storage, account, sections[i].query, rows);
        (void)json_object_set(document, sections[i].name, i == 0 ? json_array_get(rows, 0) : rows);
        json_decref(rows);
    }
    return result;
}

enum storage_result storage_notice_add(struct storage *storage, const struct storage_notice *notice)
{
    struct sql q = sql_write(
        storage,
        "INSERT INTO account_notices (" ROW_NAMES(STORAGE_NOTICE_COLUMNS) ") SELECT " ROW_PLACES(
            STORAGE_NOTICE_COLUMNS) " WHERE (SELECT count(*) FROM account_notices WHERE account = "
                                    "?1) < ?");

    bind_notice(&q, notice);
    sql_bind_int(&q, STORAGE_NOTICES_MAX);
    return sql_run(&q);
}

STATEMENT_INSIDE(delete_guests_beyond_total, DEFER,
                 "DELETE FROM guests WHERE seen_ms < (SELECT seen_ms FROM guests"
                 " ORDER BY seen_ms DESC LIMIT 1 OFFSET ?)",
                 VALUE(STORAGE_GUESTS_MAX - 1));

/* Deletes a network's oldest guests beyond the limit. Keeps a few more when several guests were
 * last seen at the same time as the oldest guest within the limit. */
STATEMENT_INSIDE(delete_guests_beyond_limit, DEFER,
                 "DELETE FROM guests WHERE net = ?1 AND seen_ms < (SELECT"
                 " seen_ms FROM guests WHERE net = ?1"
                 " ORDER BY seen_ms DESC LIMIT 1 OFFSET ?2)",
                 TEXT(net, STORAGE_ADDRESS_SIZE), VALUE(STORAGE_GUESTS_EACH_MAX - 1));

enum storage_result storage_guest_save(struct storage *storage, const struct storage_guest *guest,
                                       int64_t delete_before_ms)
{
    RETURN_FAILURE(defer_guest(
        sql_write(storage, ROW_UPSERT("guests", "name", STORAGE_GUEST_COLUMNS)), guest));
    RETURN_FAILURE(delete_guests_beyond_limit(storage, guest->net));
    RETURN_FAILURE(delete_guests_beyond_total(storage));
    return storage_guests_delete_before(storage, delete_before_ms);
}

enum storage_result storage_totp_put(struct storage *storage, int64_t account,
                                     const struct storage_totp *totp)
{
    struct storage_totp row = *totp;

    row.account = account;
    return run_totp(sql_write(storage, ROW_UPSERT("totp", "account", STORAGE_TOTP_COLUMNS)), &row);
}
