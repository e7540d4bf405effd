#include "lobby/chat/chat.h"

#include "lobby/house/say.h"
#include "lobby/house/words.h"
#include "lobby/persons/persons_state.h"
#include "lobby/sanctions/sanctions.h"

/* The text that the person added to their presence; "" while they are muted. */
static const char *presence_text_unless_muted(const struct house *house,
                                              const struct person *person)
{
    return voice_person_may_talk(house, person, MUTE_LOBBY) ? person->presence_text : "";
}

uint8_t presence_for_lobby_row(const struct house *house, const struct person *person,
                               char text[ROW_PRESENCE_SIZE])
{
    bool has_text = person->presence != PRESENCE_HERE;
    row_copy_text(text, ROW_PRESENCE_SIZE,
                  has_text ? presence_text_unless_muted(house, person) : "");
    return (uint8_t)person->presence;
}

json_t *presence_sentence(const struct house *house, const struct person *person)
{
    const char *text = presence_text_unless_muted(house, person);
    if (person->presence == PRESENCE_DND) {
        return text[0] == '\0'
                   ? say(_("%s does not want to be disturbed. Your message waits for them."),
                         person->name)
                   : say(_("%s does not want to be disturbed: %s. Your message waits for them."),
                         person->name, text);
    }
    return text[0] == '\0' ? say(_("%s is away."), person->name)
                           : say(_("%s is away: %s."), person->name, text);
}
