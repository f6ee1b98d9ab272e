import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlOf } from './renderer.ts'

test('texts of one owner that take the full time limit delay those of another owner by at most one text', async () => {
  const slow = '[a]('.repeat(60_000)
  const order: string[] = []
  const render = (text: string, owner: string) =>
    htmlOf(text, '', 0, { owner }).then((html) => void order.push(`${owner} ${html.slice(0, 5)}`))
  await Promise.all([
    ...Array.from({ length: 3 }, (_, i) => render(`${slow}${i}`, 'ann')),
    render('*b*', 'bob'),
  ])
  assert.deepEqual(
    [order.filter((name) => name === 'ann <pre>').length, order.indexOf('bob <p><e') <= 2],
    [3, true],
    order.join(),
  )
})
