import type { Module } from '../../operations/module.ts'
import * as deliveries from './deliveries.ts'
import { feedWebhooks, wakeWebhooks } from './feed.ts'
import { pruneWebhooks } from './pruning.ts'
import { deliverWebhook, wakeWebhook } from './requests.ts'
import * as webhooks from './webhooks.ts'
import { erasures } from '../../privacy/erasure.ts'
import { webhookErasure } from './access-erasure.ts'
import { webhooksPresenters } from './presenters.ts'

erasures.register(webhookErasure)

export const webhooksModule: Module = {
  name: 'webhooks',
  about:
    'Sends signed events in order to addresses outside; only events visible to the webhook owner at that time. Nouns: webhook, webhook delivery.',
  operations: [...Object.values(webhooks), ...Object.values(deliveries)],
  ticks: [feedWebhooks, wakeWebhooks],
  jobs: [deliverWebhook, wakeWebhook, pruneWebhooks],
  schedules: [{ name: 'prune_webhooks', cron: '41 3 * * *', kind: pruneWebhooks.name }],
  presenters: webhooksPresenters,
}
