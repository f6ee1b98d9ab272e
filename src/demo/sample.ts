// What `workspace demo` puts in: a small studio and three weeks of its work. Days count from today.

export type Who = 'mia' | 'tom' | 'lena'

export interface SampleTask {
  title: string
  by: Who
  /** A status of the usual workflow; Done and Cancelled close it. */
  status?: 'Backlog' | 'To do' | 'In progress' | 'In review' | 'Done' | 'Cancelled'
  priority?: 'urgent' | 'high' | 'medium' | 'low'
  assignees?: readonly Who[]
  due?: number
  points?: number
  labels?: readonly string[]
  text?: string
  /** Title of the task that it is part of, or waits for; further up in the list. */
  under?: string
  waitsFor?: string
  sprint?: true
  milestone?: true
  comments?: readonly (readonly [Who, string])[]
}

export interface SampleProject {
  key: string
  name: string
  about: string
  lead: Who
  members: readonly Who[]
  from: number
  to: number
  sprint?: { name: string; goal: string; from: number; to: number }
  milestone: { name: string; due: number; about: string }
  update: readonly ['on_track' | 'at_risk' | 'off_track', string]
  tasks: readonly SampleTask[]
}

export const people: Record<Who, { name: string; role: 'admin' | 'member' | 'guest' }> = {
  mia: { name: 'Mia Berg', role: 'admin' },
  tom: { name: 'Tom Costa', role: 'member' },
  lena: { name: 'Lena Dupont', role: 'guest' },
}

export const labels: readonly (readonly [name: string, color: string, about: string])[] = [
  ['bug', '#dc2626', 'Something that does not work as intended'],
  ['design', '#9333ea', 'Needs a design review'],
  ['content', '#0891b2', 'Words and pictures'],
  ['legal', '#ca8a04', 'Needs legal review before release'],
  ['quick win', '#16a34a', 'Half an hour or less'],
]

