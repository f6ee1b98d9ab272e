import { localCount as count } from './count.ts'

/** The search page. */
export const search = {
  title: 'Search',
  named: 'By this name',
  label: 'What to look for',
  placeholder: 'A question, words, or "exactly this"',
  start: {
    title: 'Search everything',
    text: 'Tasks, pages, chat, mail, files, meetings, contacts and everything else you can see: by words, by meaning and by links.',
  },
  none: {
    title: (query: string) => `Nothing found for “${query}”`,
    text: (kinds: string) => `Searched: ${kinds}.`,
    try: 'Try fewer or other words, or fewer filters.',
  },
  kinds: {
    task: 'Tasks',
    page: 'Pages',
    message: 'Messages',
    email: 'Mails',
    file: 'Files',
    meeting: 'Meetings',
    event: 'Events',
    decision: 'Decisions',
    project: 'Projects',
    goal: 'Goals',
    contact: 'Contacts',
    company: 'Companies',
    deal: 'Deals',
    interaction: 'Interactions',
    incident: 'Incidents',
    runbook: 'Runbooks',
    form_response: 'Form answers',
    entity: 'Entities',
  } as Readonly<Record<string, string>>,
  everything: 'everything you can see',
  kindsLabel: 'Kinds',
  person: 'Person',
  anyone: 'Anyone',
  project: 'Project',
  anyProject: 'Any project',
  time: 'Time',
  times: { any: 'Any time', week: 'Last 7 days', month: 'Last 30 days', year: 'Last 12 months' },
  results: (n: number, isMore: boolean) =>
    isMore ? `The best ${count(n, 'result', 'results')}` : count(n, 'result', 'results'),
  by: { words: 'by words', 'words and meaning': 'by words and meaning', meaning: 'by meaning' },
  matched: { keyword: 'words', vector: 'meaning', graph: 'link' },
  asOf: (when: string) => `as of ${when}`,
  pending: (n: number) =>
    `${count(n, 'item', 'items')} not in the semantic index yet; keyword search already finds ${n === 1 ? 'it' : 'them'}.`,
  path: (titles: string) => `Via ${titles}`,
}
