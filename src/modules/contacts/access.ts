import type { Id } from '../../kernel/ids.ts'
import { sql, type SqlBool } from 'kysely'
import { truncate } from '../../kernel/text/truncate.ts'
import { part } from '../../records/part.ts'
import { extend } from '../../records/resource-extensions.ts'
import { type Row, type Scoped, resource } from '../../records/resource.ts'
import { accessScopeOf, type Viewer, type AccessScope } from '../../records/access-scope.ts'
import { labelledItems } from '../labels/access.ts'
import { isCompanyInUse, isContactInUse, isDealInUse } from './access-uses.ts'
import { domainForLookup } from './contacts/shared-domains.ts'
import { parseEmail } from './contacts/emails.ts'
import { nameKey } from './contacts/names.ts'
import { contactSearchText } from './search-text.ts'

type DirectoryTable = 'contacts' | 'companies' | 'deals' | 'interactions'

/** Members see the whole directory; guests see none of it. */
function directoryRows<T extends DirectoryTable>(scope: AccessScope, table: T): Scoped<T> {
  const rows = scope.all
    .selectFrom(table as 'contacts')
    .where(`${table as 'contacts'}.org_id`, '=', scope.actor.org_id)
  return (
    scope.actor.role === 'guest' ? rows.where(`${table as 'contacts'}.id`, 'in', []) : rows
  ) as Scoped<T>
}

/** Contacts: all members read and change them; permanent erasure is for administrators (deletions.ts). */
export const contact = resource(
  'contacts',
  {
    type: 'contact',
    prefix: 'con',
    see: (s) => directoryRows(s, 'contacts'),
    edit: (s) => directoryRows(s, 'contacts'),
    own: (s) => directoryRows(s, 'contacts'),
    rule: { own: 'This contact was merged into another one. Undo the merge to restore it.' },
    alias: (query, text, s) => {
      const email = parseEmail(text)
      if (email === undefined) return undefined
      return query.where(
        'contacts.id',
        'in',
        s.all
          .selectFrom('contact_emails')
          .select('contact_id')
          .where('org_id', '=', s.actor.org_id)
          .where('email', '=', email),
      )
    },
    hardDelete: true, // trashing is `ctx.trash`; `ctx.remove` erases on a data request
    names: {
      columns: ['name'],
      by: async (rows, text) => rows.where('contacts.name_key', '=', nameKey(text)),
      details: (row) => ({
        email: (JSON.parse(row.emails_json) as string[])[0],
        job_title: row.title,
      }),
    },
    takes: 'id, name or email address',
    list: { tool: 'list_contacts' },
    title: (row) => row.name,
    isExternal: (row) => row.trust === 'external',
    externalText: ['name', 'title', 'note', 'custom_fields_json'],
    path: (row) => `contacts/${row.id}`,
    unaudited: ['name_key', 'note', 'last_contacted_at'],
    search: async (row) => ({
      title: row.name,
      body: contactSearchText(row),
      container: row.org_id,
      part: 'item',
      item_id: row.id,
      item_type: 'contact',
      at: row.updated_at,
    }),
  },
  { trash: true },
)

extend(contact, 'formerIds', {
  currentIds: currentIdsOf,
})

extend(contact, 'trash', {
  // Contacts that were merged into another contact cannot be restored.
  restorable: (s) =>
    directoryRows(s, 'contacts').where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('contact_redirects').select('old_id').whereRef('old_id', '=', 'contacts.id'),
        ),
      ),
    ),
  restoreConflict:
    'An email address of this contact now belongs to another contact. Remove it there first, or merge the two.',
})

extend(contact, 'events', {
  tombstoneVisibleTo: (s, column) =>
    s.actor.role === 'guest'
      ? sql<SqlBool>`false`
      : sql<SqlBool>`exists (select 1 from contact_tombstones as gone where gone.id = ${sql.ref(column)} and gone.org_id = ${s.actor.org_id})`,
})

extend(contact, 'undo', {
  isInUse: isContactInUse,
})

async function currentIdsOf(
  scope: AccessScope,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await scope.all
    .selectFrom('contact_redirects')
    .select(['old_id', 'contact_id'])
    .where('old_id', 'in', ids as Id<'contacts'>[])
    .where('org_id', '=', scope.actor.org_id)
    .execute()
  return new Map(rows.map((row) => [row.old_id, row.contact_id]))
}

export const contactLabel = part('contact_labels', {
  table: 'contacts',
  by: 'contact_id',
  unique: ['contact_id', 'label_id'],
  field: 'labels',
  value: (row) => row.label_id,
  touch: 'revision',
})

labelledItems.register({ type: 'contact', items: contact, links: contactLabel, freesInTrash: true })

/** Former ids of contacts that were merged into another contact. */
export const contactRedirect = part('contact_redirects', {
  table: 'contacts',
  by: 'contact_id',
  unique: ['old_id'],
  field: 'merged',
  value: (row) => row.old_id,
  touch: 'revision',
})

export const company = resource(
  'companies',
  {
    type: 'company',
    prefix: 'cmp',
    see: (s) => directoryRows(s, 'companies'),
    edit: (s) => directoryRows(s, 'companies'),
    own: (s) => directoryRows(s, 'companies'),
    alias: (query, text) => {
      const domain = domainForLookup(text)
      return domain === undefined ? undefined : query.where('companies.domain', '=', domain)
    },
    names: {
      columns: ['name'],
      by: async (rows, text) => rows.where('companies.name_key', '=', nameKey(text)),
      details: (row) => ({ domain: row.domain }),
    },
    takes: 'id, name or domain',
    list: { tool: 'list_companies' },
    title: (row) => row.name,
    path: (row) => `companies/${row.id}`,
    unaudited: ['name_key', 'note', 'last_contacted_at'],
    search: async (row) => ({
      title: row.name,
      body: [row.domain, row.industry, row.note].filter(Boolean).join('\n'),
      container: row.org_id,
      part: 'item',
      item_id: row.id,
      item_type: 'company',
      at: row.updated_at,
    }),
  },
  { trash: true },
)

