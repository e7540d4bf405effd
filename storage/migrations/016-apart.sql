-- Who does not want to play with somebody is found from both ends.

CREATE INDEX regards_toward ON regards (other, kind);
