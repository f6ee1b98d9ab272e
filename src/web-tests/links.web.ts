import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
})
after(() => web?.close())

interface LinkedItem {
  item: { id: string }
  links?: { id: string; kind: string; direction: string; note?: string }[]
}

const linksOf = async (id: string) => {
  const { items } = await web.ann.call('find_related_items', { item_id: id, relations: ['linked'] })
  return (items as LinkedItem[]).flatMap(({ item, links = [] }) =>
    links.map(({ kind, direction, note }) => [item.id, kind, direction, note]),
  )
}

test('by keyboard: a task is linked to a page with a note, unlinked, and linked again by undo', {
  skip,
}, async () => {
  const { ann } = web
  await ann.call('create_project', { name: 'Engineering', key: 'ENG' })
  const task = await ann.call('create_task', { project_id: 'ENG', title: 'Replace the valves' })
  const page = await ann.call('create_page', { title: 'Valve manual', body_markdown: 'Turn left.' })
  const session = await reopenFor(web, ann, `/tasks/${task.key}`)
  const { press } = session
  await session.page.getByRole('button', { name: /^Link to…/ }).waitFor()
  await press('Alt+l')
  await choose(session.page, /^Link to: search/, 'manual')
  await session.page.getByRole('combobox', { name: /^How is it linked to Valve manual/ }).waitFor()
  await session.visitor.checkPage('links-how')
  await choose(session.page, /^How is it linked/, 'documented')
  const link = session.page.getByRole('link', { name: 'Valve manual' })
  await link.waitFor()
  assert.deepEqual(await linksOf(task.id), [[page.id, 'documents', 'to', undefined]])

  await session.page.getByRole('button', { name: 'Note on the link to Valve manual' }).focus()
  await press('Enter')
  await session.page.getByRole('textbox', { name: 'Note' }).fill('Chapter <b>4</b>')
  await session.page.getByRole('button', { name: 'Save note' }).focus()
  await press('Enter')
  await session.page.getByText('Chapter <b>4</b>', { exact: true }).waitFor()
  await session.visitor.checkPage('links-task')

  await session.page.getByRole('button', { name: 'Note on the link to Valve manual' }).focus()
  await press('Enter')
  await session.page.getByRole('textbox', { name: 'Note' }).fill('')
  await session.page.getByRole('button', { name: 'Save note' }).focus()
  await press('Enter')
  await session.page.getByText('Chapter <b>4</b>', { exact: true }).waitFor({ state: 'detached' })
  assert.deepEqual(await linksOf(task.id), [[page.id, 'documents', 'to', undefined]])
  await press('z')
  await untilTrue(
    async () => (await linksOf(task.id))[0]?.[3] === 'Chapter <b>4</b>',
    'the note is not back',
  )

  await session.page
    .getByRole('button', { name: 'Remove link: documented by Valve manual' })
    .focus()
  await press('Enter')
  await link.waitFor({ state: 'detached' })
  assert.deepEqual(await linksOf(task.id), [])
  await press('z')
  await untilTrue(async () => (await linksOf(task.id)).length === 1, 'it is not linked again')
  await session.visitor.go(`/pages/${page.id}`)
  await session.page.getByText('Documents', { exact: true }).waitFor()
  await session.page.getByRole('link', { name: /Replace the valves/ }).waitFor()
  await session.visitor.checkPage('links-page')
  session.visitor.assertNoProblems()
})

test('Ctrl K links a contact to an incident by key; a person has no links', {
  skip,
}, async () => {
  const { ann } = web
  const contact = await ann.call('create_contact', { name: 'Clara Weiss' })
  const incident = await ann.call('create_incident', { title: 'Pumps are down', severity: 'sev2' })
  const { visitor, page, press } = await reopenFor(web, ann, `/contacts/${contact.id}`)
  await page.getByRole('heading', { name: 'Linked items' }).waitFor()
  await press('Control+k')
  await page.keyboard.type('link to')
  await page.getByRole('option', { name: /^Link to…/ }).waitFor()
  await press('Enter')
  await choose(page, /^Link to: search/, incident.key)
  await page.getByRole('combobox', { name: /^How is it linked/ }).waitFor()
  await press('Enter')
  await page.getByRole('link', { name: /Pumps are down/ }).waitFor()
  assert.deepEqual(await linksOf(contact.id), [[incident.id, 'relates_to', 'from', undefined]])
  await visitor.checkPage('links-contact')

  await visitor.go(`/people/${ann.id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Linked items' }).count(), 0)
  visitor.assertNoProblems()
})
