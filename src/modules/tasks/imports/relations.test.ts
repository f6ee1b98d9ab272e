import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTaskFile } from './formats.ts'

// Parents in the exports of other programs; the columns follow their documentation.

function parse(lines: readonly string[]) {
  const { records, warnings, format } = parseTaskFile({
    bytes: Buffer.from(lines.join('\n')),
    format: undefined,
    mapping: {},
    dateOrder: undefined,
    defaultOrder: undefined,
    onlyProject: undefined,
  })
  const titleOf = (ref: string | undefined) =>
    records.find((record) => record.ref !== undefined && record.ref === ref)?.title ?? ref
  const parents = Object.fromEntries(records.map(({ title, parent }) => [title, titleOf(parent)]))
  return { format, records, warnings, parents }
}

test('Jira Server: subtasks refer to their parent by issue id', () => {
  const { format, parents, records } = parse([
    'Summary,Issue key,Issue id,Parent id,Issue Type,Status,Project key,Custom field (Epic Link)',
    'Checkout,PAY-1,20001,,Story,In Progress,PAY,PAY-9',
    'Test cards,PAY-2,20002,20001,Sub-task,To Do,PAY,',
    'Payments,PAY-9,20009,,Epic,To Do,PAY,',
  ])
  assert.equal(format, 'jira')
  assert.deepEqual(parents, { Checkout: 'Payments', 'Test cards': 'Checkout', Payments: undefined })
  assert.deepEqual(
    records.map((record) => record.ref),
    ['PAY-1', 'PAY-2', 'PAY-9'],
  )
})

test('Jira Cloud: the parent is an id, with its key in another column', () => {
  const { parents, records } = parse([
    'Summary,Issue key,Issue id,Issue Type,Status,Parent,Parent key,Parent summary',
    'Test cards,PAY-2,20002,Subtask,To Do,20001,PAY-1,Checkout',
    'Checkout,PAY-1,20001,Story,In Progress,,,',
    'Alone,PAY-3,20003,Subtask,To Do,19999,OLD-7,Elsewhere',
  ])
  assert.deepEqual(parents, { 'Test cards': 'Checkout', Checkout: undefined, Alone: 'OLD-7' })
  assert.equal(records[0]!.parent, 'PAY-1')
})

test('a table with ids and titles: ids take precedence over titles, and an ambiguous title is reported', () => {
  assert.deepEqual(parse(['ID,Title,Parent,Parent ID', '10,Root,,', '11,Child,Root,10']).parents, {
    Root: undefined,
    Child: 'Root',
  })
  assert.deepEqual(parse(['Title,Parent', 'Root,', 'Child,root']).parents, {
    Root: undefined,
    Child: 'Root',
  })
  const twice = parse(['Title,Parent', 'Root,', 'Root,', 'Child,Root'])
  assert.equal(twice.records[2]!.parent, undefined)
  assert.match(twice.warnings[0]!, /Line 4: Its parent "Root" is the title of 2 tasks/)
})

test('Linear: the parent issue by identifier or UUID', () => {
  const { format, parents } = parse([
    'UUID,ID,Team,Title,Description,Status,Estimate,Priority,Creator,Assignee,Parent issue',
    'aa-1,ENG-1,Eng,Login,,Todo,,High,ann@acme.test,,',
    'aa-2,ENG-2,Eng,Retry,,Todo,,High,ann@acme.test,,ENG-1',
    'aa-3,ENG-3,Eng,Log,,Todo,,High,ann@acme.test,,aa-2',
  ])
  assert.equal(format, 'linear')
  assert.deepEqual(parents, { Login: undefined, Retry: 'Login', Log: 'Retry' })
})

