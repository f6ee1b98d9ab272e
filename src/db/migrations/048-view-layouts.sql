ALTER TABLE saved_views ADD COLUMN layout TEXT CHECK (layout IN ('list', 'board', 'table', 'timeline', 'calendar'));
ALTER TABLE saved_views ADD COLUMN display_json TEXT; -- {word: text}: how the web app shows it beside that, as its address says it
