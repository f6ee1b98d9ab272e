-- Passkeys (WebAuthn): a second way in, and the second way to show who one is.
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES orgs (id),
  person_id TEXT NOT NULL,
  name TEXT NOT NULL,                    -- by which its owner knows it again
  credential_id TEXT NOT NULL,           -- how browsers name it, base64url
  public_key TEXT NOT NULL,              -- COSE, base64url
  sign_count BIGINT NOT NULL,            -- how often it signed, as it says itself; 0 for ever where it does not count
  transports_json TEXT NOT NULL,         -- how browsers reach it: ["internal", "hybrid"]
  device_type TEXT NOT NULL CHECK (device_type IN ('single_device', 'multi_device')),
  backed_up INTEGER NOT NULL CHECK (backed_up IN (0, 1)),
  created_at BIGINT NOT NULL,
  last_used_at BIGINT,
  UNIQUE (org_id, id),
  UNIQUE (credential_id),
  FOREIGN KEY (org_id, person_id) REFERENCES users (org_id, id)
);
CREATE INDEX passkeys_by_person ON passkeys (person_id, id);

-- What passkeys are asked to sign. A row that is gone was answered, or is over.
CREATE TABLE passkey_challenges (
  challenge_hash TEXT PRIMARY KEY,       -- SHA-256, hexadecimal
  purpose TEXT NOT NULL CHECK (purpose IN ('add', 'sign_in', 'verify')),
  holder_hash TEXT NOT NULL,             -- SHA-256 of the session or the browser that it was given to
  expires_at BIGINT NOT NULL
);
CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_at);
