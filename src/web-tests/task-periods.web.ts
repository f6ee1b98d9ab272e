import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, openFor, reopenFor } from './steps.ts'

// Filter periods follow the reader's day, in the app as in list_tasks.

const skip = noChromium
const dayMs = 86_400_000
/** Ahead of every browser that runs this, so its dates differ from theirs. */
const zone = 'Pacific/Kiritimati'
let web: Web
const titles = ['Oil the pump', 'Order paper', 'Sweep', 'Paint the gate', 'Someday']
const labels: Record<string, string> = {}

/** A date relative to today, in that zone. */
const day = (days: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(Date.now() + days * dayMs)

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  const { ann } = web
  await ann.call('update_my_profile', { timezone: zone })
  await ann.call('create_project', { name: 'Plant', key: 'PLT' })
  for (const name of ['Bug', 'Rush', 'Wait'])
    labels[name] = (await ann.call('create_label', { name })).id
  const tasks: Record<string, unknown>[] = [
    { due_at: day(0), label_ids: [labels.Bug] },
    { due_at: day(9), label_ids: [labels.Rush, labels.Wait] },
    { due_at: day(9), label_ids: [labels.Wait] },
    { due_at: day(-3) },
    {},
  ]
  for (const [index, task] of tasks.entries())
    await ann.call('create_task', { project_id: 'PLT', title: titles[index], ...task })
  const { key } = await ann.call('create_task', {
    project_id: 'PLT',
    title: 'Done',
    due_at: day(0),
  })
  await ann.call('complete_task', { task_id: key })
})
after(() => web?.close())

const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })
const waitForTasks = async (page: Page, ...visible: string[]) => {
  for (const title of titles)
    await row(page, title).waitFor({ state: visible.includes(title) ? 'visible' : 'detached' })
}

/** Filters by values of a field, with the keyboard only. */
async function filterBy(page: Page, field: string, ...values: string[]) {
  await page.keyboard.press('f')
  await choose(page, 'Filter by…', field)
  const list = page.getByRole('combobox', { name: field, exact: true })
  for (const value of values) {
    await list.waitFor()
    await page.keyboard.press('Control+a') // what was typed before stays in the field
    await choose(page, field, value)
  }
  if (await list.isVisible()) await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
}

/** Stored filter and results of the saved view with this name. */
async function readSavedView(name: string) {
  const { items } = await web.ann.call('list_saved_views', { item_type: 'task' })
  const view = items.find((item: { name: string }) => item.name === name)
  const run = await web.ann.call('run_saved_view', { view_id: view.id })
  const { filter } = view
  const listed = await web.ann.call('list_tasks', filter)
  const { total } = await web.ann.call('count_tasks', { ...filter, group_by: 'project' })
  assert.deepEqual([listed.items.length, total], [run.items.length, run.items.length])
  return {
    filter,
    titles: run.items.map(({ item }: { item: { title: string } }) => item.title).sort(),
  }
}

test('by keyboard: filters by relative periods and any of several labels work, and a saved view keeps the words', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/tasks')
  await waitForTasks(page, ...titles)
  await filterBy(page, 'Due', 'today')
  await waitForTasks(page, 'Oil the pump')
  await filterBy(page, 'Due', 'next 14')
  await waitForTasks(page, 'Oil the pump', 'Order paper', 'Sweep')
  await filterBy(page, 'Label', 'Bug', 'Rush')
  await waitForTasks(page, 'Oil the pump', 'Order paper')
  await visitor.checkPage('tasks-periods')
  await page.getByRole('button', { name: 'Save view' }).press('Enter')
  await page.keyboard.type('Soon')
  await press('Enter')
  await page.getByRole('link', { name: 'Soon' }).waitFor()
  await waitForTasks(page, 'Oil the pump', 'Order paper')
  const view = await readSavedView('Soon')
  assert.deepEqual(view.filter, {
    due: ['today', 'next_14_days'],
    labels_any: [labels.Bug, labels.Rush],
    status_category: ['triage', 'backlog', 'todo', 'in_progress'],
  })
  assert.deepEqual(view.titles, ['Oil the pump', 'Order paper'])
  await page.reload()
  await waitForTasks(page, 'Oil the pump', 'Order paper')
  assert.equal(await page.getByRole('button', { name: 'Reset' }).count(), 0)
  await page.getByRole('button', { name: /^Label is any of these/ }).press('Enter')
  await waitForTasks(page, 'Sweep')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Delete view' }).waitFor()
  await untilTrue(
    async () => (await readSavedView('Soon')).titles.join() === 'Sweep',
    'it is not saved',
  )
  visitor.assertNoProblems()
})

test('by keyboard: a period is typed, overdue is evaluated by the minute, and recently updated tasks are found', {
  skip,
}, async () => {
  const { visitor, page, press } = await reopenFor(web, web.ann, '/tasks')
  await waitForTasks(page, ...titles)
  await filterBy(page, 'Due', 'next 3 days')
  await waitForTasks(page, 'Oil the pump')
  await page.getByRole('button', { name: 'Due: Due in the next 3 days' }).waitFor()
  await filterBy(page, 'Due', 'overdue')
  await waitForTasks(page, 'Oil the pump', 'Paint the gate')
  await filterBy(page, 'Updated', '2 hours')
  await waitForTasks(page, 'Oil the pump', 'Paint the gate')
  await page.getByRole('button', { name: 'Save view' }).press('Enter')
  await page.keyboard.type('Late')
  await press('Enter')
  await page.getByRole('link', { name: 'Late' }).waitFor()
  const view = await readSavedView('Late')
  assert.deepEqual(view.filter.due, ['next_3_days', 'overdue'])
  assert.equal(view.filter.updated_after, 'last_2_hours')
  assert.deepEqual(view.titles, ['Oil the pump', 'Paint the gate'])
  visitor.assertNoProblems()
})

test('a view saved by an assistant with server-only filters opens with the server results', {
  skip,
}, async () => {
  await web.ann.call('create_saved_view', {
    name: 'Both labels',
    item_type: 'task',
    filter: { label_id: ['Rush', 'Wait'] },
  })
  const { visitor, page } = await reopenFor(web, web.ann, '/tasks')
  await page.getByRole('link', { name: 'Both labels' }).press('Enter')
  await page.getByRole('heading', { name: 'Both labels' }).waitFor()
  await page.getByText('Order paper').waitFor()
  assert.equal(await page.getByText('Sweep').count(), 0)
  await visitor.checkPage('tasks-view-of-server')
  visitor.assertNoProblems()
})
