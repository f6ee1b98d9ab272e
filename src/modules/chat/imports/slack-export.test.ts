import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipSync } from 'fflate'
import { Refusal } from '../../../kernel/refusal.ts'
import { markdownOf, slackMessages, slackOverview } from './slack-export.ts'
import { slackZip } from '../testing.ts'

test('an export says which channels, people and messages it has, and what stays behind', () => {
  const { channels, people, warnings } = slackOverview({ bytes: slackZip() })
  assert.deepEqual(
    channels.map(({ name, isPrivate, messages, left }) => ({ name, isPrivate, messages, left })),
    [
      { name: 'general', isPrivate: false, messages: 4, left: 1 },
      { name: 'secret', isPrivate: true, messages: 1, left: 0 },
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
  const of = (text: string) => markdownOf(text, new Map([['U1', { name: 'Tom' }]]))
  assert.equal(
    of('*bold* ~gone~ _it_ <!here> <@U1> <@U9> <mailto:a@b.test|a@b.test>'),
    '**bold** ~~gone~~ _it_ @here @Tom @U9 [a@b.test](<mailto:a@b.test>)',
  )
  assert.equal(of('`*a* <b>` and ```x &lt; y```'), '`*a* <b>` and ```\nx < y\n```')
  assert.equal(of('• one\n• two'), '- one\n- two')
  assert.equal(of('2 * 3 * 4'), '2 * 3 * 4')
})

test('what is no export is refused', () => {
  const refusal = (bytes: Uint8Array) => {
    try {
      slackOverview({ bytes })
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
    throw new Error('It was read.')
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
    broken.channels.map((channel) => [channel.name, channel.messages, channel.left]),
    [['x', 0, 2]],
  )
})
