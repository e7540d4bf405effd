#pragma once

#include "games/view.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Tells keys that were typed for the screen of a moment ago from keys for the present one. What a
 * card's key or a number means changes when the phase, the round or the own hand changes: nobody
 * sees that and presses a key for it within MOMENT_MS. Such a key was meant for the old screen and
 * must not decide anything on the new one.
 */
#define MOMENT_MS 300

struct moment {
    int64_t since_ms; /* when the keys got their present meaning; 0: they never had another one */
    bool is_known;    /* the members below are set */
    uint8_t phase, round;
    bool is_own_turn;
    uint8_t cards[SLOTS_MAX]; /* the card in each slot of the own hand; 0xFE: none */
    struct move_set legal;
};

/* Notes the view that the screen shows from now on. */
void moment_note_view(struct moment *moment, const struct game_view *view, int64_t now_ms);

/* True while a key is taken as typed for the old screen. */
bool moment_is_too_early(const struct moment *moment, int64_t now_ms);
