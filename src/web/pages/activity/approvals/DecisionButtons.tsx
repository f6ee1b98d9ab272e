import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { usePost } from '../../../api/queries.ts'
import { notifySuccess } from '../../../ui/confirm.tsx'
import { Problem } from '../../../ui/states.tsx'
import { formatMoment } from '../../../ui/times.tsx'
import { activityTexts as t } from '../texts.ts'
import type { Approval } from './approvals.ts'
import { canTakeOver, useTakeOver } from './take-over.ts'

const text = t.activity.approvals

/** Buttons that approve or deny a waiting call, or edit its mail first. */
export function DecisionButtons({ approval, callText }: { approval: Approval; callText: string }) {
  const [isDenying, setDenying] = useState(false)
  return isDenying ? (
    <DenyForm approval={approval} cancel={() => setDenying(false)} />
  ) : (
    <Choices approval={approval} callText={callText} deny={() => setDenying(true)} />
  )
}

function DenyForm({ approval, cancel }: { approval: Approval; cancel: () => void }) {
  const [reason, setReason] = useState('')
  const deny = usePost('/web/approvals/:id/deny', ['/web/approvals'])
  const denial = reason.trim() === '' ? {} : { reason: reason.trim() }
  const submitDenial = () =>
    deny.mutate({ id: approval.id, ...denial }, { onSuccess: () => notifySuccess(text.denied) })
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
          if (event.nativeEvent.isComposing || deny.isPending) return
          if (event.key === 'Enter') submitDenial()
          else if (event.key === 'Escape') cancel()
        }}
        autoFocus
      />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" size="sm" disabled={deny.isPending} onClick={cancel}>
          {t.app.cancel}
        </Button>
        <Button color="red" size="sm" loading={deny.isPending} onClick={submitDenial}>
          {text.deny}
        </Button>
      </Group>
    </Stack>
  )
}

interface ChoicesProps {
  approval: Approval
  callText: string
  deny: () => void
}

function Choices({ approval, callText, deny }: ChoicesProps) {
  const approve = usePost('/web/approvals/:id/release', ['/web/approvals'])
  const takeOver = useTakeOver()
  const isBusy = approve.isPending || takeOver.isPending
  const error = approve.error ?? takeOver.error
  const release = () =>
    approve.mutate(
      { id: approval.id, items_version: approval.items_version },
      { onSuccess: () => notifySuccess(text.approved) },
    )
  return (
    <>
      {error && <Problem error={error} />}
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {text.ends} {formatMoment(approval.expires_at)}
        </Text>
        <Group gap="xs">
          <Button
            variant="default"
            size="sm"
            disabled={isBusy}
            onClick={deny}
            aria-label={text.denying(callText)}
            data-deny
          >
            {text.deny}
          </Button>
          {canTakeOver(approval) && (
            <Button
              variant="default"
              size="sm"
              loading={takeOver.isPending}
              disabled={isBusy}
              onClick={() => takeOver.mutate(approval)}
              data-take-over
            >
              {text.takeOver}
            </Button>
          )}
          <Button
            size="sm"
            loading={approve.isPending}
            disabled={isBusy}
            onClick={release}
            aria-label={text.approving(callText)}
            data-approve
          >
            {text.approve}
          </Button>
        </Group>
      </Group>
    </>
  )
}
