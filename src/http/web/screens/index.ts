// Endpoints that load a whole screen of the web app in one request.

import type { ServerEndpoint } from '../endpoint.ts'
import { readScreenEndpoint } from './read.ts'
import { readRowsEndpoint } from './rows.ts'
import { readSnapshotEndpoint } from './snapshot.ts'

export const screenEndpoints: readonly ServerEndpoint[] = [
  readScreenEndpoint,
  readRowsEndpoint,
  readSnapshotEndpoint,
]
