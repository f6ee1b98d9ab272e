import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOf, namesIn, TitleIndex } from './titles.ts'

test('a title with capitals is a name; a word that everybody uses is none', () => {
  assert.equal(nameOf('Pricing Review'), 'Pricing Review')
  assert.equal(nameOf('House of Cards (series)'), 'House of Cards')
  assert.equal(nameOf('Kestrel'), 'Kestrel')
  for (const title of [
    '',
    'goals',
    'Next steps',
    'FAQ',
    'The',
    'One Two Three Four Five Six Seven',
  ])
    assert.equal(nameOf(title), undefined, title)
})

test('names are found as they are written, not inside other words, and a single one not where a sentence begins', () => {
  const known = new Set(['Pricing Review', 'Kestrel'])
  const found = (text: string) => [...namesIn(text, (name) => known.has(name))]
  assert.deepEqual(found('We agreed so in the Pricing Review, as Kestrel showed.'), [
    'Pricing Review',
    'Kestrel',
  ])
  assert.deepEqual(found("The Pricing Review's outcome"), ['Pricing Review'])
  assert.deepEqual(found('Kestrel is a bird. Kestrel flies.'), [])
  assert.deepEqual(found('pricing review and kestrel'), [])
  assert.deepEqual(found('Pricing Reviewer'), [])
})

test('a name has the items whose title it is now', () => {
  const titles = new TitleIndex()
  const of = (name: string) => [...titles.itemsOf(name)]
  titles.set('a', 'Pricing Review')
  titles.set('b', 'Pricing Review')
  assert.deepEqual(of('Pricing Review'), ['a', 'b'])
  titles.set('a', 'Pricing Summary')
  assert.deepEqual(of('Pricing Review'), ['b'])
  assert.equal(titles.nameOf('a'), 'Pricing Summary')
  titles.set('b', undefined)
  assert.deepEqual(of('Pricing Review'), [])
  assert.equal(titles.nameOf('b'), undefined)
})
