#include "games/heckin_hounds/heckin_hounds.h"

static const struct suit_def hounds_suits[] = {
    {.id = "deathpaw", .title = N_("Deathpaw"), .letters = "De", .tint = TINT_RED},
    {.id = "paulgrave", .title = N_("Paulgrave"), .letters = "Pa", .tint = TINT_PURPLE},
    {.id = "sudachi", .title = N_("Sudachi"), .letters = "Su", .tint = TINT_GREEN},
    {.id = "tom-dire", .title = N_("Tom Dire"), .letters = "To", .tint = TINT_BLUE},
    {.id = "evil-molly", .title = N_("Evil Molly"), .letters = "Ev", .tint = TINT_PINK},
    {.id = "mops", .title = N_("Mops"), .letters = "Mo", .tint = TINT_GREY},
};

static const struct special_def hounds_specials[] = {
    {.id = "cerberus", .title = N_("CERBERUS"), .letters = N_("CER"), .tint = TINT_ORANGE},
};

const struct deck_def hounds_deck = {
    .suits = hounds_suits,
    .suit_count = ARRAY_LEN(hounds_suits),
    .value_first = 1,
    .value_count = HOUNDS_VALUES,
    .specials = hounds_specials,
    .special_count = ARRAY_LEN(hounds_specials),
};
