import { useQueryClient } from '@tanstack/react-query'
import { useStream } from '../../../api/live.ts'
import { endpointKey, useEndpoint } from '../../../api/queries.ts'
import type { ListedApproval } from '../../../api/operations.ts'
import type { ApiCall } from '../calls/calls.ts'

/** A current or former waiting call for the signed-in person. */
export type Approval = ListedApproval

const waiting = { pending: true, limit: 100 } as const

/** Waiting calls. Read again only when the call log reports a new wait or a decision. */
export function useWaiting() {
  const client = useQueryClient()
  const again = () => void client.invalidateQueries({ queryKey: endpointKey('/web/approvals') })
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
        again()
    },
    again,
  )
  return useEndpoint('/web/approvals', waiting, { staleTime: 300_000 })
}
