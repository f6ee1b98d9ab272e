import { IconListCheck, IconUsers, IconWorld, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useCommands } from '../../keys/commands.ts'
import { useMe } from '../../session/session.ts'
import { filterChoices, Picker, type Choice } from '../../ui/work/Picker.tsx'
import { Face } from '../../ui/work/Who.tsx'
import { CommandTool } from '../inbox/Pane.tsx'
import { usePeople } from '../tasks/data/lists.ts'
import styles from './calendar.module.css'
import type { CalendarContext } from './data/useBeside.ts'
import type { BusyPerson } from './data/useBusy.ts'
import { wallOf, zoneName, zonesWith } from './data/wall.ts'
import { calendarTexts as t } from './texts.ts'

/** Selects a second zone, and colleagues whose busy times are shown. */
export function ViewTools({ context }: { context: CalendarContext }) {
  const [openPicker, setOpenPicker] = useState<{ kind: 'people' | 'zone'; anchor: Element }>()
  const show = (kind: 'people' | 'zone') => () => {
    const anchor = document.querySelector(`[data-tool="calendar.${kind}"]`)
    if (anchor) setOpenPicker({ kind, anchor })
  }
  useCommands({ 'calendar.people': show('people'), 'calendar.zone': show('zone') })
  const close = () => setOpenPicker(undefined)
  return (
    <>
      <CommandTool command="calendar.people" icon={IconUsers} />
      <CommandTool command="calendar.zone" icon={IconWorld} />
      <CommandTool command="calendar.tasks" icon={IconListCheck} />
      {openPicker?.kind === 'people' && (
        <PeoplePicker anchor={openPicker.anchor} close={close} context={context} />
      )}
      {openPicker?.kind === 'zone' && (
        <ZonePicker anchor={openPicker.anchor} close={close} context={context} />
      )}
    </>
  )
}

interface ToolPickerProps {
  context: CalendarContext
  anchor: Element
  close: () => void
}

function PeoplePicker({ context: { people, setPeople }, ...rest }: ToolPickerProps) {
  const me = useMe()
  const choices = usePeople()
    .filter(({ id }) => id !== me.id)
    .map(
      ({ id, display_name: name }): Choice<BusyPerson> => ({
        value: { id, name },
        label: name,
        icon: <Face id={id} name={name} size={18} />,
        isChosen: people.some((person) => person.id === id),
      }),
    )
  return (
    <Picker
      {...rest}
      label={t.keys.commands['calendar.people']}
      isMultiple
      choices={(query) => filterChoices(choices, query)}
      choose={({ id, name }) => {
        const others = people.filter((person) => person.id !== id)
        setPeople(others.length < people.length ? others : [...people, { id, name }])
      }}
    />
  )
}

function ZonePicker({ context: { zones, setSecond }, ...rest }: ToolPickerProps) {
  const [ownZone = 'UTC', secondZone] = zones
  const choices: Choice<string>[] = [
    ...(secondZone === undefined ? [] : [{ value: '', label: t.calendar.noSecondZone }]),
    ...zonesWith(ownZone)
      .filter((zone) => zone !== ownZone)
      .map((zone) => ({
        value: zone,
        label: zoneName(zone),
        hint: wallOf(Date.now(), zone).slice(11),
        isChosen: zone === secondZone,
      })),
  ]
  return (
    <Picker
      {...rest}
      label={t.keys.commands['calendar.zone']}
      choices={(query) => filterChoices(choices, query).slice(0, maxZones)}
      choose={setSecond}
    />
  )
}

/** Maximum number of listed zones; a query finds the others. */
const maxZones = 60

/** People with visible busy times, each with a button that removes them. */
export function BusyLegend({
  context: { people, hidden, setPeople },
}: {
  context: CalendarContext
}) {
  if (people.length === 0) return null
  return (
    <ul className={styles.legend} aria-label={t.calendar.busy.whose}>
      {people.map(({ id, name }) => (
        <li key={id}>
          <Face id={id} name={name} size={16} />
          <span dir="auto">{name}</span>
          {hidden.has(id) && <span className={styles.quiet}>{t.calendar.busy.hidden}</span>}
          <button
            type="button"
            aria-label={`${t.calendar.form.takeOut} ${name}`}
            onClick={() => setPeople(people.filter((person) => person.id !== id))}
          >
            <IconX size={12} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}
