import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linksIn } from '../../../../modules/pages/content/link-spans.ts'
import { pageLink, filterByTitle } from './titles.ts'

const titles = (query: string, ...all: string[]) =>
  filterByTitle(
    all.map((title) => ({ title })),
    query,
  ).map(({ title }) => title)

test('pages that start with the typed text come first, then those with words that do, then those that contain it', () => {
  const all = ['Replan', 'Project plan', 'Planning', 'plan', 'Budget']
  assert.deepEqual(titles('plan', ...all), ['plan', 'Planning', 'Project plan', 'Replan'])
  assert.deepEqual(titles('pl pro', ...all), ['Project plan'])
  assert.deepEqual(titles('  PROJECT   pl', ...all), ['Project plan'])
  assert.equal(titles('', ...all).length, all.length)
})

test('a link resolves to its page on the server, whatever the title contains', () => {
  const id = `pag_${'0'.repeat(26)}`
  assert.equal(pageLink({ id, title: 'Plan' }, true), '[[Plan]]')
  assert.deepEqual(linksIn(pageLink({ id, title: 'Plan' }, true)), [{ title: 'plan' }])
  assert.deepEqual(linksIn(pageLink({ id, title: 'Plan' }, false)), [{ page: id }])
  for (const title of ['a|b', 'a [draft]', 'C# notes', 'either/or', id, 'x'.repeat(600)])
    assert.deepEqual(linksIn(pageLink({ id, title }, true)), [{ page: id }], title)
})
