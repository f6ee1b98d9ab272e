import type { Tick } from '../../operations/jobs/tick.ts'
import { reindexOutdated } from '../../search/index.ts'

/** Puts texts into the word index again after an upgrade that changed how words are cut. */
export const reindexWords: Tick = {
  name: 'reindex_words',
  run: ({ all }) => reindexOutdated(all),
}
