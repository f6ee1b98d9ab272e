import type { ReactNode } from 'react'
import { useCalendars } from '../data/calendars.ts'
import { zoneName, zonesWith } from '../data/wall.ts'
import { calendarTexts as t } from '../texts.ts'
import styles from './event.module.css'
import { GuestField } from './GuestField.tsx'
import { isSameRule, describeRule, ruleChoices } from './rules.ts'
import { TaskSelect } from '../tasks/TaskSelect.tsx'
import { TimeFinder } from './TimeFinder.tsx'
import { withDuration, withStart, type EventValues } from './values.ts'
import { PhraseField, type ParsedPhrase } from './WordsField.tsx'

const eventKinds = ['default', 'focus', 'out_of_office'] as const

interface EventFieldsProps {
  values: EventValues
  change: (patch: Partial<EventValues>) => void
  isEdit: boolean
  isSeries: boolean
  hasDescription: boolean
  /** Guests by id or address whose availability can be queried. */
  knownGuests: readonly string[]
}

/** The fields of an event, with labels. */
export function EventFields(props: EventFieldsProps) {
  const { values, change, isEdit, isSeries, hasDescription, knownGuests } = props
  const { form } = t.calendar
  const textInputProps = (name: 'title' | 'place' | 'about') => ({
    value: values[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      change({ [name]: currentTarget.value }),
    dir: 'auto' as const,
  })
  return (
    <div className={styles.fields}>
      <Field label={form.title} isWide>
        <input {...textInputProps('title')} maxLength={500} data-autofocus />
      </Field>
      {!isEdit && (
        <PhraseField
          zone={values.zone}
          onParsed={(parsed) => change(applyPhrase(values, parsed))}
        />
      )}
      <TimeFields values={values} change={change} isSeries={isSeries} />
      <ZoneField values={values} change={change} isEdit={isEdit} />
      <RepeatFields values={values} change={change} />
      <Field label={form.place} isWide>
        <input {...textInputProps('place')} maxLength={1000} />
      </Field>
      {!isEdit && <KindFields values={values} change={change} />}
      <GuestField guests={values.guests} change={(guests) => change({ guests })} />
      <TimeFinder
        values={values}
        guests={knownGuests}
        choose={(starts) => change(withStart(values, starts.slice(0, 10), starts.slice(11)))}
      />
      <CalendarField values={values} change={change} isEdit={isEdit} />
      <ReminderField values={values} change={change} />
      {hasDescription && (
        <Field label={form.about} isWide>
          <textarea {...textInputProps('about')} rows={3} maxLength={50_000} />
        </Field>
      )}
    </div>
  )
}

/** Applies the parsed words to the form. */
function applyPhrase(values: EventValues, { starts, hasTime, minutes, guests }: ParsedPhrase) {
  const moved =
    starts === undefined
      ? values
      : withStart(values, starts.slice(0, 10), hasTime ? starts.slice(11) : values.startTime)
  const sized = minutes === undefined ? moved : withDuration(moved, minutes)
  const added = guests.filter((guest) => !values.guests.includes(guest))
  return { ...sized, allDay: values.allDay && !hasTime, guests: [...values.guests, ...added] }
}

interface FieldProps {
  label: string
  isWide?: boolean
  children: ReactNode
}

const Field = ({ label, isWide = false, children }: FieldProps) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: its control is among the children
  <label className={styles.field} data-wide={isWide || undefined}>
    <span>{label}</span>
    {children}
  </label>
)

type PartProps = Pick<EventFieldsProps, 'values' | 'change'>

function TimeFields({ values, change, isSeries }: PartProps & { isSeries: boolean }) {
  const { form } = t.calendar
  const { allDay, startDay, startTime, endDay, endTime } = values
  return (
    <>
      <label className={styles.check} htmlFor="event-all-day" data-wide>
        <input
          id="event-all-day"
          type="checkbox"
          checked={allDay}
          disabled={isSeries}
          onChange={(event) => change({ allDay: event.currentTarget.checked })}
        />
        {form.allDay}
      </label>
      <Field label={form.starts}>
        <input
          type="date"
          value={startDay}
          onChange={(event) => change(withStart(values, event.currentTarget.value, startTime))}
        />
      </Field>
      {!allDay && (
        <Field label={form.startTime}>
          <input
            type="time"
            value={startTime}
            onChange={(event) => change(withStart(values, startDay, event.currentTarget.value))}
          />
        </Field>
      )}
      <Field label={form.ends}>
        <input
          type="date"
          value={endDay}
          min={startDay}
          onChange={(event) => change({ endDay: event.currentTarget.value })}
        />
      </Field>
      {!allDay && (
        <Field label={form.endTime}>
          <input
            type="time"
            value={endTime}
            onChange={(event) => change({ endTime: event.currentTarget.value })}
          />
        </Field>
      )}
    </>
  )
}

