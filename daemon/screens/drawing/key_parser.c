#include "daemon/screens/drawing/draw.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#define BELL 0x07
#define CANCEL 0x18
#define SUBSTITUTE 0x1A
#define ESCAPE 0x1B
#define DELETE 0x7F
#define STRING_END 0x9C
#define NUMBERS_MAX 3
#define RELEASED 3 /* the kind of event that kitty adds to a key: it was released */
#define LOCKS 0xC0 /* modifiers that change no key here: Caps Lock and Num Lock */
#define CONTROL 4
#define MOUSE_MODIFIERS 0x1C /* Shift, Alt and Ctrl */

enum state {
    STATE_TEXT = 0,
    STATE_ESCAPE,
    STATE_CSI,
    STATE_SS3,
    STATE_MOUSE, /* three bytes of a mouse event follow */
    STATE_STRING,
};

static bool make_press(struct press *press, enum press_kind kind)
{
    press->kind = kind;
    return true;
}

static bool translate_character(uint32_t code, struct press *press)
{
    press->code = code;
    switch (code) {
    case '\r':
    case '\n':
        return make_press(press, PRESS_ENTER);
    case '\t':
        return make_press(press, PRESS_TAB);
    case ESCAPE:
        return make_press(press, PRESS_ESCAPE);
    case '\b':
    case DELETE:
        return make_press(press, PRESS_BACKSPACE);
    default:
        return make_press(press, PRESS_CHAR);
    }
}

/* Handles a character inside a paste. Drops control characters: in a paste they are no keys. */
static bool translate_pasted_character(struct key_parser *parser, uint32_t code,
                                       struct press *press)
{
    if (code == '\r' || code == '\n') {
        parser->is_after_break = true;
    }
    press->code = code == '\t' ? ' ' : code;
    if (press->code < ' ' || (code >= DELETE && code < 0xA0)) {
        return false;
    }
    press->is_after_break = parser->is_after_break;
    parser->is_after_break = false;
    return make_press(press, PRESS_PASTED);
}

/* Begins a control sequence with the byte that follows an Esc, or handles a key with Alt. */
static bool take_byte_after_escape(struct key_parser *parser, uint8_t byte, struct press *press)
{
    parser->len = 0;
    parser->bytes[0] = '\0';
    parser->state = STATE_TEXT;
    switch (byte) {
    case '[':
        parser->state = STATE_CSI;
        return false;
    case 'O':
        parser->state = STATE_SS3;
        return false;
    case 'P':
    case 'X':
    case ']':
    case '^':
    case '_':
        parser->state = STATE_STRING;
        return false;
    case ESCAPE:
        parser->state = STATE_ESCAPE;
        parser->escapes = 2;
        return false;
    case '\b':
    case DELETE: /* Alt with backspace deletes a word, as Ctrl-W does */
        press->code = PRESS_CTRL('W');
        return parser->escapes == 1 && make_press(press, PRESS_CHAR);
    default:
        return false;
    }
}

/* Collects the bytes of a character. Drops bytes that are no UTF-8. */
static bool take_text_byte(struct key_parser *parser, uint8_t byte, struct press *press)
{
    /* CSI, SS3, DCS and OSC are also single characters, which few terminals send. */
    static const char introducers[] = "\x8f\x90\x9b\x9d";
    utf8proc_int32_t code;
    if ((byte & 0xC0) != 0x80) {
        parser->len = 0; /* the character before was not finished */
    }
    bool is_alone = parser->len == 0;
    parser->bytes[parser->len++] = (char)byte;
    if (is_alone && byte != 0 && strchr(introducers, (char)byte) != NULL) {
        code = byte;
    } else if (utf8proc_iterate((const utf8proc_uint8_t *)parser->bytes, parser->len, &code) <= 0) {
        bool is_unfinished = ((uint8_t)parser->bytes[0] & 0xC0) == 0xC0 && parser->len < 4;
        parser->len = is_unfinished ? parser->len : 0;
        return false;
    }
    parser->len = 0;
    if (code == ESCAPE) {
        parser->state = STATE_ESCAPE;
        parser->escapes = 1;
        return false;
    }
    if (parser->is_pasting) {
        return translate_pasted_character(parser, (uint32_t)code, press);
    }
    if (code >= 0x80 && code < 0xA0) {
        parser->escapes = 1;
        return take_byte_after_escape(parser, (uint8_t)(code - 0x40), press);
    }
    return translate_character((uint32_t)code, press);
}

