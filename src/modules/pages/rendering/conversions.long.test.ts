import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlOf } from './renderer.ts'

test('texts of one owner that use up their time delay those of another by at most one of them', async () => {
  const slow = '[a]('.repeat(60_000)
  const order: string[] = []
  const ask = (text: string, owner: string) =>
    htmlOf(text, '', 0, { owner }).then((html) => void order.push(`${owner} ${html.slice(0, 5)}`))
  await Promise.all([
    ...Array.from({ length: 3 }, (_, i) => ask(`${slow}${i}`, 'ann')),
    ask('*b*', 'bob'),
  ])
  assert.deepEqual(
    [order.filter((name) => name === 'ann <pre>').length, order.indexOf('bob <p><e') <= 2],
    [3, true],
    order.join(),
  )
})
