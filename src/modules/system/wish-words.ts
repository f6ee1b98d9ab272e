import { stem } from '../../search/stem.ts'
import { lowerCaseWords } from '../../search/tokens.ts'

/** Words that carry no meaning for a search, ignored unless there are no others. */
const stopWords = new Set(
  (
    'a about after again all also am an and any are as at be been but by can could did do does for from get give had has have he her him his how i if in into is it its just last let me ' +
    'my need next no not now of off on one or our out please she should show so some than that the their them then there these they this those to too up us want was we were what when ' +
    'where which who will with would you your'
  ).split(' '),
)

/** Maps everyday words to the words of tool names. Hints of single tools hold what is specific to them. */
const synonyms: Readonly<Record<string, string>> = Object.assign(
  Object.create(null) as Record<string, string>,
  {
    absence: 'time off',
    access: 'share member',
    add: 'create',
    agree: 'decision',
    agreed: 'decision',
    alarm: 'reminder',
    alert: 'notification',
    amend: 'update',
    appointment: 'event',
    begin: 'start',
    bin: 'trash',
    board: 'view project workflow',
    boss: 'manager person',
    bot: 'automation',
    broke: 'incident',
    broken: 'incident',
    bug: 'task incident',
    build: 'create',
    calendar: 'event calendar',
    call: 'call meeting event',
    callback: 'webhook',
    cancel: 'delete',
    change: 'update',
    chart: 'report',
    chat: 'message channel',
    client: 'contact company',
    clone: 'copy',
    close: 'complete',
    colleague: 'person people',
    column: 'status workflow',
    company: 'company organization',
    correct: 'update',
    coworker: 'person people',
    crash: 'incident',
    customer: 'contact company',
    cycle: 'sprint',
    deadline: 'due milestone',
    decided: 'decision',
    deck: 'file',
    defect: 'task incident',
    destroy: 'delete',
    diff: 'version',
    dinner: 'event',
    directory: 'folder',
    doc: 'page file',
    document: 'page file',
    downtime: 'incident',
    drop: 'remove delete',
    duplicate: 'duplicate copy',
    duty: 'on call',
    edit: 'update',
    emergency: 'incident',
    employee: 'person people',
    erase: 'delete',
    everybody: 'organization',
    everyone: 'organization',
    fetch: 'get',
    find: 'search',
    finish: 'complete',
    fix: 'update',
    forbid: 'remove',
    guest: 'attendee',
    hire: 'add member',
    history: 'activity timeline versions',
    holiday: 'time off',
    hours: 'time entry',
    inbox: 'email',
    integration: 'webhook',
    invite: 'add',
    invoice: 'email file',
    issue: 'task incident',
    iteration: 'sprint',
    kick: 'remove',
    kpi: 'key result',
    look: 'search',
    lunch: 'event',
    mail: 'email',
    mailbox: 'email account',
    make: 'create',
    minutes: 'meeting note',
    modify: 'update',
    mute: 'notification',
    new: 'create',
    newsletter: 'unsubscribe email',
    notes: 'note page',
    nudge: 'reminder',
    numbers: 'report stats',
    objective: 'goal',
    okr: 'goal',
    open: 'get',
    opportunity: 'deal',
    org: 'organization',
    outage: 'incident',
    pager: 'on call',
    pause: 'disable',
    pdf: 'file',
    permission: 'share member',
    phone: 'contact',
    ping: 'message notification',
    playbook: 'runbook',
    poll: 'form',
    postpone: 'update',
    price: 'deal',
    procedure: 'runbook',
    questionnaire: 'form',
    quote: 'deal',
    read: 'get',
    recap: 'changes',
    remove: 'delete',
    rename: 'update',
    reschedule: 'update event',
    rights: 'share',
    room: 'channel event',
    sale: 'deal',
    sales: 'deal',
    see: 'list get',
    set: 'update',
    shift: 'on call',
    slides: 'file',
    spam: 'label',
    spreadsheet: 'file',
    start: 'create',
    stats: 'report stats',
    stop: 'cancel',
    summary: 'summary report',
    survey: 'form',
    tag: 'label',
    throw: 'delete trash',
    ticket: 'task',
    timesheet: 'time entry',
    todo: 'task',
    token: 'key',
    trigger: 'automation',
    undo: 'undo restore',
    user: 'person people',
    vacation: 'time off',
    view: 'get list',
    wiki: 'page',
    workflow: 'automation',
    write: 'create',
  },
)

/** Words that start a question; other wishes ask for an action. */
export const questionStart =
  /^(who|whose|what|when|where|which|why|how|is|are|was|were|did|does|do|has|have|any|anything|am|show|list|find|see|read|check)\b/

export const stems = (text: string) => lowerCaseWords(text).map(stem)

export interface WishWord {
  text: string
  stem: string
  /** Stems of synonyms. */
  synonymStems: readonly string[]
}

/** The significant words of a wish; all words if none would be left. */
export function significantWords(wish: string): WishWord[] {
  const words = [...new Set(lowerCaseWords(wish))].slice(0, 40)
  const meaningful = words.filter((word) => !stopWords.has(word))
  return (meaningful.length > 0 ? meaningful : words).map((text) => ({
    text,
    stem: stem(text),
    synonymStems: stems(synonyms[text] ?? synonyms[text.replace(/s$/, '')] ?? ''),
  }))
}

export const stopWordStems = new Set([...stopWords].map(stem))
