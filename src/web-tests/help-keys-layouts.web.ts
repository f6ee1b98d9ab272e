// Tests that each key that the help lists on the timeline, in the calendar and on a task page has an effect when it is
// pressed.

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

/** Creates a task with all parts that its page can show; returns its path. */
async function createTask(): Promise<string> {
  const { ann } = web
  const { id, key } = await ann.call('create_task', { title: 'Build the shed', project_id: 'GAR' })
  await ann.call('create_subtasks', {
    task_id: id,
    subtasks: [{ title: 'Buy wood' }, { title: 'Buy nails' }],
  })
  return `/tasks/${key}`
}

const scrollToStart = (page: Page) =>
  page.getByRole('grid').evaluate((grid) => {
    if (grid.parentElement) grid.parentElement.scrollLeft = 0
  })

const sharedPreparations = {
  'Clear the selection, or close': ['x'],
  'Move to the group before': ['Alt+Shift+ArrowRight'],
  'Previous row': ['j'],
  'Go to today': ['n'],
  'Previous tab': ['}'],
}

const locations: Record<string, KeyLocation> = {
  timeline: {
    path: () => '/tasks?layout=timeline',
    readyText: 'Plant row',
    setup: ['j', 'j'],
    preparations: {
      ...sharedPreparations,
      'Show as a timeline': ['1'],
      'Go to today': scrollToStart,
    },
  },
  calendar: {
    path: () => '/tasks?layout=calendar',
    readyText: 'Plant row',
    setup: ['j', 'j'],
    preparations: { ...sharedPreparations, 'Show as a calendar': ['1'] },
  },
  task: { path: createTask, readyText: 'Buy nails', setup: [] },
}

for (const [name, location] of Object.entries(locations))
  test(
    `every key listed in the help does something: ${name}`,
    { skip }, // slow: the page is opened again after most keys
    async () => assert.deepEqual(await deadKeys(web, location), []),
  )
