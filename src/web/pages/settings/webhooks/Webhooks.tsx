import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import type { Output } from '../../../api/client.ts'
import { useList } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { Empty, Shown } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { StateBadge, type Tone } from '../shared/State.tsx'
import { CreateWebhook } from './CreateWebhook.tsx'

export type Hook = Output<'list_webhooks'>['items'][number]
const words = t.organization.webhooks
const tones: Record<Hook['health'], Tone> = { ok: 'good', failing: 'bad', paused: 'off' }

export function Health({ hook: { health } }: { hook: Hook }) {
  return <StateBadge tone={tones[health]}>{words.health[health]}</StateBadge>
}

/** The person's webhooks. */
export function Webhooks() {
  const webhooks = useList('list_webhooks', {})
  const [isNew, making] = useDisclosure()
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={making.open}>
      {words.create}
    </Button>
  )
  return (
    <Page title={words.title} about={words.about} actions={webhooks.items.length > 0 && add}>
      <Shown query={webhooks}>
        {() =>
          webhooks.items.length === 0 ? (
            <Empty icon={IconWebhook} title={words.none} text={words.noneText} action={add} />
          ) : (
            <>
              <Rows label={words.title}>
                {webhooks.items.map((hook) => (
                  <Row
                    key={hook.id}
                    title={hook.name}
                    to={`/settings/integrations/webhooks/${hook.id}`}
                    beside={<Health hook={hook} />}
                  >
                    <div>{hook.url}</div>
                    <div>
                      {words.eventList(hook.events)}
                      {' · '}
                      {hook.last_delivery_at ? (
                        <>
                          {words.lastDelivery} <Ago at={hook.last_delivery_at} />
                        </>
                      ) : (
                        words.noDelivery
                      )}
                    </div>
                  </Row>
                ))}
              </Rows>
              <More query={webhooks} />
            </>
          )
        }
      </Shown>
      {isNew && <CreateWebhook onClose={making.close} />}
    </Page>
  )
}
