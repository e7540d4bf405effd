#include "lobby/sanctions/sanctions.h"

#include "storage/house/house.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The search for a ban that refuses somebody at sign-in. */

#define APPEAL_WORD "appeal "

/* In which order bans that may refuse a connection are looked for. */
enum ban_reach {
    BAN_OF_ACCOUNT,
    BAN_OF_KEY,
    BAN_OF_ADDRESS,
    BAN_OF_OTHER_NAME, /* against another name of the same person */
    BAN_REACHES,
};

static bool ban_reaches_conn(struct house *house, const struct sanction *ban, enum ban_reach reach,
                             const struct conn *conn, const struct storage_account *account)
{
    struct net net;
    switch (reach) {
    case BAN_OF_ACCOUNT:
        return account != NULL && sanction_names(&ban->row, account->id, "");
    case BAN_OF_KEY:
        return conn->key_fingerprint[0] != '\0' &&
               strcmp(ban->row.fingerprint, conn->key_fingerprint) == 0;
    case BAN_OF_ADDRESS:
        return net_parse(ban->row.address, &net) && net_contains(&net, conn->address);
    case BAN_OF_OTHER_NAME:
        return person_sources_match_conn(house, ban, conn, account);
    case BAN_REACHES:
        break;
    }
    return false;
}

static struct sanction *find_ban(struct house *house, enum ban_reach reach, const struct conn *conn,
                                 const struct storage_account *account)
{
    SANCTIONS_EACH(ban, house) {
        if (ban->row.kind == STORAGE_SANCTION_BAN &&
            ban_reaches_conn(house, ban, reach, conn, account)) {
            return ban;
        }
    }
    return NULL;
}

/* Finds a ban on the account, the key, the address, or on another name of the same person; NULL
 * when there is none. A ban on another name does not apply to accounts older than the ban, so it is
 * checked only once the person has proved who they are. Staff are refused only by bans of their
 * name. */
static struct sanction *find_ban_of_conn(struct house *house, const struct conn *conn,
                                         const struct storage_account *account,
                                         bool is_identity_proved)
{
    bool is_exempt = (account != NULL && account->role != STORAGE_ROLE_PLAYER) ||
                     allowlist_has_conn(house, conn);
    const enum ban_reach end = is_exempt            ? BAN_OF_ACCOUNT + 1
                               : is_identity_proved ? BAN_REACHES
                                                    : BAN_OF_OTHER_NAME;
    struct sanction *ban = NULL;
    for (enum ban_reach reach = BAN_OF_ACCOUNT; ban == NULL && reach < end; reach++) {
        ban = find_ban(house, reach, conn, account);
    }
    return ban;
}

static json_t *describe_ban(struct house *house, const struct storage_sanction *ban,
                            const struct storage_account *account)
{
    bool is_followed = ban->name[0] != '\0' && (account == NULL || account->id != ban->account);
    json_t *appeal = appeal_status_sentence(house, ban->id);
    json_t *why = say(_("You are %p."), say_sentence_argument(sanction_to_sentence(ban)));
    if (is_followed) {
        why = say("%p %p", say_sentence_argument(why),
                  say_word_argument(SANCTION_SHARED_SOURCE_HINT));
    }
    if (appeal != NULL) {
        why = say("%p %p", say_sentence_argument(why), say_sentence_argument(appeal));
    }
    return say("%p %p", say_sentence_argument(why),
               say_word_argument(_("To appeal, type the word appeal and your reason.")));
}

/* Finds the ban that refuses the connection; NULL when there is none. A ban that has already
 * refused it does so again, so that another name does not avoid the ban. */
static const struct storage_sanction *find_any_ban(struct house *house, struct conn *conn,
                                                   const struct storage_account *account,
                                                   bool is_identity_proved)
{
    struct sanction *ban = NULL;
    if (account == NULL || account->role == STORAGE_ROLE_PLAYER) {
        ban = sanction_find(house, sanctions_conn_state(conn)->ban);
        sanctions_conn_state(conn)->ban = ban == NULL ? 0 : ban->row.id;
    }
    if (ban == NULL) {
        ban = find_ban_of_conn(house, conn, account, is_identity_proved);
    }
    if (ban == NULL) {
        return NULL;
    }
    if (account != NULL && account->id == ban->row.account) {
        person_sources_store_of_conn(house, ban, conn, false);
    }
    return &ban->row;
}

bool sign_in_bans_find(struct house *house, struct conn *conn,
                       const struct storage_account *account, json_t **why)
{
    const struct storage_sanction *ban = find_any_ban(house, conn, account, true);
    if (ban == NULL) {
        return false;
    }
    sanctions_conn_state(conn)->ban = ban->id;
    *why = describe_ban(house, ban, account);
    return true;
}

