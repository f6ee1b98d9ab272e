import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, openFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_label', { name: 'wood' })
})
after(() => web?.close())

/** A new project with a number of tasks and a few custom fields. */
async function makeProject(key: string, count: number): Promise<void> {
  await web.ann.call('create_project', { name: `Works ${key}`, key, member_ids: [web.bob.id] })
  for (const field of [
    { name: 'Cost', type: 'number' },
    { name: 'Stage', type: 'select', options: ['Draft', 'Ready'] },
    { name: 'Reviewer', type: 'person' },
  ])
    await web.ann.call('create_custom_field', { project_id: key, ...field })
  for (let createdCount = 0; createdCount < count; createdCount += 100)
    await web.ann.call('bulk_create_tasks', {
      project_id: key,
      tasks: Array.from({ length: Math.min(100, count - createdCount) }, (_, n) => ({
        title: `Chair ${createdCount + n + 1}`,
      })),
    })
}

const table = (key: string, columns: string, more = '') =>
  `/tasks?project=${key}&layout=table&group=none&columns=${columns}${more}`
const row = (page: Page, key: string) => page.getByRole('row').filter({ hasText: key })
const cell = (page: Page, key: string, column: string) =>
  row(page, key).locator(`[data-column="${column}"]`)
const isFocused = (page: Page, key: string, column: string) => () =>
  cell(page, key, column).evaluate((node) => node === document.activeElement)
const task = (key: string) => web.ann.call('get_task', { task_id: key })

async function openTable(path: string, first: string, person = web.ann) {
  const opened = await openFor(web, person, path)
  await opened.visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await row(opened.page, first).first().waitFor()
  return opened
}

test('by keyboard: cells of ten kinds are edited by Enter, by overtyping and by Tab, and undone', {
  skip,
}, async () => {
  await makeProject('KND', 3)
  const columns =
    'title:p,status,priority,assignees,due,start,labels,estimate,points,c.Cost,c.Stage,c.Reviewer'
  const { visitor, page, press } = await openTable(table('KND', columns), 'KND-1')
  const write = async (text: string) => {
    await page.keyboard.type(text[0] ?? '')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type(text.slice(1))
    await page.getByRole('option').first().waitFor()
  }
  await press('j', 'ArrowRight', 'Enter', 'End')
  await page.keyboard.type(' of oak')
  await visitor.look('task-table-editing')
  await press('Tab')
  await write('in p')
  await press('Enter', 'Tab', 'Enter')
  await page.getByRole('combobox', { name: 'Set priority' }).waitFor()
  await page.keyboard.type('high')
  await press('Tab')
  await untilTrue(isFocused(page, 'KND-1', 'assignees'), 'Tab did not lead on from the list')
  await write('bob')
  await press('Enter', 'Tab')
  await write('2030-12-04')
  await page.getByRole('option', { name: '4 Dec 2030' }).waitFor()
  await press('Enter', 'Tab')
  await write('2030-12-02')
  await page.getByRole('option', { name: '2 Dec 2030' }).waitFor()
  await press('Enter', 'Tab')
  await write('wood')
  await page.getByRole('option', { name: 'wood', exact: true }).waitFor()
  await press('Enter', 'Escape', 'Tab')
  await page.keyboard.type('2h')
  await press('Tab')
  await page.keyboard.type('5')
  await press('Tab')
  await page.keyboard.type('12,5')
  await press('Tab')
  await write('rea')
  await press('Enter', 'Tab')
  await write('ann')
  await press('Enter')
  const written = async () => {
    const { title, status, priority, assignees, due_on, start_on, labels, ...more } =
      await task('KND-1')
    const ids = (refs: { id: string }[]) => refs.map(({ id }) => id)
    return [
      { title, status, priority, due_on, start_on },
      { assignees: ids(assignees), labels: labels.map((label: { title: string }) => label.title) },
      { minutes: more.estimate_minutes, points: more.points, ...more.custom_fields },
    ]
  }
  const wanted = [
    {
      title: 'Chair 1 of oak',
      status: 'In progress',
      priority: 'high',
      due_on: '2030-12-04',
      start_on: '2030-12-02',
    },
    { assignees: [web.bob.id], labels: ['wood'] },
    { minutes: 120, points: 5, Cost: 12.5, Stage: 'Ready', Reviewer: web.ann.id },
  ]
  await untilTrue(async () => isDeepStrictEqual(await written(), wanted), 'not all was written')
  await press('Tab')
  await untilTrue(isFocused(page, 'KND-2', 'head'), 'Tab did not go on in the row below')
  await press('ArrowRight')
  await page.keyboard.type('Never')
  await press('Escape')
  await cell(page, 'KND-2', 'title').getByText('Chair 2').waitFor()
  await press('Escape', 'ArrowRight', 'F2', 'End')
  await page.keyboard.type('b')
  await press('Enter')
  await untilTrue(isFocused(page, 'KND-3', 'title'), 'Enter did not lead to the row below')
  await untilTrue(async () => (await task('KND-2')).title === 'Chair 2b', 'the title was not kept')
  await press('Control+z')
  await untilTrue(async () => (await task('KND-2')).title === 'Chair 2', 'it was not undone')
  await press('End', 'Home')
  await untilTrue(isFocused(page, 'KND-3', 'head'), 'Home did not lead to the beginning')
  await visitor.look('task-table')
  visitor.well()
})

