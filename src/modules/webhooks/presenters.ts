import { presenter } from '../../operations/listing/presenters.ts'
import { webhook } from './access.ts'
import { presentWebhooks } from './shapes.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const webhooksPresenters = [
  presenter(webhook, { operation: 'list_webhooks', entries: presentWebhooks }),
]
