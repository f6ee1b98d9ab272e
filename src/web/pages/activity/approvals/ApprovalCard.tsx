import { Alert, Card, Group, List, Stack, Text, Title } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { useLocation } from '@tanstack/react-router'
import { activityTexts as t } from '../texts.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { Ago } from '../../../ui/times.tsx'
import { DecisionButtons } from './DecisionButtons.tsx'
import type { Approval } from './approvals.ts'
import { describeTool } from '../calls/calls.ts'
import { CallArguments } from '../calls/Given.tsx'
import { isMail, MailPreview } from './MailPreview.tsx'
import { CallState } from '../State.tsx'

const colors = { pending: 'yellow', released: 'green', denied: 'red', expired: 'gray' } as const

/** A pending or decided approval: its exact effect, and the decision buttons. `isPlain`: without a border. */
export function ApprovalCard({
  approval,
  isPlain = false,
}: {
  approval: Approval
  isPlain?: boolean
}) {
  const text = t.activity.approvals
  const callText = describeTool(approval.tool)
  const isPending = approval.state === 'pending'
  const isLinked = useLocation({ select: ({ hash }) => hash === approval.id })
  const card = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (isLinked) card.current?.scrollIntoView({ block: 'center' })
  }, [isLinked])
  return (
    <Card
      ref={card}
      withBorder={!isPlain}
      {...(isPlain ? { p: 0, bg: 'none' } : {})}
      component="article"
      aria-label={callText}
      aria-current={isLinked || undefined}
      style={isLinked ? { borderColor: 'var(--mantine-primary-color-filled)' } : undefined}
    >
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <div>
            <Title order={2} size="h3">
              {callText}
            </Title>
            <Text size="xs" c="dimmed" component="div" dir="auto">
              {text.asks(approval.key?.name ?? undefined)} ·{' '}
              {text.via[approval.asked_via] ?? approval.asked_via}
              {approval.ip && ` · ${approval.ip}`} · {text.asked} <Ago time={approval.created_at} />
            </Text>
          </div>
          <CallState color={colors[approval.state]}>{text.states[approval.state]}</CallState>
        </Group>
        {isPending && isMail(approval.tool) ? (
          <MailPreview approval={approval} />
        ) : (
          <CallArguments values={approval.arguments} items={approval.items} label={text.given} />
        )}
        {isPending && approval.changes && <Changes changes={approval.changes} />}
        {isPending ? (
          <DecisionButtons approval={approval} callText={callText} />
        ) : (
          <DecisionSummary approval={approval} />
        )}
      </Stack>
    </Card>
  )
}

/** Changes since the call was requested: approving it now approves these. */
function Changes({ changes }: { changes: NonNullable<Approval['changes']> }) {
  const text = t.activity.approvals
  return (
    <Alert color="yellow" title={text.changed.title}>
      <List size="sm">
        {changes.map(({ id, title, change }) => (
          <List.Item key={id}>
            <span dir="auto">{title}</span>: {text.changed[change]}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

function DecisionSummary({ approval }: { approval: Approval }) {
  const text = t.activity.approvals
  if (approval.decided_at === undefined) return null
  return (
    <Group gap="sm">
      <Text size="xs" c="dimmed">
        {text.decided} <Ago time={approval.decided_at} />
        {approval.reason && ` · ${text.reason}: ${approval.reason}`}
      </Text>
      {approval.call_id && (
        <AppLink to={`/activity/calls/${approval.call_id}`} size="xs">
          {text.seeCall}
        </AppLink>
      )}
    </Group>
  )
}
