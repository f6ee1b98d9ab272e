import { useRef, useState, type KeyboardEvent } from 'react'
import { isSingleKeys } from '../../../keys/commands.ts'
import { pressedKey } from '../../../keys/match.ts'

/** A second letter within this time forms a pair with the first. */
const pairMs = 1200

/** Modifier keys. */
const modifierPattern = /^(Shift|Control|Alt|AltGraph|Meta|OS|Fn|Dead|Process|Unidentified)$/

/** Records pressed keys in a field. `onAccept` is called for Enter; Tab and Escape keep their function. */
export function useKeyRecorder(onAccept: (keys: string) => void) {
  const [keys, setKeys] = useState('')
  const lastPressAt = useRef(-Infinity)
  const onKeyDown = (event: KeyboardEvent) => {
    if (isUnmodified(event, 'Tab', 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    if (modifierPattern.test(event.key) || event.nativeEvent.isComposing) return
    if (isUnmodified(event, 'Backspace')) return setKeys('')
    if (isUnmodified(event, 'Enter') && keys !== '') return onAccept(keys)
    const isPair = event.timeStamp - lastPressAt.current < pairMs
    setKeys(
      isPair ? extendKeys(keys, pressedKey(event.nativeEvent)) : pressedKey(event.nativeEvent),
    )
    lastPressAt.current = event.timeStamp
  }
  return { keys, onKeyDown }
}

const isUnmodified = (event: KeyboardEvent, ...keys: string[]) =>
  keys.includes(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey

/** A letter after another one forms a pair; anything else starts over. */
function extendKeys(recorded: string, key: string): string {
  const isPair =
    recorded !== '' && !recorded.includes(' ') && isSingleKeys(recorded) && isSingleKeys(key)
  return isPair ? `${recorded} ${key}` : key
}
