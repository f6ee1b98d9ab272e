import { Alert, Card, Group, List, Stack, Text, Title } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { useLocation } from '@tanstack/react-router'
import { activityTexts as t } from '../texts.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { Ago } from '../../../ui/times.tsx'
import { DecisionButtons } from './DecisionButtons.tsx'
import type { Approval } from './approvals.ts'
import { describeTool } from '../calls/calls.ts'
import { Given } from '../calls/Given.tsx'
import { isMail, MailPreview } from './MailPreview.tsx'
import { CallState } from '../State.tsx'

const colors = { pending: 'yellow', released: 'green', denied: 'red', expired: 'gray' } as const

/** A current or former waiting call: its exact effect, and the two decisions. `isPlain`: without a frame. */
export function ApprovalCard({ of, isPlain = false }: { of: Approval; isPlain?: boolean }) {
  const text = t.activity.approvals
  const what = describeTool(of.tool)
  const isPending = of.state === 'pending'
  const isLinked = useLocation({ select: ({ hash }) => hash === of.id })
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
      aria-label={what}
      aria-current={isLinked || undefined}
      style={isLinked ? { borderColor: 'var(--mantine-primary-color-filled)' } : undefined}
    >
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <div>
            <Title order={2} size="h3">
              {what}
            </Title>
            <Text size="xs" c="dimmed" component="div" dir="auto">
              {text.asks(of.key?.name ?? undefined)} · {text.via[of.asked_via] ?? of.asked_via}
              {of.ip && ` · ${of.ip}`} · {text.asked} <Ago at={of.created_at} />
            </Text>
          </div>
          <CallState color={colors[of.state]}>{text.states[of.state]}</CallState>
        </Group>
        {isPending && isMail(of.tool) ? (
          <MailPreview of={of} />
        ) : (
          <Given of={of.arguments} items={of.items} label={text.given} />
        )}
        {isPending && of.changes && <Changes of={of.changes} />}
        {isPending ? <DecisionButtons of={of} what={what} /> : <Decided of={of} />}
      </Stack>
    </Card>
  )
}

/** Changes since the call was requested: approving it now approves these. */
function Changes({ of }: { of: NonNullable<Approval['changes']> }) {
  const text = t.activity.approvals
  return (
    <Alert color="yellow" title={text.changed.title}>
      <List size="sm">
        {of.map(({ id, title, change }) => (
          <List.Item key={id}>
            <span dir="auto">{title}</span>: {text.changed[change]}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

function Decided({ of }: { of: Approval }) {
  const text = t.activity.approvals
  if (of.decided_at === undefined) return null
  return (
    <Group gap="sm">
      <Text size="xs" c="dimmed">
        {text.decided} <Ago at={of.decided_at} />
        {of.reason && ` · ${text.reason}: ${of.reason}`}
      </Text>
      {of.call_id && (
        <AppLink to={`/activity/calls/${of.call_id}`} size="xs">
          {text.seeCall}
        </AppLink>
      )}
    </Group>
  )
}
