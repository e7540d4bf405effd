#pragma once

#include "lobby/house/house_state.h"
#include "lobby/house/request.h"

/*
 * Read-only mode, while the disk is full. The pass of the core's loop that found no room is undone:
 * the house rebuilds itself from the storage and makes everybody resync. Until there is room again,
 * people can look but change nothing, no clock runs out, and no bot moves. People can still enter,
 * as guests or with an existing account. Sign-ins, and waits after wrong passwords, are kept in
 * memory until they can be stored. One-time codes of any kind cannot be used meanwhile.
 *
 * A write that finds no room begins read-only mode. Every READ_ONLY_RETRY_MS the house checks
 * whether there is room again; if so, the mode ends.
 */
#define READ_ONLY_RETRY_MS 3000

/* Begins read-only mode after a write that found no room. Returns false when the storage cannot be
 * read either. */
bool read_only_begin(struct house *house) MUST_CHECK;

/* Refuses a request because it would change something. */
void read_only_refuse(const struct request *request);

/* Checks at intervals whether the disk has room again. */
void read_only_check_for_room(struct house *house);
int64_t read_only_next_check_ms(const struct house *house);

/* Tells a session, after `welcome`, that the disk is full or has room again. */
void read_only_notify_session(struct house *house, struct conn *conn);

/* Tells a session that has just signed in that the disk is full. Does not tell it that the disk has
 * room again. */
void read_only_tell_newcomer(struct house *house, struct conn *conn);
