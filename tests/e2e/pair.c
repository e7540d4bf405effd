#include "tests/e2e/pair.h"

#include "tests/e2e/play.h"
#include "tests/unit.h"

#include <string.h>

void pair_open_table(struct terminal *ada, struct terminal *bob)
{
    terminal_type(ada, "n");
    terminal_expect(ada, "A new table");
    terminal_type(ada, "\r");
    terminal_expect(ada, "about to begin");
    terminal_expect(bob, " 1/4 ");
    terminal_type(bob, "\r");
    terminal_expect(bob, "about to begin");
    terminal_expect(ada, "bob");
    terminal_type(ada, "b");
    terminal_expect(ada, "Waiting for 1 more player");
    terminal_type(ada, "b");
    terminal_expect(ada, "Enter begins the game");
}

void pair_begin_game(struct terminal *ada, struct terminal *bob)
{
    pair_open_table(ada, bob);
    terminal_type(ada, "s");
    terminal_expect(ada, "round 1 of");
    terminal_expect(bob, "round 1 of");
}

struct pair_cards pair_read_cards(struct terminal *person)
{
    struct pair_cards cards = {.count = 0};
    const char *row = NULL;
    for (const char *at = terminal_read_text(person); (at = strstr(at, "\n")) != NULL; at++) {
        size_t blanks = strspn(at + 1, " ");
        row = strncmp(at + 1 + blanks, "│", strlen("│")) == 0 ? at + 1 : row;
    }
    assert_non_null(row);
    const char *end = strchr(row, '\n');
    for (row = strstr(row, "│"); row != NULL && row < end; row = strstr(row + 1, "│")) {
        size_t len = 0;
        char *name = cards.names[cards.count];
        for (const char *at = row + strlen("│"); *at != '\n' && strncmp(at, "│", 3) != 0; at++) {
            if (strchr(" []", *at) == NULL && len < PAIR_CARD_MAX - 1) {
                name[len++] = *at;
            }
        }
        name[len] = '\0';
        cards.count += len > 0 && cards.count < PAIR_CARDS_MAX - 1;
    }
    return cards;
}

bool pair_has_card(const struct pair_cards *cards, const char *name)
{
    for (size_t i = 0; i < cards->count; i++) {
        if (strcmp(cards->names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

void pair_play_until_turn_of(struct terminal *person, struct terminal *other)
{
    char asked[100];
    long deadline = terminal_now_ms() + TERMINAL_DEADLINE_MS;
    while (!play_read_prompt(person, asked, sizeof(asked))) {
        assert_in_range(terminal_now_ms(), 0, deadline);
        terminal_read(other, 20);
        play_move(other);
        terminal_read(person, 20);
    }
}
