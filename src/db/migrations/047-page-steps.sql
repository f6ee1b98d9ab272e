ALTER TABLE pages ADD COLUMN live_from INTEGER; -- the revision at which the text was that of the version; page_steps behind it change it. NULL: none did
ALTER TABLE pages ADD COLUMN live_since BIGINT; -- when the first and the last of them were made
ALTER TABLE pages ADD COLUMN live_at BIGINT;
CREATE INDEX pages_live ON pages (live_since) WHERE live_since IS NOT NULL;

-- What was done to the texts of pages, in order: those who write in a page at the same time follow it. Kept for some days.
CREATE TABLE page_steps (
  page_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  revision INTEGER NOT NULL,             -- the page's with it
  edit TEXT,                             -- what the editor that it comes from calls it; NULL: an operation did it
  key_id TEXT,
  created_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  encoding TEXT NOT NULL CHECK (encoding IN ('plain', 'deflate')),
  content TEXT NOT NULL,                 -- JSON: lengths that stay, and lengths with the lines that take their place; base64 of it when deflated
  PRIMARY KEY (page_id, revision),
  UNIQUE (page_id, edit),
  FOREIGN KEY (org_id, page_id) REFERENCES pages (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, key_id) REFERENCES api_keys (org_id, id)
);
CREATE INDEX page_steps_by_time ON page_steps (created_at);

-- Who wrote a version that several people wrote live, and how many characters each added and removed.
CREATE TABLE page_version_authors (
  version_id TEXT NOT NULL,
  org_id TEXT NOT NULL,
  person_id TEXT NOT NULL,
  chars BIGINT NOT NULL,
  PRIMARY KEY (version_id, person_id),
  FOREIGN KEY (org_id, version_id) REFERENCES page_versions (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
