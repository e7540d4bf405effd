#ifndef STORAGE_RATINGS_H
#define STORAGE_RATINGS_H

#include "storage/storage.h"

/* Ratings, one per account and game, how each game changed them, and the order they make. What
 * the numbers mean and who is listed is the caller's (lobby/rating.h). */

#define STORAGE_BY_SIZE 1025 /* JSON */

struct storage_rating {
    int64_t account;
    char game[STORAGE_WORD_SIZE];
    double mu;
    double sigma;     /* as of rated_ms */
    int64_t rated_ms; /* end of the last rated game; 0: none yet */
    uint32_t games;   /* rated ones */
    double wins;      /* a win shared by k counts 1/k */
    double place_sum; /* sum of (n − place) / (n − 1) */
    uint32_t stat_hits;
    uint32_t stat_chances;
    uint32_t finished;
    uint32_t left;  /* for good, before the end */
    int32_t streak; /* wins in a row, or minus games in a row without one */
    double best_mu;
    int64_t best_ms; /* when; 0: none yet */
};

enum storage_result storage_rating_read(struct storage *storage, int64_t account, const char *game,
                                        struct storage_rating *rating) MUST_CHECK;

/* Adds or replaces; STORAGE_REFUSED when there is no such account. */
enum storage_result storage_rating_save(struct storage *storage,
                                        const struct storage_rating *rating) MUST_CHECK;

/* The game this account has most rated games of; STORAGE_NOT_FOUND when it has none. */
enum storage_result storage_rating_most_played(struct storage *storage, int64_t account,
                                               struct storage_rating *rating) MUST_CHECK;

/* What one game did to one account. */
struct storage_rating_change {
    int64_t game_id;
    uint8_t seat;
    int64_t account;
    char game[STORAGE_WORD_SIZE];
    double mu_before, sigma_before;
    double mu_after, sigma_after;
    int64_t at_ms;
    char by[STORAGE_BY_SIZE]; /* JSON array: opponent by opponent */
};

/* STORAGE_TAKEN when this game has changed this account's rating already. */
enum storage_result
storage_rating_change_add(struct storage *storage,
                          const struct storage_rating_change *change) MUST_CHECK;

/* A game's changes by seat: at most `capacity`, *count how many. */
enum storage_result storage_rating_changes_read(struct storage *storage, int64_t game_id,
                                                struct storage_rating_change *changes,
                                                size_t capacity, size_t *count) MUST_CHECK;

/* Who is on the list: those not held, with at least `games_min` rated games, the last of them at
 * `rated_since_ms` or later, whose sigma, grown by `idle_variance_per_day` since then, is at most
 * `sigma_max`. Highest mu first; equal mu share a rank and go by account. */
struct storage_listing {
    const char *game;
    bool is_bots;       /* bots and people have separate lists */
    uint32_t games_min; /* 1 or more */
    int64_t rated_since_ms;
    double sigma_max;
    double idle_variance_per_day;
    int64_t now_ms;
};

struct storage_leader {
    uint32_t rank;  /* 1 is best, ties share; 0: not on the list */
    uint32_t index; /* place in the list, from 0: for asking for the neighbours */
    struct storage_rating rating;
    char name[STORAGE_NAME_SIZE];
    uint8_t kind; /* enum storage_kind */
    uint8_t role; /* enum storage_role */
    int64_t seen_ms;
    double change_week_mu; /* since 7 days before now */
};

struct storage_leaders_page {
    struct storage_leader *rows; /* the caller's, room for `capacity` */
    size_t capacity;
    size_t count;   /* set: how many were filled */
    uint32_t total; /* set: in the whole list */
};

/* Fills the page with the rows of the list from `offset` on. */
enum storage_result storage_leaders_read(struct storage *storage,
                                         const struct storage_listing *listing, uint32_t offset,
                                         struct storage_leaders_page *page) MUST_CHECK;

/* One account's row, on the list or not; STORAGE_NOT_FOUND without a rated game. */
enum storage_result storage_leader_of(struct storage *storage,
                                      const struct storage_listing *listing, int64_t account,
                                      struct storage_leader *leader) MUST_CHECK;

#endif
