#include "games/bots/bots.h"

#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define UNIT_MAX INT16_MAX

#define HEAD_MARK "trickhouse net 1\n"
#define HEAD_MARK_BYTES (sizeof(HEAD_MARK) - 1)

/* Reads a number of so many bytes, the lowest one first, and moves behind it. */
static uint32_t take_number(const uint8_t **at, unsigned count)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < count; i++) {
        number |= (uint32_t)(*at)[i] << 8 * i;
    }
    *at += count;
    return number;
}

bool net_read(const uint8_t *bytes, size_t len, struct net *net)
{
    if (len < NET_HEAD_BYTES || memcmp(bytes, HEAD_MARK, HEAD_MARK_BYTES) != 0) {
        return false;
    }
    const uint8_t *head = bytes + HEAD_MARK_BYTES;
    *net = (struct net){.layout = take_number(&head, 4)};
    net->inputs = (uint16_t)take_number(&head, 2);
    net->outputs = (uint16_t)take_number(&head, 2);
    net->hidden = (uint8_t)take_number(&head, 1);
    net->middle = (uint8_t)take_number(&head, 1);
    const size_t sizes[NET_LAYERS] = {
        (size_t)net->inputs * net->hidden,
        (size_t)net->middle * (size_t)(net->hidden + NET_PADDING),
        (size_t)net->outputs * (size_t)(net->middle + NET_PADDING),
    };
    size_t at = NET_HEAD_BYTES;
    for (unsigned i = 0; i < NET_LAYERS; i++) {
        net->weights[i] = (const int8_t *)bytes + at;
        at += sizes[i];
    }
    return net->hidden <= NET_HIDDEN_MAX && net->hidden % NET_PADDING == 0 &&
           net->middle <= NET_MIDDLE_MAX && net->middle % NET_PADDING == 0 && len == at;
}

#ifdef __SSE2__

/* Sixteen weights as two times eight numbers of 16 bits. */
static void widen(const int8_t *weights, __m128i out[2])
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)weights);
    __m128i signs = _mm_cmpgt_epi8(_mm_setzero_si128(), bytes);
    out[0] = _mm_unpacklo_epi8(bytes, signs);
    out[1] = _mm_unpackhi_epi8(bytes, signs);
}

/* The sum of the products of weights and units; `count` is a multiple of NET_PADDING. */
static int32_t multiply(const int8_t *weights, const int16_t *units, unsigned count)
{
    __m128i sum = _mm_setzero_si128();
    for (unsigned i = 0; i < count; i += NET_PADDING) {
        __m128i wide[2];
        widen(weights + i, wide);
        for (size_t half = 0; half < 2; half++) {
            __m128i eight = _mm_loadu_si128((const __m128i *)(const void *)(units + i + 8 * half));
            sum = _mm_add_epi32(sum, _mm_madd_epi16(wide[half], eight));
        }
    }
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(1, 0, 3, 2)));
    sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, _MM_SHUFFLE(2, 3, 0, 1)));
    return _mm_cvtsi128_si32(sum);
}

/* Sixteen units of the first layer: the sums of their weights for the active inputs. */
static void add_up(const int8_t *weights, size_t row, const struct encoding *encoding, int16_t *out)
{
    __m128i sums[2] = {_mm_setzero_si128(), _mm_setzero_si128()};
    for (uint16_t i = 0; i < encoding->count; i++) {
        __m128i wide[2];
        widen(weights + encoding->active[i] * row, wide);
        sums[0] = _mm_add_epi16(sums[0], wide[0]);
        sums[1] = _mm_add_epi16(sums[1], wide[1]);
    }
    for (size_t half = 0; half < 2; half++) {
        _mm_storeu_si128((__m128i *)(void *)(out + 8 * half),
                         _mm_max_epi16(sums[half], _mm_setzero_si128()));
    }
}

#else

static int32_t multiply(const int8_t *weights, const int16_t *units, unsigned count)
{
    int32_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        sum += weights[i] * units[i];
    }
    return sum;
}

static void add_up(const int8_t *weights, size_t row, const struct encoding *encoding, int16_t *out)
{
    for (unsigned unit = 0; unit < NET_PADDING; unit++) {
        int32_t sum = 0;
        for (uint16_t i = 0; i < encoding->count; i++) {
            sum += weights[encoding->active[i] * row + unit];
        }
        out[unit] = (int16_t)(sum > 0 ? sum : 0);
    }
}

