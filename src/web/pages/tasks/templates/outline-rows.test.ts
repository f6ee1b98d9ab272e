import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addRow, moveRow, outlineOf, removeRow, outlineRows, shiftRow } from './outline-rows.ts'

const outline = {
  title: 'Onboard {{name}}',
  priority: 'high',
  subtasks: [
    { title: 'Laptop', due_offset_days: -2, labels: ['it'] },
    { title: 'Accounts', subtasks: [{ title: 'Mail' }, { title: 'Chat' }] },
    { title: 'Lunch' },
  ],
}
const rows = () => outlineRows(outline)
/** Levels and titles: `1 Laptop`. */
const lines = (rows: ReturnType<typeof outlineRows>) =>
  rows.slice(1).map(({ level, title }) => `${level} ${title}`)

test('an outline survives the round trip through its rows, including unedited fields', () => {
  assert.deepEqual(outlineOf(rows()), outline)
  const changed = rows().map((row) => (row.title === 'Laptop' ? { ...row, due: '' } : row))
  assert.deepEqual((outlineOf(changed).subtasks as unknown[])[0], {
    title: 'Laptop',
    labels: ['it'],
  })
})

test('a task is added after another, and below one that has subtasks', () => {
  assert.deepEqual(lines(addRow(rows(), 1)).slice(0, 3), ['1 Laptop', '1 ', '1 Accounts'])
  assert.deepEqual(lines(addRow(rows(), 2)).slice(1, 4), ['1 Accounts', '2 ', '2 Mail'])
  assert.deepEqual(lines(addRow(rows(), 0))[0], '1 ')
  assert.deepEqual(outlineOf(addRow(outlineRows({ title: 'Alone' }), 0)), {
    title: 'Alone',
    subtasks: [{ title: '' }],
  })
})

test('a task is removed with its subtasks; the first one stays', () => {
  assert.deepEqual(lines(removeRow(rows(), 2)), ['1 Laptop', '1 Lunch'])
  assert.equal(removeRow(rows(), 0).length, rows().length)
})

test('a task is indented below the one before it and back, up to five levels in total', () => {
  const deeper = shiftRow(rows(), 2, 1)
  assert.deepEqual(lines(deeper), ['1 Laptop', '2 Accounts', '3 Mail', '3 Chat', '1 Lunch'])
  assert.deepEqual(lines(shiftRow(deeper, 2, -1)), lines(rows()))
  assert.deepEqual(
    lines(shiftRow(rows(), 1, 1)),
    lines(rows()),
    'there is no task to indent it below',
  )
  assert.deepEqual(
    lines(shiftRow(rows(), 1, -1)),
    lines(rows()),
    'only the first task is at level 0',
  )
  const deep = outlineRows({
    title: '0',
    subtasks: [
      { title: 'a', subtasks: [{ title: 'b', subtasks: [{ title: 'c' }] }] },
      {
        title: 'd',
        subtasks: [{ title: 'e', subtasks: [{ title: 'f', subtasks: [{ title: 'g' }] }] }],
      },
    ],
  })
  const index = deep.findIndex(({ title }) => title === 'd')
  assert.deepEqual(lines(shiftRow(deep, index, 1)), lines(deep), 'it would be six levels')
})

test('a task moves past its siblings together with its subtasks', () => {
  assert.deepEqual(lines(moveRow(rows(), 1, 1)), [
    '1 Accounts',
    '2 Mail',
    '2 Chat',
    '1 Laptop',
    '1 Lunch',
  ])
  assert.deepEqual(lines(moveRow(rows(), 5, -1)), [
    '1 Laptop',
    '1 Lunch',
    '1 Accounts',
    '2 Mail',
    '2 Chat',
  ])
  assert.deepEqual(lines(moveRow(rows(), 3, -1)), lines(rows()), 'it is the first of its level')
  assert.deepEqual(lines(moveRow(rows(), 4, 1)), lines(rows()), 'it is the last of its level')
})
