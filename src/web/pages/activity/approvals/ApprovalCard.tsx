import { Alert, Button, Card, Group, List, Stack, Text, TextInput, Title } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from '@tanstack/react-router'
import { usePost } from '../../../api/queries.ts'
import { activityTexts as t } from '../texts.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Problem } from '../../../ui/states.tsx'
import { Ago, formatMoment } from '../../../ui/times.tsx'
import type { Approval } from './approvals.ts'
import { describeTool } from '../calls/calls.ts'
import { Given } from '../calls/Given.tsx'
import { isMail, MailPreview } from './MailPreview.tsx'
import { CallState } from '../State.tsx'

const colors = { pending: 'yellow', released: 'green', denied: 'red', expired: 'gray' } as const

/** One call that waits or waited: what it would do, exactly, and the two answers to it. `isPlain`: without a frame. */
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
        {isPending ? <Answers of={of} what={what} /> : <Decided of={of} />}
      </Stack>
    </Card>
  )
}

/** What is not as it was when the call was asked for: approving it now approves this. */
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

function Answers({ of, what }: { of: Approval; what: string }) {
  const text = t.activity.approvals
  const [reason, setReason] = useState<string>()
  const approve = usePost('/web/approvals/:id/release', ['/web/approvals'])
  const deny = usePost('/web/approvals/:id/deny', ['/web/approvals'])
  const isBusy = approve.isPending || deny.isPending
  if (reason !== undefined) {
    const said = reason.trim() === '' ? {} : { reason: reason.trim() }
    const turnDown = () =>
      deny.mutate({ id: of.id, ...said }, { onSuccess: () => notifySuccess(text.denied) })
    return (
      <Stack gap="xs">
        {deny.error && <Problem error={deny.error} />}
        <TextInput
          label={text.reason}
          description={text.denyText}
          value={reason}
          maxLength={1000}
          onChange={(event) => setReason(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing || isBusy) return
            if (event.key === 'Enter') turnDown()
            else if (event.key === 'Escape') setReason(undefined)
          }}
          autoFocus
        />
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            size="sm"
            disabled={isBusy}
            onClick={() => setReason(undefined)}
          >
            {t.app.cancel}
          </Button>
          <Button color="red" size="sm" loading={deny.isPending} onClick={turnDown}>
            {text.deny}
          </Button>
        </Group>
      </Stack>
    )
  }
  return (
    <>
      {approve.error && <Problem error={approve.error} />}
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {text.ends} {formatMoment(of.expires_at)}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            size="sm"
            disabled={isBusy}
            onClick={() => setReason('')}
            aria-label={text.denying(what)}
            data-deny
          >
            {text.deny}
          </Button>
          <Button
            size="sm"
            loading={approve.isPending}
            disabled={isBusy}
            onClick={() =>
              approve.mutate(
                { id: of.id, items_version: of.items_version },
                { onSuccess: () => notifySuccess(text.approved) },
              )
            }
            aria-label={text.approving(what)}
            data-approve
          >
            {text.approve}
          </Button>
        </Group>
      </Group>
    </>
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
