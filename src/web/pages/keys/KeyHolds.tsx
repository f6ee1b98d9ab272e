import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { usePost, useEndpoint } from '../../api/queries.ts'
import { keyTexts as t } from './texts.ts'
import { confirm, notifySuccess, notifyProblem } from '../../ui/confirm.tsx'
import { Problem } from '../../ui/states.tsx'
import { Ago, formatMoment } from '../../ui/times.tsx'
import type { Hold } from './holds.ts'
import { useRefreshKeys } from './keys.ts'

/** Abuse findings that still stop a key. */
export function KeyHolds({ keyId }: { keyId: string }) {
  const holds = useEndpoint('/web/holds', { limit: 200 })
  if (holds.error) return <Problem error={holds.error} retry={() => void holds.refetch()} />
  return holds.data?.items
    .filter((item) => item.key?.id === keyId)
    .map((item) => <HoldAlert key={item.id} hold={item} />)
}

function HoldAlert({ hold }: { hold: Hold }) {
  const release = usePost('/web/holds/:id/release', ['/web/holds'])
  const refresh = useRefreshKeys()
  const text = t.keys.holds
  const confirmRelease = async () => {
    if (
      !(await confirm({
        title: text.title2,
        text: text.text,
        action: text.release,
        isDangerous: false,
      }))
    )
      return
    release.mutate(
      { id: hold.id },
      {
        onSuccess: () => (notifySuccess(text.released), void refresh()),
        onError: notifyProblem,
      },
    )
  }
  return (
    <Alert color="red" variant="light" icon={<IconHandStop />} title={text.title}>
      <Stack gap="xs" align="flex-start">
        {hold.trigger && <Text size="sm">{text.found(hold.trigger)}</Text>}
        {hold.effect && <Text size="sm">{text.effect(hold.effect)}</Text>}
        <Group gap="xs" fz="sm">
          {hold.holds !== 'none' && <b>{text.holding}</b>}
          <span>
            {text.since} <Ago time={hold.first_at} />
            {hold.until && ` ${text.until} ${formatMoment(hold.until)}`}
          </span>
        </Group>
        {hold.holds !== 'none' && (
          <Button
            size="xs"
            variant="default"
            loading={release.isPending}
            onClick={() => void confirmRelease()}
          >
            {text.release}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
