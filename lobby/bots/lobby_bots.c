#include "lobby/bots/lobby_bots.h"

#include "lobby/house/parts.h"
#include "lobby/persons/persons.h"
#include "lobby/ratings/ratings.h"
#include "lobby/tables/tables.h"
#include "storage/ratings/ratings.h"

#include <string.h>

/* Returns the number of the newest table at which the bot sits (0: none), and sets *account to the
 * bot's account. */
static int64_t newest_table_of_bot(const struct house *house, const char *name, int64_t *account)
{
    int64_t id = 0;
    TABLES_EACH(table, house) {
        const struct storage_seat *seat = bot_seat_find(table, name);
        if (seat != NULL && table->row.id > id && !table_is_lesson(table)) {
            id = table->row.id;
            *account = seat->account;
        }
    }
    return id;
}

json_t *lobby_bot_row(struct house *house, size_t index)
{
    const char *name = bot_name_at(index)->name;
    int64_t account = 0;
    int64_t table = newest_table_of_bot(house, name, &account);
    if (table == 0) {
        return NULL;
    }
    struct storage_rating rating;
    bool has_rating =
        stored(house, storage_rating_read_most_played(house->storage, account, &rating));
    struct person_row row = {
        .kind = PERSON_BOT,
        .level = (uint8_t)bot_name_at(index)->level,
        .rating = rating_to_row(has_rating, has_rating ? rating.mu : 0.0,
                                has_rating && rating_is_provisional(rating.games, rating.sigma)),
        .table = table,
        .is_seated = true,
    };
    row_copy_text(row.name, sizeof(row.name), name);
    return person_row_write(&row);
}
