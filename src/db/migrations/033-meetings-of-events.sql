-- Meetings follow the event that they were made from.

ALTER TABLE meetings ADD COLUMN event_uid TEXT;
ALTER TABLE meetings ADD COLUMN cancelled_at BIGINT;
CREATE INDEX meetings_by_event ON meetings (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX meetings_by_event_uid ON meetings (org_id, event_uid) WHERE event_uid IS NOT NULL;

UPDATE meetings SET event_uid = (SELECT uid FROM events WHERE events.id = substr(meetings.event_id, 1, 30)) WHERE event_id IS NOT NULL;
