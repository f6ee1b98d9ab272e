-- Old entries of the call log go in segments: a seal keeps the hash of the last one, and only what is sealed can be deleted.

CREATE TABLE call_seals (
  org_id TEXT NOT NULL REFERENCES orgs (id),
  through_seq BIGINT NOT NULL,
  last_hash TEXT NOT NULL,
  last_at BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  sealed_at BIGINT NOT NULL,
  PRIMARY KEY (org_id, through_seq)
);

DROP TRIGGER calls_keep;

CREATE TRIGGER calls_keep BEFORE DELETE ON calls
WHEN NOT EXISTS (SELECT 1 FROM call_seals s WHERE s.org_id = old.org_id AND s.through_seq >= old.seq)
BEGIN
  SELECT raise(ABORT, 'the call log is append-only');
END;

CREATE TRIGGER call_seals_name_an_entry BEFORE INSERT ON call_seals
WHEN NOT EXISTS (SELECT 1 FROM calls c WHERE c.org_id = new.org_id AND c.seq = new.through_seq AND c.hash = new.last_hash)
  OR NOT EXISTS (SELECT 1 FROM calls c WHERE c.org_id = new.org_id AND c.seq > new.through_seq)
BEGIN
  SELECT raise(ABORT, 'a seal names an entry of the call log that others follow');
END;

CREATE TRIGGER call_seals_keep BEFORE DELETE ON call_seals
BEGIN
  SELECT raise(ABORT, 'a seal of the call log stays');
END;

CREATE TRIGGER call_seals_fixed BEFORE UPDATE ON call_seals
BEGIN
  SELECT raise(ABORT, 'a seal of the call log stays');
END;
