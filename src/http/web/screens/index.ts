// What the screens of the web app read at once, below /web.

import type { WebPage } from '../../transport/request-info.ts'
import type { House } from '../action.ts'
import { readRequest } from './read.ts'
import { rowsRequest } from './rows.ts'
import { screenPage } from './screen-page.ts'
import { snapshotRequest } from './snapshot.ts'

/** The pages by path. */
export function screenPages(house: House): [path: string, page: WebPage][] {
  return [
    [readRequest.path, screenPage(house, readRequest)],
    [rowsRequest.path, screenPage(house, rowsRequest)],
    [snapshotRequest.path, screenPage(house, snapshotRequest)],
  ]
}
