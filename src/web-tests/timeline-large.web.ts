// The timeline with two thousand bars: only visible ones are rendered, and each bar matches the dates of its task.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilTrue } from '../testing/limits.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { dayAhead, openFor } from './steps.ts'

const skip = noChromium
const barCount = 2000
const dayMs = 86_400_000
/** Width of a day in the months timeline, in pixels. */
const dayWidth = 14
let web: Web

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / dayMs

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  await web.ann.call('create_project', { name: 'Bridge', key: 'BRI' })
  for (let offset = 0; offset < barCount; offset += 100)
    await web.ann.call('bulk_create_tasks', {
      project_id: 'BRI',
      tasks: Array.from({ length: 100 }, (_, n) => ({
        title: `Span ${offset + n}`,
        start_at: dayAhead((offset + n) % 60),
        due_at: dayAhead(((offset + n) % 60) + (n % 9)),
      })),
    })
})
after(() => web?.close())

/** The rendered bars and their positions. */
const readBars = (page: Page) =>
  page.getByRole('grid', { name: 'Timeline' }).evaluate((grid) =>
    [...grid.querySelectorAll<HTMLElement>('[data-task]')].map((row) => {
      const bar = row.querySelector<HTMLElement>('[data-category][style]')
      return {
        id: row.dataset.task ?? '',
        left: Number.parseFloat(bar?.style.left ?? ''),
        width: Number.parseFloat(bar?.style.width ?? ''),
      }
    }),
  )

/** Checks that each bar starts and ends on the server's dates. */
async function compareToServer(page: Page) {
  const visibleBars = await readBars(page)
  assert.ok(
    visibleBars.length > 10 && visibleBars.length < 80,
    `${visibleBars.length} of ${barCount} rows are drawn`,
  )
  const tasks = await Promise.all(
    visibleBars.map(({ id }) => web.ann.call('get_task', { task_id: id })),
  )
  const [first] = tasks
  for (const [n, { left, width }] of visibleBars.entries()) {
    const { key, start_on, due_on } = tasks[n]
    assert.equal(
      (left - (visibleBars[0]?.left ?? 0)) / dayWidth,
      daysBetween(first.start_on, start_on),
      key,
    )
    assert.equal(width / dayWidth - 1, daysBetween(start_on, due_on), key)
  }
  return visibleBars.map(({ id }) => id)
}

test('of 2,000 bars only visible ones are rendered, at both ends and in the middle, on the days of their tasks', {
  skip,
}, async () => {
  const { visitor, page, press } = await openFor(web, web.ann, '/tasks?layout=timeline')
  const grid = page.getByRole('grid', { name: 'Timeline' })
  await grid.waitFor()
  await untilTrue(
    async () => Number(await grid.getAttribute('aria-rowcount')) >= barCount,
    'not all tasks have a line',
  )
  const top = await compareToServer(page)
  const scrollToFraction = (part: number) =>
    grid.evaluate((node, fraction) => {
      const scroller = node.parentElement
      if (scroller) scroller.scrollTop = scroller.scrollHeight * fraction
    }, part)
  const seen = new Set(top)
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await scrollToFraction(part)
    await untilTrue(
      async () => (await readBars(page)).every(({ id }) => !seen.has(id)),
      'what is out of view is still drawn',
    )
    for (const id of await compareToServer(page)) seen.add(id)
  }
  const last = page.getByRole('row').last()
  const { id: lastId } = (await readBars(page)).at(-1) ?? { id: '' }
  await last.focus()
  const initialTask = await web.ann.call('get_task', { task_id: lastId })
  await press('Shift+ArrowRight')
  await untilTrue(async () => {
    const { start_on } = await web.ann.call('get_task', { task_id: lastId })
    return daysBetween(initialTask.start_on, start_on) === 1
  }, 'the last bar was not moved by a day')
  await press('k')
  await untilTrue(
    () =>
      page.evaluate((id) => {
        const active = document.activeElement
        return active?.getAttribute('data-task') !== id && active?.getAttribute('role') === 'row'
      }, lastId),
    'k did not go to the row above',
  )
  visitor.assertNoProblems()
})
