#include "lobby/chat/presence_words.h"

#include "lobby/sanctions/voice.h"

#include <stdio.h>

static const char *const presence_names[] = {
    [PRESENCE_HERE] = "here",
    [PRESENCE_AWAY] = "away",
    [PRESENCE_DND] = "dnd",
};

const char *presence_name(enum presence presence)
{
    return presence_names[presence];
}

/* "" of somebody who is not heard. */
static const char *presence_said(const struct house *house, const struct person *person)
{
    return voice_is_heard(house, person, MUTE_LOBBY) ? person->presence_text : "";
}

void presence_put(const struct house *house, const struct person *person, json_t *row)
{
    if (person->presence == PRESENCE_HERE) {
        return;
    }
    (void)json_object_set_new(row, "presence", json_string(presence_names[person->presence]));
    const char *text = presence_said(house, person);
    if (text[0] != '\0') {
        (void)json_object_set_new(row, "presence_text", json_string(text));
    }
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
