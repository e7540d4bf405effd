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
