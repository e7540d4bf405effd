#include "lobby/ratings/ratings.h"

#include "lobby/house/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An account's place on a board. Whether it is on the board depends on the time too, so this is
 * found out when the board is read. */
struct standing {
    double mu;
    int64_t account;
    int64_t listed_until_ms; /* when the account stops qualifying; 0: it does not qualify */
    /* when its last game ended, in Unix seconds rounded up: all standings are gone through for each
     * answer, so they must be small */
    uint32_t last_s;
    bool is_bot;
};

/* The standings in a game, of all time or of a season, after games with any number of players or
 * with one: the highest mu first, then by account. */
struct standings {
    LIST_ENTRY(standings) in_boards;
    char game[STORAGE_WORD_SIZE];
    int32_t season; /* 0: of all time */
    uint8_t players;
    struct standing *rows;
    size_t count, cap;
};

static int compare_standings(const void *left, const void *right)
{
    const struct standing *a = left;
    const struct standing *b = right;
    int by_mu = (a->mu < b->mu) - (a->mu > b->mu);
    return by_mu != 0 ? by_mu : (a->account > b->account) - (a->account < b->account);
}

/* Returns until when a rating qualifies. Who has enough games in a season qualifies for good. */
static int64_t compute_listed_until_ms(const struct standings *standings,
                                       const struct storage_standing *row)
{
    if (standings->season == 0) {
        return rating_on_leaderboard_until_ms(row->games, row->sigma, row->rated_ms);
    }
    return row->games >= RATING_SEASON_GAMES ? INT64_MAX : 0;
}

/* Adds a standing at the end. */
static bool add_standing(void *context, const struct storage_standing *row)
{
    struct standings *standings = context;
    standings->rows =
        memory_grow(standings->rows, standings->count, &standings->cap, sizeof(*standings->rows));
    standings->rows[standings->count++] = (struct standing){
        .mu = row->mu,
        .account = row->account,
        .listed_until_ms = compute_listed_until_ms(standings, row),
        .last_s = (uint32_t)(row->last_ms / 1000 + 1),
        .is_bot = row->is_bot,
    };
    return true;
}

static void read_standings(struct house *house, struct standings *standings, int64_t account)
{
    struct storage_board board = {
        .game = standings->game, .span = standings->season, .players = standings->players};
    stored_or_fail(
        house, storage_standings_each(house->storage, &board, account, add_standing, standings));
}

static void free_standings(struct standings *standings)
{
    free(standings->rows);
    free(standings);
}

/* Returns the standings that the board selects from, which are read from the storage when they are
 * first asked for; NULL when there are none. */
static const struct standings *load_standings(struct house *house,
                                              const struct storage_board *board)
{
    int32_t season = storage_board_season(board);
    struct standings *standings = NULL;
    LIST_FOREACH(standings, &ratings_of(house)->standings, in_boards)
    {
        if (standings->season == season && standings->players == board->players &&
            strcmp(standings->game, board->game) == 0) {
            return standings;
        }
    }
    standings = memory_new(sizeof(*standings));
    (void)snprintf(standings->game, sizeof(standings->game), "%s", board->game);
    standings->season = season;
    standings->players = board->players;
    read_standings(house, standings, 0);
    /* nothing is kept for a season in which nobody played, or of what was read in part */
    if (standings->count == 0 || !stored_can_commit(house)) {
        free_standings(standings);
        return NULL;
    }
    qsort(standings->rows, standings->count, sizeof(*standings->rows), compare_standings);
    LIST_INSERT_HEAD(&ratings_of(house)->standings, standings, in_boards);
    return standings;
}

static void remove_standing(struct standings *standings, int64_t account)
{
    struct standing *rows = standings->rows;
    for (size_t i = 0; i < standings->count; i++) {
        if (rows[i].account == account) {
            standings->count--;
            memmove(&rows[i], &rows[i + 1], (standings->count - i) * sizeof(*rows));
            return;
        }
    }
}

/* Moves the last standing to its place in the order. */
static void sort_in_last_standing(struct standings *standings)
{
    struct standing *rows = standings->rows;
    const struct standing last = rows[standings->count - 1];
    size_t low = 0;
    size_t high = standings->count - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool is_before = compare_standings(&rows[middle], &last) < 0;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    memmove(&rows[low + 1], &rows[low], (standings->count - 1 - low) * sizeof(*rows));
    rows[low] = last;
}

