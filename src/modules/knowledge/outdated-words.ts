import type { Tick } from '../../operations/jobs/tick.ts'
import { reindexOutdated } from '../../search/index.ts'

/** Reindexes texts after an upgrade that changed tokenization. */
export const reindexWords: Tick = {
  name: 'reindex_words',
  run: ({ all }) => reindexOutdated(all),
}
