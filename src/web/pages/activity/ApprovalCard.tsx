import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { usePost } from '../../api/queries.ts'
import { t } from './texts.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { confirm, told } from '../../ui/confirm.tsx'
import { Problem } from '../../ui/states.tsx'
import { Ago, moment } from '../../ui/times.tsx'
import type { Approval } from './approvals.ts'
import { inWords } from './calls.ts'
import { Given } from './Given.tsx'
import { isMail, MailPreview } from './MailPreview.tsx'
import { State } from './State.tsx'

const colors = { pending: 'yellow', released: 'green', denied: 'red', expired: 'gray' } as const

/** One call that waits or waited: what it would do, exactly, and the two answers to it. */
export function ApprovalCard({ of }: { of: Approval }) {
  const text = t.activity.approvals
  const what = inWords(of.tool)
  const isPending = of.state === 'pending'
  return (
    <Card withBorder component="article" aria-label={what}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <div>
            <Title order={2} size="h3">
              {what}
            </Title>
            <Text size="xs" c="dimmed" component="div" dir="auto">
              {text.asks(of.key?.name)} · {text.via[of.asked_via] ?? of.asked_via}
              {of.ip && ` · ${of.ip}`} · {text.asked} <Ago at={of.created_at} />
            </Text>
          </div>
          <State color={colors[of.state]}>{text.states[of.state]}</State>
        </Group>
        {isPending && isMail(of.tool) ? <MailPreview of={of} /> : <Given of={of.arguments} items={of.items} label={text.given} />}
        {isPending ? <Answers of={of} what={what} /> : <Decided of={of} />}
      </Stack>
    </Card>
  )
}

function Answers({ of, what }: { of: Approval; what: string }) {
  const text = t.activity.approvals
  const stale = ['/web/approvals']
  const approve = usePost<string>(id => `/web/approvals/${id}/release`, stale)
  const deny = usePost<string>(id => `/web/approvals/${id}/deny`, stale)
  const isBusy = approve.isPending || deny.isPending
  const turnDown = async () => {
    if (await confirm({ title: text.denyTitle, text: text.denyText, action: text.deny })) deny.mutate(of.id, { onSuccess: () => told(text.denied) })
  }
  return (
    <>
      {(approve.error ?? deny.error) && <Problem error={approve.error ?? deny.error} />}
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {text.ends} {moment(of.expires_at)}
        </Text>
        <Group gap="xs">
          <Button variant="default" size="sm" disabled={isBusy} onClick={() => void turnDown()} aria-label={text.denying(what)}>
            {text.deny}
          </Button>
          <Button size="sm" loading={approve.isPending} disabled={isBusy} onClick={() => approve.mutate(of.id, { onSuccess: () => told(text.approved) })} aria-label={text.approving(what)}>
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
      </Text>
      {of.call_id && (
        <AppLink to={`/activity/calls/${of.call_id}`} size="xs">
          {text.seeCall}
        </AppLink>
      )}
    </Group>
  )
}
