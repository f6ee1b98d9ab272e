// What the people of `workspace demo` say to each other. Days count from today.

import type { Who } from './sample.ts'

export interface SampleMessage {
  by: Who
  text: string
  /** Emoji, and who put it there. */
  reactions?: readonly (readonly [string, Who])[]
  replies?: readonly (readonly [Who, string])[]
  pinned?: true
}

export interface SampleChannel {
  /** Without: a direct conversation of the members. */
  name?: string
  kind: 'public' | 'private' | 'direct'
  topic?: string
  purpose?: string
  project?: string
  by: Who
  members: readonly Who[]
  messages: readonly SampleMessage[]
}

export const channels: readonly SampleChannel[] = [
  {
    name: 'general',
    kind: 'public',
    purpose: 'What concerns all of us',
    topic: 'Lunch on Thursdays at 12:30',
    by: 'mia',
    members: ['tom', 'lena'],
    messages: [
      {
        by: 'mia',
        text: 'Welcome, both. Anything that is for everybody goes here; what belongs to a project goes into its channel.',
        pinned: true,
        reactions: [
          ['👋', 'tom'],
          ['👋', 'lena'],
        ],
      },
      {
        by: 'lena',
        text: 'I am at the printer’s on Wednesday morning and read nothing until noon.',
        reactions: [['👍', 'mia']],
      },
      {
        by: 'tom',
        text: 'The coffee machine asks to be descaled again. I have the stuff, I do it tonight.',
        reactions: [
          ['❤️', 'lena'],
          ['🙏', 'mia'],
        ],
      },
      {
        by: 'mia',
        text: 'The lease for the mill is signed! 🎉 We move before the end of the quarter. Plans of the rooms follow.',
        reactions: [
          ['🎉', 'tom'],
          ['🎉', 'lena'],
        ],
        replies: [
          ['lena', 'Is there a room with light from the north?'],
          ['mia', 'Two. One of them is yours.'],
        ],
      },
    ],
  },
  {
    name: 'website',
    kind: 'public',
    purpose: 'The relaunch, until it is out and a month after',
    project: 'WEB',
    by: 'mia',
    members: ['tom', 'lena'],
    messages: [
      {
        by: 'tom',
        text: 'Numbers of the old site from the last 30 days, desktop and phone together:\n\n| page | visits | left at once |\n| --- | ---: | ---: |\n| front page | 8,412 | 41 % |\n| prices | 3,077 | 28 % |\n| blog | 2,950 | 63 % |',
        reactions: [['👀', 'mia']],
      },
      {
        by: 'mia',
        text: 'So the prices page is worth more work than the blog. Let us keep WEB-5 in this sprint and move the posts later.',
        replies: [
          [
            'tom',
            'Agreed. The switch between monthly and yearly takes me two days more, everything else stands.',
          ],
          ['lena', 'I can give you the drawing for the phone tomorrow morning.'],
          ['mia', 'Perfect, thank you both.'],
        ],
      },
      {
        by: 'lena',
        text: '@Tom Costa the headline on the front page breaks badly at 390 px, I put a picture into WEB-4.',
        replies: [
          ['tom', 'Fixed, please look again.'],
          ['lena', 'Looks right now ✅'],
        ],
      },
      {
        by: 'mia',
        text: '412 old addresses so far. Does anybody remember what `/aktion-2019` was?',
        replies: [['tom', 'The summer raffle. It can go to the front page.']],
      },
      {
        by: 'tom',
        text: 'Front page is on the test server and loads in 0.8 s on a phone. @Mia Berg @Lena Dupont please break it.',
        reactions: [
          ['🚀', 'mia'],
          ['🔥', 'lena'],
        ],
      },
    ],
  },
  {
    name: 'booking-app',
    kind: 'private',
    purpose: 'The trial with the two restaurants',
    project: 'APP',
    by: 'tom',
    members: ['lena'],
    messages: [
      {
        by: 'tom',
        text: 'Still no certificate for push messages, eight days now. If it is not here on Monday, we begin the trial without them.',
        replies: [
          ['lena', 'Then the app could show a banner an hour before. I draw it in any case.'],
          ['tom', 'Good plan.'],
        ],
      },
      {
        by: 'lena',
        text: 'The Anker asks whether two people can manage the bookings on one tablet. Can they?',
        replies: [
          [
            'tom',
            'Yes, but the last one who saves wins. I write that into the notes for the trial.',
          ],
        ],
      },
      {
        by: 'tom',
        text: 'APP-8 is done: a booking at 02:30 on the night of the clock change exists once, and only once.',
        reactions: [['🕑', 'lena']],
      },
    ],
  },
  {
    kind: 'direct',
    by: 'mia',
    members: ['tom'],
    messages: [
      {
        by: 'mia',
        text: 'Could you look over the offer of the hosting company before I sign? It is in the drive, page 3 is the interesting one.',
      },
      {
        by: 'tom',
        text: 'Read it. Ask them what happens to the backups when we leave; the rest is fair.',
      },
      { by: 'mia', text: 'Good point, I do.' },
    ],
  },
]