#define KNOCKS_BURST 3
/* how soon staff are told again of sign-ins that the same ban refuses */
#define KNOCK_AGAIN_MS INT64_C(600000)

static const struct bucket_rule knocks_rule = {KNOCKS_BURST, 1.0 / 60};

/* True when staff are not to be told now: they were told of this ban lately, or the notices have
 * reached their rate limit. Otherwise records that staff are told now, in place of the oldest
 * record. */
static bool staff_notice_is_too_soon(struct house *house, int64_t ban)
{
    struct knocks *knocks = &sanctions_house_state(house)->knocks;
    size_t oldest = 0;
    for (size_t i = 0; i < KNOCKS_KEPT; i++) {
        if (knocks->told[i].ban == ban && house->now_ms < knocks->told[i].until_ms) {
            return true;
        }
        oldest = knocks->told[i].until_ms < knocks->told[oldest].until_ms ? i : oldest;
    }
    if (!bucket_take_tokens(&knocks->pace, &knocks_rule, 1, house->now_ms)) {
        return true;
    }
    knocks->told[oldest].ban = ban;
    knocks->told[oldest].until_ms = house->now_ms + KNOCK_AGAIN_MS;
    return false;
}

/* Tells staff that a banned person tries to sign in, once for each connection. `name` is the name
 * of an account; NULL: a guest or a new user. The notices are rate-limited: KNOCKS_BURST at once,
 * then one a minute, and for each ban one in ten minutes. Each notice counts the attempts that were
 * left out before it. */
static void notify_staff_of_attempt(struct house *house, const struct conn *conn,
                                    const struct storage_sanction *ban, const char *name)
{
    struct knocks *knocks = &sanctions_house_state(house)->knocks;
    if (staff_notice_is_too_soon(house, ban->id)) {
        knocks->untold++;
        return;
    }
    json_t *told = say(_("Refused at sign-in: %p, from %s. Ban %lld of %s: %.200s"),
                       say_word_argument(name == NULL ? _("somebody without an account") : name),
                       conn->address, (long long)ban->id, sanction_target_text(ban), ban->reason);
    if (knocks->untold > 0) {
        told = say_plural("%p (and %u more attempt by people who are banned)",
                          "%p (and %u more attempts by people who are banned)",
                          say_sentence_argument(told), (unsigned)knocks->untold);
        knocks->untold = 0;
    }
    staff_notify(house, STORAGE_ROLE_MOD, told);
}

static bool admit_unless_banned(const struct request *request,
                                const struct storage_account *account, bool is_identity_proved)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const char *name = account == NULL ? NULL : account->name;
    const struct storage_sanction *ban = find_any_ban(house, conn, account, is_identity_proved);
    if (ban == NULL) {
        return true;
    }
    if (sanctions_conn_state(conn)->ban != ban->id) {
        sanctions_conn_state(conn)->ban = ban->id;
        notify_staff_of_attempt(house, conn, ban, name);
    }
    journal_write_denied_sign_in(house, conn, "door", name, "banned");
    return answer_no_with_sentence(request, "banned", describe_ban(house, ban, account));
}

bool sign_in_bans_allow(const struct request *request, const struct storage_account *account)
{
    return admit_unless_banned(request, account, true);
}

bool sign_in_bans_allow_before_proof(const struct request *request, const char *name)
{
    struct storage_account account;
    bool is_staffs =
        stored(request->house, storage_account_by_name(request->house->storage, name, &account)) &&
        account.role != STORAGE_ROLE_PLAYER;
    return is_staffs || admit_unless_banned(request, NULL, false);
}

static int64_t submit_audited_appeal(struct house *house, const struct conn *conn,
                                     const struct appeal *appeal)
{
    struct storage_audit row = {
        .verb = "appeal",
        .target_name = appeal->name,
        .target_id = appeal->account,
        .reverses = appeal->against->audit,
        .report = appeal_submit(house, appeal),
        .address = conn->address,
    };
    audit_write_house_action(house, &row);
    return row.report;
}

