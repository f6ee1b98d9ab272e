// Keys pressed while a part with a field is loading: buffered, and passed to the field once it exists.

const bufferedKeys: string[] = []
let isKeeping = false
let isGiving = false

/** Maximum time before a newly loaded part accepts keys. */
const takingMs = 300

/** Maximum number of frames to wait for the field of a newly loaded part. */
const maxFrames = 30
const editingKeys = ['Enter', 'Backspace', 'Tab', 'ArrowDown', 'ArrowUp']

const isText = (event: KeyboardEvent) =>
  event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey

function bufferKey(event: KeyboardEvent): void {
  if (!event.isTrusted || event.isComposing) return
  if (!isText(event) && !editingKeys.includes(event.key)) return
  if (bufferedKeys.length === 0 && fieldWithFocus()) return // else it would come before those typed earlier
  event.preventDefault()
  event.stopImmediatePropagation()
  bufferedKeys.push(event.key)
}

/** Buffers typed keys from now on, so that they are neither lost nor treated as commands. */
export function keepKeys(): void {
  if (isKeeping) return
  isKeeping = true
  window.addEventListener('keydown', bufferKey, true)
}

/** The part was loaded or abandoned: discards keys that are not consumed soon. */
export function leaveKeys(): void {
  setTimeout(() => {
    if (!isGiving) forgetKeys()
  }, takingMs)
}

function forgetKeys(): void {
  isKeeping = false
  isGiving = false
  bufferedKeys.length = 0
  window.removeEventListener('keydown', bufferKey, true)
}

/** Passes buffered keys to the focused field, once there is one. */
export async function giveKeys(): Promise<void> {
  if (!isKeeping) return
  isGiving = true
  for (let frame = 0; frame < maxFrames && isKeeping; frame++) {
    if (fieldWithFocus()) break
    await new Promise((next) => requestAnimationFrame(next))
  }
  for (let [key] = bufferedKeys; key !== undefined; [key] = bufferedKeys) {
    const field = fieldWithFocus()
    if (!field) break
    press(field, key)
    await new Promise((next) => setTimeout(next)) // until the part has drawn what that changed
    bufferedKeys.shift()
  }
  forgetKeys()
}

type Field = HTMLInputElement | HTMLTextAreaElement

function fieldWithFocus(): Field | undefined {
  const { activeElement: at } = document
  if (at instanceof HTMLTextAreaElement) return at
  return at instanceof HTMLInputElement && at.type === 'text' ? at : undefined
}

function press(field: Field, key: string): void {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  if (!field.dispatchEvent(event)) return
  const { selectionStart, selectionEnd, value } = field
  const [start, end] = [selectionStart ?? value.length, selectionEnd ?? value.length]
  if (key === 'Backspace')
    field.setRangeText('', start === end ? Math.max(0, start - 1) : start, end)
  else if (key.length === 1) field.setRangeText(key, start, end, 'end')
  else return
  field.dispatchEvent(new InputEvent('input', { bubbles: true, data: key }))
}
