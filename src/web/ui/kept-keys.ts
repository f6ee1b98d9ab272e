// Keys pressed while a part with a field is loading: buffered, and passed to the field once it exists.

const bufferedKeys: string[] = []
let isBuffering = false
let isFlushing = false

/** Maximum time before a newly loaded part accepts keys. */
const acceptTimeoutMs = 300

/** Maximum number of frames to wait for the field of a newly loaded part. */
const maxFrames = 30
const editingKeys = ['Enter', 'Backspace', 'Tab', 'ArrowDown', 'ArrowUp']

const isTextKey = (event: KeyboardEvent) =>
  event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey

function bufferKey(event: KeyboardEvent): void {
  if (!event.isTrusted || event.isComposing) return
  if (!isTextKey(event) && !editingKeys.includes(event.key)) return
  if (bufferedKeys.length === 0 && fieldWithFocus()) return // otherwise it would overtake the buffered keys
  event.preventDefault()
  event.stopImmediatePropagation()
  bufferedKeys.push(event.key)
}

/** Buffers typed keys from now on, so that they are neither lost nor treated as commands. */
export function startBuffering(): void {
  if (isBuffering) return
  isBuffering = true
  window.addEventListener('keydown', bufferKey, true)
}

/** The part was loaded or abandoned: discards keys that are not consumed soon. */
export function stopBufferingSoon(): void {
  setTimeout(() => {
    if (!isFlushing) clearBuffer()
  }, acceptTimeoutMs)
}

function clearBuffer(): void {
  isBuffering = false
  isFlushing = false
  bufferedKeys.length = 0
  window.removeEventListener('keydown', bufferKey, true)
}

/** Passes buffered keys to the focused field, once there is one. */
export async function flushKeys(): Promise<void> {
  if (!isBuffering) return
  isFlushing = true
  for (let frame = 0; frame < maxFrames && isBuffering; frame++) {
    if (fieldWithFocus()) break
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
  for (let [key] = bufferedKeys; key !== undefined; [key] = bufferedKeys) {
    const field = fieldWithFocus()
    if (!field) break
    typeKey(field, key)
    await new Promise((resolve) => setTimeout(resolve)) // until the part has rendered the change
    bufferedKeys.shift()
  }
  clearBuffer()
}

type Field = HTMLInputElement | HTMLTextAreaElement

function fieldWithFocus(): Field | undefined {
  const { activeElement: element } = document
  if (element instanceof HTMLTextAreaElement) return element
  return element instanceof HTMLInputElement && element.type === 'text' ? element : undefined
}

function typeKey(field: Field, key: string): void {
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