bool sign_in_bans_handle_appeal(const struct request *request, const char *text)
{
    struct house *house = request->house;
    struct conn *conn = request->conn;
    const struct sanction *ban = NULL;
    char clean[TEXT_CLEAN_BYTES_MAX + 1];
    struct appeal appeal = {.text = clean};
    if (sanctions_conn_state(conn)->ban == 0 ||
        strncasecmp(text, APPEAL_WORD, strlen(APPEAL_WORD)) != 0) {
        return false;
    }
    if (house->is_read_only) {
        read_only_refuse(request);
    } else if (text_clean(text + strlen(APPEAL_WORD), clean) != TEXT_CLEAN_OK) {
        answer_no(request, "empty", _("Say in a line why the ban is to be lifted."));
    } else if ((ban = sanction_find(house, sanctions_conn_state(conn)->ban)) == NULL) {
        answer_no(request, "unknown", _("That ban is over: sign in again."));
    } else {
        appeal.against = &ban->row;
        appeal.account = ban->row.account;
        appeal.name = sanction_target_text(&ban->row);
        if (!appeal_is_allowed(house, &appeal)) {
            answer_no(request, "too_many",
                      _("You have appealed already: wait for the answer, or a day."));
            return true;
        }
        answer_no(request, "banned",
                  _("Your appeal is noted, with number %lld. Connect again later to read the "
                    "answer here."),
                  (long long)submit_audited_appeal(house, conn, &appeal));
    }
    return true;
}

#define HASH_BYTES ((STORAGE_NAME_HASH_SIZE - 1) / 2)
#define DOUBLINGS_MAX 16

static const char backoff_key_of_storage[] = "name hash key";

static void backoff_store_key(struct house *house, const uint8_t key[BACKOFF_KEY_BYTES])
{
    char hex[STORAGE_META_SIZE];
    (void)sodium_bin2hex(hex, sizeof(hex), key, BACKOFF_KEY_BYTES);
    stored_or_fail(house, storage_meta_set(house->storage, backoff_key_of_storage, hex));
}

/* Reads the stored key with which names are hashed for the storage; false if there is none. */
static bool backoff_read_key(struct house *house, uint8_t key[BACKOFF_KEY_BYTES])
{
    char hex[STORAGE_META_SIZE];
    size_t len = 0;
    return stored(house, storage_meta_get(house->storage, backoff_key_of_storage, hex)) &&
           sodium_hex2bin(key, BACKOFF_KEY_BYTES, hex, strlen(hex), NULL, &len, NULL) == 0 &&
           len == BACKOFF_KEY_BYTES;
}

/* Reads the key, or creates it on first use. */
static void backoff_read_or_create_key(struct house *house, uint8_t key[BACKOFF_KEY_BYTES])
{
    struct backoffs *backoffs = &sanctions_house_state(house)->backoffs;
    if (backoff_read_key(house, key)) {
        return;
    }
    if (!backoffs->has_key) {
        house->config.random(house->config.random_context, backoffs->key, BACKOFF_KEY_BYTES);
    }
    memcpy(key, backoffs->key, BACKOFF_KEY_BYTES);
    backoffs->has_key = house->is_read_only;
    if (!house->is_read_only) {
        backoff_store_key(house, key);
    }
}

static void backoff_hash_name(struct house *house, const char *name,
                              char hex[STORAGE_NAME_HASH_SIZE])
{
    uint8_t key[BACKOFF_KEY_BYTES];
    uint8_t hash[HASH_BYTES];
    backoff_read_or_create_key(house, key);
    (void)crypto_generichash(hash, sizeof(hash), (const uint8_t *)name, strlen(name), key,
                             sizeof(key));
    (void)sodium_bin2hex(hex, STORAGE_NAME_HASH_SIZE, hash, sizeof(hash));
}

static struct storage_backoff *backoff_find_unsaved_wait(const struct house *house,
                                                         const char *name_hash)
{
    return index_find(&sanctions_house_state(house)->backoffs.unsaved, name_hash,
                      STORAGE_NAME_HASH_SIZE - 1);
}

/* Returns until when names without a stored wait have to wait too, since their waits may not have
 * been stored; 0: every wait is stored. */
static int64_t backoff_doubt_ms(const struct house *house)
{
    return house->full_at_start_ms == 0
               ? 0
               : house->full_at_start_ms + 1000 * (int64_t)house->config.door_backoff_max_s;
}

/* Reads the wait of a name and how many attempts with the name are known to have failed; 0 and 0
 * when nothing is stored. Returns false when both may be more than is known. */
static bool backoff_read_known_wait(struct house *house, const char *name,
                                    struct storage_backoff *backoff)
{
    *backoff = (struct storage_backoff){.failures = 0};
    backoff_hash_name(house, name, backoff->name_hash);
    const struct storage_backoff *unsaved = backoff_find_unsaved_wait(house, backoff->name_hash);
    if (unsaved != NULL) {
        *backoff = *unsaved;
        return true;
    }
    (void)!stored(house, storage_backoff_read(house->storage, backoff->name_hash, backoff));
    int64_t doubt_ms = backoff_doubt_ms(house);
    return doubt_ms == 0 || (!house->is_read_only && house->now_ms >= doubt_ms);
}

