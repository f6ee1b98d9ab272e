import { presenter } from '../../operations/listing/presenters.ts'
import { channel, message } from './access.ts'
import { presentChannels } from './channels/presenter.ts'
import { presentMessages } from './messages/presenter.ts'

/** Presenters for this module's items, and the operations that read them. */
export const chatPresenters = [
  presenter(channel, {
    operation: 'list_channels',
    entries: presentChannels,
    get: { operation: 'get_channel', argument: 'channel_id' },
  }),
  presenter(message, { operation: 'list_messages', entries: presentMessages }),
]