/** An existing event keeps its zone; a new one may have any. */
function ZoneField({ values, change, isEdit }: PartProps & { isEdit: boolean }) {
  const { form } = t.calendar
  if (values.allDay) return null
  if (isEdit)
    return (
      <p className={styles.hint} data-wide>
        {form.inZone(zoneName(values.zone))}
      </p>
    )
  return (
    <Field label={form.zone} isWide>
      <select value={values.zone} onChange={(event) => change({ zone: event.currentTarget.value })}>
        {zonesWith(values.zone).map((zone) => (
          <option key={zone} value={zone}>
            {zoneName(zone)}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** Fields of a new event only: an existing event keeps its kind and its link. */
function KindFields({ values, change }: PartProps) {
  const { form } = t.calendar
  return (
    <>
      <Field label={form.kind}>
        <select
          value={values.kind}
          onChange={({ currentTarget: { value } }) =>
            change({ kind: eventKinds.find((kind) => kind === value) ?? 'default' })
          }
        >
          {eventKinds.map((kind) => (
            <option key={kind} value={kind}>
              {form.kinds[kind]}
            </option>
          ))}
        </select>
      </Field>
      <label className={styles.check} htmlFor="event-video">
        <input
          id="event-video"
          type="checkbox"
          checked={values.hasVideo}
          onChange={(event) => change({ hasVideo: event.currentTarget.checked })}
        />
        {form.addVideo}
      </label>
      {values.kind === 'focus' && (
        <Field label={t.calendar.tasks.task} isWide>
          <TaskSelect values={values} change={change} />
        </Field>
      )}
    </>
  )
}

function RepeatFields({ values, change }: PartProps) {
  const { form, rules } = t.calendar
  const choices = ruleChoices(values.startDay)
  const standardRule = choices.find(
    ({ rule }) => values.rule !== '' && isSameRule(rule, values.rule),
  )
  const isCustomRule = values.rule !== '' && standardRule === undefined
  return (
    <>
      <Field label={form.repeat}>
        <select
          value={standardRule?.rule ?? values.rule}
          onChange={(event) => change({ rule: event.currentTarget.value })}
        >
          <option value="">{rules.never}</option>
          {choices.map(({ rule, label }) => (
            <option key={rule} value={rule}>
              {label}
            </option>
          ))}
          {isCustomRule && (
            <option value={values.rule}>{describeRule(values.rule, values.startDay)}</option>
          )}
        </select>
      </Field>
      {values.rule !== '' && !values.rule.includes('COUNT=') && (
        <Field label={form.until}>
          <input
            type="date"
            value={values.until}
            min={values.startDay}
            onChange={(event) => change({ until: event.currentTarget.value })}
          />
        </Field>
      )}
    </>
  )
}

function CalendarField({ values, change, isEdit }: PartProps & { isEdit: boolean }) {
  const { form } = t.calendar
  const { writable } = useCalendars()
  if (writable.length < 2) return null
  return (
    <Field label={form.calendar}>
      <select
        value={values.calendarId}
        onChange={(event) => change({ calendarId: event.currentTarget.value })}
      >
        {!isEdit && <option value="">{form.usual}</option>}
        {writable.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}

const reminderMinutes = [0, 5, 10, 15, 30, 60, 1440]

function ReminderField({ values, change }: PartProps) {
  const { form, event: words } = t.calendar
  const options = new Set([
    ...reminderMinutes,
    ...(values.reminder === '' ? [] : [Number(values.reminder)]),
  ])
  return (
    <Field label={form.reminder}>
      <select
        value={values.reminder}
        onChange={(event) => change({ reminder: event.currentTarget.value })}
      >
        <option value="">{form.none}</option>
        {[...options].map((minutes) => (
          <option key={minutes} value={String(minutes)}>
            {words.reminder(minutes)}
          </option>
        ))}
      </select>
    </Field>
  )
}
