#include "lobby/accounts/accounts.h"

#include "lobby/archive/archive.h"
#include "lobby/people/people.h"
#include "lobby/persons/persons.h"
#include "lobby/play/play.h"
#include "lobby/ratings/ratings.h"
#include "lobby/sanctions/sanctions.h"
#include "lobby/tables/tables.h"

/* Refreshes the tables the person is at, as a player or a spectator. */
static void refresh_tables_of_person(struct house *house, const struct person *person)
{
    const struct conn *conn = NULL;
    CONN_LINKS_EACH(conn, &person->conns)
    {
        if (conn_table(conn) != NULL) {
            table_mark_changed(house, conn_table(conn));
        }
    }
}

void account_sync_refresh_name(struct house *house, int64_t account)
{
    struct person *person = NULL;
    INDEX_EACH(&persons_of(house)->by_name, person)
    {
        if (friends_include_account(person, account)) {
            friends_reload(house, person);
        }
        if (person->account == account) {
            shared_replays_resend_replay_of(house, person);
            refresh_tables_of_person(house, person);
        }
    }
}

void account_sync_remove_from_contact_lists(struct house *house, int64_t account)
{
    struct person *person = NULL;
    INDEX_EACH(&persons_of(house)->by_name, person)
    {
        if (friends_include_account(person, account)) {
            friends_reload(house, person);
        }
        blocks_load(house, person);
    }
    tables_mark_eligibility_changed(house);
}

void account_sync_refresh_result(struct house *house, struct table *table)
{
    struct payload *before = table->result;
    if (before == NULL) {
        return;
    }
    table->result = NULL;
    table_finish_make_result(house, table);
    if (!payload_is_same(before, table->result)) {
        table->result_changed = true;
        tables_of(house)->is_changed = true;
    }
    payload_release(before);
}

void account_sync_refresh_ratings(struct house *house)
{
    struct person *person = NULL;
    struct table *table = NULL;
    INDEX_EACH(&persons_of(house)->by_name, person)
    {
        if (person->account != 0) {
            person_read_rating(house, person);
            person_mark_changed(house, person);
        }
    }
    INDEX_EACH(&tables_of(house)->by_id, table)
    {
        account_sync_refresh_result(house, table);
        table_mark_changed(house, table);
    }
}

const struct rating_listener account_sync_rating_listener = {
    .rerated = account_sync_refresh_ratings,
};