export const projects: readonly SampleProject[] = [
  {
    key: 'WEB',
    name: 'Website relaunch',
    about:
      'The new site replaces the one from 2021. Search engines must find it, it must load in one second, and people who do not write code must be able to maintain it.',
    lead: 'mia',
    members: ['tom', 'lena'],
    from: -30,
    to: 40,
    sprint: {
      name: 'Sprint 3',
      goal: 'The pages that visitors see first are ready for review.',
      from: -6,
      to: 8,
    },
    milestone: {
      name: 'Public launch',
      due: 35,
      about: 'Old addresses redirect to the new site, and nothing is lost.',
    },
    update: [
      'on_track',
      'The front page has passed review. **Next**: prices and the blog. The only open risk is the list of old addresses, which is longer than we thought.',
    ],
    tasks: [
      {
        title: 'Write down which pages we keep',
        by: 'mia',
        status: 'Done',
        assignees: ['mia'],
        points: 2,
        labels: ['content'],
      },
      {
        title: 'Choose how content is edited',
        by: 'mia',
        status: 'Done',
        assignees: ['tom'],
        points: 3,
        comments: [
          [
            'tom',
            'I tried two. The simple one loads four times faster, and the editors preferred it.',
          ],
          ['mia', 'Then that one.'],
        ],
      },
      {
        title: 'Draw the front page',
        by: 'mia',
        status: 'Done',
        assignees: ['lena'],
        points: 5,
        labels: ['design'],
        sprint: true,
        milestone: true,
      },
      {
        title: 'Build the front page',
        by: 'tom',
        status: 'In review',
        priority: 'high',
        assignees: ['tom'],
        points: 5,
        sprint: true,
        milestone: true,
        waitsFor: 'Draw the front page',
        due: 2,
        comments: [
          ['lena', 'The headline breaks badly at 390 px; the rest matches the design.'],
          ['tom', 'Fixed, please look again.'],
        ],
      },
      {
        title: 'Prices page',
        by: 'mia',
        status: 'In progress',
        priority: 'high',
        assignees: ['tom', 'lena'],
        points: 8,
        sprint: true,
        milestone: true,
        due: 4,
        text: 'Three plans side by side.\n\n- [x] texts agreed\n- [ ] switch between monthly and yearly\n- [ ] works with a screen reader',
      },
      {
        title: 'Switch between monthly and yearly prices',
        by: 'tom',
        status: 'In progress',
        assignees: ['tom'],
        points: 3,
        sprint: true,
        under: 'Prices page',
      },
      {
        title: 'Texts for the three plans',
        by: 'tom',
        status: 'Done',
        assignees: ['mia'],
        points: 1,
        labels: ['content'],
        sprint: true,
        under: 'Prices page',
      },
      {
        title: 'List every old address with its new one',
        by: 'mia',
        status: 'In progress',
        priority: 'urgent',
        assignees: ['mia'],
        due: -1,
        points: 3,
        sprint: true,
        milestone: true,
        text: 'From the old server’s log: every address visited in the last year.',
        comments: [['mia', '412 addresses so far. Most are pictures in old posts.']],
      },
      {
        title: 'Lead old addresses to the new ones',
        by: 'mia',
        status: 'To do',
        priority: 'high',
        assignees: ['tom'],
        points: 3,
        sprint: true,
        milestone: true,
        waitsFor: 'List every old address with its new one',
        due: 7,
      },
      {
        title: 'Contact form loses line breaks',
        by: 'lena',
        status: 'To do',
        priority: 'medium',
        assignees: ['tom'],
        labels: ['bug', 'quick win'],
        points: 1,
        sprint: true,
      },
      {
        title: 'Move 60 posts of the blog',
        by: 'mia',
        status: 'To do',
        assignees: ['lena'],
        points: 8,
        labels: ['content'],
        milestone: true,
        due: 14,
      },
      {
        title: 'Pictures without a description',
        by: 'lena',
        status: 'To do',
        priority: 'medium',
        assignees: ['lena'],
        labels: ['content', 'quick win'],
        due: 9,
      },
      {
        title: 'Privacy notice',
        by: 'mia',
        status: 'Backlog',
        priority: 'high',
        assignees: ['mia'],
        labels: ['legal'],
        milestone: true,
        due: 21,
      },
      {
        title: 'Measure how fast the pages load',
        by: 'tom',
        status: 'Backlog',
        points: 2,
        milestone: true,
      },
      {
        title: 'Dark theme',
        by: 'lena',
        status: 'Backlog',
        priority: 'low',
        labels: ['design'],
        points: 5,
      },
      {
        title: 'Chat window on every page',
        by: 'tom',
        status: 'Cancelled',
        priority: 'low',
        comments: [['mia', 'Nobody asked for it, and it would be the slowest part of the page.']],
      },
    ],
  },
  {
    key: 'APP',
    name: 'Booking app',
    about:
      'Guests book a table on their phone. The first version is for two restaurants that agreed to try it.',
    lead: 'tom',
    members: ['lena'],
    from: -14,
    to: 60,
    sprint: {
      name: 'Week 47',
      goal: 'A booking can be made, changed and cancelled.',
      from: -4,
      to: 3,
    },
    milestone: {
      name: 'Trial in two restaurants',
      due: 28,
      about: 'Staff and guests use it for two weeks, with one of us on call.',
    },
    update: [
      'at_risk',
      'Push messages have been waiting for the certificate for eight days. If it is not here by Monday, the trial starts without them.',
    ],
    tasks: [
      {
        title: 'Rules for double bookings',
        by: 'tom',
        status: 'Done',
        assignees: ['tom'],
        points: 3,
      },
      {
        title: 'Screen: choose a table',
        by: 'tom',
        status: 'Done',
        assignees: ['lena'],
        labels: ['design'],
        points: 5,
        sprint: true,
        milestone: true,
      },
      {
        title: 'Screen: my bookings',
        by: 'tom',
        status: 'In review',
        assignees: ['lena'],
        labels: ['design'],
        points: 3,
        sprint: true,
        milestone: true,
        due: 1,
      },
      {
        title: 'Cancel a booking',
        by: 'tom',
        status: 'In progress',
        priority: 'high',
        assignees: ['tom'],
        points: 3,
        sprint: true,
        milestone: true,
        due: 2,
      },
      {
        title: 'Change the time of a booking',
        by: 'tom',
        status: 'To do',
        assignees: ['tom'],
        points: 5,
        sprint: true,
        milestone: true,
        waitsFor: 'Cancel a booking',
        due: 3,
      },
      {
        title: 'Certificate for push messages',
        by: 'tom',
        status: 'In progress',
        priority: 'urgent',
        assignees: ['tom'],
        due: -3,
        milestone: true,
        comments: [
          [
            'tom',
            'Asked again on Thursday. They want the company register extract, which I sent in October.',
          ],
        ],
      },
      {
        title: 'Push message one hour before',
        by: 'tom',
        status: 'To do',
        waitsFor: 'Certificate for push messages',
        assignees: ['tom'],
        points: 3,
        milestone: true,
        due: 16,
      },
      {
        title: 'Clock change on the last Sunday of October',
        by: 'lena',
        status: 'Done',
        priority: 'high',
        assignees: ['tom'],
        labels: ['bug'],
        points: 2,
        text: 'A booking at 02:30 appeared twice.',
        comments: [
          ['tom', 'Times are now stored with their time zone, and a test books across the change.'],
        ],
      },
      {
        title: 'Names with accents are cut off',
        by: 'lena',
        status: 'To do',
        priority: 'high',
        assignees: ['tom'],
        labels: ['bug', 'quick win'],
        points: 1,
      },
      {
        title: 'Terms for restaurants',
        by: 'tom',
        status: 'Backlog',
        labels: ['legal'],
        milestone: true,
        due: 20,
      },
      {
        title: 'Talk to five guests after the first week',
        by: 'tom',
        status: 'Backlog',
        assignees: ['lena'],
        due: 36,
      },
      {
        title: 'Waiting list for when all tables are taken',
        by: 'lena',
        status: 'Backlog',
        priority: 'low',
        points: 8,
      },
      { title: 'Tablet for the counter', by: 'tom', status: 'Backlog', priority: 'medium' },
    ],
  },
  {
    key: 'MOVE',
    name: 'Office move',
    about: 'From Hafenstrasse to the mill, before the lease ends.',
    lead: 'mia',
    members: [],
    from: -21,
    to: 50,
    milestone: { name: 'Keys handed back', due: 45, about: 'The old rooms are empty and painted.' },
    update: ['on_track', 'The lease for the mill is signed. Movers are booked for the 18th.'],
    tasks: [
      {
        title: 'Sign the lease for the mill',
        by: 'mia',
        status: 'Done',
        priority: 'urgent',
        assignees: ['mia'],
        labels: ['legal'],
      },
      {
        title: 'Book the movers',
        by: 'mia',
        status: 'Done',
        assignees: ['mia'],
        comments: [['mia', 'The second offer was a third cheaper and includes boxes.']],
      },
      {
        title: 'Internet at the mill',
        by: 'mia',
        status: 'In progress',
        priority: 'urgent',
        assignees: ['mia'],
        due: 6,
        milestone: true,
        text: 'Fiber is in the basement. The technician comes between 8:00 and 16:00, so someone must be there.',
      },
      { title: 'Plan who sits where', by: 'mia', status: 'To do', assignees: ['mia'], due: 12 },
      {
        title: 'Salaries after the move',
        by: 'mia',
        status: 'To do',
        priority: 'high',
        assignees: ['mia'],
        due: 10,
        text: 'Private: two of us will have a longer commute.',
      },
      {
        title: 'Tell everyone the new address',
        by: 'mia',
        status: 'To do',
        assignees: ['mia'],
        due: 25,
        milestone: true,
      },
      {
        title: 'Banks, insurance, tax office',
        by: 'mia',
        status: 'Backlog',
        under: 'Tell everyone the new address',
      },
      {
        title: 'Update the door sign and map entries',
        by: 'mia',
        status: 'Backlog',
        under: 'Tell everyone the new address',
      },
      { title: 'Sell the old desks', by: 'mia', status: 'Backlog', priority: 'low', due: 30 },
      {
        title: 'Paint the old rooms',
        by: 'mia',
        status: 'Backlog',
        priority: 'medium',
        due: 40,
        milestone: true,
      },
      {
        title: 'Hand back the keys',
        by: 'mia',
        status: 'Backlog',
        waitsFor: 'Paint the old rooms',
        due: 45,
        milestone: true,
      },
    ],
  },
]

