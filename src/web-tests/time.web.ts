import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { choose, openFor, reopenFor } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Hours', key: 'HRS' })
})
after(() => web?.close())

const createTask = (title: string) => web.ann.call('create_task', { project_id: 'HRS', title })

const minutesOn = async (taskId: string): Promise<number[]> => {
  const { items } = await web.ann.call('list_time_entries', { task_id: taskId, running: false })
  return items
    .map((entry: { duration_minutes: number }) => entry.duration_minutes)
    .toSorted((a: number, b: number) => a - b)
}

test('by keyboard: a week is entered in the time sheet, and matches its report', {
  skip,
}, async () => {
  const task = await createTask('Count the hours')
  const { visitor, page, press } = await reopenFor(web, web.ann, '/')
  await press('g', 'e')
  await page.getByText('No time is logged this week').waitFor()
  await visitor.checkPage('time-empty')
  await press('Shift+N')
  await choose(page, 'Log time on', 'count the')
  const cells = page.getByRole('textbox', { name: /^Count the hours/ })
  await page.waitForFunction(() => document.activeElement?.matches('[data-day]')) // the cell of today
  await cells.first().focus()
  await page.keyboard.type('1:30')
  await press('Tab')
  await page.keyboard.type('2,5')
  await press('Tab')
  await page.keyboard.type('soon')
  assert.equal(await cells.nth(2).getAttribute('aria-invalid'), 'true')
  await press('Escape')
  await page.keyboard.type('45m')
  await press('Enter')
  await untilTrue(async () => (await minutesOn(task.id)).length === 3, 'not all was logged')
  assert.deepEqual(await minutesOn(task.id), [45, 90, 150])
  await press('ArrowLeft', 'ArrowLeft') // nothing is typed: the arrows move
  assert.equal(await cells.first().evaluate((cell) => cell === document.activeElement), true)
  await visitor.checkPage('time-sheet')
  await cells.nth(1).focus()
  await page.keyboard.type('1')
  await press('Enter')
  await untilTrue(async () => (await minutesOn(task.id)).includes(60), 'it was not changed')
  await cells.first().focus()
  await press('Delete', 'Enter')
  await untilTrue(async () => (await minutesOn(task.id)).length === 2, 'it was not removed')
  const total = page.getByRole('row', { name: /^Total/ }).last()
  await total.getByText('1:45').waitFor()
  const entries = await web.ann.call('list_time_entries', { task_id: task.id })
  const days = entries.items.map((entry: { spent_on: string }) => entry.spent_on).toSorted()
  const report = await web.ann.call('get_time_report', {
    from: days[0],
    to: days.at(-1),
    group_by: 'day',
  })
  assert.equal(report.total_minutes, 105)
  await press('Escape', 'z') // out of the cell
  await untilTrue(async () => (await minutesOn(task.id)).length === 3, 'nothing was undone')
  visitor.assertNoProblems()
})

test('a cell edited again before the server responds ends with the last value', {
  skip,
}, async () => {
  const task = await createTask('Type it twice')
  const { visitor, page, press } = await openFor(web, web.ann, '/time')
  const gate = Promise.withResolvers<void>()
  await page.route('**/create_time_entry', async (route) => {
    await gate.promise
    await route.continue()
  })
  await press('Shift+N')
  await choose(page, 'Log time on', 'type it')
  const cell = page.getByRole('textbox', { name: /^Type it twice/ }).first()
  for (const text of ['1', '2', '3']) {
    await cell.fill(text)
    await cell.press('Enter')
    await page.waitForFunction(
      ([element, expected]) => (element as HTMLInputElement).value === expected,
      [await cell.elementHandle(), `${text}:00`] as const,
    )
  }
  assert.deepEqual(await minutesOn(task.id), [])
  gate.resolve()
  await untilTrue(
    async () => (await minutesOn(task.id)).join() === '180',
    'it is not what was typed last',
  )
  assert.equal(await cell.inputValue(), '3:00')
  visitor.assertNoProblems()
})

test('a cell edited twice offline ends with the last value, even after the tab was closed', {
  skip,
}, async () => {
  const task = await createTask('Type it offline')
  const { visitor, page, press } = await openFor(web, web.ann, '/time')
  await press('Shift+N')
  await choose(page, 'Log time on', 'type it offline')
  const cell = page.getByRole('textbox', { name: /^Type it offline/ }).first()
  await cell.waitFor()
  await visitor.context.setOffline(true)
  for (const text of ['1', '2']) {
    await cell.fill(text)
    await cell.press('Enter')
    await page.waitForFunction(
      ([element, expected]) => (element as HTMLInputElement).value === expected,
      [await cell.elementHandle(), `${text}:00`] as const,
    )
  }
  await page.waitForFunction(
    () =>
      new Promise<boolean>((resolve) => {
        const openRequest = indexedDB.open('workspace')
        openRequest.onsuccess = () => {
          const { result: database } = openRequest
          const countRequest = database.transaction('writes').objectStore('writes').count()
          countRequest.onsuccess = () => {
            database.close()
            resolve(countRequest.result === 2)
          }
        }
      }),
  )
  await page.close()
  await visitor.context.setOffline(false)
  assert.deepEqual(await minutesOn(task.id), [])
  const reopened = await visitor.context.newPage()
  await reopened.goto(`${web.app.baseUrl}/time`)
  await untilTrue(
    async () => (await minutesOn(task.id)).join() === '120',
    'it is not what was typed last',
  )
  visitor.assertNoProblems()
})

test('a timer is started and stopped, by key and by pointer, and keeps running in the sidebar', {
  skip,
}, async () => {
  const task = await createTask('Sharpen the saw')
  const other = await createTask('Oil the hinge')
  const { visitor, page, press } = await reopenFor(web, web.ann, '/time')
  await press('Shift+N')
  await choose(page, 'Log time on', 'sharpen')
  await page.waitForFunction(() => document.activeElement?.matches('[data-day]'))
  await press('Alt+t')
  await page.getByRole('button', { name: 'Stop the timer on Sharpen the saw' }).waitFor()
  const runningTaskIds = async () => {
    const { items } = await web.ann.call('list_time_entries', { person_id: 'me', running: true })
    return items.map((entry: { task: { id: string } }) => entry.task.id).join()
  }
  await untilTrue(async () => (await runningTaskIds()) === task.id, 'no timer runs')
  await visitor.checkPage('time-running')
  await page.getByRole('link', { name: /Timer on Sharpen the saw 0:00/ }).waitFor()
  await page.getByRole('button', { name: 'Add a task' }).click()
  await choose(page, 'Log time on', 'oil the')
  await page.getByRole('button', { name: 'Start a timer on Oil the hinge' }).click()
  await untilTrue(async () => (await runningTaskIds()) === other.id, 'the other timer does not run')
  await page.getByRole('button', { name: 'Start a timer on Sharpen the saw' }).waitFor()
  await page.getByRole('button', { name: 'Stop the timer on Oil the hinge' }).click()
  await untilTrue(async () => (await runningTaskIds()) === '', 'the timer still runs')
  await page.getByRole('button', { name: 'Start a timer on Oil the hinge' }).waitFor()
  visitor.assertNoProblems()
})
