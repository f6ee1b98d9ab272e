import { Accordion, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { useList } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { Copyable } from '../../../ui/actions/Copyable.tsx'
import { Shown } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { More } from '../shared/More.tsx'
import { StateBadge, type Tone } from '../shared/State.tsx'

type Delivery = Output<'list_webhook_deliveries'>['items'][number]
const words = t.organization.webhooks
const tones: Record<Delivery['status'], Tone> = {
  pending: 'busy',
  delivered: 'good',
  failed: 'bad',
}

/** Deliveries and their responses. Refetched while any are pending. */
export function Deliveries({ id }: { id: string }) {
  const [status, setStatus] = useState<'all' | Delivery['status']>('all')
  const [waits, setWaits] = useState(true)
  const deliveries = useList(
    'list_webhook_deliveries',
    { webhook_id: id, limit: 20, ...(status === 'all' ? {} : { status }) },
    waits ? { refetchInterval: 10_000 } : {},
  )
  const hasWaiting = deliveries.items.some((item) => item.status === 'pending')
  if (deliveries.data && hasWaiting !== waits) setWaits(hasWaiting)
  return (
    <Stack gap="sm">
      <SegmentedControl
        value={status}
        onChange={(value) => setStatus(value as typeof status)}
        data={(['all', 'pending', 'delivered', 'failed'] as const).map((value) => ({
          value,
          label: words.statuses[value],
        }))}
        aria-label={words.deliveries}
        size="xs"
        style={{ alignSelf: 'flex-start' }}
      />
      <Shown query={deliveries}>
        {() =>
          deliveries.items.length === 0 ? (
            <Text size="sm" c="dimmed">
              {words.noDeliveries}
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
      </Shown>
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
            <StateBadge tone={tones[status]}>{words.statuses[status]}</StateBadge>
            <Text size="sm">{event}</Text>
          </Group>
          <Text size="sm" c="dimmed">
            {words.response(response_code, attempts)} · <Ago at={created_at} />
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        {next_attempt_at && (
          <Text size="sm" mb="xs">
            {words.nextTry} <Ago at={next_attempt_at} />
          </Text>
        )}
        <Copyable text={JSON.stringify(payload, null, 2)} label={words.payload} />
      </Accordion.Panel>
    </Accordion.Item>
  )
}
