#ifndef STORAGE_ARCHIVE_SEATS_H
#define STORAGE_ARCHIVE_SEATS_H

#include "storage/sql/columns.h"
#include "storage/storage.h"

/* Who holds a seat, as tables and games keep it. Stored: the numbers never change. */
enum storage_holder {
    STORAGE_SEAT_EMPTY = 0,
    STORAGE_SEAT_PLAYER = 1, /* account and name */
    STORAGE_SEAT_GUEST = 2,  /* name only; account 0 */
    STORAGE_SEAT_BOT = 3,    /* the bot's account (0 if it has none), name and policy */
    STORAGE_HOLDER_LAST = STORAGE_SEAT_BOT,
};

#define STORAGE_SEAT_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(CHOICE(storage_holder, STORAGE_HOLDER_LAST), holder)                                     \
    NEXT(LINK, account)                                                                            \
    NEXT(TEXT(STORAGE_NAME_SIZE), name)                                                            \
    NEXT(TEXT(STORAGE_WORD_SIZE), policy)

struct storage_seat {
    STORAGE_MEMBERS(STORAGE_SEAT_COLUMNS)
    bool is_absent; /* a bot plays for the holder until they are back; tables only */
};

#endif
