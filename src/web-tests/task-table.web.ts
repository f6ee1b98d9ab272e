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

const tablePath = (key: string, columns: string, extraQuery = '') =>
  `/tasks?project=${key}&layout=table&group=none&columns=${columns}${extraQuery}`
const row = (page: Page, key: string) => page.getByRole('row').filter({ hasText: key })
const cell = (page: Page, key: string, column: string) =>
  row(page, key).locator(`[data-column="${column}"]`)
const isFocused = (page: Page, key: string, column: string) => () =>
  cell(page, key, column).evaluate((node) => node === document.activeElement)
const getTask = (key: string) => web.ann.call('get_task', { task_id: key })

async function openTable(path: string, firstKey: string, person = web.ann) {
  const session = await openFor(web, person, path)
  await session.visitor.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await row(session.page, firstKey).first().waitFor()
  return session
}

test('by keyboard: cells of ten kinds are edited by Enter, by overtyping and by Tab, and undone', {
  skip,
}, async () => {
  await makeProject('KND', 3)
  const columns =
    'title:p,status,priority,assignees,due,start,labels,estimate,points,c.Cost,c.Stage,c.Reviewer'
  const { visitor, page, press } = await openTable(tablePath('KND', columns), 'KND-1')
  const typeIntoList = async (text: string) => {
    await page.keyboard.type(text[0] ?? '')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.type(text.slice(1))
    await page.getByRole('option').first().waitFor()
  }
  await press('j', 'ArrowRight', 'Enter', 'End')
  await page.keyboard.type(' of oak')
  await visitor.checkPage('task-table-editing')
  await press('Tab')
  await typeIntoList('in p')
  await press('Enter', 'Tab', 'Enter')
  await page.getByRole('combobox', { name: 'Set priority' }).waitFor()
  await page.keyboard.type('high')
  await press('Tab')
  await untilTrue(isFocused(page, 'KND-1', 'assignees'), 'Tab did not lead on from the list')
  await typeIntoList('bob')
  await press('Enter', 'Tab')
  await typeIntoList('2030-12-04')
  await page.getByRole('option', { name: '4 Dec 2030' }).waitFor()
  await press('Enter', 'Tab')
  await typeIntoList('2030-12-02')
  await page.getByRole('option', { name: '2 Dec 2030' }).waitFor()
  await press('Enter', 'Tab')
  await typeIntoList('wood')
  await page.getByRole('option', { name: 'wood', exact: true }).waitFor()
  await press('Enter', 'Escape', 'Tab')
  await page.keyboard.type('2h')
  await press('Tab')
  await page.keyboard.type('5')
  await press('Tab')
  await page.keyboard.type('12,5')
  await press('Tab')
  await typeIntoList('rea')
  await press('Enter', 'Tab')
  await typeIntoList('ann')
  await press('Enter')
  const savedValues = async () => {
    const { title, status, priority, assignees, due_on, start_on, labels, ...rest } =
      await getTask('KND-1')
    const ids = (refs: { id: string }[]) => refs.map(({ id }) => id)
    return [
      { title, status, priority, due_on, start_on },
      { assignees: ids(assignees), labels: labels.map((label: { title: string }) => label.title) },
      { minutes: rest.estimate_minutes, points: rest.points, ...rest.custom_fields },
    ]
  }
  const expected = [
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
  await untilTrue(
    async () => isDeepStrictEqual(await savedValues(), expected),
    'not all was written',
  )
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
  await untilTrue(
    async () => (await getTask('KND-2')).title === 'Chair 2b',
    'the title was not kept',
  )
  await press('Control+z')
  await untilTrue(async () => (await getTask('KND-2')).title === 'Chair 2', 'it was not undone')
  await press('End', 'Home')
  await untilTrue(isFocused(page, 'KND-3', 'head'), 'Home did not lead to the beginning')
  await visitor.checkPage('task-table')
  visitor.assertNoProblems()
})

test('invalid input and server refusals are shown at the cell', {
  skip,
}, async () => {
  await makeProject('REF', 2)
  const { visitor, page, press } = await openTable(
    tablePath('REF', 'title:p,points,c.Cost'),
    'REF-1',
  )
  await press('j', 'ArrowRight', 'ArrowRight')
  await page.keyboard.type('many')
  await press('Enter', 'ArrowUp')
  await cell(page, 'REF-1', 'points').getByRole('alert').getByText('Points are a number').waitFor()
  await web.ann.call('archive_project', { project_id: 'REF' })
  await page.keyboard.type('3')
  await press('Enter', 'ArrowUp')
  const refusedCell = cell(page, 'REF-1', 'points')
  await refusedCell
    .getByRole('alert')
    .getByText(/archived/)
    .waitFor()
  assert.equal(await refusedCell.getAttribute('aria-invalid'), 'true')
  assert.doesNotMatch((await refusedCell.textContent()) ?? '', /3/, 'the refused value is gone')
  await visitor.checkPage('task-table-refused')
  visitor.assertNoProblems()
})

test('by keyboard: 30 cells are pasted with a preview and undone by one key, and cells are copied', {
  skip,
}, async () => {
  await makeProject('PST', 12)
  const { visitor, page, press } = await openTable(
    tablePath('PST', 'title:p,priority,points'),
    'PST-1',
  )
  const copyText = (text: string) =>
    page.evaluate((clipboardText) => navigator.clipboard.writeText(clipboardText), text)
  const lines = Array.from({ length: 10 }, (_, n) => `Stool ${n}\t${n % 2 ? 'High' : 'low'}\t${n}`)
  await copyText(`${lines.join('\r\n')}\r\n`)
  await press('j', 'ArrowRight', 'Control+v')
  const preview = page.getByRole('dialog', { name: 'Before it changes: 30 cells pasted' })
  await preview.getByRole('row', { name: /PST-3 Chair 3 Points – 2/ }).waitFor()
  await visitor.checkPage('task-table-paste')
  await press('Escape')
  await preview.waitFor({ state: 'detached' })
  assert.equal((await getTask('PST-1')).title, 'Chair 1', 'nothing changes before the confirmation')
  await press('Control+v')
  await preview.locator('button[type=submit][aria-disabled=false]').press('Enter')
  await preview.waitFor({ state: 'detached' })
  const pastedCount = async () => {
    const { items } = await web.ann.call('list_tasks', { project_id: 'PST', limit: 100 })
    return items.filter(
      ({ title, points }: { title: string; points?: number }) => title === `Stool ${points}`,
    ).length
  }
  await untilTrue(async () => (await pastedCount()) === 10, 'not all was pasted')
  await page.getByText('30 cells pasted').first().waitFor()
  await press('Control+z')
  await untilTrue(
    async () => (await pastedCount()) === 0 && (await getTask('PST-2')).priority === 'none',
    'not all was undone',
  )
  await copyText('Table\tno such priority\t4\tbeyond')
  await press('Control+v')
  const secondPreview = page.getByRole('dialog', { name: 'Before it changes: 4 cells pasted' })
  await secondPreview.getByText('There is no priority “no such priority”.').waitFor()
  await secondPreview.getByText('1 cell beyond the edge of the table is left out.').waitFor()
  await secondPreview.getByText('1 cannot be changed').waitFor()
  await press('Escape', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Control+c')
  await page.getByText('4 cells copied').waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'Chair 1\t\nChair 2\t')
  await visitor.context.clearPermissions()
  await press('Control+c')
  await page.getByText('Nothing was copied').waitFor()
  visitor.assertNoProblems()
})

test('selected rows are changed together, and of thousands of rows only visible ones are rendered', {
  skip,
}, async () => {
  await makeProject('BIG', 300)
  const { visitor, page, press } = await openTable(tablePath('BIG', 'title:p,priority'), 'BIG-1')
  assert.ok((await page.locator('[data-task]').count()) < 80)
  await press('j', 'x', 'Shift+ArrowDown', 'Shift+ArrowDown')
  await page.getByRole('toolbar').getByText('3 selected').waitFor()
  await press('p')
  await choose(page, 'Set priority', 'urgent')
  await untilTrue(
    async () => (await getTask('BIG-3')).priority === 'urgent',
    'not all were changed',
  )
  await press('Escape', 'Control+a')
  await page.getByRole('toolbar').getByText('300 selected').waitFor()
  await press('Escape')
  for (let n = 0; n < 60; n++) await page.keyboard.press('ArrowDown')
  await untilTrue(isFocused(page, 'BIG-63', 'head'), 'the row was not brought into view')
  visitor.assertNoProblems()
})

/** The current table columns, and the width of one of them. */
const columnTitles = (page: Page) => page.getByRole('columnheader').allTextContents()
const widthOf = async (page: Page, column: string) =>
  Math.round((await page.locator(`[data-head="${column}"]`).boundingBox())?.width ?? 0)

test('by keyboard: a column is resized, moved and hidden, and the URL keeps it for others', {
  skip,
}, async () => {
  await makeProject('COL', 3)
  const { visitor, page, press } = await openTable(
    tablePath('COL', 'title:p,status,priority,points'),
    'COL-1',
  )
  const chooseInMenu = async (query: string) => {
    await press('Alt+c')
    await choose(page, /^Column /, query)
  }
  await press('j', 'ArrowRight', 'ArrowRight')
  await untilTrue(isFocused(page, 'COL-1', 'status'), 'the arrows did not lead to the cell')
  await press('Control+Shift+ArrowRight', 'Control+Shift+ArrowRight')
  await untilTrue(async () => (await widthOf(page, 'status')) === 178, 'it was not widened')
  await chooseInMenu('move the column to the right')
  await untilTrue(
    async () =>
      isDeepStrictEqual(await columnTitles(page), [
        'Task',
        'Title',
        'Priority',
        'Status',
        'Points',
      ]),
    'it was not moved',
  )
  await chooseInMenu('pin')
  await untilTrue(
    async () => (await page.locator('[data-head="status"][data-pinned]').count()) === 1,
    'it was not pinned',
  )
  await press('End')
  await chooseInMenu('hide')
  const remaining = ['Task', 'Title', 'Status', 'Priority']
  await untilTrue(
    async () => isDeepStrictEqual(await columnTitles(page), remaining),
    'it was not hidden',
  )
  await visitor.checkPage('task-table-columns')
  const other = await openTable(page.url().replace(web.url, ''), 'COL-1', web.bob)
  assert.deepEqual(await columnTitles(other.page), remaining)
  assert.equal(await widthOf(other.page, 'status'), 178)
  visitor.assertNoProblems()
})

test('by pointer: an edge is dragged, a column is dropped on another, and a second click edits', {
  skip,
}, async () => {
  await makeProject('PTR', 2)
  const { visitor, page } = await openTable(tablePath('PTR', 'title,status,points'), 'PTR-1')
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
    async () => isDeepStrictEqual(await columnTitles(page), ['Task', 'Points', 'Title', 'Status']),
    'it was not moved',
  )
  await cell(page, 'PTR-2', 'points').click()
  await cell(page, 'PTR-2', 'points').click()
  await page.getByRole('textbox', { name: 'Points' }).fill('8')
  await cell(page, 'PTR-1', 'title').click()
  await untilTrue(
    async () => (await getTask('PTR-2')).points === 8,
    'leaving the cell did not keep it',
  )
  visitor.assertNoProblems()
})
