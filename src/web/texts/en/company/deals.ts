import { count } from '../count.ts'

/** Texts of the deal pipeline. */
export const pipelineTexts = {
  title: 'Pipeline',
  plural: 'Deals',
  shown: 'Deals shown',
  kinds: { all: 'All', mine: 'Mine' },
  create: 'New deal',
  exported: (n: number) => `${count(n, 'deal', 'deals')} exported`,
  createIn: (stage: string) => `New deal in ${stage}`,
  line: 'New deal',
  placeholder: 'Website @Acme 12,500 EUR',
  hint: 'Company after @, in quotes where it has spaces. Amount with its currency. Enter creates it.',
  understood: (amount: string | undefined, company: string | undefined, stage: string) =>
    [amount, company, stage].filter((part) => part !== undefined && part !== '').join(' · '),
  unknownCompany: (name: string) =>
    `No company begins with “${name}”. It is created with the deal.`,
  created: (name: string) => `Created: ${name}`,
  moved: (stage: string) => `moved to ${stage}`,
  become: { won: 'won', lost: 'lost' },
  deleted: 'in the trash',
  states: { open: 'Open', won: 'Won', lost: 'Lost' },
  lately: 'last 90 days',
  empty: {
    title: 'No deals yet',
    text: 'A deal is what a company may buy: in a stage, with an amount and a day on which it is expected to close.',
    prompt:
      'Look through my mails of the last month and open a deal for each request for an offer.',
  },
  sum: (name: string, n: number, value: string) =>
    `${name}: ${count(n, 'deal', 'deals')}${value === '' ? '' : `, ${value}`}`,
  stale: (days: number) => `Nothing for ${count(days, 'day', 'days')}`,
  lost: {
    title: (name: string) => `Why was ${name} lost?`,
    reason: 'Reason',
    action: 'Mark as lost',
  },
  fields: {
    name: 'Name',
    stage: 'Stage',
    status: 'Status',
    amount: 'Amount',
    currency: 'Currency',
    close: 'Expected close',
    owner: 'Owner',
    company: 'Company',
    contacts: 'Contacts',
    reason: 'Reason',
  },
  set: (field: string, value: string) =>
    value === '' ? `no ${field.toLowerCase()}` : `${field.toLowerCase()} ${value}`,
  logNeedsContact: 'Add a contact to log calls and notes with them.',
  history: 'Stages',
  at: (stage: string, status: 'open' | 'won' | 'lost') =>
    status === 'open' ? stage : { won: 'Won', lost: 'Lost' }[status],
  win: 'Won',
  lose: 'Lost…',
  reopen: 'Open again',
}
