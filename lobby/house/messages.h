#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Messages from peers to the core. To handle a message, a feature defines, in any file of lobby/,
 *
 *     const struct message_handler handler_TYPE = {message_TYPE};
 *
 * and the message has one line in lobby/protocol/messages.def, which says what is checked before
 * the handler runs.
 */

/* The flags of a line in messages.def. */
enum message_flags {
    NO_FLAGS = 0,
    /* the message changes nothing: its answer is not kept (answers.h), a repeated message is
     * carried out again, and the message is allowed while the disk is full */
    READS_ONLY = 1,
    WHILE_FULL = 2, /* the message changes little, and is allowed while the disk is full */
    ENTERS = 4,     /* the message moves its connection to another phase */
    COSTLY = 8,     /* the rate limit counts the message as LIMIT_LEADERS_COST messages */
    IDLE = 16, /* the message may come without anybody at the keyboard, so the person stays idle */
};

/* The function that carries out a message. If the message is a request, the function answers it
 * exactly once, now or later (answers.h). The function may set conn->is_ending. */
struct message_handler {
    void (*run)(const struct request *request);
};

/* Something that a request needs before its handler runs, such as a table where no game is on. The
 * part that can check this defines
 *
 *     const struct need need_NAME = {.holds = …};
 *
 * and each line of messages.def names the needs of its message. */
struct need {
    /* Exactly one of `holds` and `find` is set. If the need is not met, this function refuses the
     * request and returns false. `find` also stores in the request what it found. */
    bool (*holds)(const struct request *request);
    bool (*find)(struct request *request);
};

#define NEEDS_MAX 9

/* One line of messages.def. */
struct message_def {
    const char *type;
    unsigned peers;  /* peers that may send the message (enum peer) */
    unsigned phases; /* phases in which the message may be sent (enum phase) */
    unsigned flags;
    const char *commands;
    const struct message_handler *handler;
    const struct need *needs[NEEDS_MAX + 1]; /* what the message needs; the list ends with NULL */
};

#define NEED(name) extern const struct need need_##name;
#define MESSAGE(type, peers, phases, flags, commands, ...)                                         \
    extern const struct message_handler handler_##type;                                            \
    __VA_ARGS__
#include "lobby/protocol/messages.def"

/* Returns the type of the message that a command sends ("say" for the command "chat"). Returns NULL
 * if no command with this name can be disabled. The string is static. */
const char *message_type_of_command(const char *command);

/* Parses one packet, checks it against messages.def and carries it out. Returns false when the peer
 * broke the protocol and its connection ends. */
bool message_receive(struct house *house, struct conn *conn, const char *bytes,
                     size_t len) MUST_CHECK;
