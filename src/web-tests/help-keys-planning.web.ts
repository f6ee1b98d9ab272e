// Tests that each key that the help lists on the planning pages has an effect when it is pressed.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deadKeys, type KeyLocation } from './help-keys.ts'
import { noChromium, openWeb, type Web } from './setup.ts'
import { dayAhead } from './steps.ts'

const skip = noChromium
let web: Web
let goalId: string

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
  const period = dayAhead(0).slice(0, 4)
  for (const title of ['Feed the street', 'Waste nothing']) {
    const key_results = [{ title: 'Boxes', metric: 'number', unit: 'boxes', target_value: 10 }]
    const goal = await ann.call('create_goal', { title, period, level: 'personal', key_results })
    goalId = goal.id
  }
})
after(() => web?.close())

async function createMilestone(): Promise<string> {
  await web.ann.call('create_milestone', { project_id: 'GAR', name: 'First frost' })
  return '/projects/GAR/milestones'
}

const sharedPreparations = {
  'Clear the selection, or close': ['x'],
  'Move to the group before': ['Alt+Shift+ArrowRight'],
  'Previous row': ['j'],
  'Go to today': ['n'],
  'Previous tab': ['}'],
}

const locations: Record<string, KeyLocation> = {
  projects: {
    path: () => '/projects',
    readyText: 'House',
    setup: ['j'],
    preparations: sharedPreparations,
  },
  project: {
    path: () => '/projects/GAR',
    readyText: 'tasks done',
    setup: [],
    preparations: sharedPreparations,
  },
  milestones: {
    path: createMilestone,
    readyText: 'First frost',
    setup: ['j'],
    preparations: sharedPreparations,
  },
  goals: {
    path: () => '/goals',
    readyText: 'Waste nothing',
    setup: ['j'],
    preparations: sharedPreparations,
  },
  goal: { path: () => `/goals/${goalId}`, readyText: 'Boxes', setup: [] },
  time: {
    path: () => '/time',
    readyText: 'No time is logged',
    setup: [],
    preparations: sharedPreparations,
  },
}

for (const [name, location] of Object.entries(locations))
  test(
    `every key listed in the help does something: ${name}`,
    { skip }, // slow: the page is opened again after most keys
    async () => assert.deepEqual(await deadKeys(web, location), []),
  )
