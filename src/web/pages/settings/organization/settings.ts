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
export function differingFields(a: SettingValues, b: SettingValues): Field[] {
  return fields.filter((field) => !isSameSettingValue(a[field], b[field]))
}

export function settingValues(values: SettingValues): SettingValues {
  return pick(values, fields)
}

export function pick(settings: SettingValues, fieldNames: readonly Field[]): SettingValues {
  return Object.fromEntries(fieldNames.map((field) => [field, settings[field]])) as SettingValues
}

/** The reader's changes applied to a newer version. */
export function rebaseDraft(
  draft: SettingValues,
  base: SettingValues,
  latest: SettingValues,
): SettingValues {
  return { ...settingValues(latest), ...pick(draft, differingFields(draft, base)) }
}
