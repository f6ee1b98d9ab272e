-- The index has stems in eight more languages, and parts of German compounds (src/search/languages). All texts go into it again, in the
-- background (src/search/index.ts); they are found by their words as they are written until then.

INSERT INTO search_todo (doc, provider, version)
SELECT rowid_, 'words', rowid_ FROM search_docs WHERE true
ON CONFLICT (doc, provider) DO NOTHING;
