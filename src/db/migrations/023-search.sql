CREATE TABLE search_spaces (
  id TEXT PRIMARY KEY,
  provider TEXT NOT NULL CHECK (provider IN ('embedded', 'openai')),
  model TEXT NOT NULL,
  dimensions INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  passages INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('building', 'active', 'retired')),
  made_at BIGINT NOT NULL,
  active_at BIGINT
);

CREATE TABLE search_providers (
  provider TEXT PRIMARY KEY CHECK (provider IN ('openai')),
  model TEXT NOT NULL,
  problem TEXT,
  problem_at BIGINT,
  retry_at BIGINT,
  asked_at BIGINT
);

CREATE TABLE search_todo (
  doc BIGINT NOT NULL,
  provider TEXT NOT NULL,
  version BIGINT NOT NULL,
  PRIMARY KEY (doc, provider)
);
CREATE INDEX search_todo_by_version ON search_todo (provider, version);

CREATE TABLE search_vectors (
  doc INTEGER NOT NULL,
  space TEXT NOT NULL,
  n INTEGER NOT NULL,
  start INTEGER NOT NULL,
  length INTEGER NOT NULL,
  vector BLOB NOT NULL,
  scale REAL NOT NULL,
  PRIMARY KEY (doc, space, n)
) WITHOUT ROWID;
CREATE INDEX search_vectors_by_space ON search_vectors (space);

CREATE TABLE search_terms (
  space TEXT NOT NULL,
  stem TEXT NOT NULL,
  passages INTEGER NOT NULL,
  vector BLOB,
  scale REAL NOT NULL,
  PRIMARY KEY (space, stem)
) WITHOUT ROWID;

CREATE TRIGGER search_docs_come AFTER INSERT ON search_docs
BEGIN
  INSERT INTO search_todo (doc, provider, version)
  SELECT new.rowid_, of.provider, (SELECT coalesce(max(t.version), 0) + 1 FROM search_todo AS t WHERE t.provider = of.provider)
  FROM (SELECT 'embedded' AS provider UNION ALL SELECT provider FROM search_providers) AS of WHERE true
  ON CONFLICT (doc, provider) DO UPDATE SET version = excluded.version;
END;

CREATE TRIGGER search_docs_change AFTER UPDATE OF title, body, container, item_type ON search_docs
BEGIN
  INSERT INTO search_todo (doc, provider, version)
  SELECT new.rowid_, of.provider, (SELECT coalesce(max(t.version), 0) + 1 FROM search_todo AS t WHERE t.provider = of.provider)
  FROM (SELECT 'embedded' AS provider UNION ALL SELECT provider FROM search_providers) AS of WHERE true
  ON CONFLICT (doc, provider) DO UPDATE SET version = excluded.version;
END;

CREATE TRIGGER search_docs_rewrite AFTER UPDATE OF title, body ON search_docs
BEGIN
  DELETE FROM search_vectors WHERE doc = new.rowid_;
END;

CREATE TRIGGER search_docs_go AFTER DELETE ON search_docs
BEGIN
  DELETE FROM search_vectors WHERE doc = old.rowid_;
  INSERT INTO search_todo (doc, provider, version)
  SELECT old.rowid_, of.provider, (SELECT coalesce(max(t.version), 0) + 1 FROM search_todo AS t WHERE t.provider = of.provider)
  FROM (SELECT 'embedded' AS provider UNION ALL SELECT provider FROM search_providers) AS of WHERE true
  ON CONFLICT (doc, provider) DO UPDATE SET version = excluded.version;
END;

INSERT INTO search_todo (doc, provider, version) SELECT rowid_, 'embedded', rowid_ FROM search_docs;
