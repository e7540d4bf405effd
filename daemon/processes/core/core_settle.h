#pragma once

struct core;

/*
 * For a storage whose commits become durable later (storage_settle): calls core_finish_pass when
 * the storage may have made more turns durable, and limits how many turns are not. With SQLite
 * these functions do nothing.
 */

/* Starts watching the sockets of the storage. Aborts if memory runs out. */
void core_settle_watch(struct core *core);
void core_settle_unwatch(struct core *core);

/* Called after each pass of the core's loop. Stops reading from the peers while
 * HOUSE_UNSETTLED_TURNS_MAX turns are not durable, and goes on once fewer are. */
void core_settle_limit_turns(struct core *core);

/* Called before the core ends in good order: receives nothing more, and waits until every turn is
 * durable and told. Gives up after CORE_SETTLE_MAX_MS: the next core tells what is durable then. */
void core_settle_finish(struct core *core);

#define CORE_SETTLE_MAX_MS 3000
