#include "tests/train/learner.h"

#include "tests/games/bots/net_head.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEEP_MEAN 0.9F
#define KEEP_SQUARE 0.999F
#define LEAST_SQUARE 1e-4F
#define ERROR_MAX 3.0F                /* larger errors count as this one */
#define WEIGHT_MAX (127.0F / NET_ONE) /* the largest that a byte of the net holds */
#define ACTIVE_USUAL 80               /* about so many inputs are on */

/* Of the weights of each layer, in steps of the rate: without it outputs that are added up grow
 * against each other. */
static const float decays[NET_LAYERS] = {0.05F, 0.05F, 0.1F};

/* A random number with mean 0 and deviation 1: the sum of twelve even ones is nearly normal. */
static float draw_normal(struct quick_random *random)
{
    float sum = 0;
    for (int i = 0; i < 12; i++) {
        sum += (float)(quick_random_next(random) >> 40) / (float)(1U << 24);
    }
    return sum - 6;
}

static size_t size_of_layer(const struct learner_layer *layer)
{
    return (size_t)layer->rows * layer->columns;
}

static bool layer_init(struct learner_layer *layer, unsigned rows, unsigned columns, float width,
                       struct quick_random *random)
{
    layer->rows = rows;
    layer->columns = columns;
    float **const parts[] = {&layer->weights, &layer->slopes, &layer->mean, &layer->square};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        *parts[i] = calloc(size_of_layer(layer), sizeof(float));
        if (*parts[i] == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < size_of_layer(layer); i++) {
        layer->weights[i] = width * draw_normal(random);
    }
    return true;
}

/* With these widths the units of all layers have about the same size (He, Zhang, Ren and Sun,
 * "Delving Deep into Rectifiers", 2015). Outputs begin near 0. The last column of a row belongs to
 * the unit that is always 1. */
bool learner_init(struct learner *learner, const struct learner *sizes, struct quick_random *random)
{
    *learner = (struct learner){.layout = sizes->layout,
                                .inputs = sizes->inputs,
                                .hidden = sizes->hidden,
                                .middle = sizes->middle,
                                .outputs = sizes->outputs};
    return layer_init(&learner->layers[0], sizes->inputs, sizes->hidden, sqrtf(2.0F / ACTIVE_USUAL),
                      random) &&
           layer_init(&learner->layers[1], sizes->middle, sizes->hidden + 1,
                      sqrtf(2.0F / (float)sizes->hidden), random) &&
           layer_init(&learner->layers[2], sizes->outputs, sizes->middle + 1,
                      0.1F / sqrtf((float)sizes->middle), random);
}

void learner_free(struct learner *learner)
{
    for (unsigned i = 0; i < NET_LAYERS; i++) {
        free(learner->layers[i].weights);
        free(learner->layers[i].slopes);
        free(learner->layers[i].mean);
        free(learner->layers[i].square);
    }
}

static void add_row(float *restrict sums, const float *restrict row, unsigned count, float factor)
{
    for (unsigned i = 0; i < count; i++) {
        sums[i] += factor * row[i];
    }
}

static float multiply(const float *restrict one, const float *restrict other, unsigned count)
{
    float sum = 0;
    for (unsigned i = 0; i < count; i++) {
        sum += one[i] * other[i];
    }
    return sum;
}

/* The units of the first layer, and the one that is always 1. */
static void look_at_inputs(const struct learner *learner, const uint16_t *active, unsigned count,
                           float hidden[NET_HIDDEN_MAX + 1])
{
    const struct learner_layer *layer = &learner->layers[0];
    memset(hidden, 0, layer->columns * sizeof(float));
    for (unsigned i = 0; i < count; i++) {
        add_row(hidden, layer->weights + (size_t)active[i] * layer->columns, layer->columns, 1);
    }
    for (unsigned unit = 0; unit < layer->columns; unit++) {
        hidden[unit] = hidden[unit] > 0 ? hidden[unit] : 0;
    }
    hidden[layer->columns] = 1;
}

