#pragma once

#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions.h"

#define KEYS_MAX 16 /* keys with which staff confirmed lately; the oldest gives way */
#define KNOCKS_KEPT 16
#define BACKOFF_KEY_BYTES 32

/* The keys on whose connections somebody has confirmed their identity. */
struct confirmed_keys {
    struct confirmed_key {
        int64_t account, at_ms;
        char fingerprint[STORAGE_FINGERPRINT_SIZE], address[STORAGE_ADDRESS_SIZE];
    } at[KEYS_MAX];
    size_t next;
};

/* The sign-ins refused by bans that staff were told of lately. */
struct knocks {
    struct {
        int64_t ban, until_ms;
    } told[KNOCKS_KEPT];
    struct bucket pace;
    uint32_t untold; /* number of refused sign-ins that staff have not been told of yet */
};

/* The waits after wrong passwords. */
struct backoffs {
    struct index unsaved; /* the waits that changed while the storage was read-only, by the hash of
                             the name */
    bool has_key; /* `key` was created while the storage was read-only, and is not stored yet */
    uint8_t key[BACKOFF_KEY_BYTES];
};

/* What the part keeps about the house. */
struct sanctions_house_state {
    struct index in_force; /* struct sanction, by number: all that are in force */
    bool are_loaded;       /* they have been read from the storage */
    int64_t next_end_ms;   /* when the next sanction expires */
    bool guests_may_talk;  /* guests may talk at all */
    bool are_bans_changed; /* since the gate got its list of banned networks */
    bool is_draining;      /* no new games begin */
    /* the names of disabled commands and games, and what is on the allowlist ("ip=…", "key=…"), as
     * keys; the values are not used */
    json_t *disabled, *allowed;
    struct index audit_limits; /* the people who have caused audit rows lately (audit.c) */
    struct confirmed_keys confirmed;
    struct knocks knocks;
    struct backoffs backoffs;
};

PART_STATE(sanctions_house_state, struct sanctions_house_state, sanctions);

struct sanctions_conn_state {
    int64_t ban;          /* the ban that refused this connection; 0: none */
    int64_t confirmed_ms; /* when the person last confirmed their identity (sanctions.h); 0: never
                             since this core started */
};

CONN_STATE(sanctions_conn_state, struct sanctions_conn_state, sanctions);

/* What staff have barred a person from. Each time is when the sanction ends, unix ms; 0: not
 * barred. */
struct sanctioned {
    int64_t mute_ms[MUTE_SCOPES];
    int64_t suspend_ms;
    int64_t rankban_ms;
    bool is_warned; /* the person has a warning that they have not acknowledged */
    bool is_held;   /* the person is a held guest */
};

struct sanctions_person_state {
    struct sanctioned by_staff;
    int64_t paused_ms; /* when the pause after writing too much ends, unix ms */
};

PERSON_STATE(sanctions_person_state, struct sanctions_person_state, sanctions);

/* The hooks of the part `sanctions` that other files of the folder carry out (parts.h). */
void blocks_read_ahead(struct house *house, const struct storage_connection *row);
void case_answers_read_ahead(struct house *house, const struct storage_connection *row);
void audit_limits_clear(struct house *house);

/* While the disk is full, waits after wrong passwords are kept in memory. */
void backoff_save_all_waits(struct house *house);
void backoff_clear_unsaved_waits(struct house *house);

/* Closes the connection, with a reason, if a staff member uses it over telnet. */
void staff_end_telnet_conn(struct house *house, struct conn *conn);
