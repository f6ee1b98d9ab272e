-- The index of words knows the type of each text with its container, so that a search of one type reads no texts of others.

INSERT INTO search_fts (search_fts) VALUES ('delete-all');

INSERT INTO search_fts (rowid, title, body, acl)
SELECT rowid_, title, body,
  'c' || replace(replace(replace(container, '_', ''), '-', ''), ':', '') || ' ' || replace(item_type, '_', '') || 'c' || replace(replace(replace(container, '_', ''), '-', ''), ':', '') || ' ' || replace(item_type, '_', '')
FROM search_docs ORDER BY rowid_;
