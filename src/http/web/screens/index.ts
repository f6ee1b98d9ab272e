// What the screens of the web app read at once, below /web.

import type { WebPage } from '../../transport/request-info.ts'
import type { Services } from '../endpoint.ts'
import { readRequest } from './read.ts'
import { rowsRequest } from './rows.ts'
import { screenPage } from './screen-page.ts'
import { snapshotRequest } from './snapshot.ts'

/** The pages by path. */
export function screenPages(services: Services): [path: string, page: WebPage][] {
  return [
    [readRequest.path, screenPage(services, readRequest)],
    [rowsRequest.path, screenPage(services, rowsRequest)],
    [snapshotRequest.path, screenPage(services, snapshotRequest)],
  ]
}
