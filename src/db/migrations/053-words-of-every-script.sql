-- Words beyond ASCII are cut by other rules than those of SQLite's tokenizer. Texts that have such words go into the index again, in the
-- background (src/search/index.ts); they are found by their earlier words until then.

INSERT INTO search_todo (doc, provider, version)
SELECT rowid_, 'words', rowid_ FROM search_docs
WHERE octet_length(title) <> length(title) OR octet_length(body) <> length(body);