void boards_update_account(struct house *house, int64_t account, const char *game)
{
    struct standings *standings = NULL;
    LIST_FOREACH(standings, &ratings_of(house)->standings, in_boards)
    {
        if (game != NULL && strcmp(standings->game, game) != 0) {
            continue;
        }
        remove_standing(standings, account);
        size_t count = standings->count;
        read_standings(house, standings, account);
        if (standings->count > count) {
            sort_in_last_standing(standings);
        }
    }
}

/* Goes through a board from the top. */
struct walk {
    const struct storage_listing *listing;
    const struct board_accounts *among;
    const struct standing *next, *end;
    uint32_t since_s;           /* games up to this time are too old for the board */
    const struct standing *row; /* the row that was reached */
    uint32_t rank;              /* its rank; rows of equal mu share one */
    uint32_t count;             /* number of rows reached so far */
};

static struct walk walk_start(struct house *house, const struct storage_listing *listing,
                              const struct board_accounts *among)
{
    const struct standings *standings = load_standings(house, &listing->board);
    int64_t days = storage_board_days(&listing->board);
    struct walk walk = {.listing = listing, .among = among};
    if (standings != NULL) {
        walk.next = standings->rows;
        walk.end = standings->rows + standings->count;
    }
    if (days != 0) {
        walk.since_s = (uint32_t)((listing->now_ms - days * DAY_MS) / 1000);
    }
    return walk;
}

static int compare_accounts(const void *left, const void *right)
{
    const int64_t *a = left;
    const int64_t *b = right;
    return (*a > *b) - (*a < *b);
}

static bool is_on_board(const struct walk *walk, const struct standing *row)
{
    const struct storage_listing *listing = walk->listing;
    return row->last_s > walk->since_s && row->is_bot == listing->board.is_bots &&
           (row->listed_until_ms > listing->now_ms) != listing->is_young &&
           (walk->among == NULL || bsearch(&row->account, walk->among->accounts, walk->among->count,
                                           sizeof(row->account), compare_accounts) != NULL);
}

/* Goes to the next row; false at the end. */
static bool walk_on(struct walk *walk)
{
    const struct standing *row = walk->next;
    while (row < walk->end && !is_on_board(walk, row)) {
        row++;
    }
    walk->next = row;
    if (row == walk->end) {
        return false;
    }
    if (walk->row == NULL || row->mu < walk->row->mu) {
        walk->rank = walk->count + 1;
    }
    walk->row = row;
    walk->next++;
    walk->count++;
    return true;
}

bool board_is_empty(struct house *house, const struct storage_listing *listing)
{
    struct walk walk = walk_start(house, listing, NULL);
    return !walk_on(&walk);
}

void board_read(struct house *house, const struct storage_listing *listing,
                struct board_accounts *among, uint32_t offset, struct board_page *page)
{
    if (among != NULL) {
        qsort(among->accounts, among->count, sizeof(*among->accounts), compare_accounts);
    }
    struct walk walk = walk_start(house, listing, among);
    page->count = 0;
    while (walk_on(&walk)) {
        if (walk.count > offset && page->count < page->capacity) {
            page->rows[page->count++] = (struct storage_leader){
                .rank = walk.rank,
                .index = walk.count - 1,
                .rating.account = walk.row->account,
            };
        }
    }
    page->total = walk.count;
    stored_or_fail(house, storage_leaders_read(house->storage, listing, page->rows, page->count));
}

bool board_read_account(struct house *house, const struct storage_listing *listing, int64_t account,
                        struct storage_leader *leader)
{
    int64_t days = storage_board_days(&listing->board);
    struct walk walk = walk_start(house, listing, NULL);
    *leader = (struct storage_leader){.rating.account = account};
    while (leader->rank == 0 && walk_on(&walk)) {
        if (walk.row->account == account) {
            leader->rank = walk.rank;
            leader->index = walk.count - 1;
        }
    }
    stored_or_fail(house, storage_leaders_read(house->storage, listing, leader, 1));
    return leader->tally.games > 0 &&
           (days == 0 || leader->tally.last_ms > listing->now_ms - days * DAY_MS);
}

void boards_load(struct house *house)
{
    for (uint8_t game = 0; game < game_count(); game++) {
        struct storage_board board = {.game = game_at(game)->id};
        (void)load_standings(house, &board);
        board.span = rating_season_at(house->now_ms);
        (void)load_standings(house, &board);
    }
}

void boards_forget(struct house *house)
{
    struct standings *standings = NULL;
    while ((standings = LIST_FIRST(&ratings_of(house)->standings)) != NULL) {
        LIST_REMOVE(standings, in_boards);
        free_standings(standings);
    }
}