test('invalid input and server refusals are shown at the cell', {
  skip,
}, async () => {
  await makeProject('REF', 2)
  const { visitor, page, press } = await openTable(table('REF', 'title:p,points,c.Cost'), 'REF-1')
  await press('j', 'ArrowRight', 'ArrowRight')
  await page.keyboard.type('many')
  await press('Enter', 'ArrowUp')
  await cell(page, 'REF-1', 'points').getByRole('alert').getByText('Points are a number').waitFor()
  await web.ann.call('archive_project', { project_id: 'REF' })
  await page.keyboard.type('3')
  await press('Enter', 'ArrowUp')
  const refused = cell(page, 'REF-1', 'points')
  await refused
    .getByRole('alert')
    .getByText(/archived/)
    .waitFor()
  assert.equal(await refused.getAttribute('aria-invalid'), 'true')
  assert.doesNotMatch((await refused.textContent()) ?? '', /3/, 'what was refused went back')
  await visitor.look('task-table-refused')
  visitor.well()
})

test('by keyboard: 30 cells are pasted with a preview and undone by one key, and cells are copied', {
  skip,
}, async () => {
  await makeProject('PST', 12)
  const { visitor, page, press } = await openTable(table('PST', 'title:p,priority,points'), 'PST-1')
  const put = (text: string) => page.evaluate((it) => navigator.clipboard.writeText(it), text)
  const lines = Array.from({ length: 10 }, (_, n) => `Stool ${n}\t${n % 2 ? 'High' : 'low'}\t${n}`)
  await put(`${lines.join('\r\n')}\r\n`)
  await press('j', 'ArrowRight', 'Control+v')
  const preview = page.getByRole('dialog', { name: 'Before it changes: 30 cells pasted' })
  await preview.getByRole('row', { name: /PST-3 Chair 3 Points – 2/ }).waitFor()
  await visitor.look('task-table-paste')
  await press('Escape')
  await preview.waitFor({ state: 'detached' })
  assert.equal((await task('PST-1')).title, 'Chair 1', 'nothing changes before it was confirmed')
  await press('Control+v')
  await preview.locator('button[type=submit][aria-disabled=false]').press('Enter')
  await preview.waitFor({ state: 'detached' })
  const isPasted = async () => {
    const { items } = await web.ann.call('list_tasks', { project_id: 'PST', limit: 100 })
    return items.filter(
      ({ title, points }: { title: string; points?: number }) => title === `Stool ${points}`,
    ).length
  }
  await untilTrue(async () => (await isPasted()) === 10, 'not all was pasted')
  await page.getByText('30 cells pasted').first().waitFor()
  await press('Control+z')
  await untilTrue(
    async () => (await isPasted()) === 0 && (await task('PST-2')).priority === 'none',
    'not all was undone',
  )
  await put('Table\tno such priority\t4\tbeyond')
  await press('Control+v')
  const second = page.getByRole('dialog', { name: 'Before it changes: 4 cells pasted' })
  await second.getByText('There is no priority “no such priority”.').waitFor()
  await second.getByText('1 cell beyond the edge of the table is left out.').waitFor()
  await second.getByText('1 cannot be changed').waitFor()
  await press('Escape', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Control+c')
  await page.getByText('4 cells copied').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'Chair 1\t\nChair 2\t')
  await visitor.context.clearPermissions()
  await press('Control+c')
  await page.getByText('Nothing was copied').waitFor()
  visitor.well()
})

