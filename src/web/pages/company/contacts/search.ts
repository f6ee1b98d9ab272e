import { wordFilter } from '../../../ui/work/text-filter.ts'
import type { CompanyRow, ContactRow } from './data.ts'

const hasWords = (texts: readonly (string | undefined)[], query: string) =>
  wordFilter(query)(texts.filter((part) => part !== undefined).join('\n'))

/** True if every word of a query occurs in the directory's columns of a contact. */
export function contactMatches(contact: ContactRow, query: string): boolean {
  const { name, title, company, emails, phones, labels, owner } = contact
  return hasWords(
    [
      name,
      title,
      company?.title,
      owner?.title,
      ...emails,
      ...phones,
      ...phones.map((phone) => phone.replaceAll(/\D/g, '')),
      ...labels.map((label) => label.title),
    ],
    query,
  )
}

/** True if a company matches. */
export const companyMatches = ({ name, domain, industry, owner }: CompanyRow, query: string) =>
  hasWords([name, domain, industry, owner?.title], query)

/** Splits typed text into several values: addresses contain no spaces, numbers may. */
export const splitValues = (text: string, separators: RegExp) =>
  text
    .split(separators)
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const addressSeparators = /[,;\s]+/
export const numberSeparators = /[,;\n]+/
