// The help lists what works: on the planning pages, each listed key is pressed and has an effect.

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

async function milestones(): Promise<string> {
  await web.ann.call('create_milestone', { project_id: 'GAR', name: 'First frost' })
  return '/projects/GAR/milestones'
}

const first = {
  'Clear the selection, or close': ['x'],
  'Move to the group before': ['Alt+Shift+ArrowRight'],
  'Previous row': ['j'],
  'Go to today': ['n'],
  'Previous tab': ['}'],
}

const places: Record<string, KeyLocation> = {
  projects: { path: () => '/projects', ready: 'House', to: ['j'], first },
  project: { path: () => '/projects/GAR', ready: 'tasks done', to: [], first },
  milestones: { path: milestones, ready: 'First frost', to: ['j'], first },
  goals: { path: () => '/goals', ready: 'Waste nothing', to: ['j'], first },
  goal: { path: () => `/goals/${goalId}`, ready: 'Boxes', to: [] },
  time: { path: () => '/time', ready: 'No time is logged', to: [], first },
}

for (const [name, place] of Object.entries(places))
  test(
    `every key listed in the help does something: ${name}`,
    { skip }, // one comes to the place anew after most keys
    async () => assert.deepEqual(await deadKeys(web, place), []),
  )
