import { shape } from '../../kernel/shape.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { pageOf, paging } from '../../kernel/fields.ts'
import {
  requireQuery,
  itemsWithWords,
  pageOfHits,
  matchedTexts,
  type ItemMatch,
} from '../../operations/search/hits.ts'
import { operation } from '../../operations/operation.ts'
import { pageWithItems } from '../../records/paging.ts'
import { contentStems } from '../../search/query.ts'
import type { StemSet } from '../../search/languages/stem-set.ts'
import { containsAnyStem } from '../../search/text.ts'
import { company, contact } from './access.ts'
import {
  contactsByPhone,
  contactsByNamePrefix,
  companiesByNamePrefix,
  contactsByEmails,
} from './duplicates/access-matches.ts'
import { Company, presentCompanies } from './companies/shapes.ts'
import { defaultCountry } from './contacts/fields.ts'
import { parseDomain } from './contacts/domains.ts'
import { domainForLookup } from './contacts/shared-domains.ts'
import { parseEmail } from './contacts/emails.ts'
import { nameKey } from './contacts/names.ts'
import { parsePhone } from './contacts/phones.ts'
import { ListedContact, presentContacts } from './shapes.ts'
import { byScore } from '../../kernel/text/order.ts'

const ContactHit = shape('ContactHit', {
  type: z.enum(['contact', 'company']),
  contact: ListedContact.optional(),
  company: Company.optional(),
  score: z.number(),
  matched_in: z
    .array(z.enum(['name', 'email', 'phone', 'domain', 'text']))
    .describe('text: title, note or custom field'),
})
type MatchedIn = z.infer<typeof ContactHit>['matched_in'][number]

/** A contact or company that matches, by words or by name, address, number or domain. */
interface Hit {
  id: string
  score: number
  matched: Set<MatchedIn>
  kind: 'contact' | 'company'
  /** Its matching texts; the matching fields are determined only for the hits of the requested page. */
  texts: ItemMatch['texts']
}

/** Maximum matches by name prefix or phone number, which are looked up besides the word index. */
const maxDirectMatches = 50

export const searchContacts = operation({
  name: 'search_contacts',
  searchHint: 'phone number of, email address of, find a customer, look up a client',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/contacts/search',
  about: 'Find contacts and companies by name, address, phone, domain or note',
  input: {
    query: z
      .string()
      .min(1)
      .max(500)
      .describe(
        'words in any order, or the beginning of a name, address, domain or number; "quoted phrases" match exactly',
      ),
    type: z.enum(['contact', 'company']).optional(),
    ...paging,
  },
  output: pageOf(ContactHit),
  async handle({ query, type, limit, cursor }, ctx) {
    requireQuery(query)
    const hits = [
      ...(type === 'company' ? [] : await contactHits(ctx, query)),
      ...(type === 'contact' ? [] : await companyHits(ctx, query)),
    ]
    hits.sort(byScore)
    const page = pageOfHits(hits, { limit, cursor })
    await addMatchedFields(ctx, page.items, contentStems(query))
    return pageWithItems(page, await presentHits(ctx, page.items))
  },
})

async function contactHits(ctx: ReadContext, query: string): Promise<Hit[]> {
  const hits = new Hits('contact')
  const email = parseEmail(query)
  for (const row of email === undefined ? [] : await contactsByEmails(ctx, [email]))
    hits.add(row.id, 3, 'email')
  const phone = /^[+\d][\d\s()./;=ext-]*$/i.test(query.trim())
    ? parsePhone(query, await defaultCountry(ctx))
    : undefined
  const digits = query.replace(/\D/g, '').replace(/^0+/, '')
  if (phone !== undefined)
    for (const row of await contactsByPhone(ctx, {
      phone,
      ending: digits.length >= 5 ? digits : undefined,
      limit: maxDirectMatches,
    }))
      hits.add(row.id, 3, 'phone')
  for (const row of await contactsByNamePrefix(ctx, nameKey(query), maxDirectMatches))
    hits.add(row.id, row.name_key === nameKey(query) ? 2 : 1.5, 'name')
  await addWordMatches(ctx, hits, query)
  return hits.all
}

async function companyHits(ctx: ReadContext, query: string): Promise<Hit[]> {
  const hits = new Hits('company')
  const domain = domainForLookup(parseEmail(query)?.replace(/^.*@/, '') ?? query)
  const byDomain = domain === undefined ? undefined : await company.find(ctx, domain)
  if (byDomain) hits.add(byDomain.id, 3, 'domain')
  for (const row of await companiesByNamePrefix(ctx, nameKey(query), maxDirectMatches))
    hits.add(row.id, row.name_key === nameKey(query) ? 2 : 1.5, 'name')
  await addWordMatches(ctx, hits, query)
  return hits.all
}

