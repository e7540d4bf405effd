#pragma once

#include <stdbool.h>
#include <stdint.h>

struct storage;

/*
 * SQLite as an engine whose commits become durable later (storage_settle): the test plays the
 * database that confirms them. In the test's process:
 *
 *     late_engine_open(), before the core starts
 *     late_engine_confirm(turn): this turn and all turns before it are durable
 *     late_engine_fail(): the turns that are not durable can never become so
 *
 * The core learns of it through a socket, and answers each time with its newest turn.
 */

/* Makes cores that start from now on use this engine. */
void late_engine_open(void);
void late_engine_close(void);

/* Confirms the turns up to this one. Returns the core's newest turn. By then the core has received
 * all that was sent before the call, unless it receives nothing. */
uint64_t late_engine_confirm(uint64_t turn);

/* Confirms the turns up to this one to a core that may end when it has told them. */
void late_engine_confirm_at_end(uint64_t turn);
void late_engine_fail(void);

/* Waits until the core has committed this turn. What the turn allows to send may not be sent yet.
 */
void late_engine_expect_turn(uint64_t turn);

/* In the core's process: gives the storage this engine, if the test has opened it. */
void late_engine_install(struct storage *storage);
