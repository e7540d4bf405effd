#include "lobby/house/parts.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons.h"
#include "lobby/tables/tables.h"
#include "storage/archive/archive.h"

static bool set_has_played(void *context, UNUSED const struct storage_past_game *played)
{
    bool *has_played = context;
    *has_played = true;
    return false;
}

/* True when the account has a seat at a table, or had one when the table's current game began. */
static bool account_has_seat(const struct house *house, int64_t account)
{
    bool sits = false;
    TABLES_EACH(table, house) {
        for (int seat = 0; seat < table->row.players; seat++) {
            sits = sits || table->row.seats[seat].account == account ||
                   table->plays[seat].starter.account == account;
        }
    }
    return sits;
}

static bool account_has_played(struct house *house, int64_t account)
{
    bool has_played = account_has_seat(house, account);
    if (!has_played) {
        stored_or_fail(house, storage_past_games_by_account(house->storage, account, INT64_MAX, 1,
                                                            set_has_played, &has_played));
    }
    return has_played;
}

static void message_bot_account(const struct request *request)
{
    struct house *house = request->house;
    struct person *person = request->conn->person;
    if (person->kind == PERSON_BOT) {
        answer_ok(request, NULL);
    } else if (person->account == 0) {
        answer_no(request, "guest",
                  _("A guest has no account: sign in with an account made for your program."));
    } else if (person->role != STORAGE_ROLE_PLAYER) {
        answer_no(request, "staff",
                  _("Staff accounts cannot become bots: make another account for your program."));
    } else if (account_has_played(house, person->account)) {
        answer_no(request, "played",
                  _("This account has played already, which changed people's ratings: make another "
                    "account for your program."));
    } else {
        stored_or_fail(house,
                       storage_account_set_kind(house->storage, person->account, STORAGE_BOT));
        person->kind = PERSON_BOT;
        person_mark_changed(house, person);
        person_send_you_row(house, person);
        journal_write(house, request->conn, "bot-account", JOURNAL_PAIRS("account", person->name));
        answer_ok(request, NULL);
    }
}

const struct message_handler handler_bot_account = {message_bot_account};