const verbs = [
  'Check',
  'Write',
  'Review',
  'Repair',
  'Plan',
  'Replace',
  'Measure',
  'Tidy up',
  'Translate',
  'Document',
  'Test',
  'Update',
] as const
const things = [
  'the front page',
  'the booking form',
  'the price list',
  'the newsletter',
  'the backup',
  'the contract',
  'the photo archive',
  'the search',
  'the sign-in',
  'the reports',
  'the calendar',
  'the invoices',
] as const
const reasons = [
  'before the launch',
  'after the last release',
  'for the new colleague',
  'as the guests asked',
  'for next quarter',
  'in both languages',
] as const
const statuses = ['Backlog', 'To do', 'To do', 'In progress', 'In review', 'Done'] as const
const priorities = [undefined, undefined, 'low', 'medium', 'high', 'urgent'] as const

/** The nth further task, for trying things at size; the same for the same n. */
export function furtherTask(n: number): { project: SampleProject; task: SampleTask } {
  const dice = diceOf(n)
  const project = projects[dice(projects.length)]!
  const able = [project.lead, ...project.members]
  const priority = priorities[dice(priorities.length)]
  const task: SampleTask = {
    title: `${verbs[dice(verbs.length)]} ${things[dice(things.length)]} ${reasons[dice(reasons.length)]} (${n + 1})`,
    by: able[dice(able.length)]!,
    status: statuses[dice(statuses.length)]!,
    assignees: [able[dice(able.length)]!],
    points: 1 + dice(8),
    ...(priority ? { priority } : {}),
    ...(dice(3) === 0 ? { due: dice(90) - 20 } : {}),
    ...(dice(2) === 0 ? { labels: [labels[dice(labels.length)]![0]] } : {}),
  }
  return { project, task }
}

/** Throws of a die that fall the same every time: a small generator (mulberry32), seeded. */
function diceOf(seed: number): (sides: number) => number {
  let state = seed * 0x9e3779b9
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}
