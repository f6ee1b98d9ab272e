// The meetings, goals, times and reminders of `workspace demo`. Days count from today.

import type { SamplePerson } from './sample-shapes.ts'

export interface SampleMeeting {
  title: string
  by: SamplePerson
  with: readonly SamplePerson[]
  kind: 'meeting' | 'one_on_one' | 'standup' | 'customer'
  project?: string
  visibility: 'participants' | 'project' | 'organization'
  /** Day, hour and length in minutes. */
  at: readonly [day: number, hour: number, minutes: number]
  agenda: readonly string[]
  notes?: string
  /** Transcript as a recorder writes it. */
  vtt?: string
  decisions?: readonly {
    title: string
    text: string
    by: readonly SamplePerson[]
    rejected?: readonly string[]
  }[]
  actions?: readonly {
    text: string
    owner: SamplePerson
    due?: number
    quote?: string
    second?: number
    task?: true
  }[]
}

export const meetings: readonly SampleMeeting[] = [
  {
    title: 'Prices page: last questions',
    by: 'mia',
    with: ['tom', 'lena'],
    kind: 'meeting',
    project: 'WEB',
    visibility: 'project',
    at: [-3, 9, 30],
    agenda: ['Yearly or monthly first', 'What is missing for the review'],
    notes: 'Short and productive. The phone design comes on Thursday.',
    vtt: `WEBVTT

00:00:02.000 --> 00:00:09.000
<v Mia Berg>Good morning. Two questions today: which price do we show first, and what do we still need for the review?

00:00:10.000 --> 00:00:18.000
<v Tom Costa>Based on the numbers, I would show the yearly price first. Most customers who stay longer than three months choose it anyway.

00:00:19.000 --> 00:00:26.000
<v Lena Dupont>But then the monthly one has to be visible without a click, otherwise it feels like a trick.

00:00:27.000 --> 00:00:33.000
<v Mia Berg>Then let’s do that: yearly as the default, and the monthly price always visible.

00:00:34.000 --> 00:00:41.000
<v Tom Costa>Fine. I can have the switch ready by Friday if I get the phone design.

00:00:42.000 --> 00:00:47.000
<v Lena Dupont>You’ll get the phone design on Thursday morning.

00:00:48.000 --> 00:00:55.000
<v Mia Berg>And I’ll ask the lawyer whether the small print about cancellation is enough.
`,
    decisions: [
      {
        title: 'Yearly price first, monthly always visible',
        text: 'The prices page opens with yearly prices. The monthly price is shown next to each one without a click.',
        by: ['mia', 'tom', 'lena'],
        rejected: ['Monthly first', 'Two separate pages'],
      },
    ],
    actions: [
      {
        text: 'Phone design of the prices page',
        owner: 'lena',
        due: 1,
        quote: 'You’ll get the phone design on Thursday morning.',
        second: 42,
        task: true,
      },
      {
        text: 'Ask the lawyer about the small print',
        owner: 'mia',
        due: 4,
        quote: 'I’ll ask the lawyer whether the small print about cancellation is enough.',
        second: 48,
      },
    ],
  },
  {
    title: 'Trial with the Anker',
    by: 'tom',
    with: ['lena'],
    kind: 'customer',
    project: 'APP',
    visibility: 'participants',
    at: [2, 14, 45],
    agenda: [
      'What the staff need to know',
      'Who answers the phone',
      'When the trial counts as a success',
    ],
  },
  {
    title: 'Mia and Tom',
    by: 'mia',
    with: ['tom'],
    kind: 'one_on_one',
    visibility: 'participants',
    at: [1, 11, 30],
    agenda: ['How it goes', 'The new rooms'],
  },
]

/** Number of tasks created from action items of the meetings. */
export const meetingTaskCount = meetings.reduce(
  (sum, meeting) => sum + (meeting.actions ?? []).filter((action) => action.task).length,
  0,
)

export const goal = {
  by: 'mia' as SamplePerson,
  title: 'Guests find us and stay',
  about: 'The relaunch pays off when more visitors stay.',
  results: [
    {
      title: 'Relaunch tasks completed',
      metric: 'percent',
      target: 100,
      source: { kind: 'tasks', params: { project_id: 'WEB' } },
    },
    {
      title: 'Front page load time in seconds',
      metric: 'number',
      start: 4.2,
      target: 1,
      unit: 's',
      now: 1.9,
    },
  ],
  projects: ['WEB'],
  note: 'Half of the pages have passed review. Speed is close to the target.',
} as const

/** Time entries: person, duration, and task by its title; days before today. */
export const timeEntries: readonly {
  by: SamplePerson
  project: string
  task: string
  minutes: number
  day: number
  note?: string
  billable?: true
}[] = [
  {
    by: 'tom',
    project: 'WEB',
    task: 'Build the front page',
    minutes: 240,
    day: -4,
    billable: true,
  },
  {
    by: 'tom',
    project: 'WEB',
    task: 'Build the front page',
    minutes: 150,
    day: -3,
    note: 'headline on phones',
    billable: true,
  },
  { by: 'lena', project: 'WEB', task: 'Prices page', minutes: 180, day: -2, billable: true },
  {
    by: 'mia',
    project: 'WEB',
    task: 'List every old address with its new one',
    minutes: 90,
    day: -1,
  },
  { by: 'tom', project: 'APP', task: 'Cancel a booking', minutes: 210, day: -1 },
]

/** Reminders: of a task by title, or with text only. */
export const reminders: readonly {
  by: SamplePerson
  day: number
  text: string
  project?: string
  task?: string
  rrule?: string
}[] = [
  {
    by: 'tom',
    day: 2,
    text: 'Follow up on the certificate',
    project: 'APP',
    task: 'Certificate for push messages',
  },
  { by: 'mia', day: 1, text: 'Water the plants of the neighbours', rrule: 'FREQ=WEEKLY;COUNT=4' },
]
