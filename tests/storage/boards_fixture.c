#include "tests/storage/boards_fixture.h"

#include "storage/ratings/ratings.h"
#include "storage/sql/sql.h"

ROWS_TAKING(tally, struct storage_tally, STORAGE_TALLY_COLUMNS);

int64_t boards_add_account_of_kind(struct storage *storage, const char *name, double mu,
                                   enum storage_kind kind)
{
    const int64_t id = fixture_add_account(storage, name, kind);
    const struct storage_rating rating = {
        .account = id, .game = "whist", .mu = mu, .sigma = 5.0, .rated_ms = NOW_MS, .games = 30};

    assert_ok(storage_rating_save(storage, &rating));
    return id;
}

int64_t boards_add_account(struct storage *storage, const char *name, double mu)
{
    return boards_add_account_of_kind(storage, name, mu, STORAGE_PLAYER);
}

int64_t boards_add_game(struct storage *storage, struct storage_rating_change change)
{
    change.game_id = fixture_add_game(storage, fixture_add_table(storage));
    assert_ok(storage_rating_change_add(storage, &change));
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    return change.game_id;
}

bool boards_read_row(struct storage *storage, const struct storage_listing *listing,
                     int64_t account, struct storage_leader *row)
{
    *row = (struct storage_leader){.rating.account = account};
    assert_ok(storage_leaders_read(storage, listing, row, 1));
    return row->name[0] != '\0';
}

enum storage_result boards_tallies_each(struct storage *storage, int64_t account,
                                        const struct storage_board *board, boards_tally_row *row,
                                        void *context)
{
    bool goes_on = true;
    struct sql *q = SQL_READ(
        storage,
        "SELECT players, " ROW_NAMES(
            STORAGE_TALLY_COLUMNS) " FROM tallies"
                                   " WHERE account = ? AND game = ? AND span = ? AND games > 0"
                                   " ORDER BY players",
        SQL_INT(account), SQL_TEXT(board->game, STORAGE_WORD_SIZE), SQL_INT(board->span));

    while (goes_on && sql_next_row(q)) {
        const uint8_t players = (uint8_t)sql_read_int(q);
        struct storage_tally tally;
        take_tally(q, &tally);
        goes_on = row(context, players, &tally);
    }
    return sql_end(q);
}
