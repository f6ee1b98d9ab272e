// The help lists what works: in the task list and on the board, each listed key is pressed and has an effect.

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
const first = {
  'Clear the selection, or close': ['x'],
  'Move to the group before': ['Alt+Shift+ArrowRight'],
  Tasks: ['g', 'p'],
}

const places: Record<string, KeyLocation> = {
  list: {
    path: () => '/tasks',
    ready: 'Plant row',
    to: ['j', 'j', 'j'],
    first: { ...first, 'Show as a list': ['2'] },
  },
  board: {
    path: () => '/tasks?layout=board',
    ready: 'Plant row',
    to: ['j', 'j'],
    first: { ...first, 'Show as a board': ['1'] },
  },
}

for (const [name, place] of Object.entries(places))
  test(
    `every key listed in the help does something: ${name}`,
    { skip }, // one comes to the place anew after most keys
    async () => assert.deepEqual(await deadKeys(web, place, name === 'list'), []),
  )