test('Asana: parents and dependencies by name', () => {
  const { parents, records } = parse([
    'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task,Blocked By (Dependencies),Blocking (Dependencies)',
    '1201,2026-01-02,,2026-01-02,Launch,Doing,,,,2026-04-01,,,Site,,,',
    '1202,2026-01-02,,2026-01-02,"Write, check copy",,,,,,,,,Launch,,',
    '1203,2026-01-02,,2026-01-02,Publish,,,,,,,,,Launch,"Write, check copy",',
  ])
  assert.deepEqual(parents, {
    Launch: undefined,
    'Write, check copy': 'Launch',
    Publish: 'Launch',
  })
  assert.deepEqual(
    [records[0]!.section, records[2]!.blockedBy, records[2]!.ref],
    ['Doing', ['1202'], '1203'],
  )
})

test('Notion: parents as titles with the page address', () => {
  const { parents, records } = parse([
    'Task name,Status,Assign,Due,Parent item,Sub-item',
    'Fair,In progress,,,,Stand (https://www.notion.so/Stand-0f1e2d3c4b5a69788796a5b4c3d2e1f0?pvs=21)',
    'Stand,Not started,,,Fair (https://www.notion.so/Fair-1a2b3c4d5e6f708192a3b4c5d6e7f809?pvs=21),',
    'Chairs,Not started,,,Stand (Tasks%20of%20us/Stand%200f1e2d3c.md),',
  ])
  assert.deepEqual(parents, { Fair: undefined, Stand: 'Fair', Chairs: 'Stand' })
  assert.equal(records[1]!.ref, 'line 3 of the file')
  assert.equal(records[2]!.ref, undefined)
})

test('Planner: buckets, and parents by outline number', () => {
  const basic = parse([
    'Task ID,Task Name,Bucket Name,Progress,Priority,Assigned To,Start date,Due date,Labels,Description',
    'q1,Order paint,Kitchen,In progress,Important,,,03/25/2027,,White',
  ])
  assert.deepEqual(
    [basic.records[0]!.section, basic.records[0]!.status, basic.records[0]!.due],
    ['Kitchen', 'In progress', '2027-03-25'],
  )
  const premium = parse([
    'Task number,Outline number,Name,Bucket,Start,Finish,% complete',
    '1,1,Move,Office,2027-03-01,2027-03-31,0',
    '2,1.1,Pack,Office,2027-03-01,2027-03-05,0',
    '3,1.1.1,Books,Office,2027-03-01,2027-03-02,0',
    '4,1.2,Clean,Office,2027-03-06,2027-03-07,0',
  ])
  assert.deepEqual(premium.parents, {
    Move: undefined,
    Pack: 'Move',
    Books: 'Pack',
    Clean: 'Move',
  })
  assert.equal(premium.records[3]!.due, '2027-03-07')
})

test('Trello as CSV: cards in their lists, recognized by id on reimport', () => {
  const { records } = parse([
    'Card ID,Card Name,Card URL,Card Description,Labels,Members,Due Date,List ID,List Name,Board ID,Board Name,Archived',
    'c1,Write copy,https://trello.test/c/1,For the site,Text,Tom Costa,2027-05-01T10:00:00.000Z,l1,Doing,b1,Launch,false',
  ])
  const { ref, title, status, project, description, assignees, url } = records[0]!
  assert.deepEqual(
    [ref, title, status, project, description, assignees, url],
    [
      'c1',
      'Write copy',
      'Doing',
      'Launch',
      'For the site',
      ['Tom Costa'],
      'https://trello.test/c/1',
    ],
  )
})

test('Todoist and other indented lists: a task belongs to the preceding less indented one', () => {
  const { parents } = parse([
    'TYPE,CONTENT,PRIORITY,INDENT',
    'task,Buy,1,1',
    'task,Paint,1,2',
    'task,White,1,3',
    'section,Later,,',
    'task,Sell,1,1',
    'task,Sofa,1,2',
  ])
  assert.deepEqual(parents, {
    Buy: undefined,
    Paint: 'Buy',
    White: 'Paint',
    Sell: undefined,
    Sofa: 'Sell',
  })
  const outline = parse(['Title,Indent', 'A,0', 'B,1', 'C,1', 'D,0'])
  assert.deepEqual(outline.parents, { A: undefined, B: 'A', C: 'A', D: undefined })
})
