#pragma once

/* The settings of a node whose data are in a PostgreSQL server on this machine. */

#define NODE_SETTINGS_DATABASE "nodes" /* the database, which belongs to the role `house` */
#define NODE_SETTINGS_SIZE 512

/* Writes house.conf of a node; 0: the house has one. The bridge listens on a free loopback port.
 * The role's password must be in the environment (PGPASSWORD). */
void node_settings_write(char settings[NODE_SETTINGS_SIZE], int database_port, int node);
