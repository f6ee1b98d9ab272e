-- Invitations by link, and links for a new password.

-- Invitations by link. What a link holds is kept only as a hash: there is one that was shown, and one in each mail.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  email TEXT,                            -- lower case; NULL: whoever has the link names their own
  role TEXT NOT NULL CHECK (role IN ('admin', 'member', 'guest')),
  note TEXT,                             -- words to whom is invited
  mail TEXT NOT NULL CHECK (mail IN ('none', 'waiting', 'sent', 'failed')),
  mails INTEGER NOT NULL,                -- how many were asked for
  mailed_at BIGINT,                      -- when the last one went
  mail_problem TEXT,                     -- why it did not, or not yet
  created_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  expires_at BIGINT NOT NULL,
  used_at BIGINT,
  used_by TEXT,                          -- the person that it made
  revoked_at BIGINT,
  revoked_by TEXT,
  UNIQUE (org_id, id),
  CHECK ((used_at IS NULL) = (used_by IS NULL)),
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL)),
  FOREIGN KEY (org_id, used_by) REFERENCES users (org_id, id),
  FOREIGN KEY (org_id, revoked_by) REFERENCES users (org_id, id)
);
CREATE INDEX invitations_by_maker ON invitations (created_by, expires_at);

CREATE TABLE invitation_links (
  token_hash TEXT PRIMARY KEY,           -- SHA-256 of the token, hexadecimal
  org_id TEXT NOT NULL REFERENCES orgs (id),
  invitation_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, invitation_id) REFERENCES invitations (org_id, id) ON DELETE CASCADE
);
CREATE INDEX invitation_links_by_invitation ON invitation_links (invitation_id);

-- Links by which somebody gives themselves a new password, once; an administrator makes them.
CREATE TABLE password_resets (
  token_hash TEXT PRIMARY KEY,           -- SHA-256 of the token, hexadecimal
  org_id TEXT NOT NULL REFERENCES orgs (id),
  person_id TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  expires_at BIGINT NOT NULL,
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX password_resets_by_person ON password_resets (person_id);
CREATE INDEX password_resets_by_maker ON password_resets (created_by);
