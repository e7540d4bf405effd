#include "daemon/screens/drawing/draw.h"
#include "games/macros.h"
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

/*
 * What terminals send, and the keys that it is. Keys are written as words: "Up", "Click 4,8"
 * (column and row from 0), a character as itself, a control character as "^W", a pasted character
 * as "+x".
 */

#define WORDS_MAX 400

/* the time between two bytes of a sequence that come in two packets, in ms */
#define PACKET_MS 900
#define AFTER_ESCAPE_MS 40

static const char *const names[] = {
    [PRESS_ENTER] = "Enter",
    [PRESS_ESCAPE] = "Esc",
    [PRESS_TAB] = "Tab",
    [PRESS_BACKTAB] = "Backtab",
    [PRESS_BACKSPACE] = "Back",
    [PRESS_DELETE] = "Del",
    [PRESS_UP] = "Up",
    [PRESS_DOWN] = "Down",
    [PRESS_LEFT] = "Left",
    [PRESS_RIGHT] = "Right",
    [PRESS_HOME] = "Home",
    [PRESS_END] = "End",
    [PRESS_PAGE_UP] = "PgUp",
    [PRESS_PAGE_DOWN] = "PgDn",
    [PRESS_CLICK] = "Click",
    [PRESS_WHEEL_UP] = "WheelUp",
    [PRESS_WHEEL_DOWN] = "WheelDown",
};

/* A parser, its clock, and the words for the keys that it has made. */
struct typist {
    struct key_parser parser;
    int64_t now_ms;
    char words[WORDS_MAX];
};

static void write_key(struct typist *typist, const struct press *press)
{
    char word[40], code[12];
    bool is_control = press->code < ' ';
    snprintf(code, sizeof(code), press->code < 0x7F ? "%c" : "U+%04X",
             press->code + (is_control ? '@' : 0U));
    if (press->kind == PRESS_CHAR) {
        snprintf(word, sizeof(word), "%s%s", is_control ? "^" : "", code);
    } else if (press->kind == PRESS_PASTED) {
        assert_false(is_control);
        snprintf(word, sizeof(word), "%s+%s", press->is_after_break ? "| " : "", code);
    } else if (press->kind >= PRESS_CLICK) {
        snprintf(word, sizeof(word), "%s %d,%d", names[press->kind], press->column, press->row);
    } else {
        snprintf(word, sizeof(word), "%s", names[press->kind]);
    }
    size_t len = strlen(typist->words);
    snprintf(typist->words + len, WORDS_MAX - len, "%s%s", len > 0 ? " " : "", word);
}

static void wait_for(struct typist *typist, int64_t passed_ms)
{
    struct press press;
    typist->now_ms += passed_ms;
    while (key_parser_expire(&typist->parser, typist->now_ms, &press)) {
        write_key(typist, &press);
    }
}

static void send_packet(struct typist *typist, const char *bytes, size_t len)
{
    struct press press;
    for (size_t i = 0; i < len; i++) {
        if (key_parser_take(&typist->parser, (uint8_t)bytes[i], typist->now_ms, &press)) {
            write_key(typist, &press);
        }
    }
}

/* Waits after a packet as long as its rest may take. */
static void wait_between_packets(struct typist *typist, char last_byte)
{
    wait_for(typist, last_byte == '\033' ? AFTER_ESCAPE_MS : PACKET_MS);
}

static void expect_words(struct typist *typist, const char *client, const char *bytes,
                         const char *words)
{
    wait_for(typist, 10000);
    if (strcmp(typist->words, words) != 0) {
        fail_msg("%s: \"%s\" gives \"%s\" instead of \"%s\"", client, bytes + 1, typist->words,
                 words);
    }
}