/* Reads the numbers of a sequence, such as 1 and 5 of CSI 1 ; 5 A. A missing number is 0. */
static void read_numbers(const char *text, int numbers[NUMBERS_MAX])
{
    for (int i = 0; i < NUMBERS_MAX; i++) {
        char *end;
        long number = strtol(text, &end, 10);
        numbers[i] = number < 0 || number > INT16_MAX ? INT16_MAX : (int)number;
        text = *end == ';' || *end == ':' ? end + 1 : "";
    }
}

/* Handles a mouse event. Column and row begin at 1. */
static bool translate_mouse(int button, int column, int row, struct press *press)
{
    button &= ~MOUSE_MODIFIERS;
    press->column = column - 1;
    press->row = row - 1;
    press->kind = button == 0 ? PRESS_CLICK : button == 64 ? PRESS_WHEEL_UP : PRESS_WHEEL_DOWN;
    return (button == 0 || button == 64 || button == 65) && column > 0 && row > 0;
}

/* Handles a key by the number before the tilde or by the letter that ends its sequence. */
static bool translate_key(int number_or_letter, struct press *press)
{
    static const uint8_t kinds[] = {
        [1] = PRESS_HOME,      [3] = PRESS_DELETE,    [4] = PRESS_END,    [5] = PRESS_PAGE_UP,
        [6] = PRESS_PAGE_DOWN, [7] = PRESS_HOME,      [8] = PRESS_END,    ['A'] = PRESS_UP,
        ['B'] = PRESS_DOWN,    ['C'] = PRESS_RIGHT,   ['D'] = PRESS_LEFT, ['F'] = PRESS_END,
        ['H'] = PRESS_HOME,    ['Z'] = PRESS_BACKTAB,
    };
    return number_or_letter < (int)sizeof(kinds) && kinds[number_or_letter] != 0 &&
           make_press(press, kinds[number_or_letter]);
}

/* Handles a key that comes as the number of its character: a program before may have asked the
 * terminal for that. */
static bool translate_character_number(int code, int modifiers, struct press *press)
{
    bool is_control = modifiers == CONTROL && code >= 'a' && code <= 'z';
    bool is_key = code == '\r' || code == '\t' || code == ESCAPE || code == DELETE;
    return (is_control || (is_key && modifiers == 0)) &&
           translate_character((uint32_t)(is_control ? code & 0x1F : code), press);
}

static bool translate_csi(struct key_parser *parser, uint8_t last, struct press *press)
{
    int numbers[NUMBERS_MAX];
    const char *bytes = parser->bytes;
    bool is_mouse = *bytes == '<' && last == 'M';
    read_numbers(bytes + is_mouse, numbers);
    if (is_mouse) {
        return translate_mouse(numbers[0], numbers[1], numbers[2], press);
    }
    bool is_released = strchr(bytes, ':') != NULL && numbers[2] == RELEASED;
    if (strspn(bytes, "0123456789:;") < parser->len || is_released) {
        return false; /* an answer of the terminal, or no press of a key */
    }
    if (last == '~' && (numbers[0] == 200 || numbers[0] == 201)) {
        parser->is_pasting = numbers[0] == 200;
        parser->is_after_break = false;
        return false;
    }
    int modifiers = numbers[1] == 0 ? 0 : (numbers[1] - 1) & ~LOCKS;
    if (last == 'u' || (last == '~' && numbers[0] == 27)) {
        return translate_character_number(numbers[last == 'u' ? 0 : 2], modifiers, press);
    }
    return modifiers == 0 && (last != '~' || numbers[0] < 'A') &&
           translate_key(last == '~' ? numbers[0] : last, press);
}

/* Handles a cursor key, or a key of the numeric keypad in its application mode, which a program
 * before may have left on: its last byte is that of its character, shifted. */
static bool translate_ss3(const struct key_parser *parser, uint8_t last, struct press *press)
{
    if (parser->len > 0) {
        return false;
    }
    if (last == 'X') {
        return translate_character('=', press);
    }
    bool is_keypad = last == 'I' || last == 'M' || (last >= 'j' && last <= 'y');
    return is_keypad ? translate_character(last - 0x40U, press) : translate_key(last, press);
}

/* Handles a byte that cannot belong to the sequence before it. */
static bool cut_off_sequence(struct key_parser *parser, uint8_t byte, struct press *press)
{
    parser->state = STATE_TEXT;
    parser->len = 0;
    return take_text_byte(parser, byte, press);
}

