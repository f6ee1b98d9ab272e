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
  /**
   * Its commands are active only while this region has the focus, and then take precedence over others with the same
   * keys.
   */
  region: Region | undefined
}

/** Active command handlers; of two for the same command, the one added later runs. */
const handlers: Handler[] = []

/** The region that must have the focus for the commands inside it. */
export const KeyRegion = createContext<Region | undefined>(undefined)

/** Registers commands while the component is mounted: for keys, the command menu and the help. */
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

/** The command that replaces this one on the current page. */
const replacementOf = (id: CommandId): CommandId | undefined =>
  commandIds.find((other) => bindingOf(other).insteadOf === id && isOffered(other))

/** The commands available on this page, in keymap order. */
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

/** Runs a command; returns whether one handled it. */
export function runCommand(id: CommandId, event?: KeyboardEvent): boolean {
  const effectiveId = replacementOf(id) ?? id
  return runsOf(effectiveId)
    .toReversed()
    .some((run) => run(event) !== false)
}

/** Milliseconds to wait for the second key of a pair. */
const sequenceTimeoutMs = 1200
const offKey = 'workspace.single-keys'

/** Whether single letters are commands; people who dictate disable that (WCAG 2.1.4). Stored in this browser. */
export const singleKeys = {
  areOn: () => localStorage.getItem(offKey) !== 'off',
  set: (on: boolean) => localStorage.setItem(offKey, on ? 'on' : 'off'),
}

const namedKey = /^(shift\+)?(Escape|Enter|Arrow|Tab|Home|End|Delete|Backspace|F\d)/
/** True for a single letter or sign, or two in sequence. */
export const isSingleKeys = (keys: string) => !/(mod|alt)\+/.test(keys) && !namedKey.test(keys)

/** Listens for the keys of the keymap while the app is running. */
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

/** The available commands for keys; the next one is tried if one does not apply. */
function commandsFor(keys: string, typing: boolean): CommandId[] {
  if (isSingleKeys(keys) && !singleKeys.areOn()) return []
  return commandsOf(keys)
    .filter((id) => (!typing || bindingOf(id).whileTyping === true) && isOffered(id))
    .toSorted((a, b) => Number(isOfRegion(b)) - Number(isOfRegion(a)))
}
