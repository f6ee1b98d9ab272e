ALTER TABLE users ADD COLUMN hides_presence INTEGER NOT NULL DEFAULT 0 CHECK (hides_presence IN (0, 1)); -- 1: others do not see what the person looks at
