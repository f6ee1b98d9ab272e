-- Tasks, contacts, deals and incidents with text from outside are marked: those created from a public form response, from a message of
-- outsiders, or by an automation that was triggered from outside.

ALTER TABLE tasks ADD COLUMN trust TEXT CHECK (trust = 'external'); -- 'external': people outside wrote its text; else NULL
ALTER TABLE contacts ADD COLUMN trust TEXT CHECK (trust = 'external'); -- likewise
ALTER TABLE deals ADD COLUMN trust TEXT CHECK (trust = 'external'); -- likewise
ALTER TABLE messages ADD COLUMN trust TEXT CHECK (trust = 'external'); -- likewise; imported messages are from outside, too
ALTER TABLE entities ADD COLUMN trust TEXT CHECK (trust = 'external'); -- likewise
ALTER TABLE incidents ADD COLUMN trust TEXT CHECK (trust = 'external'); -- likewise

-- Created from a public form response, or by an automation that was triggered from outside.
CREATE TABLE outside_items (id TEXT);
INSERT INTO outside_items (id) SELECT created_item_id FROM form_responses WHERE trust = 'external';
INSERT INTO outside_items (id)
SELECT changes.item_id FROM changes JOIN automation_runs ON automation_runs.id = changes.run_id
WHERE automation_runs.held = 1 AND changes.op = 'created';

UPDATE contacts SET trust = 'external' WHERE id IN (SELECT id FROM outside_items);
UPDATE deals SET trust = 'external' WHERE id IN (SELECT id FROM outside_items);
UPDATE messages SET trust = 'external' WHERE id IN (SELECT id FROM outside_items);
UPDATE incidents SET trust = 'external' WHERE id IN (SELECT id FROM outside_items);
UPDATE tasks SET trust = 'external' WHERE id IN (SELECT id FROM outside_items);
DROP TABLE outside_items;

-- A source that was erased counts as from outside.
UPDATE tasks SET trust = 'external' WHERE
  (source_type = 'form_response' AND source_id NOT IN (SELECT id FROM form_responses WHERE trust = 'internal'))
  OR (source_type = 'email' AND source_id NOT IN (SELECT id FROM emails WHERE is_own = 1))
  OR (source_type = 'message' AND source_id NOT IN (SELECT id FROM messages WHERE imported_from IS NULL AND trust IS NULL))
  OR (source_type = 'incident' AND source_id IN (SELECT id FROM incidents WHERE trust = 'external'));

UPDATE entities SET trust = 'external' WHERE follows_item = 1 AND item_id IN (SELECT id FROM contacts WHERE trust = 'external');
