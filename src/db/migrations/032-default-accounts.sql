-- The default mail account is never one that is switched off or not used for mail: the owner's first usable one takes its place.
UPDATE accounts SET is_default = 0 WHERE is_default = 1 AND (status = 'disabled' OR has_mail = 0 OR removed_at IS NOT NULL);
UPDATE accounts SET is_default = 1 WHERE id IN (
  SELECT MIN(usable.id) FROM accounts AS usable
  WHERE usable.has_mail = 1 AND usable.status <> 'disabled' AND usable.removed_at IS NULL
  GROUP BY usable.owner_id HAVING MAX(usable.is_default) = 0
);
