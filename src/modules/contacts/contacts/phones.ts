import { getCountries, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js'

const maxPhoneLength = 40

/**
 * A phone number as it is stored and compared: E.164 with its extension where it can be read, with the country for those that begin
 * without one; else as it was given, white space folded.
 * @returns undefined where there is no digit in it
 */
export function parsePhone(text: string, country: CountryCode | undefined): string | undefined {
  const cleaned = text.replace(/^tel:/i, '').replace(/\s+/g, ' ').trim()
  if (!/\d{2}/.test(cleaned) || cleaned.length > 100) return undefined
  const number = parsePhoneNumberFromString(cleaned.replace(/^00(?=[1-9])/, '+'), country)
  if (!number?.isPossible()) return cleaned.slice(0, maxPhoneLength)
  return number.ext === undefined ? number.number : `${number.number};ext=${number.ext}`
}

/** The ways in which a stored number is written, for search: international and national. */
export function spelledPhone(phone: string): string[] {
  const number = phone.startsWith('+') ? parsePhoneNumberFromString(phone) : undefined
  return number
    ? [
        phone,
        number.formatInternational(),
        number.formatNational(),
        number.formatNational().replace(/\D/g, ''),
      ]
    : [phone]
}

const ofZones = new Map<string, CountryCode | undefined>()

/** The country of a time zone, for numbers without a country: an organization's is that of its zone. UTC has none. */
export function countryOf(zone: string): CountryCode | undefined {
  if (!ofZones.has(zone)) ofZones.set(zone, findCountry(zone))
  return ofZones.get(zone)
}

function findCountry(zone: string): CountryCode | undefined {
  const canonical = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  return getCountries().find((country) =>
    zonesOf(country).some((name) => name === zone || name === canonical),
  )
}

/** Node has getTimeZones() of a locale; the types of the language do not yet. */
function zonesOf(country: CountryCode): string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    getTimeZones?(): string[] | undefined
  }
  return locale.getTimeZones?.() ?? []
}
