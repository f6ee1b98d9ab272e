// The help lists what works: on the timeline, in the calendar and on a task page, each listed key is pressed and has an
// effect.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { deadKeys, type KeyLocation } from './help-keys.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { dayAhead } from './steps.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  const { ann, bob } = web
  for (const [name, key] of [
    ['Garden', 'GAR'],
    ['House', 'HOU'],
  ])
    await ann.call('create_project', { name, key, member_ids: [bob.id] })
  await ann.call('bulk_create_tasks', {
    project_id: 'GAR',
    tasks: Array.from({ length: 30 }, (_, n) => ({
      title: `Plant row ${n + 1}`,
      status: n % 2 ? 'In progress' : 'To do',
      start_at: dayAhead(-2),
      due_at: dayAhead(1),
      assignee_ids: [ann.id],
    })),
  })
})
after(() => web?.close())

/** A task with all parts that its page can show. */
async function task(): Promise<string> {
  const { ann } = web
  const { id, key } = await ann.call('create_task', { title: 'Build the shed', project_id: 'GAR' })
  await ann.call('create_subtasks', {
    task_id: id,
    subtasks: [{ title: 'Buy wood' }, { title: 'Buy nails' }],
  })
  return `/tasks/${key}`
}

const fromToday = (page: Page) =>
  page.getByRole('grid').evaluate((grid) => {
    if (grid.parentElement) grid.parentElement.scrollLeft = 0
  })

const first = {
  'Clear the selection, or close': ['x'],
  'Move to the group before': ['Alt+Shift+ArrowRight'],
  'Previous row': ['j'],
  'Go to today': ['n'],
  'Previous tab': ['}'],
}

const places: Record<string, KeyLocation> = {
  timeline: {
    path: () => '/tasks?layout=timeline',
    ready: 'Plant row',
    to: ['j', 'j'],
    first: { ...first, 'Show as a timeline': ['1'], 'Go to today': fromToday },
  },
  calendar: {
    path: () => '/tasks?layout=calendar',
    ready: 'Plant row',
    to: ['j', 'j'],
    first: { ...first, 'Show as a calendar': ['1'] },
  },
  task: { path: task, ready: 'Buy nails', to: [] },
}

for (const [name, place] of Object.entries(places))
  test(
    `every key listed in the help does something: ${name}`,
    { skip }, // one comes to the place anew after most keys
    async () => assert.deepEqual(await deadKeys(web, place), []),
  )
