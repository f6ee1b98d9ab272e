import { useQueryClient } from '@tanstack/react-query'
import { useStream } from '../../../api/live.ts'
import { endpointKey, useEndpoint } from '../../../api/queries.ts'
import type { ListedApproval } from '../../../api/operations.ts'
import type { ApiCall } from '../calls/calls.ts'

/** A call that waits, or waited, for approval by the signed-in person. */
export type Approval = ListedApproval

const pendingArgs = { pending: true, limit: 100 } as const

/** Calls that wait for approval. Refetched only when the call log reports a new one or a decision. */
export function usePendingApprovals() {
  const client = useQueryClient()
  const refetchApprovals = () =>
    void client.invalidateQueries({ queryKey: endpointKey('/web/approvals') })
  useStream(
    '/web/activity/stream',
    'call',
    (data) => {
      const { error_code, tool } = data as ApiCall
      if (
        error_code === 'approval_required' ||
        tool === 'release_approval' ||
        tool === 'deny_approval'
      )
        refetchApprovals()
    },
    refetchApprovals,
  )
  return useEndpoint('/web/approvals', pendingArgs, { staleTime: 300_000 })
}
