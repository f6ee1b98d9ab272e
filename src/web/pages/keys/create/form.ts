import { useForm } from '@mantine/form'
import { keyTexts as t } from '../texts.ts'
import { lifetimeDays, inDays, type KeyBounds, type Key } from '../keys.ts'

export const endings = ['never', '30', '90', '365', 'date'] as const
export type Ending = (typeof endings)[number]
export type Access = 'ro' | 'rw'

export interface KeyValues {
  name: string
  ending: Ending
  /** The last day, if it expires on a date. */
  date: string
  readOnly: boolean
  hold: boolean
  admin: boolean
  hasAllAreas: boolean
  areas: Record<string, Access>
}

const defaultValues: KeyValues = {
  name: '',
  ending: 'never',
  date: '',
  readOnly: false,
  hold: false,
  admin: false,
  hasAllAreas: true,
  areas: {},
}

/** The form of a new key. `initial`: initial values if it is not based on the `template`. */
export function useKeyForm(template: Key | undefined, name = '', initial: Partial<KeyValues> = {}) {
  return useForm<KeyValues>({
    initialValues: template ? keyValuesOf(template) : { ...defaultValues, ...initial, name },
    validate: {
      name: (text) => (text.trim() === '' ? t.keys.form.needsName : null),
      date: (text, { ending }) => (ending === 'date' && text === '' ? t.keys.form.needsDate : null),
      areas: (areas, { hasAllAreas }) =>
        !hasAllAreas && Object.keys(areas).length === 0 ? t.keys.form.noArea : null,
    },
  })
}

/** Form values for replacing a key: the same limits, and the same duration. */
function keyValuesOf(key: Key): KeyValues {
  const days = lifetimeDays(key)
  const preset = endings.find((item) => item === String(days))
  const ending = days === undefined ? 'never' : (preset ?? 'date')
  return {
    name: key.name,
    ending,
    date: ending === 'date' ? inDays(days!).slice(0, 10) : '',
    readOnly: key.read_only,
    hold: key.hold_outbound,
    admin: key.admin,
    hasAllAreas: key.toolsets === null,
    areas: Object.fromEntries(
      (key.toolsets ?? []).map((text) =>
        text.endsWith(':ro') ? [text.slice(0, -3), 'ro'] : [text, 'rw'],
      ),
    ),
  }
}

function expiryOf(ending: Ending, date: string): string | null {
  if (ending === 'never') return null
  return ending === 'date' ? date : inDays(Number(ending))
}

export function keyRequestOf({
  name,
  ending,
  date,
  readOnly,
  hold,
  admin,
  hasAllAreas,
  areas,
}: KeyValues): KeyBounds & { name: string; expires_at: string | null } {
  const toolsets = Object.entries(areas).map(([area, access]) =>
    access === 'ro' ? `${area}:ro` : area,
  )
  return {
    name,
    expires_at: expiryOf(ending, date),
    read_only: readOnly,
    toolsets: hasAllAreas ? null : toolsets,
    hold_outbound: hold,
    admin,
  }
}

/** The form field for a refusal of the server. */
export function fieldFor(argument: string): keyof KeyValues | undefined {
  const fieldNames: Record<string, keyof KeyValues> = {
    name: 'name',
    expires_at: 'date',
    toolsets: 'areas',
    admin: 'admin',
  }
  return fieldNames[argument]
}
