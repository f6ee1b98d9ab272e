import { describeDate } from '../shared/dates.ts'
import { capitalized } from '../shared/fields.ts'
import type { Host } from '../shared/host.ts'
import { Announcement, ProblemNotice } from '../shared/notices.tsx'
import { EventForm } from './EventForm.tsx'
import type { SlotPicker } from './picker.ts'
import { peopleWithOtherTimes, type FreeSlot, type SlotPerson } from './slots.ts'

interface PickerProps {
  picker: SlotPicker
  host: Host
}

export function PickerView({ picker, host }: PickerProps) {
  const { problem, announcement, created } = picker.state
  return (
    <div class="stack">
      <ProblemNotice problem={problem} />
      <Announcement text={announcement} />
      {created ? <Created picker={picker} host={host} /> : <Slots picker={picker} host={host} />}
    </div>
  )
}

function Slots({ picker, host }: PickerProps) {
  const { slots, isLoading, nextCursor, problem } = picker.state
  const [first] = slots
  if (!first)
    return (
      <>
        <h1>Meeting times</h1>
        {isLoading && <p class="muted">Loading…</p>}
        {!isLoading && !problem && (
          <p>
            No time suits everyone. Ask for a longer period, a shorter meeting, or times outside
            working hours.
          </p>
        )}
      </>
    )
  const names = first.people.map(({ name }) => name).join(', ')
  return (
    <>
      <div>
        <h1>Pick a time</h1>
        <p class="small muted" dir="auto">
          {first.minutes} minutes: {names}. {picker.timezone ?? 'Your time zone'}, best first.
        </p>
      </div>
      {!host.canCall && (
        <p class="notice small muted">
          This host only shows the times. Tell the assistant which one you want.
        </p>
      )}
      <fieldset>
        <legend class="hidden">Times</legend>
        <ul class="slots">
          {slots.map((slot) => (
            <li key={slot.startsAt}>
              <Slot slot={slot} picker={picker} host={host} />
            </li>
          ))}
        </ul>
      </fieldset>
      {nextCursor && host.canCall && (
        <button type="button" disabled={isLoading} onClick={() => picker.loadMore()}>
          {isLoading ? 'Loading…' : 'More times'}
        </button>
      )}
    </>
  )
}

function Slot({ slot, picker, host }: PickerProps & { slot: FreeSlot }) {
  const isPicked = picker.state.picked === slot
  const when = describeDate(slot.local, host.context.locale)
  const description = (
    <>
      <strong>{when}</strong>
      <SlotFacts slot={slot} host={host} />
    </>
  )
  if (!host.canCall) return <div class="slot">{description}</div>
  return (
    <div class={isPicked ? 'slot picked' : 'slot'}>
      <label>
        <input type="radio" name="slot" checked={isPicked} onChange={() => picker.pick(slot)} />
        <span>{description}</span>
      </label>
      {isPicked && <EventForm slot={slot} picker={picker} />}
    </div>
  )
}

function SlotFacts({ slot, host }: { slot: FreeSlot; host: Host }) {
  const { reasons, missing } = slot
  const peopleElsewhere = peopleWithOtherTimes(slot)
  const describe = ({ name, time, isInsideHours }: SlotPerson) => {
    const clock = time.day === slot.local.day ? time.time : describeDate(time, host.context.locale)
    return `${name} ${clock}${isInsideHours ? '' : ', outside working hours'}`
  }
  return (
    <span class="facts small">
      {missing.length > 0 && <span class="warning">Cannot come: {missing.join(', ')}</span>}
      {peopleElsewhere.length > 0 && (
        <span
          class={peopleElsewhere.some(({ isInsideHours }) => !isInsideHours) ? 'warning' : 'muted'}
        >
          {peopleElsewhere.map(describe).join('; ')}
        </span>
      )}
      <span class="muted">{capitalized(reasons.join(' · '))}</span>
    </span>
  )
}

function Created({ picker, host }: PickerProps) {
  const { created } = picker.state
  if (!created) return null
  const { title, url, slot } = created
  return (
    <>
      <h1 dir="auto">{title}</h1>
      <div class="notice success">
        <p>
          In your calendar: {describeDate(slot.local, host.context.locale)}, {slot.minutes} minutes.
        </p>
        <p>
          No one has been notified yet. Ask the assistant to send the invitations when you are
          ready.
        </p>
      </div>
      {host.canOpenLinks && url && (
        <div class="row">
          <button type="button" onClick={() => picker.openInWorkspace(url)}>
            Open in Workspace
          </button>
        </div>
      )}
    </>
  )
}
