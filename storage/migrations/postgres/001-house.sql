-- What a house has in PostgreSQL besides the tables, indexes and views of ../001-house.sql, which the
-- build translates (../embed.cmake).

-- Functions that SQLite has built in.
CREATE FUNCTION instr(text, text) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS 'SELECT position($2 IN $1)';
CREATE FUNCTION group_concat_add(text, bigint, text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT coalesce($1 || $3, '''') || $2';
CREATE AGGREGATE group_concat(bigint, text) (sfunc = group_concat_add, stype = text);

-- Rows of the audit log are never changed, but for sealing, or deleted, and their numbers ascend.
CREATE FUNCTION audit_may_be(text, text) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT $2 = $1 OR $2 ~ '^#[0-9a-f]{32}$' $$;
CREATE FUNCTION audit_keeps_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sealed text[] := '{address,fingerprint,arguments,target_name,state_before,state_after}';
BEGIN
    IF TG_OP = 'UPDATE' AND to_jsonb(NEW) - sealed = to_jsonb(OLD) - sealed
        AND audit_may_be(OLD.address, NEW.address)
        AND audit_may_be(OLD.fingerprint, NEW.fingerprint)
        AND audit_may_be(OLD.arguments, NEW.arguments)
        AND audit_may_be(OLD.target_name, NEW.target_name)
        AND audit_may_be(OLD.state_before, NEW.state_before)
        AND audit_may_be(OLD.state_after, NEW.state_after) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE =
        CASE TG_OP WHEN 'DELETE' THEN 'the audit log keeps its rows'
                   ELSE 'the audit log changes no row' END;
END $$;
CREATE TRIGGER audit_keeps_rows BEFORE DELETE OR UPDATE ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_keeps_rows();
CREATE FUNCTION audit_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.id <= (SELECT max(id) FROM audit) THEN
        RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE = 'the audit log only goes on';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER audit_goes_on BEFORE INSERT ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_goes_on();

-- Each change of a standing updates standing_counts and leader_lines. trunc, because a cast to a
-- whole number rounds in PostgreSQL and truncates in SQLite.
CREATE FUNCTION standing_counted(standings, bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO standing_counts VALUES ($1.board, $1.class, trunc($1.mu * 8)::bigint, $2)
        ON CONFLICT (board, class, bucket) DO UPDATE SET count = standing_counts.count + $2
$$;
CREATE FUNCTION standing_line_made(standings) RETURNS void LANGUAGE sql AS $$
    INSERT INTO leader_lines SELECT d.* FROM leader_lines_due d
        WHERE d.account = $1.account AND d.board = $1.board
        AND EXISTS (SELECT 1 FROM line_boards b WHERE b.id = $1.board)
$$;
CREATE FUNCTION standing_line_taken(standings) RETURNS void LANGUAGE sql AS $$
    DELETE FROM leader_lines WHERE board = $1.board AND class = $1.class AND mu = $1.mu
        AND account = $1.account
$$;
CREATE FUNCTION standings_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM standing_counted(OLD, -1);
        PERFORM standing_line_taken(OLD);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM standing_counted(NEW, 1);
        PERFORM standing_line_made(NEW);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER standings_changed AFTER INSERT OR DELETE OR UPDATE OF class, mu ON standings
    FOR EACH ROW EXECUTE FUNCTION standings_changed();

-- Changes of an account reach its standings and lines. Accounts are seen all the time, so the time
-- reaches only the lines of all time and of a game's last season.
CREATE FUNCTION accounts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.is_held <> 0) <> (OLD.is_held <> 0) THEN
        UPDATE standings SET class = (class & 1) | CASE NEW.is_held WHEN 0 THEN 0 ELSE 2 END
            WHERE account = NEW.id;
    END IF;
    IF (NEW.name, NEW.kind, NEW.role) <> (OLD.name, OLD.kind, OLD.role) THEN
        UPDATE leader_lines SET name = NEW.name, kind = NEW.kind, role = NEW.role
            WHERE (board, class, mu, account) IN
                (SELECT s.board, s.class, s.mu, s.account FROM standings s
                 JOIN line_boards b ON b.id = s.board WHERE s.account = NEW.id);
    END IF;
    IF NEW.seen_ms <> OLD.seen_ms THEN
        UPDATE leader_lines SET seen_ms = NEW.seen_ms
            WHERE (board, class, mu, account) IN
                (SELECT s.board, s.class, s.mu, s.account FROM standings s
                 JOIN line_boards b ON b.id = s.board WHERE s.account = NEW.id AND
                 b.span IN (0, (SELECT max(m.span) FROM boards m WHERE m.game = b.game)));
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER accounts_changed AFTER UPDATE ON accounts
    FOR EACH ROW EXECUTE FUNCTION accounts_changed();
