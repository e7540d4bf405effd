#include "tests/storage/boards_fixture.h"

#include "storage/ratings/ratings.h"

struct storage_standing boards_make_standing(int64_t account, double mu)
{
    return (struct storage_standing){
        .account = account, .board = {.game = "whist"}, .mu = mu, .is_listed = true};
}

int64_t boards_add_account_of_kind(struct storage *storage, const char *name, double mu,
                                   enum storage_kind kind)
{
    const int64_t id = fixture_add_account(storage, name, kind);
    const struct storage_rating rating = {
        .account = id, .game = "whist", .mu = mu, .sigma = 5.0, .rated_ms = NOW_MS, .games = 30};
    const struct storage_standing standing = boards_make_standing(id, mu);

    assert_ok(storage_rating_save(storage, &rating));
    assert_ok(storage_standing_put(storage, &standing));
    return id;
}

int64_t boards_add_account(struct storage *storage, const char *name, double mu)
{
    return boards_add_account_of_kind(storage, name, mu, STORAGE_PLAYER);
}

void boards_put_season_standing(struct storage *storage, int64_t account, double mu)
{
    struct storage_standing standing = boards_make_standing(account, mu);

    standing.board.span = SEASON;
    assert_ok(storage_standing_put(storage, &standing));
}

int64_t boards_add_game(struct storage *storage, struct storage_rating_change change)
{
    change.game_id = fixture_add_game(storage, fixture_add_table(storage));
    assert_ok(storage_rating_change_add(storage, &change));
    assert_ok(storage_tallies_add_rating_change(storage, &change, 1));
    return change.game_id;
}

uint32_t boards_count_rows(struct storage *storage, const struct storage_listing *listing)
{
    uint32_t total = 77;

    assert_ok(storage_leaders_count(storage, listing, &total));
    return total;
}
