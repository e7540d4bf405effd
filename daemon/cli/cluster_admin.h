#pragma once

/*
 * `trickhouse cluster status`, `handover`, `forget` and `accept`: what operators see and do about
 * the nodes of a house. Each function takes the words after its own, ended by NULL; the last word
 * is the data folder of a node, or the URL of the database. Returns the exit status.
 */
int cluster_admin_show_nodes(char **words);
int cluster_admin_hand_over(char **words);
int cluster_admin_forget_node(char **words);
int cluster_admin_accept_older_database(char **words);
