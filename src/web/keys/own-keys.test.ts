import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { canChange, canLoseKeys, keyChanges, keyProblem } from './conflicts.ts'
import { keyText } from './key-text.ts'
import { bindingOf as keymapOf, commandIds } from './keymap.ts'
import { printedKeys } from './match.ts'
import { bindingOf, commandsOf, setCustomKeys } from './own-keys.ts'
import { reservedReason } from './reserved.ts'

afterEach(() => setCustomKeys({}))

test('a command has the keys assigned by the person, and so does its replacement', () => {
  setCustomKeys({ 'task.create': ['q'], 'task.done': [], 'gone.command': ['w'] })
  const createCommands = commandIds.filter((id) => keymapOf(id).insteadOf === 'task.create')
  assert.deepEqual(
    new Set(commandsOf('q')),
    new Set(['chat.quote', 'task.create', ...createCommands]),
  )
  assert.equal(commandsOf('q').at(-1), 'chat.quote', 'custom keys come first')
  assert.deepEqual(commandsOf('c'), [])
  assert.ok(!commandsOf('e').includes('task.done'))
  assert.deepEqual([keyText('deal.create'), keyText('task.done')], ['Q', 'Ctrl K'])
  setCustomKeys({})
  assert.ok(commandsOf('c').includes('task.create'))
})

test('keys of browsers, systems, text editing and screen readers are refused with their owner', () => {
  const problems = [
    'mod+t',
    'alt+ArrowLeft',
    'F5',
    'alt+F4',
    'mod+v',
    'Tab',
    'shift+Enter',
    'g mod+w',
  ]
  assert.deepEqual(
    problems.map((keys) => keyProblem('task.done', keys)?.kind),
    ['browser', 'browser', 'browser', 'system', 'text', 'movement', 'movement', 'browser'],
  )
  for (const freeKeys of [
    'h',
    'alt+h',
    'mod+alt+h',
    'mod+shift+h',
    'F2',
    'F8',
    'y y',
    '+',
    'shift+y',
  ])
    assert.equal(reservedReason(freeKeys), undefined, freeKeys)
})

test('no app key is taken by browsers, systems or screen readers', () => {
  for (const id of commandIds) {
    if (id === 'list.menu') continue // systems themselves open the context menu with these keys
    for (const step of keymapOf(id).keys.flatMap((keys) => keys.split(' ')))
      assert.doesNotMatch(reservedReason(step) ?? '', /browser|system|reader/, `${id}: ${step}`)
  }
})

test('keys of another command on the same screens conflict, those of other screens do not', () => {
  assert.deepEqual(keyProblem('task.done', 's'), { kind: 'taken', owners: ['task.status'] })
  assert.equal(keyProblem('task.done', 'h'), undefined, 'h snoozes mail, not tasks')
  assert.deepEqual(keyProblem('task.done', 'g'), {
    kind: 'beginning',
    command: 'go.home',
    keys: 'g d',
  })
  assert.equal(keyProblem('task.done', 'e x')?.kind, undefined)
  assert.equal(keyProblem('task.done', 's x')?.kind, 'beginning')
  assert.equal(
    keyProblem('app.theme', '1')?.kind,
    'taken',
    'commands of everywhere conflict with all',
  )
  assert.equal(keyProblem('task.done', 'e')?.kind, 'same')
  assert.equal(keyProblem('time.timer', 'y')?.kind, 'typing')
})

test('a swap gives the released keys to the other command, unless they conflict there', () => {
  assert.deepEqual(keyChanges('task.done', 's', 'e', ['task.status']), {
    'task.done': ['s'],
    'task.status': ['e'],
  })
  assert.deepEqual(keyChanges('task.done', 's', undefined, ['task.status']), {
    'task.done': ['e', 's'],
    'task.status': [],
  })
  // z undoes everywhere; e also marks as done in the inbox
  assert.deepEqual(keyChanges('task.done', 'z', 'e', ['app.undo']), {
    'task.done': ['z'],
    'app.undo': ['mod+z'],
  })
})

test('the command menu keeps its last key, and commands that share the keys of another cannot be changed', () => {
  assert.equal(canLoseKeys(['app.palette'], 'mod+k'), false)
  setCustomKeys({ 'app.palette': ['mod+k', 'F2'] })
  assert.equal(canLoseKeys(['app.palette'], 'mod+k'), true)
  assert.deepEqual(
    (['deal.create', 'text.send', 'list.back', 'task.done'] as const).map(canChange),
    [false, false, false, true],
  )
})

test('a plus sign is printed as such, alone and in combinations', () => {
  assert.deepEqual(printedKeys('+')[0]?.caps, ['+'])
  assert.deepEqual(printedKeys('mod++')[0]?.caps, ['Ctrl', '+'])
  assert.deepEqual(printedKeys('alt+shift+ArrowUp')[0]?.caps, ['Alt', 'Shift', '↑'])
  assert.deepEqual(bindingOf('days.longer').keys, ['+'])
})