/* Like backoff_read_known_wait, but assumes many failures where not all may be known. */
static void backoff_read_wait(struct house *house, const char *name,
                              struct storage_backoff *backoff)
{
    int64_t doubt_ms = backoff_doubt_ms(house);
    if (!backoff_read_known_wait(house, name, backoff)) {
        backoff->failures = DOUBLINGS_MAX;
        backoff->until_ms = backoff->until_ms > doubt_ms ? backoff->until_ms : doubt_ms;
    }
}

static void backoff_remove_unsaved_wait(struct house *house, struct storage_backoff *unsaved)
{
    index_remove(&sanctions_house_state(house)->backoffs.unsaved, unsaved->name_hash,
                 STORAGE_NAME_HASH_SIZE - 1);
    free(unsaved);
}

/* Makes room for a wait in memory by dropping the wait that ends first. */
static void backoff_make_room_for_wait(struct house *house)
{
    const struct index *waits = &sanctions_house_state(house)->backoffs.unsaved;
    struct storage_backoff *first = NULL;
    if (index_count(waits) < house->config.door_backoff_names) {
        return;
    }
    INDEX_ITEMS_EACH(struct storage_backoff, unsaved, waits) {
        first = first == NULL || unsaved->until_ms < first->until_ms ? unsaved : first;
    }
    if (first != NULL) {
        backoff_remove_unsaved_wait(house, first);
    }
}

static void backoff_keep_unsaved_wait(struct house *house, const struct storage_backoff *backoff)
{
    struct storage_backoff *unsaved = backoff_find_unsaved_wait(house, backoff->name_hash);
    if (unsaved == NULL) {
        backoff_make_room_for_wait(house);
        unsaved = memory_new(sizeof(*unsaved));
        *unsaved = *backoff;
        index_add(&sanctions_house_state(house)->backoffs.unsaved, unsaved->name_hash,
                  STORAGE_NAME_HASH_SIZE - 1, unsaved);
    }
    unsaved->failures = backoff->failures;
    unsaved->until_ms = backoff->until_ms;
}

static void backoff_store_wait(struct house *house, const struct storage_backoff *backoff)
{
    if (house->is_read_only) {
        backoff_keep_unsaved_wait(house, backoff);
    } else if (backoff->failures == 0) {
        stored_or_fail(house, storage_backoff_remove(house->storage, backoff->name_hash));
    } else {
        stored_or_fail(
            house, storage_backoff_save(house->storage, backoff, house->config.door_backoff_names));
    }
}

void backoff_save_all_waits(struct house *house)
{
    if (sanctions_house_state(house)->backoffs.has_key) {
        backoff_store_key(house, sanctions_house_state(house)->backoffs.key);
    }
    INDEX_ITEMS_EACH(struct storage_backoff, unsaved,
                     &sanctions_house_state(house)->backoffs.unsaved) {
        backoff_store_wait(house, unsaved);
    }
}

void backoff_clear_unsaved_waits(struct house *house)
{
    INDEX_ITEMS_EACH(struct storage_backoff, unsaved,
                     &sanctions_house_state(house)->backoffs.unsaved) {
        backoff_remove_unsaved_wait(house, unsaved);
    }
    sanctions_house_state(house)->backoffs.has_key = false;
}

int64_t backoff_get_wait_s(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    backoff_read_wait(house, name, &backoff);
    int64_t max_ms = 1000 * (int64_t)house->config.door_backoff_max_s;
    int64_t left_ms = backoff.until_ms - house->now_ms;
    if (left_ms > max_ms) {
        left_ms = max_ms; /* the system clock was set back, so the wait would last too long */
    }
    return left_ms <= 0 ? 0 : (left_ms + 999) / 1000;
}

void backoff_count_failure(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    backoff_read_wait(house, name, &backoff);
    int64_t max_s = house->config.door_backoff_max_s;
    int64_t wait_s =
        INT64_C(1) << (backoff.failures < DOUBLINGS_MAX ? backoff.failures : DOUBLINGS_MAX);
    backoff.failures += backoff.failures < UINT32_MAX;
    backoff.until_ms = house->now_ms + 1000 * (wait_s < max_s ? wait_s : max_s);
    backoff_store_wait(house, &backoff);
}

uint32_t backoff_count_known_failures(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    uint8_t key[BACKOFF_KEY_BYTES];
    if (!sanctions_house_state(house)->backoffs.has_key && !backoff_read_key(house, key)) {
        return 0; /* no attempt has failed yet */
    }
    (void)backoff_read_known_wait(house, name, &backoff);
    return backoff.failures;
}

void backoff_reset(struct house *house, const char *name)
{
    struct storage_backoff backoff;
    backoff_read_wait(house, name, &backoff);
    if (backoff.failures > 0) {
        backoff.failures = 0;
        backoff.until_ms = 0;
        backoff_store_wait(house, &backoff);
    }
}
