import { useEffect, useRef } from 'preact/hooks'
import type { SlotPicker } from './picker.ts'
import type { FreeSlot } from './slots.ts'

/** Form for the missing details of an event. It is never submitted as a form, as hosts may forbid that in a frame. */
export function EventForm({ slot, picker }: { slot: FreeSlot; picker: SlotPicker }) {
  const form = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLInputElement>(null)
  const location = useRef<HTMLInputElement>(null)
  useEffect(() => form.current?.scrollIntoView({ block: 'nearest' }), [])
  const { isCreating } = picker.state
  const create = () => {
    if (!form.current?.reportValidity()) return
    const [eventTitle, place] = [title, location].map(({ current }) => current?.value.trim() ?? '')
    void picker.create(slot, eventTitle ?? '', place ?? '')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    create()
  }
  return (
    <form ref={form} class="stack" aria-label="New event" onKeyDown={onKeyDown}>
      <div class="fields">
        <label>
          Title
          <input ref={title} required pattern=".*\S.*" maxLength={500} dir="auto" />
        </label>
        <label>
          Place (optional)
          <input ref={location} maxLength={1000} dir="auto" />
        </label>
      </div>
      <div class="row">
        <button type="button" class="primary" disabled={isCreating} onClick={create}>
          {isCreating ? 'Creating…' : 'Create event'}
        </button>
        <span class="small muted">No one is notified yet.</span>
      </div>
    </form>
  )
}
