// Pages of the people in `workspace demo`.

import type { SamplePerson } from './sample-shapes.ts'

export interface SamplePage {
  title: string
  by: SamplePerson
  text: string
  visibility: 'private' | 'organization'
  kind?: 'page' | 'template' | 'runbook'
  icon?: string
  /** Title of the parent page, listed earlier. */
  under?: string
  project?: string
  labels?: readonly string[]
  shares?: readonly (readonly [SamplePerson, 'viewer' | 'commenter' | 'editor'])[]
  /** Appended later by someone. */
  added?: readonly (readonly [SamplePerson, string])[]
  /** A passage, the commenter, and the comment. */
  comments?: readonly (readonly [string, SamplePerson, string])[]
}

export const pages: readonly SamplePage[] = [
  {
    title: 'Handbook',
    by: 'mia',
    icon: '📖',
    visibility: 'organization',
    shares: [
      ['tom', 'editor'],
      ['lena', 'editor'],
    ],
    text: '# Handbook\n\nHow we work, so that no one has to ask twice. If something here is wrong, change it.\n\n- [[How we release]]\n- [[Days off]]\n- [[Words we use]]\n',
  },
  {
    title: 'How we release',
    by: 'tom',
    under: 'Handbook',
    kind: 'runbook',
    visibility: 'organization',
    text: '# How we release\n\nNever on a Friday, never alone.\n\n## Before\n\n- [ ] All tasks of the release are in review or done\n- [ ] The texts were reviewed by someone other than their author\n- [ ] Today’s backup exists, and someone has checked it\n\n## Release\n\n1. Announce it in #general.\n2. `make release`\n3. Open the front page, the prices and a booking on a phone.\n\n## If it goes wrong\n\nRoll back first (`make rollback`), investigate afterwards.\n',
    comments: [['Never on a Friday', 'lena', 'And not on the day before a holiday?']],
    added: [['tom', '## After\n\nCheck the errors after an hour and again the next morning.\n']],
  },
  {
    title: 'Days off',
    by: 'mia',
    under: 'Handbook',
    visibility: 'organization',
    text: '# Days off\n\nEnter them in the workspace as soon as you know them: two weeks ahead for single days, two months ahead for more than a week.\n\n| | days |\n| --- | ---: |\n| vacation | 30 |\n| moving house | 1 |\n| 24 and 31 December | free |\n',
  },
  {
    title: 'Words we use',
    by: 'lena',
    under: 'Handbook',
    visibility: 'organization',
    labels: ['content'],
    text: '# Words we use\n\nWe say **guest**, not *user*, and **table**, not *resource*. Buttons say what happens: “Book the table”, not “Submit”.\n',
  },
  {
    title: 'Prices page: what we know',
    by: 'mia',
    project: 'WEB',
    visibility: 'private',
    shares: [
      ['tom', 'editor'],
      ['lena', 'commenter'],
    ],
    text: '# Prices page: what we know\n\nBelongs to WEB-5.\n\n## Who comes here\n\nHalf of the visitors come from the front page and know the product. The other half come from a search and do not.\n\n## What they ask\n\n1. What does it cost for one restaurant?\n2. Can I cancel monthly?\n3. Who helps me get started?\n\n## Decided\n\nThree plans, yearly as the default, the monthly price always visible.\n',
    comments: [
      ['yearly as the default', 'lena', 'I would like to test this with five people first.'],
    ],
  },
  {
    title: 'Notes for the trial',
    by: 'tom',
    project: 'APP',
    visibility: 'private',
    shares: [['lena', 'editor']],
    text: '# Notes for the trial\n\nTwo restaurants, two weeks, one of us on call from 17:00 to 23:00.\n\n- Two people on one tablet: the last one to save wins.\n- Without push messages we show a banner one hour before.\n',
  },
  {
    title: 'Meeting notes',
    by: 'mia',
    kind: 'template',
    visibility: 'organization',
    text: '# {{title}}\n\nWith {{people}}\n\n## What we decided\n\n## Who does what by when\n',
  },
  {
    title: 'Thoughts about salaries',
    by: 'mia',
    visibility: 'private',
    text: '# Thoughts about salaries\n\nPrivate until the move is done.\n',
  },
]
