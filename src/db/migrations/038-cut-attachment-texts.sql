-- Whether the text of an attachment was cut is kept with it. Of texts from before, those as long as the bound of then were; a cut
-- never splits a character, so that they may have one less.

ALTER TABLE email_attachments ADD COLUMN text_cut INTEGER NOT NULL DEFAULT 0 CHECK (text_cut IN (0, 1));

UPDATE email_attachments SET text_cut = 1 WHERE length(text) >= 999999;
