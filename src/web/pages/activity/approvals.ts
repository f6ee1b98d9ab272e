import { useQueryClient } from '@tanstack/react-query'
import { useStream } from '../../api/live.ts'
import { useWeb } from '../../api/queries.ts'
import type { Referred } from '../../ui/ItemLink.tsx'
import type { ApiCall } from './calls.ts'

/** A call that waits or waited for whoever is signed in, as GET /web/approvals says it. */
export interface Approval {
  id: string
  state: 'pending' | 'released' | 'denied' | 'expired'
  tool: string
  arguments: Record<string, unknown>
  key?: { id: string; name: string; prefix: string }
  asked_via: string
  ip: string
  created_at: string
  expires_at: string
  decided_at?: string
  call_id?: string
  result?: unknown
  /** Why it was denied. */
  reason?: string
  /** What it names as it is now; sent along when the call is approved. */
  items_version?: string
  /** What of that was changed since it was asked for. */
  changes?: { type: string; id: string; title: string; change: 'changed' | 'added' | 'removed' }[]
  /** Those of its arguments that are ids of items. */
  items?: Referred[]
}

export interface ApprovalPage {
  items: Approval[]
  next_cursor?: string
  has_more: boolean
}

const waiting = { pending: true, limit: 100 } as const

/** Calls that wait. Read again whenever the call log tells that one began to wait or was decided over, and not otherwise. */
export function useWaiting() {
  const client = useQueryClient()
  const again = () => void client.invalidateQueries({ queryKey: ['web', '/web/approvals'] })
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
  return useWeb<ApprovalPage>('/web/approvals', waiting, { staleTime: 300_000 })
}