#endif

/* The sums of the first layer stay below 2^15, because no more inputs are active. */
_Static_assert(ENCODE_ACTIVE_MAX * -INT8_MIN <= INT16_MAX, "the first layer's sums fit");

/* The units of the second layer, and the one that is always NET_ONE. */
static void look(const struct net *net, const struct encoding *encoding, int16_t *middle)
{
    int16_t hidden[NET_HIDDEN_MAX + NET_PADDING] FILLED_LATER;
    unsigned row = (unsigned)net->hidden + NET_PADDING;
    for (unsigned unit = 0; unit < net->hidden; unit += NET_PADDING) {
        add_up(net->weights[0] + unit, net->hidden, encoding, hidden + unit);
    }
    memset(hidden + net->hidden, 0, NET_PADDING * sizeof(hidden[0]));
    hidden[net->hidden] = NET_ONE;
    for (unsigned unit = 0; unit < net->middle; unit++) {
        int32_t sum = multiply(net->weights[1] + (size_t)unit * row, hidden, row) / NET_ONE;
        middle[unit] = (int16_t)(sum < 0 ? 0 : sum > UNIT_MAX ? UNIT_MAX : sum);
    }
    memset(middle + net->middle, 0, NET_PADDING * sizeof(middle[0]));
    middle[net->middle] = NET_ONE;
}

static int32_t rate_move(const struct net *net, const int16_t *middle,
                         const struct encoding *encoding, uint8_t move)
{
    unsigned row = (unsigned)net->middle + NET_PADDING;
    const uint8_t *points = encoding->game->encode->points;
    struct encode_outputs outputs FILLED_LATER;
    int32_t worth = 0;
    encode_move(encoding, move, &outputs);
    for (uint8_t i = 0; i < outputs.count; i++) {
        worth += multiply(net->weights[2] + (size_t)outputs.at[i] * row, middle, row);
    }
    return outputs.is_pair ? worth * points[1] / points[0] : worth;
}

bool net_rate_moves(const struct net *net, const struct game_def *game, const void *state,
                    uint8_t seat, const struct move_set *legal, int32_t worths[MOVES_MAX])
{
    struct encoding encoding FILLED_LATER;
    int16_t middle[NET_MIDDLE_MAX + NET_PADDING] FILLED_LATER;
    encode_state(game, state, seat, &encoding);
    if (encoding.layout != net->layout) {
        return false;
    }
    look(net, &encoding, middle);
    for (uint8_t move = move_set_next(legal, 0); move != MOVE_NONE;
         move = move_set_next(legal, move + 1U)) {
        worths[move] = rate_move(net, middle, &encoding, move);
    }
    return true;
}

uint8_t net_find_best(const struct move_set *legal, const int32_t worths[MOVES_MAX])
{
    uint8_t best = move_set_next(legal, 0);
    for (uint8_t move = best; move != MOVE_NONE; move = move_set_next(legal, move + 1U)) {
        best = worths[move] > worths[best] ? move : best;
    }
    return best;
}

uint32_t net_soften(int32_t loss, int32_t heat)
{
    uint32_t halvings = (uint32_t)(loss / heat);
    uint32_t rest = (uint32_t)(loss % heat);
    return halvings > 20 ? 0 : (NET_OFTEN - NET_OFTEN / 2 / (uint32_t)heat * rest) >> halvings;
}

bool net_find(const struct game_def *game, struct net *net)
{
    const uint8_t *bytes;
    size_t len;
    return nets_find(game->id, &bytes, &len) && net_read(bytes, len, net) &&
           net->outputs == encode_count_outputs(game);
}

bool net_rate_view(const struct game_view *view, const struct game_config *config,
                   struct quick_random *random, struct net *net, int32_t worths[MOVES_MAX])
{
    struct game_state state FILLED_LATER;
    return net_find(view->game, net) &&
           game_sample_state(view, config, random, &state) == GAME_OK &&
           net_rate_moves(net, view->game, state.bytes, (uint8_t)view->seat, &view->legal, worths);
}
