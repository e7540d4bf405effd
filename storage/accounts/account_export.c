#include "storage/accounts/accounts.h"

#include "storage/sql/sql.h"
#include "storage/stored_words.h"

#include <string.h>

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
    {STORAGE_EXPORT_ACCOUNT,
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
              " JOIN (SELECT game_id, step, seat, move, at_ms FROM moves UNION ALL"
              " SELECT game_id, step, seat, move, at_ms FROM moves_new) m"
              " ON m.game_id = s.game_id AND m.seat = s.seat"
              " WHERE s.account = ?1 ORDER BY m.game_id, m.step"},
    {"ratings", "SELECT game, mu, sigma, rated_ms, games, wins, finished, \"left\", streak,"
                " best_mu, best_ms FROM ratings WHERE account = ?1 ORDER BY game"},
    {"season_ratings", "SELECT game, season, mu, sigma, rated_ms, games, wins, finished, \"left\","
                       " streak, best_mu, best_ms FROM season_ratings WHERE account = ?1"
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

/* Reads the next column of the current row. Its text is valid until the next row. */
static void read_value(struct sql *q, struct storage_export_value *value)
{
    *value = (struct storage_export_value){.name = sql_column_name(q)};
    switch (sql_column_kind(q)) {
    case SQL_KIND_NULL:
        (void)sql_borrow_text(q);
        break;
    case SQL_KIND_INT:
        value->kind = begins_with(value->name, "is_") || begins_with(value->name, "has_")
                          ? STORAGE_EXPORT_FLAG
                          : STORAGE_EXPORT_NUMBER;
        value->number = sql_read_int(q);
        break;
    case SQL_KIND_REAL:
        value->kind = STORAGE_EXPORT_REAL;
        value->real = sql_read_real(q);
        break;
    case SQL_KIND_TEXT:
        value->kind = is_json_column(value->name) ? STORAGE_EXPORT_JSON : STORAGE_EXPORT_TEXT;
        value->text = sql_borrow_text(q);
        break;
    }
}

static enum storage_result export_section(struct storage *storage, int64_t account,
                                          const struct section *section,
                                          const struct storage_export_reader *reader)
{
    struct sql *q = SQL_READ(storage, section->query, SQL_INT(account));

    reader->section(reader->context, section->name);
    while (sql_next_row(q)) {
        reader->row(reader->context);
        for (int columns = sql_column_count(q); columns > 0; columns--) {
            struct storage_export_value value;
            read_value(q, &value);
            reader->value(reader->context, &value);
        }
    }
    return sql_end(q);
}

enum storage_result storage_account_export(struct storage *storage, int64_t account,
                                           const struct storage_export_reader *reader)
{
    enum storage_result result = STORAGE_OK;

    for (size_t i = 0; i < ARRAY_LEN(sections) && result == STORAGE_OK; i++) {
        result = export_section(storage, account, &sections[i], reader);
    }
    return result;
}
