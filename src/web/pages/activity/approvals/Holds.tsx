import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconHandStop } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useStream } from '../../../api/live.ts'
import { usePost, useEndpoint } from '../../../api/queries.ts'
import { activityTexts as t } from '../texts.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { confirm, notifySuccess, notifyProblem } from '../../../ui/confirm.tsx'
import { Ago, formatMoment } from '../../../ui/times.tsx'
import type { Hold } from '../../keys/holds.ts'
import type { ApiCall } from '../calls/calls.ts'

/** Keys that abuse rules currently hold; nothing without any. `stream` is the log's, which reports new holds. */
export function Holds({ stream }: { stream: string }) {
  const client = useQueryClient()
  const refetchHolds = () => void client.invalidateQueries({ queryKey: ['web', '/web/holds'] })
  useStream(
    stream,
    'call',
    (data) => {
      const { tool } = data as ApiCall
      if (tool.startsWith('abuse.') || tool === 'release_hold') refetchHolds()
    },
    refetchHolds,
  )
  const holds = useEndpoint('/web/holds', { open: true }, { staleTime: 60_000 })
  const openHolds = holds.data?.items.filter((item) => item.holds !== 'none') ?? []
  if (openHolds.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label={t.activity.holds.label}>
      {openHolds.map((hold) => (
        <HoldAlert key={hold.id} hold={hold} />
      ))}
    </Stack>
  )
}

function HoldAlert({ hold }: { hold: Hold }) {
  const release = usePost('/web/holds/:id/release', ['/web/holds', '/web/api-keys'])
  const text = t.activity.holds
  const key = hold.key?.name ?? ''
  const confirmRelease = async () => {
    if (
      !(await confirm({
        title: text.releaseTitle,
        text: text.releaseText(key),
        action: text.release,
        isDangerous: false,
      }))
    )
      return
    release.mutate(
      { id: hold.id },
      { onSuccess: () => notifySuccess(text.released), onError: notifyProblem },
    )
  }
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconHandStop />}
      title={hold.key ? text.title(key) : text.titleOther}
    >
      <Stack gap={4} align="flex-start">
        <Text size="sm">
          {text.holds[hold.holds]} {hold.trigger && text.found(hold.trigger)}
        </Text>
        <Text size="xs" c="dimmed">
          {text.since} <Ago time={hold.first_at} />
          {hold.occurrences > 1 && `, ${text.times(hold.occurrences)}`}
          {hold.until && `. ${text.until} ${formatMoment(hold.until)}.`}
        </Text>
        <Group gap="xs" mt={4}>
          <Button
            size="xs"
            variant="default"
            loading={release.isPending}
            onClick={() => void confirmRelease()}
          >
            {text.release}
          </Button>
          {hold.key && (
            <Button
              size="xs"
              variant="subtle"
              component={RouterLink}
              to={`/activity?key=${hold.key.id}`}
            >
              {text.see}
            </Button>
          )}
        </Group>
      </Stack>
    </Alert>
  )
}
