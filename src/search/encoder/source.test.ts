import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import {
  askSearch,
  providerVectors,
  searchFolder,
  searchSpaces,
  searchStanding,
  tendSearch,
} from '../../testing/provided-search.ts'
import { openProvided } from '../../testing/search-provider.ts'
import { SearchEngine } from '../engine.ts'
import { EncoderProcess, type EncoderProcessOptions } from './process.ts'
import { EncoderSource, encoderModel } from './source.ts'

const texts = [
  {
    id: 'pump',
    title: 'Cooling',
    body: 'The cooling pump in hall 3 loses oil; Jonas calls the plumber.',
  },
  { id: 'invoice', title: 'Canteen', body: 'La facture du mois d’août sera envoyée à la cantine.' },
  { id: 'meeting', title: '会议', body: '明天的会议改到三点,地点不变。' },
  { id: 'party', title: 'Summer', body: 'Everybody brings a salad, and Ada brings her guitar.' },
]

function encodedSearch(t: TestContext, dir = searchFolder(t)) {
  const search = openProvided(dir, { embeddings: 'encoder', embeddings_query_timeout: 60_000 })
  t.after(() => search.close())
  return search
}

test('questions find texts of other languages that share no word with them', async (t) => {
  const search = encodedSearch(t)
  await search.put(...texts)
  await tendSearch(search)
  for (const [question, id] of [
    ['Wer kümmert sich um die undichte Pumpe?', 'pump'],
    ['when is the invoice for the canteen sent', 'invoice'],
    ['what time was tomorrow’s appointment moved to', 'meeting'],
    ['wer spielt Musik beim Fest', 'party'],
  ] as const) {
    const { model, ids } = await askSearch(search, question)
    assert.equal(model, encoderModel)
    assert.equal(ids[0], id, question)
  }
})

test('a word that a question in another language shares by chance does not win', async (t) => {
  const search = encodedSearch(t)
  await search.put(
    ...texts,
    { id: 'city', title: 'Halle', body: 'The concert in Halle begins at 3; wear warm clothes.' },
    { id: 'award', title: 'Die Hard', body: 'The film of the evening is Die Hard.' },
  )
  await tendSearch(search)
  const question = 'Wer repariert in Halle 3 die undichte Pumpe?'
  assert.equal((await askSearch(search, question, 'hybrid')).ids[0], 'pump')
})

test('a text that changes is found by its new meaning, and a deleted one no longer', async (t) => {
  const search = encodedSearch(t)
  await search.put(...texts)
  await tendSearch(search)
  await search.put({ id: 'party', title: 'Winter', body: 'The heating is repaired on Friday.' })
  await tendSearch(search)
  assert.equal((await askSearch(search, 'Wann ist die Heizung wieder in Ordnung?')).ids[0], 'party')
  assert.equal(providerVectors(search), texts.length)
})

test('the table answers until all texts have vectors, and what is done is kept over a restart', async (t) => {
  const dir = searchFolder(t)
  const first = encodedSearch(t, dir)
  await first.put(...texts)
  await first.engine.maintain() // the table's vectors; those of the encoder are computed in the background
  assert.equal((await askSearch(first, 'cooling pump')).model, 'static-256')
  await first.close()
  const second = encodedSearch(t, dir)
  await tendSearch(second)
  assert.equal((await askSearch(second, 'cooling pump')).model, encoderModel)
  assert.equal(searchStanding(second).provider?.state, 'ready')
  await second.close()
  const third = encodedSearch(t, dir)
  assert.equal((await askSearch(third, 'cooling pump')).model, encoderModel)
})

test('an encoder that cannot start leaves search to the table, and says why', async (t) => {
  const { store, put, close } = openProvided(searchFolder(t), {})
  t.after(close)
  const clock = { at: 1_800_000_000_000 }
  const options: EncoderProcessOptions = { threads: 1, command: ['/nowhere/encoder'] }
  const source = new EncoderSource(
    new EncoderProcess(options),
    { queryTimeoutMs: 60_000 },
    () => clock.at,
  )
  const engine = new SearchEngine(store, () => clock.at, { provider: source })
  t.after(() => engine.close())
  const search = { store, engine, put, close }
  await put(...texts)
  await tendSearch(search)
  const { provider } = searchStanding(search)
  assert.equal(provider?.state, 'away')
  assert.match(provider?.problem ?? '', /The built-in encoder does not work: It cannot be started/)
  assert.equal((await askSearch(search, 'cooling pump')).ids[0], 'pump')
})

test('without the setting, vectors of the encoder are deleted', async (t) => {
  const dir = searchFolder(t)
  const encoded = encodedSearch(t, dir)
  await encoded.put(...texts)
  await tendSearch(encoded)
  assert.equal(searchSpaces(encoded).length, 2)
  await encoded.close()
  const plain = openProvided(dir, { embeddings: 'table' })
  t.after(() => plain.close())
  await plain.engine.maintain()
  assert.deepEqual(searchSpaces(plain), [
    { provider: 'embedded', state: 'active', dimensions: 256 },
  ])
})
