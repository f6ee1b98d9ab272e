import { useRef, useState, type KeyboardEvent } from 'react'
import { isSingleKeys } from '../../../keys/commands.ts'
import { pressedKey } from '../../../keys/match.ts'

/** A second letter within this time forms a pair with the first. */
const pairMs = 1200

/** Modifier keys. */
const modifier = /^(Shift|Control|Alt|AltGraph|Meta|OS|Fn|Dead|Process|Unidentified)$/

/** Records pressed keys in a field. `accept` is called for Enter; Tab and Escape keep their function. */
export function useRecording(accept: (keys: string) => void) {
  const [keys, setKeys] = useState('')
  const last = useRef(-Infinity)
  const onKeyDown = (event: KeyboardEvent) => {
    if (isBare(event, 'Tab', 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    if (modifier.test(event.key) || event.nativeEvent.isComposing) return
    if (isBare(event, 'Backspace')) return setKeys('')
    if (isBare(event, 'Enter') && keys !== '') return accept(keys)
    const isPair = event.timeStamp - last.current < pairMs
    setKeys(
      isPair ? extendKeys(keys, pressedKey(event.nativeEvent)) : pressedKey(event.nativeEvent),
    )
    last.current = event.timeStamp
  }
  return { keys, onKeyDown }
}

const isBare = (event: KeyboardEvent, ...keys: string[]) =>
  keys.includes(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey

/** A letter after another one forms a pair; anything else starts over. */
function extendKeys(before: string, key: string): string {
  const isPair = before !== '' && !before.includes(' ') && isSingleKeys(before) && isSingleKeys(key)
  return isPair ? `${before} ${key}` : key
}
