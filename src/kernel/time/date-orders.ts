/** Order of day and month in numeric dates. */
export type DateOrder = 'dmy' | 'mdy'

const monthFirst = ['US', 'PR', 'VI', 'GU', 'AS', 'MP', 'PH', 'FM', 'MH', 'PW']
/** Countries that write the year first: a date that ends with the year may be in either order there. */
const yearFirst = ['CA', 'CN', 'HU', 'IR', 'JP', 'KR', 'LT', 'MN', 'SE', 'TW', 'ZA']

/** The usual date order in a time zone; undefined if there is none, as for UTC. */
export function dateOrderOfZone(zone: string): DateOrder | undefined {
  const canonical = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  const isIn = (regions: readonly string[]) =>
    regions.some((region) => zonesOf(region).some((name) => name === zone || name === canonical))
  if (isIn(monthFirst)) return 'mdy'
  return !canonical.includes('/') || canonical.startsWith('Etc/') || isIn(yearFirst)
    ? undefined
    : 'dmy'
}

/** Node has getTimeZones() of a locale; TypeScript's types do not yet. */
function zonesOf(region: string): string[] {
  const locale = new Intl.Locale(`und-${region}`) as Intl.Locale & {
    getTimeZones?(): string[] | undefined
  }
  return locale.getTimeZones?.() ?? []
}
