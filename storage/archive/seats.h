#ifndef STORAGE_ARCHIVE_SEATS_H
#define STORAGE_ARCHIVE_SEATS_H

#include "storage/storage.h"

/* Who holds a seat, as tables and games keep it. Stored: the numbers never change. */
enum storage_holder {
    STORAGE_SEAT_EMPTY = 0,
    STORAGE_SEAT_PLAYER = 1, /* account and name */
    STORAGE_SEAT_GUEST = 2,  /* name only; account 0 */
    STORAGE_SEAT_BOT = 3,    /* the bot's account (0 if it has none), name and policy */
    STORAGE_HOLDER_LAST = STORAGE_SEAT_BOT,
};

struct storage_seat {
    enum storage_holder holder;
    int64_t account;
    char name[STORAGE_NAME_SIZE];
    char policy[STORAGE_WORD_SIZE];
    bool is_absent; /* a bot plays for the holder until they are back; tables only */
};

#endif
