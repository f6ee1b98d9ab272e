import { createContext, useContext, useEffect, useRef, type RefObject } from 'react'
import { commandIds, type CommandId } from './keymap.ts'
import { isPressing, isTyping, pressedKey } from './match.ts'
import { bindingOf, commandsOf } from './own-keys.ts'

/** Runs a command. Returns false if it does not apply at the moment: the key is then left to others. */
type Run = (event?: KeyboardEvent) => unknown

export type CommandRuns = { [Id in CommandId]?: Run | undefined }

type Region = RefObject<Element | null>

interface Handler {
  runs: { readonly current: CommandRuns }
  /** Its commands are there only while this part of the screen has the focus, and then come before others of the same keys. */
  region: Region | undefined
}

/** Active command handlers; of two for the same command, the one added later runs. */
const handlers: Handler[] = []

/** The part of the screen that has to have the focus for the commands of what stands in it. */
export const KeyRegion = createContext<Region | undefined>(undefined)

/** Offers commands while the component is there: to keys, to the command menu and to the help. */
export function useCommands(runs: CommandRuns): void {
  const latest = useRef(runs)
  const region = useContext(KeyRegion)
  useEffect(() => {
    latest.current = runs
  })
  useEffect(() => {
    const handler = { runs: latest, region }
    handlers.push(handler)
    return () => void handlers.splice(handlers.indexOf(handler), 1)
  }, [region])
}

const hasFocus = (region: Region) => region.current?.contains(document.activeElement) === true

const runsOf = (id: CommandId) =>
  handlers.flatMap(({ runs, region }) => {
    const run = runs.current[id]
    return run !== undefined && (region === undefined || hasFocus(region)) ? [run] : []
  })

const isOffered = (id: CommandId) => runsOf(id).length > 0

const isOfRegion = (id: CommandId) =>
  handlers.some(
    ({ runs, region }) =>
      region !== undefined && runs.current[id] !== undefined && hasFocus(region),
  )

/** The command that is there instead of this one on the screen as it stands. */
const replacementOf = (id: CommandId): CommandId | undefined =>
  commandIds.find((other) => bindingOf(other).insteadOf === id && isOffered(other))

/** The commands that can be used on this screen, in the order of the keymap. */
export function activeCommands(): CommandId[] {
  return commandIds.filter((id) => isOffered(id) && replacementOf(id) === undefined)
}

/** Active commands with keys, without those whose keys mean something else in the focused part of the screen. */
export function commandsWithKeys(): CommandId[] {
  const active = activeCommands().filter((id) => bindingOf(id).keys.length > 0)
  const regionKeys = new Set(active.filter(isOfRegion).flatMap((id) => bindingOf(id).keys))
  return active.filter(
    (id) => isOfRegion(id) || !bindingOf(id).keys.every((key) => regionKeys.has(key)),
  )
}

/** Carries a command out; whether someone did. */
export function runCommand(id: CommandId, event?: KeyboardEvent): boolean {
  const effectiveId = replacementOf(id) ?? id
  return runsOf(effectiveId)
    .toReversed()
    .some((run) => run(event) !== false)
}

/** Milliseconds to wait for the second key of a pair. */
const sequenceTimeoutMs = 1200
const offKey = 'workspace.single-keys'

/** Whether letters alone are commands; people who dictate switch that off (WCAG 2.1.4). Kept in this browser. */
export const singleKeys = {
  areOn: () => localStorage.getItem(offKey) !== 'off',
  set: (on: boolean) => localStorage.setItem(offKey, on ? 'on' : 'off'),
}

const namedKey = /^(shift\+)?(Escape|Enter|Arrow|Tab|Home|End|Delete|Backspace|F\d)/
/** Whether keys are a letter or sign alone, or two of them. */
export const isSingleKeys = (keys: string) => !/(mod|alt)\+/.test(keys) && !namedKey.test(keys)

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
  if (isSingleKeys(keys) && !singleKeys.areOn()) return []
  return commandsOf(keys)
    .filter((id) => (!typing || bindingOf(id).whileTyping === true) && isOffered(id))
    .toSorted((a, b) => Number(isOfRegion(b)) - Number(isOfRegion(a)))
}
