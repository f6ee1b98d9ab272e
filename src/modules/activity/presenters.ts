import { presenter } from '../../operations/listing/presenters.ts'
import { apiCall, apiKey, approval } from './access.ts'
import { presentApproval } from './calls/approval-presenter.ts'
import { presentCalls } from './calls/presenter.ts'
import { presentKeys } from './key-presenter.ts'

/** Presenters for this module's items, and the operations that read them. */
export const activityPresenters = [
  presenter(apiKey, { operation: 'list_api_keys', entries: presentKeys }),
  presenter(apiCall, { operation: 'list_api_calls', entries: presentCalls }),
  presenter(approval, {
    operation: 'list_approvals',
    entries: (ctx, rows) => rows.map((row) => presentApproval(row, ctx)),
    get: { operation: 'get_approval', argument: 'approval_id' },
  }),
]
