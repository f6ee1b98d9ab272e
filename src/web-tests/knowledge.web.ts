import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const searchEntities = async (query: string) =>
  (await web.ann.call('search_entities', { query })).items as { id: string; name: string }[]
const factsOf = async (name: string, includeInvalid = false) =>
  (await web.ann.call('list_facts', { entity_id: name, include_invalid: includeInvalid })).items

test('by keyboard: from nothing to two entities, a fact, a relation, and the path between them', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/knowledge')
  await page.getByRole('heading', { name: 'Nothing is known yet' }).waitFor()
  await visitor.checkPage('knowledge-empty')
  const field = (name: string, exact = false) =>
    page.getByRole('dialog').getByLabel(name, { exact })
  for (const [name, kind] of [
    ['Kestrel', 'system'],
    ['Harbor', 'company'],
  ] as const) {
    await press('c')
    await field('Name', true).waitFor()
    await page.keyboard.type(name)
    await press('Tab')
    await page.keyboard.type(kind)
    await press('Enter')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    if (name === 'Kestrel') {
      await visitor.go('/knowledge')
      await page.getByRole('link', { name }).waitFor()
    }
  }
  await press('i')
  await page.getByRole('heading', { name: 'New fact' }).waitFor()
  await page.keyboard.type('status')
  await press('Tab')
  await page.keyboard.type('paying customer')
  await visitor.checkPage('knowledge-new-fact')
  await press('Enter')
  await page.getByText('paying customer').first().waitFor()
  assert.equal((await factsOf('Harbor'))[0].value, 'paying customer')

  await press('r')
  await page.getByRole('heading', { name: 'New relation' }).waitFor()
  await page.keyboard.type('uses')
  await press('Tab')
  await page.keyboard.type('Kestrel')
  await page.getByRole('button', { name: 'Add relation' }).last().focus()
  await press('Enter')
  await page.getByRole('button', { name: 'End relation: Harbor – Kestrel' }).waitFor()

  await press('m')
  await page.getByRole('heading', { name: 'New note' }).waitFor()
  await page.keyboard.type('They <b>renew</b> in May')
  await page.getByRole('button', { name: 'Add note' }).last().focus()
  await press('Enter')
  await page.getByText('They <b>renew</b> in May').first().waitFor()
  await visitor.checkPage('knowledge-entity')
  await press('j')
  await untilTrue(
    async () => (await page.evaluate(() => document.activeElement?.textContent)) === 'Kestrel',
    'the keys do not lead to the neighbor',
  )
  await press('Enter')
  await page.getByRole('heading', { name: 'Kestrel', level: 1 }).waitFor()
  await press('Backspace')
  await page.getByRole('heading', { name: 'Harbor', level: 1 }).waitFor()

  await press('p')
  await page.getByLabel('To', { exact: true }).fill('Kestrel')
  await page.getByRole('button', { name: 'Find connections' }).focus()
  await press('Enter')
  await page.getByText('uses →').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Kestrel' }).first().isVisible(), true)
  await visitor.checkPage('knowledge-path')
  visitor.assertNoProblems()
})

test('a fact is ended with date and reason, contradictions are settled, and a duplicate is merged', {
  skip,
}, async () => {
  const osprey = await web.ann.call('create_entity', { name: 'Osprey', type: 'product' })
  await web.ann.call('create_entity', { name: 'Osprey Two', type: 'product' })
  for (const [value, confidence] of [
    ['Ada', 1],
    ['Bea', 0.3],
  ] as const)
    await web.ann.call('add_fact', {
      entity_id: osprey.id,
      predicate: 'owner',
      value,
      confidence,
    })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/knowledge/${osprey.id}`)
  await page.getByRole('button', { name: 'No longer true: Owner: Bea' }).waitFor()
  await press('Shift+M')
  await page.getByLabel(/^Duplicate/).fill('Osprey Two')
  await page.getByRole('button', { name: 'Preview' }).focus()
  await press('Enter')
  await page.getByText(/move to Osprey\./).waitFor()
  await page.getByRole('button', { name: 'Merge', exact: true }).focus()
  await press('Enter')
  await untilTrue(
    async () => (await web.ann.call('get_entity', { entity_id: osprey.id })).aliases.length > 0,
    'they are not merged',
  )
  await page.getByText('Osprey Two').first().waitFor()

  await visitor.go('/knowledge')
  await page.getByRole('link', { name: 'Osprey' }).first().waitFor()
  await visitor.checkPage('knowledge')
  await press('}')
  await page.getByRole('navigation', { name: 'Knowledge' }).waitFor()
  await page.getByText('These contradict each other').waitFor()
  await visitor.checkPage('knowledge-conflicts')
  await page.getByRole('button', { name: 'No longer true: Owner: Bea' }).focus()
  await press('Enter')
  await page.getByRole('textbox', { name: 'Reason' }).waitFor()
  await page.keyboard.type('Ada took it over')
  await press('Enter')
  await page.getByRole('heading', { name: 'No contradictions' }).waitFor()
  const endedFact = (await factsOf(osprey.id, true)).find(
    ({ value }: { value: string }) => value === 'Bea',
  )
  assert.deepEqual([endedFact.status, endedFact.reason], ['invalidated', 'Ada took it over'])

  await visitor.go(`/knowledge/${osprey.id}`)
  await page.getByRole('button', { name: 'Show facts that are no longer true' }).focus()
  await press('Space')
  await page.getByText(/reason: Ada took it over/).waitFor()
  await press('e')
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Osprey Suite')
  await press('Enter')
  await page.getByRole('heading', { name: 'Osprey Suite', level: 1 }).waitFor()
  await press('#')
  await untilTrue(
    async () => (await searchEntities('Osprey Suite')).length === 0,
    'it is still there',
  )
  await press('z')
  await untilTrue(async () => (await searchEntities('Osprey Suite')).length > 0, 'it is not back')
  visitor.assertNoProblems()
})
