-- Projects are found by the one search: by their names, keys and descriptions.

INSERT INTO search_docs (rowid_, ref, item_type, item_id, part, org_id, container, title, body, at)
SELECT (SELECT coalesce(max(rowid_), 0) FROM search_docs) + row_number() OVER (ORDER BY id),
  id, 'project', id, 'item', org_id, id, name, key || char(10) || coalesce(description_markdown, ''), updated_at
FROM projects WHERE deleted_at IS NULL;

INSERT INTO search_fts (rowid, title, body, acl)
SELECT rowid_, title, body, 'c' || replace(container, '_', '') || ' projectc' || replace(container, '_', '') || ' project'
FROM search_docs WHERE item_type = 'project' ORDER BY rowid_;
