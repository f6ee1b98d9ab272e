import { useEffect, useRef } from 'react'
import { bindingOf, commandIds, type CommandId } from './keymap.ts'
import { isPressing, isTyping, pressedKey } from './match.ts'

/** What a command does. It answers false where there is nothing to do it with now: the key is then left to others. */
type Run = (event?: KeyboardEvent) => unknown

export type CommandRuns = { [Id in CommandId]?: Run | undefined }

/** Those who can carry out commands now; of two for the same command, the one that came later does. */
const handlers: { current: CommandRuns }[] = []

/** Offers commands while the component is there: to keys, to the command menu and to the help. */
export function useCommands(runs: CommandRuns): void {
  const latest = useRef(runs)
  useEffect(() => {
    latest.current = runs
  })
  useEffect(() => {
    handlers.push(latest)
    return () => void handlers.splice(handlers.indexOf(latest), 1)
  }, [])
}

const isOffered = (id: CommandId) => handlers.some(({ current }) => current[id] !== undefined)

/** The command that is there instead of this one on the screen as it stands. */
const replacementOf = (id: CommandId): CommandId | undefined =>
  commandIds.find((other) => bindingOf(other).insteadOf === id && isOffered(other))

/** The commands that can be used on this screen, in the order of the keymap. */
export function activeCommands(): CommandId[] {
  return commandIds.filter((id) => isOffered(id) && replacementOf(id) === undefined)
}

/** Carries a command out; whether someone did. */
export function runCommand(id: CommandId, event?: KeyboardEvent): boolean {
  const meant = replacementOf(id) ?? id
  const runs = handlers.map(({ current }) => current[meant]).filter((run) => run !== undefined)
  return runs.toReversed().some((run) => run(event) !== false)
}

/** How long the second key of a pair may be waited for. */
const sequenceTimeoutMs = 1200
const offKey = 'workspace.single-keys'

/** Whether letters alone are commands; people who dictate switch that off (WCAG 2.1.4). Kept in this browser. */
export const singleKeys = {
  areOn: () => localStorage.getItem(offKey) !== 'off',
  set: (on: boolean) => localStorage.setItem(offKey, on ? 'on' : 'off'),
}

const named = /^(shift\+)?(Escape|Enter|Arrow|Tab|Home|End|Delete|Backspace|F\d)/
const isSingle = (keys: string) => !/(mod|alt)\+/.test(keys) && !named.test(keys)

/** Listens for the keys of the keymap, for as long as the app stands. */
export function useKeyListener(): void {
  useEffect(() => {
    let first = { key: '', at: -Infinity }
    const pressed = (event: KeyboardEvent) => {
      const before = first
      first = { key: '', at: -Infinity } // what was typed elsewhere begins no pair
      if (event.defaultPrevented || event.isComposing || isPressing(event)) return
      const key = pressedKey(event)
      const typing = isTyping(event.target)
      const isPair = performance.now() - before.at < sequenceTimeoutMs
      const wanted = isPair ? [`${before.key} ${key}`, key] : [key]
      const ids = wanted.flatMap((keys) => commandsFor(keys, typing))
      if (ids.some((id) => runCommand(id, event))) event.preventDefault()
      else if (!typing) first = { key, at: performance.now() }
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}

/** The commands of keys that someone can carry out now; the next is asked where one has nothing to do. */
function commandsFor(keys: string, typing: boolean): CommandId[] {
  if (isSingle(keys) && !singleKeys.areOn()) return []
  return commandIds.filter((id) => {
    const binding = bindingOf(id)
    return binding.keys.includes(keys) && (!typing || binding.whileTyping === true) && isOffered(id)
  })
}
