// The studio's everyday work for clients: small tasks in two-week cycles, most of them done. Assembled from typical
// client requests, the same every time.

import { seededDice } from './dice.ts'
import type { SamplePerson } from './sample-shapes.ts'

/** The usual number of these tasks. */
export const careTaskCount = 259

export const care = {
  key: 'CARE',
  name: 'Care for clients’ sites',
  about:
    'What our clients ask for once their site is online: words and pictures, repairs, and what keeps a site safe. In cycles of two weeks; what is not done goes on in the next one.',
  lead: 'mia' as SamplePerson,
  members: ['tom', 'lena'] as readonly SamplePerson[],
  /** Start of the first cycle, in days from today; the last one is in progress. */
  firstCycle: -90,
  cycles: 7,
}

/** Days of a cycle. */
export const cycleDays = 14

/** Start of a cycle, in days from today. */
export const cycleStart = (cycle: number) => care.firstCycle + cycle * cycleDays

const clients = [
  'Gasthaus zum Anker',
  'Trattoria Lupo',
  'Hotel Seeblick',
  'Kontor Druck',
  'Bakery Holm',
  'Sailing school Nord',
  'Museum at the harbor',
  'Yoga in the yard',
  'Jansen Bicycles',
  'Terroir Wines',
  'Music school Elbe',
  'Dr. Brandt, dentist',
] as const

/** Requests: title, label, points, and the person who usually does the work. */
const requests: readonly (readonly [
  title: string,
  label: string,
  points: number,
  by: SamplePerson,
])[] = [
  ['new photos on the front page', 'content', 2, 'lena'],
  ['opening hours for the holidays', 'quick win', 1, 'mia'],
  ['contact form sends no mail', 'bug', 2, 'tom'],
  ['renew the certificate', 'quick win', 1, 'tom'],
  ['move to the new server', '', 5, 'tom'],
  ['update the privacy notice', 'legal', 2, 'mia'],
  ['front page takes four seconds to load', 'bug', 3, 'tom'],
  ['restore the backup as a test', '', 2, 'tom'],
  ['send the monthly newsletter', 'content', 2, 'mia'],
  ['translate the front page into Danish', 'content', 3, 'mia'],
  ['banner for the job offer', 'design', 1, 'lena'],
  ['main button is hidden on small phones', 'bug', 2, 'lena'],
  ['report of visitors for last month', 'content', 1, 'mia'],
  ['two new people on the team page', 'quick win', 1, 'lena'],
  ['update the content system', '', 2, 'tom'],
  ['links to the old pages lead nowhere', 'bug', 1, 'tom'],
  ['explain how to redeem gift vouchers', 'content', 2, 'mia'],
  ['gallery of the summer party', 'design', 2, 'lena'],
  ['buttons have too little contrast', 'design', 1, 'lena'],
  ['move the domain to our registrar', '', 3, 'tom'],
  ['map shows the wrong entrance', 'quick win', 1, 'lena'],
  ['cookie notice covers the menu', 'bug', 2, 'tom'],
  ['old prices still show in search engines', 'bug', 2, 'mia'],
  ['page for groups and celebrations', 'design', 3, 'lena'],
]

export interface CareTask {
  title: string
  by: SamplePerson
  label: string | undefined
  points: number
  priority: 'urgent' | 'high' | 'medium' | 'low' | undefined
  /** Planned cycle; undefined if none yet. */
  cycle: number | undefined
  /** Due day within the cycle. */
  dueOn: number
  /** Day of completion, from the start of the cycle; undefined if open. */
  doneOn: number | undefined
  status: 'Backlog' | 'To do' | 'In progress' | 'In review'
}

const priorities = [undefined, undefined, undefined, 'low', 'medium', 'high', 'urgent'] as const
const openStatuses = ['To do', 'To do', 'In progress', 'In review'] as const

/** The first `count` tasks: nearly all done in each cycle, in the last one only those done by now. */
export function careTasksOf(count: number): CareTask[] {
  const dice = seededDice(2026)
  const pairs = clients.flatMap((client) => requests.map((request) => ({ client, request })))
  const chosen = pairs
    .map((pair) => ({ ...pair, sortKey: dice(1_000_000) }))
    .sort((a, b) => a.sortKey - b.sortKey)
    .slice(0, count)
  const backlog = Math.floor(chosen.length / 12)
  const tasksPerCycle = Math.ceil((chosen.length - backlog) / care.cycles)
  return chosen.map(({ client, request: [title, label, points, by] }, n) => {
    const cycle = n < chosen.length - backlog ? Math.floor(n / tasksPerCycle) : undefined
    return {
      title: `${client}: ${title}`,
      by,
      label: label === '' ? undefined : label,
      points,
      priority: priorities[dice(priorities.length)],
      cycle,
      ...sampleProgressOf(cycle, dice),
    }
  })
}

/** Progress of a cycle's task. A few are carried over, and then done in the next cycle. */
function sampleProgressOf(cycle: number | undefined, dice: (sides: number) => number) {
  const dueOn = 3 + dice(cycleDays - 3)
  const isLate = dice(9) === 0
  const doneOn = isLate ? cycleDays + 1 + dice(4) : 1 + dice(cycleDays - 2)
  const openStatus = openStatuses[dice(openStatuses.length)] ?? 'To do'
  if (cycle === undefined) return { dueOn, doneOn: undefined, status: 'Backlog' as const }
  const isPast = cycleStart(cycle) + doneOn < 0
  return isPast
    ? { dueOn, doneOn, status: 'To do' as const }
    : { dueOn, doneOn: undefined, status: openStatus }
}
