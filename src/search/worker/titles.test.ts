import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mentionNameOf, titlesInText, TitleIndex } from './titles.ts'

test('a capitalized title is a name; a common word is not', () => {
  assert.equal(mentionNameOf('Pricing Review'), 'Pricing Review')
  assert.equal(mentionNameOf('House of Cards (series)'), 'House of Cards')
  assert.equal(mentionNameOf('Kestrel'), 'Kestrel')
  for (const title of [
    '',
    'goals',
    'Next steps',
    'FAQ',
    'The',
    'One Two Three Four Five Six Seven',
  ])
    assert.equal(mentionNameOf(title), undefined, title)
})

test('names match verbatim, not inside other words, and single words not at the start of a sentence', () => {
  const titleNames = new Set(['Pricing Review', 'Kestrel'])
  const findNames = (text: string) => [...titlesInText(text, (name) => titleNames.has(name))]
  assert.deepEqual(findNames('We agreed so in the Pricing Review, as Kestrel showed.'), [
    'Pricing Review',
    'Kestrel',
  ])
  assert.deepEqual(findNames("The Pricing Review's outcome"), ['Pricing Review'])
  assert.deepEqual(findNames('Kestrel is a bird. Kestrel flies.'), [])
  assert.deepEqual(findNames('pricing review and kestrel'), [])
  assert.deepEqual(findNames('Pricing Reviewer'), [])
})

test('a name maps to the items that currently have it as their title', () => {
  const titles = new TitleIndex()
  const idsOf = (name: string) => [...titles.itemsOf(name)]
  titles.set('a', 'Pricing Review')
  titles.set('b', 'Pricing Review')
  assert.deepEqual(idsOf('Pricing Review'), ['a', 'b'])
  titles.set('a', 'Pricing Summary')
  assert.deepEqual(idsOf('Pricing Review'), ['b'])
  assert.equal(titles.nameOf('a'), 'Pricing Summary')
  titles.set('b', undefined)
  assert.deepEqual(idsOf('Pricing Review'), [])
  assert.equal(titles.nameOf('b'), undefined)
})
