import type { OrganizationSettings } from '../../../api/operations.ts'

export type SavedSettings = OrganizationSettings

export type SettingValues = Pick<
  SavedSettings,
  | 'name'
  | 'default_timezone'
  | 'work_week'
  | 'holidays'
  | 'severity_scale'
  | 'deal_stages'
  | 'trash_days'
>

export const organizationPath = '/web/organization'
const fields = [
  'name',
  'default_timezone',
  'work_week',
  'holidays',
  'severity_scale',
  'deal_stages',
  'trash_days',
] as const
export type Field = (typeof fields)[number]

const isSameSettingValue = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields that differ. */
export function differing(a: SettingValues, b: SettingValues): Field[] {
  return fields.filter((field) => !isSameSettingValue(a[field], b[field]))
}

export function settingValues(values: SettingValues): SettingValues {
  return pick(values, fields)
}

export function pick(settings: SettingValues, fieldNames: readonly Field[]): SettingValues {
  return Object.fromEntries(fieldNames.map((field) => [field, settings[field]])) as SettingValues
}

/** The reader's changes applied to a newer version. */
export function rebased(
  draft: SettingValues,
  base: SettingValues,
  fresh: SettingValues,
): SettingValues {
  return { ...settingValues(fresh), ...pick(draft, differing(draft, base)) }
}
