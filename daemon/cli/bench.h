#ifndef DAEMON_CLI_BENCH_H
#define DAEMON_CLI_BENCH_H

/*
 * `trickhouse bench NAME`: a function here and an entry in benches.def, which drives dispatch and
 * help. argv[0] is the benchmark's name; the exit status is as a subcommand's.
 */
int bench_engine(int argc, char **argv);
int bench_storage(int argc, char **argv);

#endif
