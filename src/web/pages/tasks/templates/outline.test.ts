import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillTitle, readOutline, countOutlineTasks } from './outline.ts'

test('an outline is read with days and subtasks, and counted', () => {
  const outline = readOutline({
    title: 'Onboard {{name}}',
    due_offset_days: 5,
    priority: 'high',
    subtasks: [
      { title: 'Laptop', due_offset_days: -2 },
      { title: 'Accounts', subtasks: [{ title: 'Mail' }] },
    ],
  })
  assert.equal(countOutlineTasks(outline), 4)
  assert.deepEqual(outline.subtasks[0], {
    path: '0.0',
    title: 'Laptop',
    dueOffset: -2,
    subtasks: [],
  })
})

test('variables in braces are replaced if there is a value, and kept otherwise', () => {
  assert.equal(
    fillTitle('Onboard {{name}} in {{ team }}', { name: ' Nora ' }),
    'Onboard Nora in {{ team }}',
  )
  assert.equal(fillTitle('{{name}}', { name: '  ' }), '{{name}}')
})
