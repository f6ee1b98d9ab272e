import type { Module } from '../../core/module.ts'
import * as channels from './channels.ts'
import * as conversations from './conversations.ts'
import { foundMessages } from './finds.ts'
import { endImports, importChannelsJob } from './import-job.ts'
import { importChannels } from './imports.ts'
import * as members from './members.ts'
import * as messages from './messages.ts'
import * as pins from './pins.ts'
import * as reactions from './reactions.ts'
import * as searches from './searches.ts'
import * as threads from './threads.ts'
import * as unread from './unread.ts'
import { digestSources } from '../activity/shapes.ts'
import { chatSection } from './digest.ts'

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
  finds: [foundMessages],
  ticks: [endImports],
  jobs: [importChannelsJob],
}
