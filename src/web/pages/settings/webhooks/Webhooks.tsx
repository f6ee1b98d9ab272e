import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import type { Output } from '../../../api/client.ts'
import { useList } from '../../../api/queries.ts'
import { settingsTexts as t } from '../texts.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { More } from '../shared/More.tsx'
import { Row, Rows } from '../shared/Rows.tsx'
import { StateBadge, type Tone } from '../shared/State.tsx'
import { CreateWebhook } from './CreateWebhook.tsx'

export type WebhookRow = Output<'list_webhooks'>['items'][number]
const texts = t.organization.webhooks
const tones: Record<WebhookRow['health'], Tone> = { ok: 'good', failing: 'bad', paused: 'off' }

export function Health({ webhook: { health } }: { webhook: WebhookRow }) {
  return <StateBadge tone={tones[health]}>{texts.health[health]}</StateBadge>
}

/** The person's webhooks. */
export function Webhooks() {
  const webhooks = useList('list_webhooks', {})
  const [isNew, newDialog] = useDisclosure()
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={newDialog.open}>
      {texts.create}
    </Button>
  )
  return (
    <Page title={texts.title} description={texts.about} actions={webhooks.items.length > 0 && add}>
      <QueryContent query={webhooks}>
        {() =>
          webhooks.items.length === 0 ? (
            <EmptyState icon={IconWebhook} title={texts.none} text={texts.noneText} action={add} />
          ) : (
            <>
              <Rows label={texts.title}>
                {webhooks.items.map((webhook) => (
                  <Row
                    key={webhook.id}
                    title={webhook.name}
                    to={`/settings/integrations/webhooks/${webhook.id}`}
                    badge={<Health webhook={webhook} />}
                  >
                    <div>{webhook.url}</div>
                    <div>
                      {texts.eventList(webhook.events)}
                      {' · '}
                      {webhook.last_delivery_at ? (
                        <>
                          {texts.lastDelivery} <Ago time={webhook.last_delivery_at} />
                        </>
                      ) : (
                        texts.noDelivery
                      )}
                    </div>
                  </Row>
                ))}
              </Rows>
              <More query={webhooks} />
            </>
          )
        }
      </QueryContent>
      {isNew && <CreateWebhook onClose={newDialog.close} />}
    </Page>
  )
}
