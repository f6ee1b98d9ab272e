-- Tasks, contacts, deals and incidents with text from outside are marked: those created from a public form response, from a message of
-- outsiders, or by an automation that was triggered from outside.

ALTER TABLE tasks ADD COLUMN trust TEXT CHECK (trust = 'external'); -- 'external': people outside wrote its text; else NULL
ALTER TABLE contacts ADD COLUMN trust TEXT CHECK (trust = 'external'); -- likewise
ALTER TABLE deals ADD COLUMN trust TEXT CHECK (trust = 'external'); -- likewise
ALTER TABLE messages ADD COLUMN trust TEXT CHECK (trust = 'external'); -- likewise; imported messages are from outside, too
ALTER TABLE entities ADD COLUMN trust TEXT CHECK (trust = 'external'); -- likewise
ALTER TABLE incidents ADD COLUMN trust TEXT CHECK (trust = 'external'); -- likewise

UPDATE tasks SET trust = 'external' WHERE source_id IS NOT NULL AND source_id IN (
  SELECT id FROM form_responses WHERE trust = 'external'
  UNION ALL SELECT id FROM emails WHERE is_own = 0
  UNION ALL SELECT id FROM messages WHERE imported_from IS NOT NULL
);

UPDATE contacts SET trust = 'external' WHERE id IN (SELECT created_item_id FROM form_responses WHERE trust = 'external');
UPDATE deals SET trust = 'external' WHERE id IN (SELECT created_item_id FROM form_responses WHERE trust = 'external');
UPDATE incidents SET trust = 'external' WHERE id IN (SELECT created_item_id FROM form_responses WHERE trust = 'external');

UPDATE tasks SET trust = 'external' WHERE id IN (
  SELECT changes.item_id FROM changes JOIN automation_runs ON automation_runs.id = changes.run_id
  WHERE automation_runs.held = 1 AND changes.op = 'created' AND changes.item_type = 'task'
);
UPDATE contacts SET trust = 'external' WHERE id IN (
  SELECT changes.item_id FROM changes JOIN automation_runs ON automation_runs.id = changes.run_id
  WHERE automation_runs.held = 1 AND changes.op = 'created' AND changes.item_type = 'contact'
);
UPDATE deals SET trust = 'external' WHERE id IN (
  SELECT changes.item_id FROM changes JOIN automation_runs ON automation_runs.id = changes.run_id
  WHERE automation_runs.held = 1 AND changes.op = 'created' AND changes.item_type = 'deal'
);
UPDATE incidents SET trust = 'external' WHERE id IN (
  SELECT changes.item_id FROM changes JOIN automation_runs ON automation_runs.id = changes.run_id
  WHERE automation_runs.held = 1 AND changes.op = 'created' AND changes.item_type = 'incident'
);
UPDATE entities SET trust = 'external' WHERE follows_item = 1 AND item_id IN (SELECT id FROM contacts WHERE trust = 'external');