class Hits {
  readonly kind: Hit['kind']
  readonly #hitsById = new Map<string, Hit>()

  constructor(kind: Hit['kind']) {
    this.kind = kind
  }

  add(id: string, score: number, ...matched: MatchedIn[]): void {
    const hit = this.#at(id)
    hit.score = Math.max(hit.score, score)
    for (const item of matched) hit.matched.add(item)
  }

  addTexts({ id, score, texts }: ItemMatch): void {
    this.add(id, score)
    this.#at(id).texts = texts
  }

  #at(id: string): Hit {
    const existing = this.#hitsById.get(id)
    if (existing) return existing
    const hit: Hit = { id, score: 0, matched: new Set(), kind: this.kind, texts: [] }
    this.#hitsById.set(id, hit)
    return hit
  }

  /** Hits with scores relative to the highest possible score, 0 to 1. */
  get all(): Hit[] {
    return [...this.#hitsById.values()].map((hit) => ({
      ...hit,
      score: Math.round((hit.score / 3) * 10_000) / 10_000,
    }))
  }
}

async function addWordMatches(ctx: ReadContext, hits: Hits, query: string): Promise<void> {
  const containers = ctx.actor.role === 'guest' ? [] : [ctx.actor.org_id]
  const searchText = isEmailOrDomain(query) ? `"${query.replaceAll('"', ' ')}"` : query
  const matches = await (hits.kind === 'contact'
    ? itemsWithWords(ctx, searchText, { resource: contact, containers })
    : itemsWithWords(ctx, searchText, { resource: company, containers }))
  for (const itemMatch of matches) hits.addTexts(itemMatch)
}

/** Adds the fields in which the words of a query occur. */
async function addMatchedFields(
  ctx: ReadContext,
  hits: readonly Hit[],
  stems: StemSet,
): Promise<void> {
  const texts = await matchedTexts(
    ctx,
    hits.flatMap((hit) => hit.texts),
  )
  for (const hit of hits)
    for (const field of matchedFields(hit, texts, stems)) hit.matched.add(field)
}

/** Whether a query is an email address or domain, whose parts alone are poor search terms: `.com` is everywhere. */
function isEmailOrDomain(query: string): boolean {
  return parseEmail(query) !== undefined || parseDomain(query) !== undefined
}

function matchedFields(
  hit: Hit,
  texts: Awaited<ReturnType<typeof matchedTexts>>,
  stems: StemSet,
): MatchedIn[] {
  return hit.texts.flatMap((text): MatchedIn[] => {
    const { title = '', body = '' } = texts.get(text.rowid_) ?? {}
    const lines = body.split('\n').filter((line) => containsAnyStem(line, stems))
    const places = lines.map((line): MatchedIn => fieldOfLine(line, hit.kind))
    return [...(containsAnyStem(title, stems) ? (['name'] as const) : []), ...places]
  })
}

function fieldOfLine(line: string, kind: 'contact' | 'company'): MatchedIn {
  if (parseEmail(line) !== undefined) return 'email'
  if (/^[+\d(][\d\s()./;=ext-]*$/.test(line)) return 'phone'
  return kind === 'company' && parseDomain(line) !== undefined ? 'domain' : 'text'
}

async function presentHits(
  ctx: ReadContext,
  hits: readonly Hit[],
): Promise<z.infer<typeof ContactHit>[]> {
  const ids = hits.map((hit) => hit.id)
  const contacts = new Map(
    (await presentContacts(ctx, [...(await contact.among(ctx, ids)).values()])).map(
      (listedContact) => [listedContact.id, listedContact],
    ),
  )
  const companies = new Map(
    (await presentCompanies(ctx, [...(await company.among(ctx, ids)).values()])).map(
      (listedCompany) => [listedCompany.id, listedCompany],
    ),
  )
  return hits.flatMap(({ id, score, matched }): z.infer<typeof ContactHit>[] => {
    const [person, companyShape] = [contacts.get(id), companies.get(id)]
    if (person)
      return [{ type: 'contact' as const, contact: person, score, matched_in: [...matched] }]
    return companyShape
      ? [{ type: 'company' as const, company: companyShape, score, matched_in: [...matched] }]
      : []
  })
}
