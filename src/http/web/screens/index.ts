// What the screens of the web app read at once.

import type { ServerEndpoint } from '../endpoint.ts'
import { readScreenEndpoint } from './read.ts'
import { readRowsEndpoint } from './rows.ts'
import { readSnapshotEndpoint } from './snapshot.ts'

export const screenEndpoints: readonly ServerEndpoint[] = [
  readScreenEndpoint,
  readRowsEndpoint,
  readSnapshotEndpoint,
]
