import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipSync } from 'fflate'
import { Refusal } from '../../../kernel/refusal.ts'
import { markdownOf, slackMessages, slackOverview } from './slack-export.ts'
import { slackZip } from '../testing.ts'

test('an export lists its channels, people, messages and omitted parts', () => {
  const { channels, people, warnings } = slackOverview({ bytes: slackZip() })
  assert.deepEqual(
    channels.map(({ name, isPrivate, messages, leftOutCount }) => ({
      name,
      isPrivate,
      messages,
      leftOutCount,
    })),
    [
      { name: 'general', isPrivate: false, messages: 4, leftOutCount: 1 },
      { name: 'secret', isPrivate: true, messages: 1, leftOutCount: 0 },
    ],
  )
  assert.deepEqual(
    [channels[0]!.topic, channels[0]!.members.map((person) => person.name)],
    ['All of us & more', ['Bob', 'Dana Elsewhere']],
  )
  assert.deepEqual(people[0], { name: 'Bob', email: 'bob@acme.test' })
  assert.deepEqual(warnings, ['Direct messages are not imported.'])
})

test('messages come in order, with authors, replies and files', async () => {
  const messages = (
    await Array.fromAsync(slackMessages({ bytes: slackZip(), channel: 'general' }))
  ).flat()
  assert.deepEqual(
    messages.map((message) => [message.author, message.at, message.root, message.alsoToChannel]),
    [
      ['Bob', 1_700_000_000_000, undefined, false],
      ['Dana Elsewhere', 1_700_000_050_000, 1_700_000_000_000, false],
      ['deploys', 1_700_000_100_000, undefined, false],
      ['Bob', 1_700_090_000_000, undefined, false],
    ],
  )
  assert.equal(
    messages[0]!.text,
    'Hello **all** @Dana Elsewhere, see [docs](<https://example.test/a>) & #secret',
  )
  assert.equal(messages[3]!.text, '[plan.pdf](<https://files.example.test/plan.pdf>)')
})

test('markup becomes Markdown, and code stays code', () => {
  const convert = (text: string) => markdownOf(text, new Map([['U1', { name: 'Tom' }]]))
  assert.equal(
    convert('*bold* ~gone~ _it_ <!here> <@U1> <@U9> <mailto:a@b.test|a@b.test>'),
    '**bold** ~~gone~~ _it_ @here @Tom @U9 [a@b.test](<mailto:a@b.test>)',
  )
  assert.equal(convert('`*a* <b>` and ```x &lt; y```'), '`*a* <b>` and ```\nx < y\n```')
  assert.equal(convert('• one\n• two'), '- one\n- two')
  assert.equal(convert('2 * 3 * 4'), '2 * 3 * 4')
})

test('a file that is not an export is refused', () => {
  const refusal = (bytes: Uint8Array) => {
    try {
      slackOverview({ bytes })
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
    throw new Error('The file was accepted.')
  }
  assert.match(refusal(Buffer.from('no zip')).message, /cannot be unpacked/)
  assert.match(refusal(zipSync({ 'a.json': Buffer.from('[]') })).message, /not a Slack export/)
  const broken = slackOverview({
    bytes: zipSync({
      'users.json': Buffer.from('{'),
      'channels.json': Buffer.from('[{"id":"C","name":"x"},{"no":1}]'),
      'x/2024-01-01.json': Buffer.from('[{"ts":"now"}, 5]'),
    }),
  })
  assert.deepEqual(
    broken.channels.map((channel) => [channel.name, channel.messages, channel.leftOutCount]),
    [['x', 0, 2]],
  )
})

const textsOf = async (messages: readonly object[]) => {
  const bytes = slackZip({
    'general/2023-11-14.json': messages.map((message, i) => ({
      type: 'message',
      user: 'U1',
      text: '',
      ts: `170000000${i}.000000`,
      ...message,
    })),
    'general/2023-11-15.json': [],
  })
  const read = (await Array.fromAsync(slackMessages({ bytes, channel: 'general' }))).flat()
  const [general] = slackOverview({ bytes }).channels
  assert.equal(general!.messages, read.length)
  return read.map((message) => message.text)
}

test('attachment text from apps is kept, with and without a message text', async () => {
  const bot = { subtype: 'bot_message', username: 'alerts' }
  assert.deepEqual(
    await textsOf([
      { ...bot, attachments: [{ title: 'db-1', text: 'disk full on db-1' }] },
      {
        ...bot,
        text: 'Build #42',
        attachments: [
          {
            pretext: 'On main',
            fields: [
              { title: 'Status', value: 'failed', short: true },
              { title: 'Tests', value: 3 },
            ],
            fallback: 'Build #42 failed',
            footer: 'CI',
          },
        ],
      },
      { ...bot, attachments: [{ fallback: 'Only the <https://x.test|fallback>' }] },
      {
        text: 'See <https://example.test/a>',
        attachments: [
          {
            title: 'A page',
            title_link: 'https://example.test/a',
            text: 'See https://example.test/a',
          },
        ],
      },
    ]),
    [
      '**db-1**\ndisk full on db-1',
      'Build #42\nOn main\n**Status:** failed\n**Tests:** 3\nCI',
      'Only the [fallback](<https://x.test>)',
      'See https://example.test/a\n**[A page](<https://example.test/a>)**',
    ],
  )
})

test('blocks are kept if the text does not already contain them', async () => {
  const rich = (elements: object[]) => ({ type: 'rich_text', elements })
  assert.deepEqual(
    await textsOf([
      {
        text: 'Hello *all*',
        blocks: [
          rich([
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'Hello ' },
                { type: 'text', text: 'all', style: { bold: true } },
              ],
            },
          ]),
        ],
      },
      {
        text: 'Deploy',
        blocks: [
          { type: 'header', text: { type: 'plain_text', text: 'Deploy of shop' } },
          { type: 'divider' },
          {
            type: 'section',
            text: { type: 'mrkdwn', text: 'By <@U1>' },
            fields: [{ type: 'mrkdwn', text: '*Stage:* live' }],
          },
          { type: 'context', elements: [{ type: 'mrkdwn', text: 'took 3 min' }] },
        ],
      },
      {
        blocks: [
          rich([
            {
              type: 'rich_text_list',
              elements: [
                { type: 'rich_text_section', elements: [{ type: 'text', text: 'a < b' }] },
                {
                  type: 'rich_text_section',
                  elements: [{ type: 'link', url: 'https://x.test', text: 'x' }],
                },
              ],
            },
          ]),
        ],
      },
      { attachments: [{ blocks: [{ type: 'section', text: { text: 'Inside' } }] }] },
      { attachments: [null, 5, {}], blocks: 'none' },
    ]),
    [
      'Hello **all**',
      'Deploy\n**Deploy of shop**\nBy @Bob\n**Stage:** live\ntook 3 min',
      '- a < b\n- [x](<https://x.test>)',
      'Inside',
    ],
  )
})