extend(company, 'undo', {
  isInUse: isCompanyInUse,
})

export const deal = resource(
  'deals',
  {
    type: 'deal',
    prefix: 'dea',
    see: (s) => directoryRows(s, 'deals'),
    edit: (s) => directoryRows(s, 'deals'),
    own: (s) => directoryRows(s, 'deals'),
    names: { columns: ['name'], details: (row) => ({ stage: row.stage, status: row.status }) },
    list: { tool: 'list_deals' },
    title: (row) => row.name,
    isExternal: (row) => row.trust === 'external',
    externalText: ['name', 'note', 'lost_reason'],
    path: (row) => `deals/${row.id}`,
    unaudited: ['note', 'stage_since_at'],
    search: async (row) => ({
      title: row.name,
      body: row.note ?? '',
      container: row.org_id,
      part: 'item',
      item_id: row.id,
      item_type: 'deal',
      at: row.updated_at,
    }),
  },
  { trash: true },
)

extend(deal, 'undo', {
  isInUse: isDealInUse,
})

export const dealContact = part('deal_contacts', {
  table: 'deals',
  by: 'deal_id',
  unique: ['deal_id', 'contact_id'],
  field: 'contacts',
  value: (row) => row.contact_id,
  touch: 'revision',
})

/** Stage changes of a deal, oldest first by position; the last also records when the deal was won or lost. */
export const dealMove = part('deal_moves', {
  table: 'deals',
  by: 'deal_id',
  unique: ['deal_id', 'position'],
  field: 'stage_history',
  value: (row) => (row.status === 'open' ? row.stage : row.status),
  touch: 'revision',
})

/**
 * Logged calls, notes and visits, visible like the directory. Meetings, form answers and mail are not stored here:
 * they are read in their own modules, under their own rules. Removed through undo by the person who logged it.
 */
export const interaction = resource(
  'interactions',
  {
    type: 'interaction',
    prefix: 'int',
    see: (s) => directoryRows(s, 'interactions'),
    edit: (s) => directoryRows(s, 'interactions'),
    own: (s) => directoryRows(s, 'interactions').where('interactions.created_by', '=', s.actor.id),
    rule: { own: 'Only the person who logged an interaction may delete it.' },
    title: (row) => firstLine(row.summary_markdown),
    path: (row) => `interactions/${row.id}`,
    search: async (row) => ({
      title: '',
      body: [row.summary_markdown, row.next_step ?? ''].join('\n'),
      container: row.org_id,
      part: 'item',
      item_id: row.id,
      item_type: 'interaction',
      at: row.occurred_at,
    }),
  },
  { trash: true },
)

extend(interaction, 'taskSource', {
  asTask: (row) => ({
    title: row.next_step ?? firstLine(row.summary_markdown),
    body_markdown: row.summary_markdown,
    trust: 'internal',
  }),
})

function firstLine(markdown: string): string {
  const line =
    markdown
      .split('\n')
      .map((name) => name.replace(/^[#>*\s-]+/, '').trim())
      .find((name) => name !== '') ?? ''
  return truncate(line, 120)
}

export const interactionContact = part('interaction_contacts', {
  table: 'interactions',
  by: 'interaction_id',
  unique: ['interaction_id', 'contact_id'],
  field: 'contacts',
  value: (row) => row.contact_id,
  touch: 'revision',
  level: 'see', // enough to merge contacts, which moves these rows, and to undo the merge
})

/**
 * Visible contacts by email address, to show external people as contacts (mail, meetings). The keys are the addresses
 * as passed in; they are compared in stored form.
 */
export async function contactsByEmail(
  viewer: Viewer,
  emails: Iterable<string>,
): Promise<Map<string, Pick<Row<'contacts'>, 'id' | 'name' | 'title' | 'company_id' | 'trust'>>> {
  const parsedEmails = [...new Set(emails)].map((text) => [text, parseEmail(text)] as const)
  const wanted = parsedEmails.flatMap(([, email]) => email ?? [])
  if (wanted.length === 0) return new Map()
  const rows = await contact
    .visibleTo(viewer)
    .innerJoin('contact_emails', 'contact_emails.contact_id', 'contacts.id')
    .select([
      'contact_emails.email',
      'contacts.id',
      'contacts.name',
      'contacts.title',
      'contacts.company_id',
      'contacts.trust',
    ])
    .where('contact_emails.org_id', '=', accessScopeOf(viewer).actor.org_id)
    .where('contact_emails.email', 'in', wanted)
    .execute()
  const contactsByAddress = new Map(rows.map(({ email, ...row }) => [email, row]))
  return new Map(
    parsedEmails.flatMap(([text, email]) =>
      email !== undefined && contactsByAddress.has(email)
        ? [[text, contactsByAddress.get(email)!]]
        : [],
    ),
  )
}

/** Contacts with one of these labels. */
export function withLabel(
  query: Scoped<'contacts'>,
  labelIds: readonly string[],
): Scoped<'contacts'> {
  return query.where(
    sql<SqlBool>`exists (select 1 from contact_labels as l where l.contact_id = contacts.id and l.label_id in (${sql.join(labelIds)}))`,
  )
}
