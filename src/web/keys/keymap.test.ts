import assert from 'node:assert/strict'
import { test } from 'node:test'
import { t } from '../texts/index.ts'
import { canConflict } from './conflicts.ts'
import { bindingOf, commandIds } from './keymap.ts'
import { pressedKey } from './match.ts'

const bindings = commandIds.map((id) => ({ id, ...bindingOf(id) }))

test('no two commands of a scope share keys, and no key is the prefix of a sequence', () => {
  for (const [index, a] of bindings.entries())
    for (const b of bindings.slice(index + 1)) {
      if (!canConflict(a.id, b.id)) continue
      for (const keys of a.keys) {
        assert.ok(!b.keys.includes(keys), `${keys}: ${a.id}, ${b.id}`)
        const conflict = b.keys.find(
          (other) => other.startsWith(`${keys} `) || keys.startsWith(`${other} `),
        )
        assert.equal(conflict, undefined, `${keys}: ${a.id}, ${b.id}`)
      }
    }
})

test('no key is reserved by browsers or screen readers', () => {
  const reserved = /^(mod\+[ntw]|alt\+(ArrowLeft|ArrowRight|\d|d)|mod\+shift\+[mo])$/
  for (const { id, keys } of bindings)
    for (const key of keys.flatMap((pair) => pair.split(' ')))
      assert.doesNotMatch(key, reserved, id)
})

test('a command that replaces another uses exactly its keys', () => {
  for (const { id, keys, insteadOf } of bindings) {
    if (insteadOf === undefined) continue
    const other = bindings.find((binding) => binding.id === insteadOf)
    assert.deepEqual(other?.keys, keys, id)
  }
})

test('every command and every command group has a label', () => {
  for (const id of commandIds) assert.ok(t.keys.commands[id].length > 0, id)
})

test('a pressed key is named as in the keymap', () => {
  const press = (key: string, modifiers: Partial<KeyboardEvent> = {}) =>
    pressedKey({
      key,
      code: '',
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      shiftKey: false,
      ...modifiers,
    })
  assert.equal(press('K', { ctrlKey: true }), 'mod+k')
  assert.equal(press('?', { shiftKey: true }), '?')
  assert.equal(press('Z', { shiftKey: true }), 'shift+z')
  assert.equal(press('ArrowUp', { altKey: true, shiftKey: true }), 'alt+shift+ArrowUp')
  assert.equal(press(' '), 'Space')
  assert.equal(press('π', { altKey: true, code: 'KeyP' }), 'alt+p')
})
