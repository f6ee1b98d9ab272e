import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../kernel/refusal.ts'
import { parseTaskFile, type ParseInput } from './formats.ts'
import { markdownOfJira } from './jira-markup.ts'
import { readDate } from './records.ts'

// Export files as the other programs write them.

const parse = (text: string, more: Partial<ParseInput> = {}) =>
  parseTaskFile({
    bytes: Buffer.from(text),
    format: undefined,
    mapping: {},
    dateOrder: undefined,
    defaultOrder: undefined,
    onlyProject: undefined,
    ...more,
  })

function refusalOf(text: string, more: Partial<ParseInput> = {}): Refusal {
  try {
    parse(text, more)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('The file was accepted.')
}

test('Jira: repeated columns, wiki markup, dates with month names, parents, links and comments', () => {
  const text = [
    'Summary,Issue key,Issue Type,Status,Status Category,Priority,Assignee,Due date,Labels,Labels,Description,Original estimate,Custom field (Story Points),Parent key,Inward issue link (Blocks),Comment,Project name',
    '"Pay, then ship",SHOP-2,Task,In QA,In Progress,Highest,Tom Costa,15/Mar/24 12:00 AM,web,urgent,"h2. Why\n\n* *bold* and {{code}}\n** [docs|https://example.test/x]",7200,5,SHOP-1,SHOP-3,"12/Mar/24 3:04 PM;557:ab;Looks *good*",Shop',
    'Cart,SHOP-1,Epic,Done,Done,Low,,,,,,,,,,,Shop',
  ].join('\n')
  const { format, records, warnings } = parse(text)
  assert.equal(format, 'jira')
  const [pay, cart] = records
  assert.deepEqual(
    [
      pay!.title,
      pay!.ref,
      pay!.status,
      pay!.category,
      pay!.priority,
      pay!.due,
      pay!.estimateMinutes,
      pay!.points,
    ],
    ['Pay, then ship', 'SHOP-2', 'In QA', 'in_progress', 'urgent', '2024-03-15', 120, 5],
  )
  assert.deepEqual(
    [pay!.assignees, pay!.labels, pay!.parent, pay!.blockedBy],
    [['Tom Costa'], ['web', 'urgent'], 'SHOP-1', ['SHOP-3']],
  )
  assert.equal(
    pay!.description,
    '## Why\n\n- **bold** and `code`\n  - [docs](https://example.test/x)',
  )
  assert.deepEqual(pay!.comments, [
    { author: '557:ab', at: '2024-03-12T15:04', text: 'Looks **good**' },
  ])
  assert.deepEqual([cart!.category, cart!.priority, cart!.due], ['done', 'low', undefined])
  assert.deepEqual(warnings, [])
})

test('Linear: labels in one cell, email addresses of people, dates with a time zone, one of several projects', () => {
  const text = [
    '"ID","Team","Title","Description","Status","Estimate","Priority","Project","Creator","Assignee","Labels","Created","Due Date","Parent issue"',
    '"ENG-1","Engineering","Login fails","Steps:\n1. open","In Progress","3","Urgent","App","ann@acme.test","tom@acme.test","Bug, iOS","Tue Mar 12 2024 15:04:05 GMT+0000 (GMT)","2024-04-01T00:00:00.000Z",""',
    '"ENG-2","Engineering","Retry","","Backlog","","No priority","Server","ann@acme.test","","","2024-03-12","","ENG-1"',
  ].join('\n')
  const { format, records } = parse(text)
  assert.equal(format, 'linear')
  assert.deepEqual(
    [
      records[0]!.assignees,
      records[0]!.labels,
      records[0]!.due,
      records[0]!.points,
      records[0]!.priority,
    ],
    [['tom@acme.test'], ['Bug', 'iOS'], '2024-04-01', 3, 'urgent'],
  )
  assert.deepEqual(
    [records[1]!.parent, records[1]!.category, records[1]!.priority],
    ['ENG-1', 'backlog', undefined],
  )
  assert.deepEqual(
    parse(text, { onlyProject: 'server' }).records.map((record) => record.ref),
    ['ENG-2'],
  )
  assert.match(refusalOf(text, { onlyProject: 'Nowhere' }).more.hint!, /App, Server/)
})

test('Trello: cards in their lists, checklists, comments in order; archived cards are rejected by name', () => {
  const board = {
    name: 'Launch',
    lists: [
      { id: 'l1', name: 'Doing', closed: false },
      { id: 'l2', name: 'Old', closed: true },
    ],
    cards: [
      {
        id: 'c1',
        name: 'Write copy',
        desc: 'For the *site*',
        idList: 'l1',
        due: '2024-05-01T10:00:00.000Z',
        dueComplete: false,
        labels: [
          { name: '', color: 'red' },
          { name: 'Text', color: 'blue' },
        ],
        idMembers: ['m1'],
        shortUrl: 'https://trello.test/c/1',
      },
      { id: 'c2', name: 'Gone', desc: '', idList: 'l1', closed: true },
      { id: 'c3', name: 'In an old list', desc: '', idList: 'l2' },
    ],
    members: [{ id: 'm1', fullName: 'Tom Costa', username: 'tom' }],
    checklists: [
      {
        idCard: 'c1',
        name: 'Parts',
        checkItems: [
          { name: 'b', state: 'incomplete', pos: 2 },
          { name: 'a', state: 'complete', pos: 1 },
        ],
      },
    ],
    actions: [
      {
        type: 'commentCard',
        date: '2024-04-02T08:00:00.000Z',
        memberCreator: { fullName: 'Mia' },
        data: { text: 'second', card: { id: 'c1' } },
      },
      {
        type: 'commentCard',
        date: '2024-04-01T08:00:00.000Z',
        memberCreator: { fullName: 'Tom Costa' },
        data: { text: 'first', card: { id: 'c1' } },
      },
      { type: 'updateCard', date: '2024-04-01T08:00:00.000Z', data: {} },
    ],
  }
  const { format, records, refused } = parse(JSON.stringify(board))
  assert.equal(format, 'trello')
  assert.equal(records.length, 1)
  const [card] = records
  assert.deepEqual(
    [card!.status, card!.category, card!.due, card!.labels, card!.assignees],
    ['Doing', 'in_progress', '2024-05-01T10:00Z', ['red', 'Text'], ['Tom Costa']],
  )
  assert.equal(card!.description, 'For the *site*\n\n**Parts**\n\n- [x] a\n- [ ] b')
  assert.deepEqual(
    card!.comments.map((comment) => [comment.author, comment.text]),
    [
      ['Tom Costa', 'first'],
      ['Mia', 'second'],
    ],
  )
  assert.deepEqual(refused, [
    { line: 2, reason: 'The card is archived.' },
    { line: 3, reason: 'Its list is archived.' },
  ])
  assert.match(refusalOf('{"cards": 1}').message, /not a Trello board export/)
  assert.match(refusalOf('{"cards": [').message, /not valid JSON/)
})

test('Todoist: sections, indents, labels in the text, notes, and dates in words kept in the description', () => {
  const text = [
    'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE',
    'section,Kitchen,,,,,,,,',
    'task,Buy paint @shop @home,matt white,1,1,Mia (1),Tom Costa (2),2024-06-01,en,Europe/Berlin',
    'note,In the cellar?,,,,Mia (1),,,,',
    'task,Brushes,,4,2,Mia (1),,,,',
    'task,Rollers,,4,3,Mia (1),,every monday,en,',
    ',,,,,,,,,',
    'task,Clean,,4,1,Mia (1),,,,',
  ].join('\n')
  const { format, records, warnings } = parse(text)
  assert.equal(format, 'todoist')
  const [paint, brushes, rollers, clean] = records
  assert.deepEqual(
    [paint!.title, paint!.labels, paint!.priority, paint!.section, paint!.assignees, paint!.due],
    ['Buy paint', ['shop', 'home'], 'urgent', 'Kitchen', ['Tom Costa'], '2024-06-01'],
  )
  assert.deepEqual(paint!.comments, [{ author: 'Mia', text: 'In the cellar?' }])
  assert.deepEqual(
    [brushes!.parent, rollers!.parent, clean!.parent],
    [paint!.ref, brushes!.ref, undefined],
  )
  assert.match(rollers!.description!, /Date in Todoist: every monday/)
  assert.match(warnings[0]!, /every monday/)
})

test('CSV: columns by common names, a mapping, delimiters, and a date order inferred from one unambiguous date', () => {
  const plain = parse(
    'Task;Status;Due date;Tags;Prio;Assigned to\nA;Doing;03/04/2026;x, y;high;Tom\nB;;25/04/2026;;;\n',
  )
  assert.equal(plain.delimiter, ';')
  assert.deepEqual(
    plain.records.map((record) => [record.title, record.due, record.labels, record.priority]),
    [
      ['A', '2026-04-03', ['x', 'y'], 'high'],
      ['B', '2026-04-25', [], undefined],
    ],
  )
  const quoted = parse(
    'title,labels,assignee\nA,"""Sales, EMEA""; web,say ""hi"", ""a """"b""","""Costa, Tom"", Ann"\n',
  )
  assert.deepEqual(
    quoted.records.map((record) => [record.labels, record.assignees]),
    [
      [
        ['Sales, EMEA', 'web', 'say "hi"', 'a "b'],
        ['Costa, Tom', 'Ann'],
      ],
    ],
  )
  const unclear = parse('title,due\nA,03/04/2026\n')
  assert.equal(unclear.records[0]!.due, undefined)
  assert.match(unclear.warnings[0]!, /set date_order/)
  assert.equal(
    parse('title,due\nA,03/04/2026\n', { dateOrder: 'mdy' }).records[0]!.due,
    '2026-03-04',
  )
  const mapped = parse('What,Why\nA,because\n', { mapping: { What: 'title', why: 'description' } })
  assert.deepEqual(mapped.columns, [
    { column: 'What', field: 'title' },
    { column: 'Why', field: 'description' },
  ])
  assert.match(refusalOf('What,Why\nA,b\n').message, /no column contains the task title/)
  assert.match(
    refusalOf('title\nA\n', { mapping: { other: 'title' } }).message,
    /no column is named "other"/,
  )
  assert.match(refusalOf('title\nA\n', { mapping: { title: 'nonsense' } }).message, /not a field/)
  assert.equal(refusalOf(`title\n${'a\n'.repeat(20_001)}`).code, 'too_large')
  assert.equal(refusalOf(`title\n${','.repeat(600)}a\n`).code, 'too_large')
  assert.match(refusalOf('title,description\n"a,b\nc').message, /cannot be read|quotation/i)
  assert.deepEqual(parse('title,description\n ,only text\n').refused, [
    { line: 2, reason: 'The title is missing.' },
  ])
})

test('dates of many programs are parsed, and invalid ones are not', () => {
  const read: [string, string | undefined][] = [
    ['2024-02-29', '2024-02-29'],
    ['2023-02-29', undefined],
    ['2024-05-01 14:30', '2024-05-01T14:30'],
    ['2024-05-01T14:30:00.000Z', '2024-05-01T14:30Z'],
    ['2024-05-01T14:30:00+0200', '2024-05-01T14:30+02:00'],
    ['31/Dec/24 12:05 PM', '2024-12-31T12:05'],
    ['Dec 31, 2024', '2024-12-31'],
    ['24.12.2024', '2024-12-24'],
    ['13/12/2024', '2024-12-13'],
    ['05/06/2024', undefined],
    ['tomorrow', undefined],
  ]
  for (const [text, expected] of read) assert.equal(readDate(text), expected, text)
})

test('code in Jira markup is left unchanged', () => {
  assert.equal(
    markdownOfJira('{code:java}\nif (a * b * c) {{ x }}\n{code}\n# one\n## two'),
    '```java\nif (a * b * c) {{ x }}\n```\n1. one\n  1. two',
  )
})

test('a header below a title, blank lines or a delimiter line is found', () => {
  const titles = (text: string, more: Partial<ParseInput> = {}) =>
    parse(text, more).records.map((record) => [record.line, record.title, record.status])
  assert.deepEqual(titles('sep=;\r\nTitle;Status\r\nA, b;Doing\r\n'), [[3, 'A, b', 'Doing']])
  assert.deepEqual(titles('\ufeff"sep=\\t"\nTitle\tStatus\nA\tDoing\n'), [[3, 'A', 'Doing']])
  const report = 'Task report of 3 March 2026;;\r\n\r\nTask;Status;Due\r\nA;Doing;2026-04-01\r\n'
  assert.deepEqual(titles(report), [[4, 'A', 'Doing']])
  assert.deepEqual(parse(report).warnings, [
    'The header is line 3. Not imported, above it: line 1 (Task report of 3 March 2026).',
  ])
  assert.deepEqual(titles('Made by,Ann\nWhat,Status\nA,Doing\n', { mapping: { what: 'title' } }), [
    [3, 'A', 'Doing'],
  ])
  const jira = 'Issues of PAY\nSummary,Issue key,Status\nCheckout,PAY-1,To Do\n'
  assert.deepEqual([parse(jira).format, titles(jira)], ['jira', [[3, 'Checkout', 'To Do']]])
  assert.match(
    refusalOf('\n\nWhat,Why\nA,b\n').message,
    /no column contains the task title; line 3 was read as the header/,
  )
})

test('for two columns of one field, texts are joined and omitted values are named', () => {
  const two = parse(
    'Title,Description,Notes,Due Date,Deadline\nA,Why,How,2030-03-01,2030-04-01\nB,,Only,,2030-05-01\nC,Same,Same,2030-06-01,2030-06-01\n',
  )
  assert.deepEqual(
    two.records.map((record) => [record.description, record.due]),
    [
      ['Why\n\nNotes: How', '2030-03-01'],
      ['Only', '2030-05-01'],
      ['Same', '2030-06-01'],
    ],
  )
  assert.deepEqual(two.warnings, [
    'Left out: column "Deadline" where "Due Date" fills the field due (line 2).',
  ])
  const rows = [1, 2, 3, 4].map((n) => `T${n},Name ${n},High,Low`)
  assert.deepEqual(parse(`Task,Summary,Priority,Prio\n${rows.join('\n')}`).warnings, [
    'Left out: column "Summary" where "Task" fills the field title (line 2, line 3, line 4 and 1 more).',
    'Left out: column "Prio" where "Priority" fills the field priority (line 2, line 3, line 4 and 1 more).',
  ])
  const todoist =
    'TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,DATE,DEADLINE\ntask,Pay,,1,1,2030-05-01,2030-06-01\n'
  assert.deepEqual(
    parse(todoist).records.map((record) => [record.due, record.description]),
    [['2030-06-01', 'Date in Todoist: 2030-05-01']],
  )
})

test('spreadsheet dates at midnight are dates, unless other cells of the column have times', () => {
  const due = (...cells: string[]) =>
    parse(`title,due\n${cells.map((cell) => `A,${cell}`).join('\n')}`).records.map(
      (record) => record.due,
    )
  assert.deepEqual(due('2027-03-15 00:00:00', '2027-04-01'), ['2027-03-15', '2027-04-01'])
  assert.deepEqual(due('2027-03-15 00:00', '2027-03-16 09:30'), [
    '2027-03-15T00:00',
    '2027-03-16T09:30',
  ])
  assert.deepEqual(due('2027-03-15T00:00:00.000Z'), ['2027-03-15T00:00Z'])
})

test('points and estimates accept common number formats, and unreadable values are reported', () => {
  const { records, warnings } = parse(
    'title;points;estimate minutes\nA;3,5;90\nB;1\u00a0234;1 234.5\nC;3,5,1;\nD;;1,500\n',
  )
  assert.deepEqual(
    records.map((record) => [record.points, record.estimateMinutes]),
    [
      [3.5, 90],
      [1234, 1235],
      [undefined, undefined],
      [undefined, undefined],
    ],
  )
  assert.deepEqual(warnings, [
    'Line 4: Points "3,5,1" could not be read.',
    'Line 5: Estimate "1,500" could not be read; write it without a comma.',
  ])
})

test('day and month order follows the column, the file or the default, which is then reported', () => {
  const dates = (lines: readonly string[], more: Partial<ParseInput> = {}) => {
    const { records, warnings } = parse(['title,due,start', ...lines].join('\n'), more)
    return { read: records.map((record) => [record.due, record.start]), warnings }
  }
  assert.deepEqual(dates(['A,3/4/2027,24/12/2026', 'B,25/4/2027,1/2/2027']), {
    read: [
      ['2027-04-03', '2026-12-24'],
      ['2027-04-25', '2027-02-01'],
    ],
    warnings: [],
  })
  assert.deepEqual(
    dates(['A,3/4/2027,2/28/2027', 'B,25/4/2027,1/2/2027']).read,
    [
      ['2027-04-03', '2027-02-28'],
      ['2027-04-25', '2027-01-02'],
    ],
    'each column by its own dates',
  )
  const monthFirst = dates(['A,3/4/2027,24.12.2026'], { defaultOrder: 'mdy' })
  assert.deepEqual(monthFirst.read, [['2027-03-04', '2026-12-24']])
  assert.deepEqual(monthFirst.warnings, [
    'Column "due": dates such as "3/4/2027" were read as month/day/year, the usual order in your organization\'s time zone; set date_order to change it.',
  ])
  const mixed = dates(['A,3/4/2027,', 'B,25/4/2027,', 'C,4/25/2027,'], { defaultOrder: 'dmy' })
  assert.deepEqual(
    mixed.read.map(([due]) => due),
    [undefined, '2027-04-25', '2027-04-25'],
  )
  assert.match(mixed.warnings[0]!, /"3\/4\/2027" could not be read; set date_order/)
})

test('an ambiguous number is read like the others in its column', () => {
  const points = (...cells: string[]) =>
    parse(`title;points\n${cells.map((cell) => `A;${cell}`).join('\n')}`).records.map(
      (record) => record.points,
    )
  assert.deepEqual(points('1,234', '3,5'), [1.234, 3.5])
  assert.deepEqual(points('1,234', '1,234.5'), [1234, 1234.5])
  assert.deepEqual(points('1,234', '7'), [undefined, 7])
})
