#pragma once

/*
 * Claims at tables: a player claims all remaining tricks of the round when their own view proves
 * that nobody else can take one (games/claim.h). Everybody else at the table is asked; bots accept,
 * and so do players who are away or do not answer within CLAIMS_ANSWER_MS, because the tricks
 * cannot be otherwise. Then the core plays the round to its end. If anybody wants to play on, the
 * game goes on, and this turn's player cannot claim again in the same trick.
 *
 * A claim stops no clock: the claimant's clock keeps running, as it is still their turn. When their
 * turn would pass to a bot, the others count as accepting. Any move and any halt withdraws the
 * claim, and so does a claimant who leaves for good.
 */
#define CLAIMS_ANSWER_MS 20000
