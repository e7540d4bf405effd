#include "lobby/accounts/accounts.h"

#include "lobby/house/parts.h"
#include "lobby/house/say.h"
#include "lobby/persons/persons.h"
#include "lobby/sanctions/sanctions.h"
#include "storage/accounts/accounts.h"

#include <stdio.h>

/* True when a human, not a program, reads what this connection receives. */
static bool security_conn_has_human_reader(const struct conn *conn)
{
    return !conn->is_query_only && !conn->is_program;
}

/* Returns the owner of the account; NULL when they are not connected. */
static const struct person *security_find_person(struct house *house, int64_t account)
{
    struct storage_account row;
    const struct person *person =
        stored(house, storage_account_by_id(house->storage, account, &row))
            ? person_find(house, row.name)
            : NULL;
    return person != NULL && person->account == account ? person : NULL;
}

/* Sends the sentence to all of the person's connections except `skipped_conn`; true when a human
 * reads at least one of them. */
static bool security_notify_connections(struct house *house, const struct person *person,
                                        const struct conn *skipped_conn, json_t *sentence)
{
    const struct conn *conn = NULL;
    bool is_told = false;
    CONN_LINKS_EACH(conn, &person->conns)
    {
        if (conn != skipped_conn) {
            conn_send_notice(house, conn, "warn", json_incref(sentence));
            is_told = is_told || security_conn_has_human_reader(conn);
        }
    }
    return is_told;
}

void security_notify(struct house *house, int64_t account, const struct conn *skipped_conn,
                     const char *skipped_key, json_t *sentence)
{
    const struct person *person = security_find_person(house, account);
    if (person == NULL || !security_notify_connections(house, person, skipped_conn, sentence)) {
        struct storage_notice notice = {.account = account, .at_ms = house->now_ms};
        (void)snprintf(notice.not_by_key, sizeof(notice.not_by_key), "%s",
                       skipped_key == NULL ? "" : skipped_key);
        say_write_stored_sentence(sentence, notice.text, sizeof(notice.text));
        stored_or_fail(house, storage_notice_add(house->storage, &notice));
    }
    json_decref(sentence);
}

/* Tells a person who has entered how often others have guessed their password, and ends the delay
 * of their name. */
static void security_tell_of_guesses(struct house *house, struct conn *conn)
{
    uint32_t guesses = backoff_count_known_failures(house, conn->person->name);
    if (guesses > 0) {
        conn_send_notice(
            house, conn, "warn",
            say_plural("%u wrong password was typed for your name since your last sign-in.",
                       "%u wrong passwords were typed for your name since your last sign-in.",
                       (unsigned)guesses));
        backoff_reset(house, conn->person->name);
    }
}

/* Sends the stored notices to a person who has entered. */
static void security_send_stored_notices(struct house *house, struct conn *conn)
{
    struct storage_notice notices[STORAGE_NOTICES_MAX];
    size_t count = 0;
    if (conn->person->account == 0 || !security_conn_has_human_reader(conn) ||
        house->is_read_only) {
        return; /* if the notice cannot be deleted now, it is sent again at a later sign-in */
    }
    security_tell_of_guesses(house, conn);
    stored_or_fail(house, storage_notices_read(house->storage, conn->person->account,
                                               conn->key_fingerprint, notices, &count));
    for (size_t i = 0; i < count; i++) {
        conn_send_notice(house, conn, "warn", say_parse_stored_sentence(notices[i].text));
    }
    if (count > 0) {
        stored_or_fail(house, storage_notices_remove(house->storage, conn->person->account,
                                                     conn->key_fingerprint));
    }
}

const struct part security_news_part = {
    .name = "security-news",
    .greet = security_send_stored_notices,
};