/* The units of the middle layer, and the one that is always 1. */
static void look_at_hidden(const struct learner *learner, const float *hidden,
                           float middle[NET_MIDDLE_MAX + 1])
{
    const struct learner_layer *layer = &learner->layers[1];
    for (unsigned unit = 0; unit < layer->rows; unit++) {
        float sum =
            multiply(layer->weights + (size_t)unit * layer->columns, hidden, layer->columns);
        middle[unit] = sum > 0 ? sum : 0;
    }
    middle[layer->rows] = 1;
}

void learner_look(const struct learner *learner, const uint16_t *active, unsigned count,
                  float middle[NET_MIDDLE_MAX + 1])
{
    float hidden[NET_HIDDEN_MAX + 1];
    look_at_inputs(learner, active, count, hidden);
    look_at_hidden(learner, hidden, middle);
}

float learner_output(const struct learner *learner, const float *middle, unsigned output)
{
    const struct learner_layer *layer = &learner->layers[2];
    return multiply(layer->weights + (size_t)output * layer->columns, middle, layer->columns);
}

/* Adds up the slopes of a layer's weights in one row, and those of its units below. */
static void add_slopes(struct learner_layer *layer, unsigned row, float slope, const float *units,
                       float *unit_slopes)
{
    size_t start = (size_t)row * layer->columns;
    add_row(layer->slopes + start, units, layer->columns, slope);
    add_row(unit_slopes, layer->weights + start, layer->columns, slope);
}

static float limit(float number, float most)
{
    return number > most ? most : number < -most ? -most : number;
}

static void add_sample(struct learner *learner, const struct sample *sample)
{
    float hidden[NET_HIDDEN_MAX + 1];
    float middle[NET_MIDDLE_MAX + 1];
    float hidden_slopes[NET_HIDDEN_MAX + 1] = {0};
    float middle_slopes[NET_MIDDLE_MAX + 1] = {0};
    struct learner_layer *first = &learner->layers[0];
    look_at_inputs(learner, sample->active, sample->count, hidden);
    look_at_hidden(learner, hidden, middle);
    float sum = 0;
    for (unsigned i = 0; i < sample->output_count && sample->is_sum; i++) {
        sum += learner_output(learner, middle, sample->outputs[i]);
    }
    for (unsigned i = 0; i < sample->output_count; i++) {
        unsigned output = sample->outputs[i];
        float error = sample->is_sum ? sum - sample->targets[0]
                                     : learner_output(learner, middle, output) - sample->targets[i];
        learner->loss += sample->is_sum && i > 0 ? 0 : (double)(error * error);
        add_slopes(&learner->layers[2], output, limit(error, ERROR_MAX), middle, middle_slopes);
    }
    for (unsigned unit = 0; unit < learner->middle; unit++) {
        if (middle[unit] > 0) {
            add_slopes(&learner->layers[1], unit, middle_slopes[unit], hidden, hidden_slopes);
        }
    }
    for (unsigned unit = 0; unit < learner->hidden; unit++) {
        hidden_slopes[unit] = hidden[unit] > 0 ? hidden_slopes[unit] : 0;
    }
    for (unsigned i = 0; i < sample->count; i++) {
        add_row(first->slopes + (size_t)sample->active[i] * first->columns, hidden_slopes,
                first->columns, 1);
    }
}

static void change_weights(struct learner *learner, float rate)
{
    float part = 1.0F / (float)learner->samples;
    learner->steps++;
    float step = rate / (1 - powf(KEEP_MEAN, (float)learner->steps));
    float root = 1 / sqrtf(1 - powf(KEEP_SQUARE, (float)learner->steps));
    for (unsigned i = 0; i < NET_LAYERS; i++) {
        struct learner_layer *layer = &learner->layers[i];
        float keep = 1 - rate * decays[i];
        float *restrict weights = layer->weights;
        float *restrict slopes = layer->slopes;
        float *restrict mean = layer->mean;
        float *restrict square = layer->square;
        for (size_t at = 0; at < size_of_layer(layer); at++) {
            float slope = slopes[at] * part;
            mean[at] = KEEP_MEAN * mean[at] + (1 - KEEP_MEAN) * slope;
            square[at] = KEEP_SQUARE * square[at] + (1 - KEEP_SQUARE) * slope * slope;
            weights[at] = limit(weights[at] * keep -
                                    step * mean[at] / (sqrtf(square[at]) * root + LEAST_SQUARE),
                                WEIGHT_MAX);
            slopes[at] = 0;
        }
    }
    learner->samples = 0;
}

