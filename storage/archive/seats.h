#pragma once

#include "storage/sql/columns.h"
#include "storage/storage.h"
#include "storage/stored_words.h"

/* Who holds a seat, at tables and in games. The values of the enum are stored: they never
 * change. */
enum storage_holder {
    STORED_VALUES(STORED_HOLDERS, STORAGE_SEAT_) STORAGE_HOLDER_LAST = STORED_LAST(STORED_HOLDERS),
};

#define STORAGE_SEAT_COLUMNS(FIRST, NEXT)                                                          \
    FIRST(CHOICE(storage_holder, STORAGE_HOLDER_LAST), holder)                                     \
    NEXT(LINK, account)                                                                            \
    NEXT(TEXT(STORAGE_NAME_SIZE), name)                                                            \
    NEXT(TEXT(STORAGE_WORD_SIZE), policy)

struct storage_seat {
    STORAGE_MEMBERS(STORAGE_SEAT_COLUMNS)
    bool is_absent; /* at tables only: a bot plays until the seat's holder returns */
};
