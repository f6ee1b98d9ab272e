// Tests that each key that the help lists in the task list and on the board has an effect when it is pressed.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deadKeys, type KeyLocation } from './help-keys.ts'
import { noChromium, openWeb, type Web } from './setup.ts'

const skip = noChromium
let web: Web

before(async () => {
  if (skip) return
  web = await openWeb(undefined, { limits: false })
  const { ann, bob } = web
  await ann.call('create_project', { name: 'Garden', key: 'GAR', member_ids: [bob.id] })
  await ann.call('bulk_create_tasks', {
    project_id: 'GAR',
    tasks: Array.from({ length: 30 }, (_, n) => ({
      title: `Plant row ${n + 1}`,
      status: n % 2 ? 'In progress' : 'To do',
      assignee_ids: [ann.id],
    })),
  })
})
after(() => web?.close())

/** A layout's key is tested from another layout. */
const sharedPreparations = {
  'Clear the selection, or close': ['x'],
  'Move to the group before': ['Alt+Shift+ArrowRight'],
  Tasks: ['g', 'p'],
}

const locations: Record<string, KeyLocation> = {
  list: {
    path: () => '/tasks',
    readyText: 'Plant row',
    setup: ['j', 'j', 'j'],
    preparations: { ...sharedPreparations, 'Show as a list': ['2'] },
  },
  board: {
    path: () => '/tasks?layout=board',
    readyText: 'Plant row',
    setup: ['j', 'j'],
    preparations: { ...sharedPreparations, 'Show as a board': ['1'] },
  },
}

for (const [name, location] of Object.entries(locations))
  test(
    `every key listed in the help does something: ${name}`,
    { skip }, // slow: the page is opened again after most keys
    async () => assert.deepEqual(await deadKeys(web, location, name === 'list'), []),
  )
