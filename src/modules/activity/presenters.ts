import { presenter } from '../../operations/listing/presenters.ts'
import { apiCall, apiKey, approval } from './access.ts'
import { showApproval } from './calls/approval-presenter.ts'
import { showCalls } from './calls/presenter.ts'
import { showKeys } from './key-presenter.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const activityPresenters = [
  presenter(apiKey, { operation: 'list_api_keys', entries: showKeys }),
  presenter(apiCall, { operation: 'list_api_calls', entries: showCalls }),
  presenter(approval, {
    operation: 'list_approvals',
    entries: (ctx, rows) => rows.map((row) => showApproval(row, ctx)),
    get: { operation: 'get_approval', argument: 'approval_id' },
  }),
]
