#include "lobby/house/parts.h"
#include "tests/protocol/protocol_page.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compares the messages of messages.def with the tables of PROTOCOL.md. */

struct listed {
    const char *type;
    unsigned peers, phases, flags;
    const char *needs; /* names of what the message needs, with a blank after each */
};

static const struct listed messages[] = {
#define NEED(name) #name " "
#define MESSAGE(type, peers, phases, flags, commands, ...)                                         \
    {#type, peers, phases, flags, __VA_ARGS__ ""},
#include "lobby/protocol/messages.def"
};

/* The headings of PROTOCOL.md under which the messages of sessions are described. */
static const char early[] = "## Before signing in (session)";
static const char players[] = "## In the house (session)";
static const char staff[] = "## What staff may do (session)";

/* Returns the heading under which the message has a row; NULL for messages of other peers, whose
 * sections have no tables. */
static const char *find_heading_of_message(const struct listed *message)
{
    if ((message->peers & PEER_SESSION) == 0) {
        return NULL;
    }
    if (message->phases != PHASE_IN) {
        return early;
    }
    return strstr(message->needs, "moderator ") == NULL ? players : staff;
}

/* Copies cell number `column` (from 0) of the Markdown table row that begins at `row`. */
static void copy_cell(const char *row, int column, char *out, size_t size)
{
    size_t length = 0;
    for (int i = 0; i <= column; i++) {
        row += length + strspn(row + length, "|");
        length = strcspn(row, "|\n");
    }
    (void)snprintf(out, size, "%.*s", (int)length, row);
}

/* Returns the table row whose first cell has the word `type`, or NULL. */
static const char *find_row_of_message(const char *section, const char *type)
{
    char word[64];
    char cell[128];
    (void)snprintf(word, sizeof(word), "`%s`", type);
    for (const char *row = section; (row = strstr(row, "\n|")) != NULL; row++) {
        copy_cell(row + 1, 0, cell, sizeof(cell));
        if (strstr(cell, word) != NULL) {
            return row + 1;
        }
    }
    return NULL;
}

/* Writes what the second cell of the message's row in PROTOCOL.md must be. */
static void write_expected_second_cell(const struct listed *message, char *out, size_t size)
{
    bool is_door = (message->phases & PHASE_UNAUTHENTICATED) != 0;
    bool is_visitor = (message->phases & PHASE_UNREGISTERED) != 0;
    if (find_heading_of_message(message) == staff) {
        (void)snprintf(out, size, " mod ");
    } else if (message->phases == PHASE_ANY) {
        (void)snprintf(out, size, " any ");
    } else {
        (void)snprintf(out, size, " %s%s ",
                       is_door      ? "door"
                       : is_visitor ? "visitor"
                                    : "",
                       (message->phases & PHASE_IN) != 0 ? ", in" : "");
    }
}

static void every_message_of_sessions_has_a_row_with_its_phases_or_its_role(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        const struct listed *message = &messages[i];
        const char *heading = find_heading_of_message(message);
        char wanted[64];
        char cell[64];
        if (heading == NULL) {
            continue;
        }
        char *section = protocol_page_read_section(heading);
        const char *row = find_row_of_message(section, message->type);
        if (row == NULL) {
            fail_msg("PROTOCOL.md has no row `%s` under \"%s\"", message->type, heading);
        }
        copy_cell(row, 1, cell, sizeof(cell));
        write_expected_second_cell(message, wanted, sizeof(wanted));
        if (heading != players) {
            assert_string_equal(cell, wanted);
        }
        free(section);
    }
}

static void every_message_without_a_row_in_protocol_md_is_named_in_its_section(void **state)
{
    static const struct {
        enum peer peer;
        const char *heading;
    } peers[] = {
        {PEER_BOT, "## Bots (peer `bot`)"},       {PEER_AUTH, "## Password workers (peer `auth`)"},
        {PEER_HOOK, "## Webhooks (peer `hook`)"}, {PEER_KEEPER, "## The keeper (peer `keeper`)"},
        {PEER_GATE, "## The gate (peer `gate`)"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        const char *heading = find_heading_of_message(&messages[i]);
        size_t at = 0;
        char word[64];
        if (heading != NULL) {
            continue;
        }
        while ((peers[at].peer & messages[i].peers) == 0) {
            assert_true(++at < ARRAY_LEN(peers));
        }
        char *section = protocol_page_read_section(peers[at].heading);
        (void)snprintf(word, sizeof(word), "`%s`", messages[i].type);
        if (strstr(section, word) == NULL) {
            fail_msg("PROTOCOL.md does not describe `%s` under \"%s\"", messages[i].type,
                     peers[at].heading);
        }
        free(section);
    }
}

static bool is_listed_under(const char *type, const char *heading)
{
    for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
        if (strcmp(messages[i].type, type) == 0) {
            return find_heading_of_message(&messages[i]) == heading;
        }
    }
    return false;
}

static void every_row_of_protocol_md_names_messages_that_exist(void **state)
{
    static const char *const headings[] = {early, players, staff};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(headings); i++) {
        char *section = protocol_page_read_section(headings[i]);
        char cell[128];
        for (const char *row = section; (row = strstr(row, "\n| `")) != NULL; row++) {
            copy_cell(row + 1, 0, cell, sizeof(cell));
            for (char *type = strtok(cell, "`, "); type != NULL; type = strtok(NULL, "`, ")) {
                if (!is_listed_under(type, headings[i])) {
                    fail_msg("\"%s\" has a row `%s`, but messages.def has no such message there",
                             headings[i], type);
                }
            }
        }
        free(section);
    }
}

TEST_GROUP(messages)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_of_sessions_has_a_row_with_its_phases_or_its_role),
        cmocka_unit_test(every_message_without_a_row_in_protocol_md_is_named_in_its_section),
        cmocka_unit_test(every_row_of_protocol_md_names_messages_that_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
