#include "lobby/chat/presence_words.h"

#include "lobby/sanctions/voice.h"

#include <stdio.h>

/* The presence text; "" for a muted person. */
static const char *presence_said(const struct house *house, const struct person *person)
{
    return voice_is_heard(house, person, MUTE_LOBBY) ? person->presence_text : "";
}

uint8_t presence_shown(const struct house *house, const struct person *person,
                       char text[ROW_PRESENCE_SIZE])
{
    bool has_text = person->presence != PRESENCE_HERE;
    row_copy(text, ROW_PRESENCE_SIZE, has_text ? presence_said(house, person) : "");
    return (uint8_t)person->presence;
}

void presence_words(const struct house *house, const struct person *person, char words[WORDS_MAX])
{
    const char *text = presence_said(house, person);
    const char *colon = text[0] == '\0' ? "" : ": ";
    if (person->presence == PRESENCE_DND) {
        (void)snprintf(words, WORDS_MAX,
                       _("%s does not want to be disturbed%s%s. Your message waits for them."),
                       person->name, colon, text);
    } else {
        (void)snprintf(words, WORDS_MAX, _("%s is away%s%s."), person->name, colon, text);
    }
}