void learner_learn(struct learner *learner, const struct sample *sample, unsigned batch, float rate)
{
    add_sample(learner, sample);
    learner->samples++;
    if (learner->samples >= batch) {
        change_weights(learner, rate);
    }
}

void learner_copy_weights(struct learner *to, const struct learner *from)
{
    for (unsigned i = 0; i < NET_LAYERS; i++) {
        memcpy(to->layers[i].weights, from->layers[i].weights,
               size_of_layer(&from->layers[i]) * sizeof(float));
    }
}

/* What a saved learner begins with. */
struct saved_head {
    uint32_t layout, inputs, hidden, middle, outputs, steps, samples;
};

static struct saved_head make_head(const struct learner *learner)
{
    return (struct saved_head){.layout = learner->layout,
                               .inputs = learner->inputs,
                               .hidden = learner->hidden,
                               .middle = learner->middle,
                               .outputs = learner->outputs,
                               .steps = learner->steps,
                               .samples = learner->samples};
}

bool learner_save(const struct learner *learner, FILE *file)
{
    struct saved_head head = make_head(learner);
    bool is_saved = fwrite(&head, sizeof head, 1, file) == 1;
    for (unsigned i = 0; i < NET_LAYERS; i++) {
        const struct learner_layer *layer = &learner->layers[i];
        size_t count = size_of_layer(layer);
        is_saved = is_saved && fwrite(layer->weights, sizeof(float), count, file) == count &&
                   fwrite(layer->slopes, sizeof(float), count, file) == count &&
                   fwrite(layer->mean, sizeof(float), count, file) == count &&
                   fwrite(layer->square, sizeof(float), count, file) == count;
    }
    return is_saved;
}

bool learner_load(struct learner *learner, FILE *file)
{
    struct saved_head head = {0};
    struct saved_head own = make_head(learner);
    bool is_loaded = fread(&head, sizeof head, 1, file) == 1 && head.layout == own.layout &&
                     head.inputs == own.inputs && head.hidden == own.hidden &&
                     head.middle == own.middle && head.outputs == own.outputs;
    for (unsigned i = 0; i < NET_LAYERS && is_loaded; i++) {
        struct learner_layer *layer = &learner->layers[i];
        size_t count = size_of_layer(layer);
        is_loaded = fread(layer->weights, sizeof(float), count, file) == count &&
                    fread(layer->slopes, sizeof(float), count, file) == count &&
                    fread(layer->mean, sizeof(float), count, file) == count &&
                    fread(layer->square, sizeof(float), count, file) == count;
    }
    learner->steps = head.steps;
    learner->samples = head.samples;
    return is_loaded;
}

/* Writes the rows of a layer, each filled up with zeros to a multiple of NET_PADDING. */
static void write_layer(const struct learner_layer *layer, FILE *file)
{
    unsigned width = (layer->columns + NET_PADDING - 1) / NET_PADDING * NET_PADDING;
    for (unsigned row = 0; row < layer->rows; row++) {
        for (unsigned i = 0; i < width; i++) {
            float weight =
                i < layer->columns ? layer->weights[(size_t)row * layer->columns + i] : 0;
            (void)fputc((int8_t)lrintf(weight * NET_ONE), file);
        }
    }
}

bool learner_write_net(const struct learner *learner, const char *made, FILE *file)
{
    const struct net net = {.layout = learner->layout,
                            .inputs = (uint16_t)learner->inputs,
                            .outputs = (uint16_t)learner->outputs,
                            .hidden = (uint8_t)learner->hidden,
                            .middle = (uint8_t)learner->middle};
    uint8_t head[NET_HEAD_BYTES];
    net_write_head(&net, made, head);
    (void)fwrite(head, sizeof head, 1, file);
    for (unsigned i = 0; i < NET_LAYERS; i++) {
        write_layer(&learner->layers[i], file);
    }
    return ferror(file) == 0;
}
