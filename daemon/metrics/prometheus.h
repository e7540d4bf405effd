#pragma once

struct metrics_page;

/* Writes all metrics of the page in Prometheus' text format, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). The caller frees the text. Aborts
 * if memory runs out. */
char *prometheus_write(const struct metrics_page *page);
