-- The call log of a whole organization by time, for administrators.

CREATE INDEX calls_by_org ON calls (org_id, at);
