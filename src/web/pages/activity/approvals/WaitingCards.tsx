import { Stack } from '@mantine/core'
import { activityTexts as t } from '../texts.ts'
import { ApprovalCard } from './ApprovalCard.tsx'
import type { Approval } from './approvals.ts'

/** Waiting calls with their decision buttons, on the page of their item. */
export function WaitingCards({ approvals }: { approvals: readonly Approval[] }) {
  return (
    <Stack component="section" aria-label={t.activity.approvals.list} mb="md">
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
    </Stack>
  )
}