static bool take_sequence_byte(struct key_parser *parser, uint8_t byte, struct press *press)
{
    bool is_csi = parser->state == STATE_CSI, is_first = parser->len == 0;
    if (byte < ' ' || byte >= DELETE) {
        return cut_off_sequence(parser, byte, press);
    }
    if (is_csi && is_first && byte == 'M') {
        parser->state = STATE_MOUSE;
        return false;
    }
    /* function keys of the Linux console begin with a second '['; rxvt ends keys with Shift in '$'
     */
    bool is_rxvt = byte == '$' && !is_first && strspn(parser->bytes, "0123456789") == parser->len;
    if (is_rxvt || (byte >= '@' && !(is_csi && is_first && byte == '['))) {
        parser->state = STATE_TEXT;
        bool is_whole = parser->len < KEY_PARSER_BYTES_MAX - 1;
        bool is_key =
            is_csi ? translate_csi(parser, byte, press) : translate_ss3(parser, byte, press);
        parser->len = 0;
        return is_key && is_whole && parser->escapes < 2;
    }
    if (parser->len < KEY_PARSER_BYTES_MAX - 1) {
        parser->bytes[parser->len++] = (char)byte;
        parser->bytes[parser->len] = '\0';
    }
    return false;
}

static bool take_mouse_byte(struct key_parser *parser, uint8_t byte, struct press *press)
{
    const char *bytes = parser->bytes;
    if (byte < ' ') {
        return cut_off_sequence(parser, byte, press);
    }
    parser->bytes[parser->len++] = (char)(byte - ' ');
    if (parser->len < 3) {
        return false;
    }
    parser->state = STATE_TEXT;
    parser->len = 0;
    return translate_mouse((uint8_t)bytes[0], (uint8_t)bytes[1], (uint8_t)bytes[2], press);
}

/* Drops a byte of a string (OSC, DCS, APC, PM, SOS), in which an answer of the terminal comes. A
 * control character that strings cannot contain was typed after a string that was cut off. */
static bool take_string_byte(struct key_parser *parser, uint8_t byte, struct press *press)
{
    uint8_t last = (uint8_t)parser->bytes[0]; /* of another character, 9C is no end of the string */
    bool is_end = byte == BELL || byte == CANCEL || byte == SUBSTITUTE ||
                  (byte == STRING_END && (last < 0x80 || last == 0xC2));
    bool is_content = byte >= ' ' || (byte >= '\b' && byte <= '\r');
    parser->bytes[0] = (char)byte;
    if (byte == ESCAPE) { /* Esc \ ends the string, as an unknown sequence would */
        parser->state = STATE_ESCAPE;
        parser->escapes = 0;
    } else if (is_end) {
        parser->state = STATE_TEXT;
    } else if (!is_content) {
        return cut_off_sequence(parser, byte, press);
    }
    return false;
}

static bool take_byte(struct key_parser *parser, uint8_t byte, struct press *press)
{
    switch ((enum state)parser->state) {
    case STATE_TEXT:
        return take_text_byte(parser, byte, press);
    case STATE_ESCAPE:
        return take_byte_after_escape(parser, byte, press);
    case STATE_CSI:
    case STATE_SS3:
        return take_sequence_byte(parser, byte, press);
    case STATE_MOUSE:
        return take_mouse_byte(parser, byte, press);
    case STATE_STRING:
        return take_string_byte(parser, byte, press);
    }
    return false;
}

bool key_parser_take(struct key_parser *parser, uint8_t byte, int64_t now_ms, struct press *press)
{
    bool is_rest_of_cr = parser->was_cr && byte == '\n';
    *press = (struct press){0};
    parser->was_cr = byte == '\r';
    parser->last_ms = now_ms;
    return !is_rest_of_cr && take_byte(parser, byte, press) &&
           (!parser->is_pasting || press->kind == PRESS_PASTED);
}

int64_t key_parser_due_ms(const struct key_parser *parser)
{
    bool is_escape = parser->state == STATE_ESCAPE && parser->escapes > 0;
    if (parser->state == STATE_TEXT) {
        return parser->is_pasting ? parser->last_ms + KEY_PARSER_PASTE_MS : INT64_MAX;
    }
    return parser->last_ms + (is_escape ? KEY_PARSER_ESCAPE_MS : KEY_PARSER_REST_MS);
}

bool key_parser_expire(struct key_parser *parser, int64_t now_ms, struct press *press)
{
    *press = (struct press){.kind = PRESS_ESCAPE};
    if (now_ms < key_parser_due_ms(parser)) {
        return false;
    }
    bool is_key = parser->state == STATE_ESCAPE && parser->escapes > 0 && !parser->is_pasting;
    if (is_key && --parser->escapes > 0) {
        return true;
    }
    parser->is_pasting = parser->is_pasting && parser->state != STATE_TEXT;
    parser->state = STATE_TEXT;
    parser->len = 0;
    return is_key;
}