/* Sends bytes in one packet, in two at every place, and each byte alone. */
static void expect_keys_in_every_split(const char *client, const char *bytes, const char *words)
{
    size_t len = strlen(bytes);
    for (size_t at = 0; at < len; at++) {
        struct typist typist = {.now_ms = 1};
        send_packet(&typist, bytes, at);
        if (at > 0) {
            wait_between_packets(&typist, bytes[at - 1]);
        }
        send_packet(&typist, bytes + at, len - at);
        expect_words(&typist, client, bytes, words);
    }
    struct typist typist = {.now_ms = 1};
    for (size_t at = 0; at < len; at++) {
        send_packet(&typist, bytes + at, 1);
        wait_between_packets(&typist, bytes[at]);
    }
    expect_words(&typist, client, bytes, words);
}

static void the_keys_of_every_terminal_are_known_in_every_split_of_packets(void **state)
{
    static const struct {
        const char *client, *bytes, *words;
    } recordings[] = {
        {"all", "az \xc3\xa4\xe2\x99\xa5", "a z   U+00E4 U+2665"},
        {"all", "\r\t\x7f\b\x17\r\n\n", "Enter Tab Back Back ^W Enter Enter"},
        {"xterm", "\033[A\033[B\033[C\033[D\033[H\033[F", "Up Down Right Left Home End"},
        {"xterm, application", "\033OA\033OB\033OC\033OD\033OH\033OF",
         "Up Down Right Left Home End"},
        {"xterm", "\033[5~\033[6~\033[3~\033[Z", "PgUp PgDn Del Backtab"},
        {"xterm, a click", "\033[<0;5;9M\033[<0;5;9m", "Click 4,8"},
        {"xterm, the wheel with Shift", "\033[<64;5;9M\033[<65;5;9M\033[<68;5;9M",
         "WheelUp 4,8 WheelDown 4,8 WheelUp 4,8"},
        {"xterm, other buttons and motion", "\033[<1;5;9M\033[<2;5;9M\033[<32;5;9M\033[<35;5;9M",
         ""},
        {"PuTTY, the keypad", "\033Op\033Oq\033Oy\033On\033Oo\033Oj\033Om\033Ok\033OM",
         "0 1 9 . / * - + Enter"},
        {"PuTTY, PF keys", "\033OP\033OQ\033OR\033OS", ""},
        {"PuTTY, function keys", "\033[11~\033[15~\033[24~", ""},
        {"PuTTY", "\033[1~\033[4~", "Home End"},
        {"iTerm2, the keypad", "\033OX\033OI", "= Tab"},
        {"Windows Terminal", "\033[1;5A\033[1;2D\033[3;5~\033[I\033[O\033[2~", ""},
        {"Windows Terminal, input mode", "\033[65;30;97;1;0;1_", ""},
        {"kitty", "\033[27u\033[97;5u\033[97;3u\033[57399u\033[13;2u\033[9;2u", "Esc ^A"},
        {"kitty, events and Num Lock", "\033[1;1:1A\033[1;1:3A\033[1;129A\033[97;1:3u", "Up Up"},
        {"xterm, other keys", "\033[27;5;97~\033[27;1;13~\033[27;6;97~", "^A Enter"},
        {"iTerm2, Alt", "\033b\033f\033\x7f\033\r\033\033[D\033[1;3C\0332\033\xc3\xa4", "^W"},
        {"tmux", "\033[1~\033[4~\033[?1;2c\033[>84;0;0c\033P>|tmux 3.4\033\\", "Home End"},
        {"screen, the old mouse", "\033[M %)\033[M#%)\033[M`%)", "Click 4,8 WheelUp 4,8"},
        {"rxvt", "\033[7~\033[8~\033Oa\033[a\033[7$\033[8^\033[3@", "Home End"},
        {"Linux console", "\033[[A\033[[E\033[17~\033[1~\033[4~\033[P", "Home End"},
        {"Termius", "\033[A\033Oq\033[200~hi\033[201~", "Up 1 +h +i"},
        {"8 bits",
         "\x9b"
         "A\x8fq\xc2\x9b"
         "B\xe9x",
         "Up 1 Down x"},
        {"answers", "\033]11;rgb:1e1e/1e1e/2e2e\033\\\033]10;rgb:ff/ff/ff\a\033P1$r0m\033\\", ""},
        {"answers", "\033_Gi=31;OK\033\\\033^x\033\\\033Xy\033\\\033]lm\xe2\x80\x9cx\033\\", ""},
        {"answers", "\033[24;80R\033[?2004;1$y\033[8;24;80t\033[0n\033[?62;4c\033[?0u\033[2;1$y",
         ""},
        {"answers in 8 bits", "\x9d\x31\xe2\x80\x9cx\x9cq\xc2\x9d\x31\xc3\x9cx\xc2\x9cq\x90r\x9cq",
         "q q q"},
        {"a paste", "\033[200~q\r\n3\tx\033[Dy\x03\r\033[201~q", "+q | +3 +  +x +y q"},
        {"a paste with an end in 8 bits", "\033[200~\xc2\x9b\x32\x30\x31~q\033[201~",
         "+2 +0 +1 +~ +q"},
        {"two pastes", "\033[200~a\r\033[201~\033[200~b\033[201~", "+a +b"},
        {"cut off", "\033]11;rgb\033[A\033[12\rx\033]1\x03", "Up Enter x ^C"},
        {"cancelled", "\033]11;rgb\x18q\033P1\x1aq", "q q"},
        {"too long", "\033[1111111111111111111111111111111111111111;1Aq", "q"},
        {"no key", "\033[99999999999999999999~\033[-5~\033[65~\033[1 A\033[<0;0;0Mq", "q"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(recordings); i++) {
        expect_keys_in_every_split(recordings[i].client, recordings[i].bytes, recordings[i].words);
    }
}

static void an_esc_is_a_key_of_its_own_when_nothing_follows_it(void **state)
{
    (void)state;
    struct typist typist = {0};
    send_packet(&typist, "\033", 1);
    assert_int_equal(key_parser_due_ms(&typist.parser), KEY_PARSER_ESCAPE_MS);
    wait_for(&typist, KEY_PARSER_ESCAPE_MS - 1);
    assert_string_equal(typist.words, "");
    wait_for(&typist, 1);
    assert_string_equal(typist.words, "Esc");
    assert_int_equal(key_parser_due_ms(&typist.parser), INT64_MAX);
    send_packet(&typist, "q\033\033", 3);
    wait_for(&typist, KEY_PARSER_ESCAPE_MS);
    assert_string_equal(typist.words, "Esc q Esc Esc");
}

static void a_sequence_whose_rest_never_comes_is_dropped(void **state)
{
    static const char *const begun[] = {"\033[",    "\033O",   "\033[1;",
                                        "\033]11;", "\033[M ", "\033[["};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(begun); i++) {
        struct typist typist = {0};
        send_packet(&typist, begun[i], strlen(begun[i]));
        wait_for(&typist, KEY_PARSER_REST_MS);
        send_packet(&typist, "q", 1);
        assert_string_equal(typist.words, "q");
    }
}

static void a_paste_whose_end_never_comes_is_over_after_a_while(void **state)
{
    (void)state;
    struct typist typist = {0};
    send_packet(&typist, "\033[200~a\033", 8);
    wait_for(&typist, KEY_PARSER_PASTE_MS - 1);
    send_packet(&typist, "\r3", 2);
    assert_string_equal(typist.words, "+a | +3");
    wait_for(&typist, KEY_PARSER_PASTE_MS);
    send_packet(&typist, "3", 1);
    assert_string_equal(typist.words, "+a | +3 3");
}

TEST_GROUP(key_parser)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_keys_of_every_terminal_are_known_in_every_split_of_packets),
        cmocka_unit_test(an_esc_is_a_key_of_its_own_when_nothing_follows_it),
        cmocka_unit_test(a_sequence_whose_rest_never_comes_is_dropped),
        cmocka_unit_test(a_paste_whose_end_never_comes_is_over_after_a_while),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
