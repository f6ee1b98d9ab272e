-- How the client secret is sent to an identity provider: in the header, in the body, or as the metadata of the provider say.

ALTER TABLE sso_providers ADD COLUMN client_auth TEXT NOT NULL DEFAULT 'auto' CHECK (client_auth IN ('auto', 'basic', 'post'));
