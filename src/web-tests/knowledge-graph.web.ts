// The graph around an entity, as a picture and as an equivalent tree, and entities with equal names.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { reopenFor } from './steps.ts'

const skip = noChromium
let web: Web
before(async () => {
  if (!skip) web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

const createEntity = (name: string, type: string) => web.ann.call('create_entity', { name, type })
const relate = (from_entity_id: string, type: string, to_entity_id: string) =>
  web.ann.call('create_relation', { from_entity_id, type, to_entity_id })
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

test('the relations of an entity are navigated as a graph with the same content as the tree', {
  skip,
}, async () => {
  const harbor = await createEntity('Harbor', 'company')
  const names = ['Kestrel', 'Port of Rotterdam', 'Crane control', 'Ada Lovelace', 'Berth planning']
  const neighbors = []
  for (const name of names) neighbors.push(await createEntity(name, 'system'))
  for (const { id } of neighbors) await relate(harbor.id, 'uses', id)
  const [kestrel, port] = neighbors
  for (const name of ['Postgres', 'Message queue', 'Grafana'])
    await relate(kestrel.id, 'depends_on', (await createEntity(name, 'technology')).id)
  await relate(port.id, 'part_of', kestrel.id)
  await web.ann.call('add_fact', {
    entity_id: port.id,
    predicate: 'owner',
    value: 'Municipality',
    value_entity_id: (await createEntity('Municipality', 'company')).id,
  })
  const { visitor, page, press } = await reopenFor(web, web.ann, `/knowledge/${harbor.id}`)
  const relations = page.locator('section', {
    has: page.getByRole('heading', { name: 'Relations' }),
  })
  await relations.getByRole('link', { name: 'Grafana' }).waitFor()
  const linkTexts = async () =>
    [...new Set(await relations.getByRole('link').allTextContents())].sort().join()
  const treeLinks = await linkTexts()
  assert.equal(treeLinks.split(',').length, 10)
  await visitor.checkPage('knowledge-tree')

  await press('v')
  const graph = page.getByRole('region', { name: 'Graph around Harbor' })
  await graph.waitFor()
  assert.equal(await linkTexts(), treeLinks, 'the graph and the tree differ')
  assert.equal(await graph.locator('svg line').count(), 10)
  await press('j')
  assert.equal(await focusedText(page), 'Harbor')
  await relations.getByRole('status').getByText('Harbor uses Kestrel').waitFor()
  await visitor.checkPage('knowledge-graph')

  await graph.getByRole('link', { name: 'Postgres' }).focus()
  await page.getByText('Kestrel depends on Postgres').waitFor()
  const visited: string[] = []
  for (const key of ['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight']) {
    await press(key)
    visited.push(await focusedText(page))
    if (visited.at(-1) === 'Kestrel') break
  }
  assert.equal(visited.at(-1), 'Kestrel', `arrows only lead along relations: ${visited.join()}`)
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Kestrel' }).waitFor()
  await page.getByRole('region', { name: 'Graph around Kestrel' }).waitFor()
  await press('Backspace')
  await page.getByRole('heading', { level: 1, name: 'Harbor' }).waitFor()
  await press('v')
  await relations.getByRole('button', { name: 'End relation: Harbor – Kestrel' }).waitFor()
  visitor.assertNoProblems()
})

test('of a hundred entities the nearest are drawn, with the number of omitted ones', {
  skip,
}, async () => {
  const hub = await createEntity('Hub', 'topic')
  for (let n = 1; n <= 70; n++)
    await relate(hub.id, 'mentions', (await createEntity(`Subject number ${n}`, 'topic')).id)
  const { visitor, page, press } = await reopenFor(web, web.ann, `/knowledge/${hub.id}`)
  await page.getByText('11 more entities left out.').waitFor()
  await press('v')
  const graph = page.getByRole('region', { name: 'Graph around Hub' })
  await untilTrue(async () => (await graph.getByRole('link').count()) === 60, 'not 60 are drawn')
  await page.getByText('11 more entities left out.').waitFor()
  await visitor.checkPage('knowledge-graph-many')
  visitor.assertNoProblems()
})

test('among entities of equal name the intended one is chosen by kind and context', {
  skip,
}, async () => {
  const { ann } = web
  const person = await createEntity('Mercury', 'person')
  const product = await createEntity('Mercury', 'product')
  const lab = await createEntity('Lab', 'company')
  await relate(person.id, 'works_at', lab.id)
  const probe = await createEntity('Probe', 'project')
  const { visitor, page, press } = await reopenFor(web, ann, `/knowledge/${probe.id}`)
  await page.getByRole('heading', { level: 1, name: 'Probe' }).waitFor()
  await press('r')
  await page.getByRole('heading', { name: 'New relation' }).waitFor()
  await page.keyboard.type('uses')
  await press('Tab')
  await page.keyboard.type('Mercur')
  await page.locator('datalist option[value=Mercury]').first().waitFor({ state: 'attached' })
  await page.evaluate(() => {
    const counter = window as unknown as { gone: number }
    counter.gone = 0
    new MutationObserver((changes) => {
      for (const { removedNodes } of changes)
        for (const node of removedNodes)
          if (node instanceof Element && node.querySelector('select')) counter.gone++
    }).observe(document.body, { childList: true, subtree: true })
  })
  const lookup = page.waitForResponse((response) =>
    `${response.url()} ${response.request().postData()}`.includes('Mercury'),
  )
  await page.keyboard.type('y')
  await lookup
  const entityChoice = page.getByRole('combobox', {
    name: '2 entities are called Mercury: which one?',
  })
  await entityChoice
    .locator('option', { hasText: 'Person · works at Lab' })
    .waitFor({ state: 'attached' })
  const removals = await page.evaluate(() => (window as unknown as { gone: number }).gone)
  assert.equal(removals, 0, 'the choice went away while more was looked up')
  await page.getByRole('button', { name: 'Add relation' }).last().press('Enter')
  await visitor.checkPage('knowledge-equal-names')
  const usedIds = async () =>
    (await ann.call('get_entity_neighbors', { entity_id: probe.id })).edges.map(
      (edge: { to: { id: string } }) => edge.to.id,
    )
  assert.deepEqual(await usedIds(), [], 'it was sent before one was chosen')
  await entityChoice.selectOption(product.id)
  await page.getByRole('button', { name: 'Add relation' }).last().press('Enter')
  await untilTrue(async () => String(await usedIds()) === product.id, 'it is not the product')

  await visitor.go(`/knowledge/${person.id}`)
  await page.getByRole('heading', { level: 1, name: 'Mercury' }).waitFor()
  await press('p')
  await page.getByLabel('To', { exact: true }).fill('Lab')
  assert.equal(await page.getByLabel('From', { exact: true }).inputValue(), 'Mercury')
  await page.getByRole('button', { name: 'Find connections' }).press('Enter')
  await page.getByText('works at →').waitFor()
  visitor.assertNoProblems()
})
