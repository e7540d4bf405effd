#include "games/heckin_hounds/heckin_hounds.h"

#include <stddef.h>

const char *const hounds_brief[] = {
    N_("Your cards face away from you: everybody knows them better than you do."),
    N_("Promise tricks on what you are told, and end at 0 or just above it."),
    "",
    N_("Leader  sees all hands; the others see each other's hands, but neither the\n"
       "        leader's nor their own. Names the bad dog, gives everyone three\n"
       "        true clues (all cards of a hound, all of a number, or one card),\n"
       "        then gives Cerberus to anyone, who drops a card for it."),
    N_("Trade   From the leader on: pass, or swap a card blindly with the dead\n"
       "        hand: the cards left over and all Mops. Then bid 0 to 5."),
    N_("Play    The leader leads; nobody must follow. Cerberus takes the trick,\n"
       "        else the strongest hound: Deathpaw, Paulgrave, Sudachi, Tom Dire,\n"
       "        Evil Molly, Mops; within a hound the higher number."),
    N_("Score   1 up for each trick above the bid, 1 down for each below it. Each\n"
       "        bad dog in a trick you take is 1 badness."),
    N_("Winner  The lowest total that is not negative; then the least badness."),
    NULL,
};
const char *const hounds_signs[] = {
    N_("#             the holder of this card was told its number"),
    N_("@             the holder was told its hound"),
    N_("*             the holder was told both"),
    N_("↔             was traded with the dead hand after the clues"),
    N_("?             a card that you do not see; ? 3: you were told only its number"),
    N_("·             a card that is played already"),
    N_("CER           Cerberus, who takes every trick"),
    N_("De Pa Su      the strongest hounds: Deathpaw, Paulgrave, Sudachi"),
    N_("To Ev Mo      the weaker hounds: Tom Dire, Evil Molly, Mops"),
    N_("shift leader  names the bad dog, gives clues and leads to the first trick"),
    N_("clues 1 of 3  this player has got one of three clues"),
    N_("kept all      has passed instead of trading a card"),
    N_("bid –         has not bid yet; bid 2: promised to take two tricks"),
    N_("bids so far   the sum of the bids; a round has five tricks"),
    N_("badness 2     the bad dogs this player has taken; fewer win a tie"),
    NULL,
};

const char *const hounds_rules[] = {
    N_("# What it is about"),
    N_("Two to seven dog walkers of the underworld play as many rounds of five tricks as there are "
       "players. Everybody promises a number of tricks and wants to take exactly that many. A "
       "player who takes more gains points, a player who takes fewer loses points. At the end, the "
       "lowest total that is not below 0 wins."),
    N_("# The hounds"),
    N_("Six hounds, the strongest first: Deathpaw, Paulgrave, Sudachi, Tom Dire, Evil Molly and "
       "Mops. Each has cards from 1 up to one more than there are players. Above all of them "
       "stands the single card Cerberus. The first five hounds are dealt, five cards to everybody; "
       "the five cards left over and all Mops make the dead hand, which nobody ever sees."),
    N_("# Who sees what"),
    N_("One player is the shift leader. The first leader is drawn by lot, and the office passes to "
       "the left every round. The leader sees every hand, including their own. Everybody else sees "
       "all hands except their own and the leader's. With two players, the player who is not "
       "leader therefore sees no hand."),
    N_("# The leader's work"),
    N_("First the leader names the bad dog of the round, any of the six hounds."),
    N_("Then every other player gets three clues about their own hand, in any order. A clue is "
       "true and heard by all. It points out all cards of one hound, at least two; or all cards of "
       "one number, at least two; or a single card with its hound and number. Each clue must tell "
       "the hound or the number of some card that no clue has told before; what a player could "
       "work out does not count as told. What was told stays marked on the cards."),
    N_("Last the leader gives Cerberus to any player, perhaps to himself or herself. That player "
       "chooses a card to drop, most often without seeing it, and Cerberus takes its place for all "
       "to see. The dropped card is out of the round; only those who saw it in the hand know it."),
    N_("# Trading"),
    N_("Beginning with the leader and going left, everybody chooses once: pass, or trade one card "
       "other than Cerberus. The traded card is laid aside, a random card of the dead hand takes "
       "its place, and then the card laid aside joins the dead hand. The place loses its clues and "
       "is marked as traded. Nobody sees the new cards before all have chosen. Then the leader "
       "sees all of them, and the others see the new cards in the hands that they can see."),
    N_("# Bidding and playing"),
    N_("In the same order everybody bids 0 to 5 tricks, openly. The leader leads to the first "
       "trick. Any card may be played at any time. Cerberus takes the trick; without it the "
       "strongest hound does, and of two cards of that hound the higher number. Whoever takes a "
       "trick leads the next."),
    N_("# Scoring"),
    N_("One point more for each trick above the bid, one less for each below it, nothing for an "
       "exact bid. Whoever takes a trick gets one badness for each card of the bad dog in that "
       "trick; Cerberus is never bad."),
    N_("After the last round the lowest total of 0 or more wins. If players tie, the one with less "
       "badness wins; if that is equal too, they share the victory. If all totals are negative, "
       "nobody wins. Negative totals rank behind all others, the nearest to 0 first."),
    NULL,
};
