#include "lobby/people/people.h"

#include "lobby/house/parts.h"
#include "lobby/people/friends_state.h"
#include "lobby/persons/persons_state.h"
#include "storage/ratings/ratings.h"

#include <stdlib.h>

struct rated_friend {
    int64_t account;
    double mu;
};

static int compare_by_rating(const void *left, const void *right)
{
    const struct rated_friend *a = left;
    const struct rated_friend *b = right;
    int by_mu = (a->mu < b->mu) - (a->mu > b->mu);
    return by_mu != 0 ? by_mu : (a->account > b->account) - (a->account < b->account);
}

static size_t collect_rated_friends(struct house *house, const struct person *person,
                                    const struct storage_listing *listing,
                                    struct rated_friend friends[LEADERS_FRIENDS_MAX + 1])
{
    size_t count = 0;
    for (size_t i = 0; i <= friends_of(person)->count && i <= LEADERS_FRIENDS_MAX; i++) {
        struct rated_friend *other = &friends[count];
        other->account = i == 0 ? person->account : friends_of(person)->accounts[i - 1];
        count += stored(
            house, storage_leader_read_mu(house->storage, listing, other->account, &other->mu));
    }
    qsort(friends, count, sizeof(friends[0]), compare_by_rating);
    return count;
}

void leaders_friends_read(struct house *house, const struct person *person,
                          const struct storage_listing *listing, uint32_t offset,
                          struct storage_leaders_page *page)
{
    struct rated_friend friends[LEADERS_FRIENDS_MAX + 1] = {0};
    size_t count = collect_rated_friends(house, person, listing, friends);
    uint32_t rank = 0;
    page->total = (uint32_t)count;
    page->count = 0;
    for (uint32_t i = 0; i < count && page->count < page->capacity; i++) {
        bool is_tied = i > 0 && !(friends[i].mu < friends[i - 1].mu);
        rank = is_tied ? rank : i + 1;
        if (i >= offset) {
            struct storage_leader *row = &page->rows[page->count++];
            stored_or_fail(house,
                           storage_leader_read(house->storage, listing, friends[i].account, row));
            row->rank = rank;
            row->index = i;
        }
    }
}
