import { getCountries, parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js'

const maxPhoneLength = 40

/**
 * Parses a phone number into the form that is stored and compared: E.164 with its extension if it is valid, using `country` for
 * numbers without a country code; otherwise the text itself, with white space collapsed.
 * @returns undefined if it does not contain two consecutive digits
 */
export function parsePhone(text: string, country: CountryCode | undefined): string | undefined {
  const cleaned = text.replace(/^tel:/i, '').replace(/\s+/g, ' ').trim()
  if (!/\d{2}/.test(cleaned) || cleaned.length > 100) return undefined
  const number = parsePhoneNumberFromString(cleaned.replace(/^00(?=[1-9])/, '+'), country)
  if (!number?.isPossible()) return cleaned.slice(0, maxPhoneLength)
  return number.ext === undefined ? number.number : `${number.number};ext=${number.ext}`
}

/** The usual notations of a stored number, for search: international and national. */
export function phoneNotations(phone: string): string[] {
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

const countryByTimezone = new Map<string, CountryCode | undefined>()

/** The country of a time zone, assumed for an organization's phone numbers without a country code; undefined for UTC. */
export function countryOfTimezone(timezone: string): CountryCode | undefined {
  if (!countryByTimezone.has(timezone)) countryByTimezone.set(timezone, findCountry(timezone))
  return countryByTimezone.get(timezone)
}

function findCountry(timezone: string): CountryCode | undefined {
  const canonical = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions().timeZone
  return getCountries().find((country) =>
    timezonesOf(country).some((name) => name === timezone || name === canonical),
  )
}

/** Node implements Intl.Locale's getTimeZones(), but TypeScript does not declare it yet. */
function timezonesOf(country: CountryCode): string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    getTimeZones?(): string[] | undefined
  }
  return locale.getTimeZones?.() ?? []
}
