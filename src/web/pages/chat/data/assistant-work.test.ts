import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workBefore, type AssistantChange } from './assistant-work.ts'

const ann = { id: 'usr_ann', title: 'Ann' }

function change(id: string, overrides: Partial<AssistantChange> = {}): AssistantChange {
  return {
    id: `acy_${id}`,
    at: '2026-11-26T10:00:00Z',
    actor: ann,
    via: 'mcp',
    key_name: 'Helper',
    verb: 'updated',
    item: { type: 'task', id, title: id },
    changes: [],
    ...overrides,
  }
}

const post = (id: string, overrides: Partial<AssistantChange> = {}) =>
  change(id, { verb: 'posted', item: { type: 'message', id, title: id }, ...overrides })

const idsOf = (changes: readonly AssistantChange[]) => changes.map(({ item }) => item.id)

test('changes of an assistant cover the span from its previous message to this one, without those of others', () => {
  const history = [
    change('later'),
    post('second'),
    change('c'),
    change('of another key', { key_name: 'Other' }),
    change('of the person', { via: 'web' }),
    post('of another key, too', { key_name: 'Other' }),
    change('b'),
    post('first'),
    change('a'),
  ]
  const { assistantName, changes } = workBefore('second', history)
  assert.equal(assistantName, 'Helper')
  assert.deepEqual(idsOf(changes), ['c', 'b'])
  assert.deepEqual(idsOf(workBefore('first', history).changes), ['a'])
})

test('a message no longer in the history has no changes', () => {
  assert.deepEqual(workBefore('old', [change('a')]), { assistantName: undefined, changes: [] })
})

test('an edit of a message does not count as the message', () => {
  const edited = change('first', { item: { type: 'message', id: 'first', title: 'first' } })
  const { changes } = workBefore('first', [edited, change('b'), post('first'), change('a')])
  assert.deepEqual(idsOf(changes), ['a'])
})
