import type { Module } from '../../operations/module.ts'
import * as activities from './activities.ts'
import * as approvals from './calls/approvals.ts'
import * as calls from './calls/calls.ts'
import { callFeed } from './calls/feed.ts'
import { listCallLog, listLogNames, readLoggedCall } from './calls/log.ts'
import * as changes from './changes/changes.ts'
import { getDigest } from './digest.ts'
import { eventFeed } from './changes/events.ts'
import { listFieldChanges } from './field-changes.ts'
import { getWaitingForMe } from './waiting.ts'
import * as keys from './keys.ts'
import * as trash from './trash.ts'
import { erasures } from '../../privacy/erasure.ts'
import { approvalErasure } from './access-erasure.ts'
import { activityPresenters } from './presenters.ts'

erasures.register(approvalErasure)

export const activityModule: Module = {
  name: 'activity',
  about:
    'Activity, the trash, and calls made with your keys, including undo. Nouns: activity, change, trash item, API key, API call.',
  operations: [
    getDigest,
    getWaitingForMe,
    ...Object.values(activities),
    ...Object.values(changes),
    listFieldChanges,
    ...Object.values(trash),
    ...Object.values(keys),
    ...Object.values(calls),
    ...Object.values(approvals),
  ],
  feed: eventFeed,
  callFeed,
  endpoints: [listCallLog, readLoggedCall, listLogNames],
  presenters: activityPresenters,
}