test('selected rows are changed together, and of thousands of rows only visible ones are rendered', {
  skip,
}, async () => {
  await makeProject('BIG', 300)
  const { visitor, page, press } = await openTable(table('BIG', 'title:p,priority'), 'BIG-1')
  assert.ok((await page.locator('[data-task]').count()) < 80)
  await press('j', 'x', 'Shift+ArrowDown', 'Shift+ArrowDown')
  await page.getByRole('toolbar').getByText('3 selected').waitFor()
  await press('p')
  await choose(page, 'Set priority', 'urgent')
  await untilTrue(async () => (await task('BIG-3')).priority === 'urgent', 'not all were changed')
  await press('Escape', 'Control+a')
  await page.getByRole('toolbar').getByText('300 selected').waitFor()
  await press('Escape')
  for (let n = 0; n < 60; n++) await page.keyboard.press('ArrowDown')
  await untilTrue(isFocused(page, 'BIG-63', 'head'), 'the row was not brought into view')
  visitor.well()
})

/** The current table columns, and the width of one of them. */
const heads = (page: Page) => page.getByRole('columnheader').allTextContents()
const widthOf = async (page: Page, column: string) =>
  Math.round((await page.locator(`[data-head="${column}"]`).boundingBox())?.width ?? 0)

test('by keyboard: a column is resized, moved and hidden, and the URL keeps it for others', {
  skip,
}, async () => {
  await makeProject('COL', 3)
  const { visitor, page, press } = await openTable(
    table('COL', 'title:p,status,priority,points'),
    'COL-1',
  )
  const inMenu = async (words: string) => {
    await press('Alt+c')
    await choose(page, /^Column /, words)
  }
  await press('j', 'ArrowRight', 'ArrowRight')
  await untilTrue(isFocused(page, 'COL-1', 'status'), 'the arrows did not lead to the cell')
  await press('Control+Shift+ArrowRight', 'Control+Shift+ArrowRight')
  await untilTrue(async () => (await widthOf(page, 'status')) === 178, 'it was not widened')
  await inMenu('move the column to the right')
  await untilTrue(
    async () =>
      isDeepStrictEqual(await heads(page), ['Task', 'Title', 'Priority', 'Status', 'Points']),
    'it was not moved',
  )
  await inMenu('pin')
  await untilTrue(
    async () => (await page.locator('[data-head="status"][data-pinned]').count()) === 1,
    'it was not pinned',
  )
  await press('End')
  await inMenu('hide')
  const left = ['Task', 'Title', 'Status', 'Priority']
  await untilTrue(async () => isDeepStrictEqual(await heads(page), left), 'it was not hidden')
  await visitor.look('task-table-columns')
  const other = await openTable(page.url().replace(web.url, ''), 'COL-1', web.bob)
  assert.deepEqual(await heads(other.page), left)
  assert.equal(await widthOf(other.page, 'status'), 178)
  visitor.well()
})

test('by pointer: an edge is dragged, a column is dropped on another, and a second click edits', {
  skip,
}, async () => {
  await makeProject('PTR', 2)
  const { visitor, page } = await openTable(table('PTR', 'title,status,points'), 'PTR-1')
  const edge = await page.locator('[data-edge="title"]').boundingBox()
  assert.ok(edge)
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x - 80, y, { steps: 4 })
  await page.mouse.up()
  await untilTrue(
    async () => (await widthOf(page, 'title')) === 240,
    `it was not made narrower: ${await widthOf(page, 'title')} at ${page.url()}`,
  )
  await page.locator('[data-head="points"]').dragTo(page.locator('[data-head="title"]'))
  await untilTrue(
    async () => isDeepStrictEqual(await heads(page), ['Task', 'Points', 'Title', 'Status']),
    'it was not moved',
  )
  await cell(page, 'PTR-2', 'points').click()
  await cell(page, 'PTR-2', 'points').click()
  await page.getByRole('textbox', { name: 'Points' }).fill('8')
  await cell(page, 'PTR-1', 'title').click()
  await untilTrue(
    async () => (await task('PTR-2')).points === 8,
    'leaving the cell did not keep it',
  )
  visitor.well()
})
