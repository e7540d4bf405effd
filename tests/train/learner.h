#pragma once

#include "games/bots/bots.h"

#include <stdio.h>

/*
 * A net that learns: the net of games/bots/bots.h with weights in floating point, which Adam
 * changes after each batch of samples (Kingma and Ba, "Adam: A Method for Stochastic Optimization",
 * 2015).
 */

/* The weights of a layer: `rows` times `columns` numbers each. */
struct learner_layer {
    unsigned rows, columns;
    float *weights;
    float *slopes;        /* of the errors in the batch, summed up */
    float *mean, *square; /* moving averages of the slopes and of their squares */
};

struct learner {
    uint32_t layout; /* of the encoding (games/bots/bots.h) */
    unsigned inputs, hidden, middle, outputs;
    struct learner_layer layers[NET_LAYERS];
    uint32_t steps;   /* taken so far */
    uint32_t samples; /* in the batch */
    double loss;      /* the sum of the squared errors; the caller sets it to 0 */
};

/* A decision, and what it has brought: a target for each of the outputs, or one for their sum. */
struct sample {
    uint16_t count, output_count;
    uint16_t active[ENCODE_ACTIVE_MAX];
    uint16_t outputs[ENCODE_OUTPUTS_MAX];
    bool is_sum;
    float targets[ENCODE_OUTPUTS_MAX];
};

/* Makes a net with random weights. False if there is no memory; learner_free frees what there is.
 */
bool learner_init(struct learner *learner, const struct learner *sizes,
                  struct quick_random *random) MUST_CHECK;
void learner_free(struct learner *learner);

/* Fills in the units of the middle layer for the active inputs; learner_output reads them. */
void learner_look(const struct learner *learner, const uint16_t *active, unsigned count,
                  float middle[NET_MIDDLE_MAX + 1]);
float learner_output(const struct learner *learner, const float *middle, unsigned output);

/* Adds a sample to the batch. If it is full, changes the weights at this rate, and begins the
 * next. */
void learner_learn(struct learner *learner, const struct sample *sample, unsigned batch,
                   float rate);

void learner_copy_weights(struct learner *to, const struct learner *from);

/* Write and read everything that learning goes on from. False on failure; learner_load also if the
 * file is of a net of other sizes. */
bool learner_save(const struct learner *learner, FILE *file) MUST_CHECK;
bool learner_load(struct learner *learner, FILE *file) MUST_CHECK;

/* Writes the net as the house reads it (net_read), with a text of how it was made. */
bool learner_write_net(const struct learner *learner, const char *made, FILE *file) MUST_CHECK;
