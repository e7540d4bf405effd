#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"
#include "lobby/house/text_clean.h"
#include "lobby/house/words.h"
#include "lobby/protocol/mod_commands.h"
#include "storage/accounts/guests.h"
#include "storage/mod/sanctions.h"

struct table;

/*
 * One moderation command as it was given: who gives it, its arguments, its result.
 *
 * [yes] COMMAND TARGET [TIME] [key=value …] VISIBLE REASON [// private note]
 *
 * A command lists the parts it wants in their order. All are parsed in one place
 * (lobby/mod/order_read.h), so that all commands understand names, times, reasons and notes alike.
 */

struct mod_command;

enum order_part {
    PART_END = 0,
    PART_TARGET,
    PART_OTHER,        /* a second target besides PART_TARGET; it must be an account */
    PART_TIME,         /* a duration: 30s 15m 12h 7d 4w perm */
    PART_WORD,         /* any one word */
    PART_WORD_MAYBE,   /* any one word, which may be missing */
    PART_NUMBER,       /* a number, 0 or more */
    PART_NUMBER_MAYBE, /* a number, 0 or more, which may be missing */
    PART_REASON,       /* the rest of the line: a reason and a private note; not empty */
    PART_REASON_MAYBE,
    PART_TEXT, /* the rest of the line, unchanged; not empty */
    PART_TEXT_MAYBE,
};

#define ORDER_PARTS_MAX 5

/* Kinds of target; each is one bit. */
enum order_kind {
    TARGET_NONE = 0,
    TARGET_USER = 1,    /* an account, whose owner is in the house or not */
    TARGET_GUEST = 2,   /* the person behind a guest's name, who is in the house or has left */
    TARGET_ADDRESS = 4, /* ip=192.0.2.0/24 */
    TARGET_KEY = 8,     /* a key, key=SHA256:… */
    TARGET_TABLE = 16,  /* #7 */
    TARGET_GAME = 32,   /* @81 */
    TARGET_CHAT = 64,   /* a chat: lobby, #tea, #7 */
    TARGET_ANYBODY = TARGET_USER | TARGET_GUEST,
};

struct order_target {
    enum order_kind kind;
    char name[STORAGE_FINGERPRINT_SIZE]; /* the target as typed: "bob", "192.0.2.0/24", "#7" */
    struct storage_account account;      /* the account; set for TARGET_USER */
    struct storage_guest
        guest; /* the guest; set for TARGET_GUEST; without an address if the guest left long ago */
    struct person *person; /* the person, if in the house; otherwise NULL */
    int64_t id;            /* number of the account, table or game; 0: none */
    struct table *table;   /* the table; set for TARGET_TABLE; only open tables are found */
};

#define ORDER_FOR_GOOD (-1) /* a duration that never ends */

/* The most options, key=value words, of a command. An order with an unknown one is refused. */
#define ORDER_OPTIONS_MAX 6

struct order {
    struct house *house;
    struct conn *conn;
    int64_t request; /* the id of the request, under which it is answered (answers.h) */
    enum rank rank;  /* the requester's rank; here a host has the rank of a player */
    const char *via; /* the interface of the connection (audit_interface_name) */

    const struct mod_command *command;
    const struct mod_command_info *words;
    char arguments[TEXT_CLEAN_BYTES_MAX + 1]; /* the text after the command, as typed */
    bool is_confirmed;                        /* the line began with "yes" */
    struct order_target target, other;
    int64_t duration_ms;
    char word[STORAGE_FINGERPRINT_SIZE]; /* the argument of PART_WORD; "": none */
    int64_t number;
    bool has_number;
    char reason[TEXT_CLEAN_BYTES_MAX + 1]; /* the reason, or the argument of PART_TEXT */
    char note[TEXT_CLEAN_BYTES_MAX + 1];
    char options[ORDER_OPTIONS_MAX][STORAGE_FINGERPRINT_SIZE]; /* the values of key=value words, in
                                                                  the order of the command's list */

    /* The result of the order, for the answer and the audit row. */
    const char *code;   /* the error code of the refusal; NULL: the order was carried out */
    json_t *why;        /* the sentence that tells why the order is refused (say.h) */
    unsigned flags;     /* the flags of the command; the command's function may add some */
    bool is_answered;   /* the command's function answers the request itself, now or later */
    bool is_unchanged;  /* the order changed nothing, so it gets no audit row */
    bool is_unfinished; /* the audit row is written later, when the result is known */
    bool is_refused; /* the request was already refused: the requester has not confirmed, or may not
                        talk */
    json_t *lines;   /* the lines of the answer, as English text */
    json_t *says;    /* for each line its sentence, or null where the English text is enough */
    json_t *data;    /* the answer for programs; NULL: none */
    json_t *before, *after;
    int64_t expires_ms;
    int64_t report, line_first, line_last, reverses;
    int64_t table_id, game_id;
    char scope[STORAGE_WORD_SIZE];
};

/* The request that gave the order. */
static inline struct request order_get_request(const struct order *order)
{
    return (struct request){order->house, order->conn, .id = order->request};
}

/* Refuses the order; `code` is a code of PROTOCOL.md. When an order is refused twice, the first
 * refusal counts. */
void order_refuse(struct order *order, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True when the order was refused because of the requester's rank, or because the requester is its
 * target. */
bool order_is_denied(const struct order *order);

/* Adds a line to the answer; order_add_sentence takes ownership of a sentence (say.h). */
void order_add_line(struct order *order, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void order_add_sentence(struct order *order, json_t *sentence);

/* True when the line began with "yes"; otherwise refuses the order with this question. */
bool order_require_confirmation(struct order *order, json_t *question) MUST_CHECK;

/* The place of this key, `len` bytes long, among the command's options; -1 when it has none such.
 */
int order_find_option(const struct mod_command *command, const char *key, size_t len) MUST_CHECK;

/* The value of a key=value word; NULL when it was not given. */
const char *order_option_value(const struct order *order, const char *key);

/* The value of a key=value word as a number; `fallback` when the word was not given. Refuses the
 * order when the value is invalid. */
int64_t order_option_number(struct order *order, const char *key, int64_t fallback);

/* The start of the span that the option since= names, unix ms; 0 when it was not given. Refuses the
 * order when the value is invalid. */
int64_t order_option_since(struct order *order);

/* Parses a duration such as "30s", "7d" or "perm" into milliseconds or ORDER_FOR_GOOD; false when
 * it is invalid. */
bool order_parse_duration(const char *word, int64_t *ms) MUST_CHECK;

const char *order_requester_name(const struct order *order);
/* the requester's name as an argument of %p (say.h) */
void *order_requester_sentence_argument(const struct order *order);

/* A key's fingerprint, or "no key", as an argument of %p. */
void *order_key_sentence_argument(const char *fingerprint);
int64_t order_requester_account(const struct order *order);

enum rank rank_of_role(enum storage_role role);
