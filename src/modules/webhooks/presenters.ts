import { presenter } from '../../operations/listing/presenters.ts'
import { webhook } from './access.ts'
import { presentWebhooks } from './shapes.ts'

export const webhooksPresenters = [
  presenter(webhook, { operation: 'list_webhooks', entries: presentWebhooks }),
]
