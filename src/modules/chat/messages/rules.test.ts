import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gemoji } from 'gemoji'
import { channelName } from '../channels/channel-names.ts'
import { emojiNames } from './emoji.ts'
import { itemNamesIn } from './links.ts'

const { emojiOf, nameOf } = await emojiNames()

test('every emoji with a short name is found by each name, and by itself without its variation selector', () => {
  for (const { emoji, names } of gemoji) {
    assert.equal(emojiOf(emoji), emoji)
    assert.equal(emojiOf(emoji.replaceAll('\u{FE0F}', '')), emoji)
    for (const name of names) assert.equal(emojiOf(`:${name.toUpperCase()}:`), emoji)
    assert.equal(nameOf(emoji), names[0])
  }
})

test('skin tones and joined emoji are separate emoji; words, letters and two emoji are invalid', () => {
  assert.equal(emojiOf('👍🏽'), '👍🏽')
  assert.equal(nameOf('👍🏽'), '+1')
  assert.equal(emojiOf('👩‍💻'), '👩‍💻')
  for (const text of ['smiley face', '👍👍', '', ' ', 'constructor', '__proto__', '::', '7'])
    assert.throws(() => emojiOf(text), /not an emoji/, text)
})

test('channel names are stored in lower case without the #', () => {
  assert.equal(channelName('#Team-News_2.0'), 'team-news_2.0')
  assert.equal(channelName('Straße'), 'straße')
  for (const bad of ['two words', '-x', '', '#', 'a'.repeat(81), 'a/b', '🎉'])
    assert.throws(() => channelName(bad), /channel name has/, bad)
})

test('keys and ids are recognized in a text, but not within foreign URLs or longer words', () => {
  const base = 'https://work.test/space'
  const id = `tsk_${'0'.repeat(26)}`
  const references = itemNamesIn(
    `ENG-42, (OPS-7) ${id} ${base}/tasks/WEB-3 ${base}/projects/abc https://x.test/NO-1 eng-9 PRE-ENG-8 A-1x ${base}er/OUT-1`,
    base,
  )
  assert.deepEqual(references, { ids: [id], keys: ['ENG-42', 'OPS-7', 'WEB-3'], projects: ['ABC'] })
})
