-- A week's change in a season's rating is found in the index alone too.

DROP INDEX rating_changes_of_account;
CREATE INDEX rating_changes_of_account ON rating_changes
    (account, game, at_ms, mu_before, season, season_mu_before);
