import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changeColumn,
  visibleColumns,
  moveColumn,
  printColumns,
  readColumns,
  toggleColumn,
} from './columns.ts'

const ids = (columns: readonly { id: string }[] | undefined) => columns?.map(({ id }) => id)

test('columns survive the round trip through a URL, with any name of a custom field', () => {
  const printed = 'title:320p,status,c.Cost%20center%2C%3A%20%E2%82%AC:140,points:p'
  const columns = readColumns(printed)
  assert.deepEqual(columns, [
    { id: 'title', width: 320, isPinned: true },
    { id: 'status' },
    { id: 'c.Cost center,: €', width: 140 },
    { id: 'points', isPinned: true },
  ])
  assert.equal(printColumns(columns), printed)
})

test('invalid columns in a URL are ignored, and widths are limited', () => {
  assert.equal(readColumns(''), undefined)
  assert.equal(readColumns(7), undefined)
  assert.equal(readColumns('nothing,c.,c.%E0%A4%A'), undefined)
  assert.deepEqual(readColumns('title:1,title:400,status:9999,evil:12'), [
    { id: 'title', width: 48 },
    { id: 'status', width: 1200 },
  ])
  assert.equal(readColumns(Array.from({ length: 500 }, (_, n) => `c.${n}`).join(','))?.length, 60)
})

test('a column moves among columns that are pinned like it', () => {
  const columns = readColumns('status,title:p,due')!
  assert.deepEqual(ids(visibleColumns(columns)), ['title', 'status', 'due'])
  assert.deepEqual(ids(moveColumn(columns, 'due', -1)), ['title', 'due', 'status'])
  assert.equal(moveColumn(columns, 'status', -1), columns, 'not before a pinned one')
  assert.equal(moveColumn(columns, 'due', 1), columns, 'not beyond the end')
  const pinned = changeColumn(columns, 'due', { isPinned: true })
  assert.deepEqual(ids(moveColumn(pinned, 'due', -1)), ['due', 'title', 'status'])
})

test('a hidden column returns at the end, and the last one cannot be hidden', () => {
  const columns = readColumns('title,due')!
  assert.deepEqual(ids(toggleColumn(columns, 'title')), ['due'])
  assert.deepEqual(ids(toggleColumn(toggleColumn(columns, 'title'), 'title')), ['due', 'title'])
  const [due] = [toggleColumn(columns, 'title')]
  assert.equal(toggleColumn(due, 'due'), due)
})
