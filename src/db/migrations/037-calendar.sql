-- Meetings follow the event that they were made from; large calendar files are imported by a job.

ALTER TABLE meetings ADD COLUMN event_uid TEXT;
ALTER TABLE meetings ADD COLUMN cancelled_at BIGINT;
CREATE INDEX meetings_by_event ON meetings (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX meetings_by_event_uid ON meetings (org_id, event_uid) WHERE event_uid IS NOT NULL;

UPDATE meetings SET event_uid = (SELECT uid FROM events WHERE events.id = substr(meetings.event_id, 1, 30)) WHERE event_id IS NOT NULL;

CREATE TABLE calendar_imports (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  owner_id TEXT NOT NULL,
  calendar_id TEXT NOT NULL,
  content TEXT,
  done INTEGER NOT NULL,
  result_json TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  finished_at BIGINT,
  FOREIGN KEY (org_id, owner_id) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, calendar_id) REFERENCES calendars (org_id, id) ON DELETE CASCADE
);
CREATE INDEX calendar_imports_by_calendar ON calendar_imports (calendar_id);
