import { zipSync } from 'fflate'

/** A small Slack export for tests: a public channel, a private one, direct messages, internal and external people. */
export function slackZip(more: Record<string, unknown> = {}): Uint8Array {
  const files: Record<string, unknown> = {
    'users.json': [
      { id: 'U1', name: 'bob', profile: { email: 'Bob@acme.test', real_name: 'Bob' } },
      {
        id: 'U2',
        name: 'dana',
        real_name: 'Dana Elsewhere',
        profile: { email: 'dana@elsewhere.test' },
      },
    ],
    'channels.json': [
      {
        id: 'C1',
        name: 'general',
        members: ['U1', 'U2'],
        topic: { value: 'All of us &amp; more' },
        purpose: { value: '' },
      },
    ],
    'groups.json': [{ id: 'G1', name: 'secret', members: ['U1'] }],
    'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
    'general/2023-11-14.json': [
      {
        type: 'message',
        subtype: 'channel_join',
        user: 'U1',
        text: 'joined',
        ts: '1699999999.000100',
      },
      {
        type: 'message',
        subtype: 'bot_message',
        username: 'deploys',
        text: 'v1 is out',
        ts: '1700000100.000000',
      },
      {
        type: 'message',
        user: 'U1',
        text: 'Hello *all* <@U2>, see <https://example.test/a|docs> &amp; <#G1>',
        ts: '1700000000.000000',
      },
      {
        type: 'message',
        user: 'U2',
        text: 'Hi',
        ts: '1700000050.000000',
        thread_ts: '1700000000.000000',
      },
    ],
    'general/2023-11-15.json': [
      {
        type: 'message',
        user: 'U1',
        text: '',
        ts: '1700090000.000000',
        files: [{ name: 'plan.pdf', url_private: 'https://files.example.test/plan.pdf' }],
      },
    ],
    'secret/2023-11-14.json': [
      { type: 'message', user: 'U1', text: 'psst', ts: '1700000000.000000' },
    ],
    ...more,
  }
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, value]) => [
        `Acme Slack export/${name}`,
        Buffer.from(JSON.stringify(value)),
      ]),
    ),
  )
}
