import { createContext, useContext, useEffect, useRef, type RefObject } from 'react'
import { commandIds, type CommandId } from './keymap.ts'
import { isActivation, isTypingTarget, pressedKey } from './match.ts'
import { bindingOf, commandsOf } from './own-keys.ts'

/** Runs a command. Returns false if it does not apply at the moment: the next handler is tried. */
type CommandHandler = (event?: KeyboardEvent) => unknown

export type CommandHandlers = { [Id in CommandId]?: CommandHandler | undefined }

type Region = RefObject<Element | null>

interface Registration {
  commands: { readonly current: CommandHandlers }
  /**
   * Its commands are active only while this region has the focus, and then take precedence over others with the same
   * keys.
   */
  region: Region | undefined
}

/** Active registrations; of two for the same command, the one added later runs. */
const registrations: Registration[] = []

/** The region that must have the focus for the commands inside it. */
export const KeyRegion = createContext<Region | undefined>(undefined)

/** Registers commands while the component is mounted: for keys, the command menu and the help. */
export function useCommands(commands: CommandHandlers): void {
  const latest = useRef(commands)
  const region = useContext(KeyRegion)
  useEffect(() => {
    latest.current = commands
  })
  useEffect(() => {
    const registration = { commands: latest, region }
    registrations.push(registration)
    return () => void registrations.splice(registrations.indexOf(registration), 1)
  }, [region])
}

const hasFocus = (region: Region) => region.current?.contains(document.activeElement) === true

const handlersOf = (id: CommandId) =>
  registrations.flatMap(({ commands, region }) => {
    const handler = commands.current[id]
    return handler !== undefined && (region === undefined || hasFocus(region)) ? [handler] : []
  })

const isAvailable = (id: CommandId) => handlersOf(id).length > 0

const isInFocusedRegion = (id: CommandId) =>
  registrations.some(
    ({ commands, region }) =>
      region !== undefined && commands.current[id] !== undefined && hasFocus(region),
  )

/** The command that replaces this one on the current page. */
const replacementOf = (id: CommandId): CommandId | undefined =>
  commandIds.find((other) => bindingOf(other).insteadOf === id && isAvailable(other))

/** The commands available on this page, in keymap order. */
export function activeCommands(): CommandId[] {
  return commandIds.filter((id) => isAvailable(id) && replacementOf(id) === undefined)
}

/** Active commands with keys, without those whose keys mean something else in the focused part of the screen. */
export function commandsWithKeys(): CommandId[] {
  const active = activeCommands().filter((id) => bindingOf(id).keys.length > 0)
  const regionKeys = new Set(active.filter(isInFocusedRegion).flatMap((id) => bindingOf(id).keys))
  return active.filter(
    (id) => isInFocusedRegion(id) || !bindingOf(id).keys.every((key) => regionKeys.has(key)),
  )
}

/** Runs a command; returns whether one handled it. */
export function runCommand(id: CommandId, event?: KeyboardEvent): boolean {
  const effectiveId = replacementOf(id) ?? id
  return handlersOf(effectiveId)
    .toReversed()
    .some((run) => run(event) !== false)
}

/** Milliseconds to wait for the second key of a pair. */
const sequenceTimeoutMs = 1200
const storageKey = 'workspace.single-keys'

/** Whether single letters are commands; people who dictate disable that (WCAG 2.1.4). Stored in this browser. */
export const singleKeys = {
  isEnabled: () => localStorage.getItem(storageKey) !== 'off',
  set: (isEnabled: boolean) => localStorage.setItem(storageKey, isEnabled ? 'on' : 'off'),
}

const namedKey = /^(shift\+)?(Escape|Enter|Arrow|Tab|Home|End|Delete|Backspace|F\d)/
/** True for a single letter or sign, or two in sequence. */
export const isSingleKeys = (keys: string) => !/(mod|alt)\+/.test(keys) && !namedKey.test(keys)

/** Listens for the keys of the keymap while the app is running. */
export function useKeyListener(): void {
  useEffect(() => {
    let firstKey = { key: '', time: -Infinity }
    const onKeyDown = (event: KeyboardEvent) => {
      const previous = firstKey
      firstKey = { key: '', time: -Infinity } // a key handled elsewhere does not start a pair
      if (event.defaultPrevented || event.isComposing || isActivation(event)) return
      const key = pressedKey(event)
      const isInField = isTypingTarget(event.target)
      const isPair = performance.now() - previous.time < sequenceTimeoutMs
      const candidates = isPair ? [`${previous.key} ${key}`, key] : [key]
      const ids = candidates.flatMap((keys) => commandsFor(keys, isInField))
      if (ids.some((id) => runCommand(id, event))) event.preventDefault()
      else if (!isInField) firstKey = { key, time: performance.now() }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** The available commands for keys; the next one is tried if one does not apply. */
function commandsFor(keys: string, isInField: boolean): CommandId[] {
  if (isSingleKeys(keys) && !singleKeys.isEnabled()) return []
  return commandsOf(keys)
    .filter((id) => (!isInField || bindingOf(id).whileTyping === true) && isAvailable(id))
    .toSorted((a, b) => Number(isInFocusedRegion(b)) - Number(isInFocusedRegion(a)))
}
