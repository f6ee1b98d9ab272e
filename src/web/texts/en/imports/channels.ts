import { count } from '../count.ts'

/** Texts of the channel import. */
export const channelImport = {
  about:
    'The zip that Slack makes under Workspace settings > Import/export data > Export. Direct messages, reactions, joins and leaves are left out; files stay at Slack, linked from their messages. No one is notified, and nothing is unread.',
  legend: 'Channels',
  heads: ['', 'Channel', 'Name here', 'Messages', 'Members here'],
  choose: (name: string) => `Import ${name}`,
  named: (name: string) => `#${name}`,
  private: 'private',
  archived: 'archived',
  people: 'People',
  peopleAbout:
    'Who has an account here is told by address. They become members; every message names its author as Slack does, and you as the person who imported it.',
  noOne: 'No account here',
  more: (n: number) =>
    `${count(n, 'more person is', 'more people are')} matched by their addresses.`,
  total: (channels: number, messages: number) =>
    `${count(channels, 'channel', 'channels')} with ${count(messages, 'message', 'messages')} will be imported`,
  action: (n: number) => `Import ${count(n, 'channel', 'channels')}`,
  done: (channels: number, messages: number) =>
    `${count(channels, 'channel', 'channels')} with ${count(messages, 'message', 'messages')} imported`,
  advice: 'Everything else is imported.',
  open: 'Chat',
}
