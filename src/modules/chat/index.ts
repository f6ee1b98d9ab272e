import type { Module } from '../../operations/module.ts'
import * as channels from './channels/channels.ts'
import * as conversations from './channels/conversations.ts'
import { searchableMessages } from './searchable.ts'
import { endChatImportsTick, importChannelsJob } from './imports/jobs.ts'
import { importChannels } from './imports/imports.ts'
import * as members from './channels/members.ts'
import * as messages from './messages/messages.ts'
import * as pins from './messages/pins.ts'
import * as reactions from './messages/reactions.ts'
import * as searches from './search.ts'
import * as threads from './messages/threads.ts'
import * as unread from './messages/unread-messages.ts'
import { digestSources } from '../activity/shapes.ts'
import { chatSection } from './digest.ts'
import { chatPresenters } from './presenters.ts'

digestSources.register({ kind: 'chat', tool: 'list_unread_messages', section: chatSection })

export const chatModule: Module = {
  name: 'chat',
  about:
    'Channels and direct conversations with threads, reactions, pins and mentions; readable only by their members. Nouns: channel, message.',
  operations: [
    channels,
    members,
    messages,
    threads,
    searches,
    unread,
    conversations,
    reactions,
    pins,
    { importChannels },
  ].flatMap((file) => Object.values(file)),
  events: [
    'message.posted',
    'message.mentioned_me',
    'message.reaction_added',
    'channel.archived',
    'channel.reopened',
    'channel.read',
  ],
  searchables: [searchableMessages],
  ticks: [endChatImportsTick],
  jobs: [importChannelsJob],
  presenters: chatPresenters,
}
