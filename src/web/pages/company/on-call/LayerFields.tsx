import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { onCallTexts as words } from '../../../texts/en/company/on-call.ts'
import { moveItem } from '../../../ui/work/lines.ts'
import { Face } from '../../../ui/work/Who.tsx'
import planning from '../../planning/planning.module.css'
import { usePeople } from '../../tasks/data/lists.ts'
import { DutyHours } from './DutyHours.tsx'
import { units, weekdays, type LayerDraft, type Unit, type Weekday } from './layers.ts'
import styles from './on-call.module.css'

const { form } = words

interface LayerFieldsProps {
  layer: LayerDraft
  number: number
  change: (layer: LayerDraft) => void
  remove: (() => void) | undefined
}

/** One rotation: its people in order, the length of their turns, and the handover time. */
export function LayerFields({ layer, number, change, remove }: LayerFieldsProps) {
  const set = (patch: Partial<LayerDraft>) => change({ ...layer, ...patch })
  return (
    <fieldset className={styles.layer}>
      <legend>{form.layer(number)}</legend>
      <LayerPeople people={layer.people} set={(people) => set({ people })} />
      <div className={styles.turns}>
        <label>
          {form.level}
          <input
            type="number"
            min={1}
            max={10}
            value={layer.level}
            onChange={(event) => set({ level: Number(event.currentTarget.value) })}
          />
        </label>
        <Turns layer={layer} set={set} />
        <label>
          {form.starts}
          <input
            type="date"
            value={layer.starts}
            onChange={(event) => set({ starts: event.currentTarget.value })}
          />
        </label>
      </div>
      <DutyHours hours={layer.hours} set={(hours) => set({ hours })} />
      {remove && (
        <button type="button" className={planning.button} data-plain onClick={remove}>
          {form.removeLayer}
        </button>
      )}
    </fieldset>
  )
}

interface TurnsProps {
  layer: LayerDraft
  set: (patch: Partial<LayerDraft>) => void
}

function Turns({ layer, set }: TurnsProps) {
  return (
    <>
      <label>
        {`${form.rotation} ${form.every}`}
        <span className={styles.pairOf}>
          <input
            type="number"
            min={1}
            max={999}
            value={layer.count}
            onChange={(event) => set({ count: Number(event.currentTarget.value) })}
          />
          <select
            aria-label={form.rotation}
            value={layer.unit}
            onChange={(event) => set({ unit: event.currentTarget.value as Unit })}
          >
            {units.map((unit) => (
              <option key={unit} value={unit}>
                {form.units[unit]}
              </option>
            ))}
          </select>
        </span>
      </label>
      <label>
        {form.handover}
        <input
          type="time"
          value={layer.time}
          onChange={(event) => set({ time: event.currentTarget.value })}
          required
        />
      </label>
      {layer.unit === 'week' && (
        <label>
          {form.weekday}
          <select
            value={layer.weekday}
            onChange={(event) => set({ weekday: event.currentTarget.value as Weekday })}
          >
            <option value="">{form.days.mon}</option>
            {weekdays.slice(1).map((day) => (
              <option key={day} value={day}>
                {form.days[day]}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  )
}

interface PeopleProps {
  people: LayerDraft['people']
  set: (people: LayerDraft['people']) => void
}

/** The people in turn order. */
function LayerPeople({ people, set }: PeopleProps) {
  const allPeople = usePeople()
  const move = (index: number, newIndex: number) => set(moveItem(people, index, newIndex))
  const add = (id: string) => {
    const person = allPeople.find((other) => other.id === id)
    if (person) set([...people, { id, name: person.display_name }])
  }
  return (
    <div className={styles.people}>
      <ol aria-label={form.people}>
        {people.map(({ id, name }, n) => (
          <li key={id}>
            <Face id={id} name={name} size={20} />
            <span dir="auto">{name}</span>
            <button
              type="button"
              aria-label={form.earlier(name)}
              disabled={n === 0}
              onClick={() => move(n, n - 1)}
            >
              <IconArrowUp size={14} aria-hidden />
            </button>
            <button
              type="button"
              aria-label={form.later(name)}
              disabled={n === people.length - 1}
              onClick={() => move(n, n + 1)}
            >
              <IconArrowDown size={14} aria-hidden />
            </button>
            <button
              type="button"
              aria-label={form.removePerson(name)}
              onClick={() => set(people.filter((other) => other.id !== id))}
            >
              <IconX size={14} aria-hidden />
            </button>
          </li>
        ))}
      </ol>
      <select
        value=""
        aria-label={form.addPerson}
        onChange={(event) => add(event.currentTarget.value)}
      >
        <option value="">{form.addPerson}</option>
        {allPeople
          .filter(({ id }) => people.every((person) => person.id !== id))
          .map(({ id, display_name: name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
      </select>
    </div>
  )
}
