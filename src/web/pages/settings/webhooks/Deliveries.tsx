import { Accordion, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { useList } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { Copyable } from '../../../ui/actions/Copyable.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { More } from '../shared/More.tsx'
import { StateBadge, type Tone } from '../shared/State.tsx'

type Delivery = Output<'list_webhook_deliveries'>['items'][number]
const texts = t.organization.webhooks
const tones: Record<Delivery['status'], Tone> = {
  pending: 'busy',
  delivered: 'good',
  failed: 'bad',
}

/** Deliveries and their responses. Refetched while any are pending. */
export function Deliveries({ id }: { id: string }) {
  const [status, setStatus] = useState<'all' | Delivery['status']>('all')
  const [isPolling, setPolling] = useState(true)
  const deliveries = useList(
    'list_webhook_deliveries',
    { webhook_id: id, limit: 20, ...(status === 'all' ? {} : { status }) },
    isPolling ? { refetchInterval: 10_000 } : {},
  )
  const hasPending = deliveries.items.some((item) => item.status === 'pending')
  if (deliveries.data && hasPending !== isPolling) setPolling(hasPending)
  return (
    <Stack gap="sm">
      <SegmentedControl
        value={status}
        onChange={(value) => setStatus(value as typeof status)}
        data={(['all', 'pending', 'delivered', 'failed'] as const).map((value) => ({
          value,
          label: texts.statuses[value],
        }))}
        aria-label={texts.deliveries}
        size="xs"
        style={{ alignSelf: 'flex-start' }}
      />
      <QueryContent query={deliveries}>
        {() =>
          deliveries.items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {texts.noDeliveries}
            </Text>
          ) : (
            <>
              <Accordion variant="contained" order={3}>
                {deliveries.items.map((item) => (
                  <DeliveryEntry key={item.id} delivery={item} />
                ))}
              </Accordion>
              <More query={deliveries} />
            </>
          )
        }
      </QueryContent>
    </Stack>
  )
}

function DeliveryEntry({
  delivery: { id, event, status, attempts, response_code, next_attempt_at, created_at, payload },
}: {
  delivery: Delivery
}) {
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group gap="sm" justify="space-between">
          <Group gap="sm">
            <StateBadge tone={tones[status]}>{texts.statuses[status]}</StateBadge>
            <Text size="sm">{event}</Text>
          </Group>
          <Text size="sm" c="dimmed">
            {texts.response(response_code, attempts)} · <Ago time={created_at} />
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        {next_attempt_at && (
          <Text size="sm" mb="xs">
            {texts.nextTry} <Ago time={next_attempt_at} />
          </Text>
        )}
        <Copyable text={JSON.stringify(payload, null, 2)} label={texts.payload} />
      </Accordion.Panel>
    </Accordion.Item>
  )
}
