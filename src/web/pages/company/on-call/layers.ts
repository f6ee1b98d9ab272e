import type { Layer, Schedule } from './data.ts'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]
export const units = ['hour', 'day', 'week'] as const
export type Unit = (typeof units)[number]

/** Duty hours on a weekday. */
export interface HoursDraft {
  key: string
  day: Weekday
  from: string
  to: string
}

/** A rotation being edited. */
export interface LayerDraft {
  /** React key for the list. */
  key: string
  people: readonly { id: string; name: string }[]
  level: number
  count: number
  unit: Unit
  starts: string
  time: string
  weekday: Weekday | ''
  hours: readonly HoursDraft[]
}

let keyCount = 0
const nextKey = () => String(keyCount++)

/** A rotation with a handover every Monday at nine. */
export const newLayer = (people: LayerDraft['people'], level: number): LayerDraft => ({
  key: nextKey(),
  people,
  level,
  count: 1,
  unit: 'week',
  starts: '',
  time: '09:00',
  weekday: '',
  hours: [],
})

export const newHours = (): HoursDraft => ({
  key: nextKey(),
  day: 'mon',
  from: '09:00',
  to: '17:00',
})

/** Parses `weekly`, `daily` or `every 12 hours` into a number and a unit. */
export function parseRotation(rotation: string): { count: number; unit: Unit } {
  if (rotation === 'daily') return { count: 1, unit: 'day' }
  const [, count, unit] = /^every (\d+) (hour|day|week)s?$/.exec(rotation) ?? []
  return { count: Number(count ?? 1), unit: units.find((name) => name === unit) ?? 'week' }
}

/** The rotations of a schedule for editing. */
export const layersOf = ({ layers }: Pick<Schedule, 'layers'>): LayerDraft[] =>
  layers.map((layer) => ({
    key: nextKey(),
    people: layer.people.map(({ id, title }) => ({ id, name: title })),
    level: layer.level,
    ...parseRotation(layer.rotation),
    starts: layer.starts_on,
    time: layer.handover.time,
    weekday: layer.handover.weekday ?? '',
    hours: weekdays.flatMap((day) =>
      (layer.hours?.[day] ?? []).map(({ from, to }) => ({ key: nextKey(), day, from, to })),
    ),
  }))

/** A rotation as a server argument. */
export function layerInput(draft: LayerDraft): Layer {
  const { count, unit, weekday, hours } = draft
  return {
    people: draft.people.map(({ id }) => id),
    level: draft.level,
    rotation: `every ${count} ${unit}s`,
    ...(draft.starts !== '' && { starts_on: draft.starts }),
    handover: {
      time: draft.time,
      ...(unit === 'week' && weekday !== '' && { weekday }),
    },
    ...(hours.length > 0 && { hours: Object.fromEntries(hoursByDay(hours)) }),
  }
}

function hoursByDay(hours: readonly HoursDraft[]) {
  return [...Map.groupBy(hours, ({ day }) => day)].map(
    ([day, dayHours]) => [day, dayHours.map(({ from, to }) => ({ from, to }))] as const,
  )
}
