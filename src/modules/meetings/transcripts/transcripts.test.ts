import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { cpuWatch } from '../../../testing/cost.ts'
import { makeWorkspace, type TestWorkspace } from '../../../testing/harness.ts'

let workspace: TestWorkspace
let project: { id: string }
before(async () => {
  workspace = await makeWorkspace()
  project = await workspace.ann.call('create_project', {
    name: 'Said',
    key: 'SAID',
    member_ids: [workspace.bob.id],
  })
})
after(() => workspace.close())

const read = () => workspace.app.store.raw.read
const createMeeting = (title: string, fields: object = {}) =>
  workspace.ann.call('create_meeting', { title, participants: [workspace.bob.id], ...fields })
const vtt = (lines: [second: number, speaker: string, text: string][]) =>
  `WEBVTT\n\n${lines.map(([at, who, text]) => `00:${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}.000 --> 00:59:00.000\n<v ${who}>${text}</v>\n`).join('\n')}`

test('a transcript is stored line by line, with speakers matched to people, and read by time and speaker', async () => {
  const { ann, bob, carol } = workspace
  const { id } = await createMeeting('Matched')
  const content = vtt([
    [5, 'Ann', 'Hello'],
    [65, 'bob@acme.test', 'Hi'],
    [70, 'Carol (guest)', 'Yes'],
    [130, 'Zed', 'No'],
    [140, 'Ann', 'Bye'],
  ])
  const transcript = await ann.call('import_transcript', {
    meeting_id: id,
    content,
    speaker_map: { Zed: 'Zed Customer' },
    language: 'en-us',
  })
  assert.deepEqual(
    transcript.speakers.map((speaker: any) => [speaker.label, speaker.person?.id]),
    [
      ['Ann', ann.id],
      ['bob@acme.test', bob.id],
      ['Carol (guest)', carol.id],
      ['Zed Customer', undefined],
    ],
  )
  assert.deepEqual(
    [
      transcript.language,
      transcript.line_count,
      transcript.trust,
      transcript.lines,
      transcript.has_more,
    ],
    ['en-US', 5, 'external', [], true],
  )
  const whole = await bob.call('get_transcript', { meeting_id: id, cursor: transcript.next_cursor })
  assert.deepEqual(
    whole.lines.map((line: any) => `${line.at_second} ${line.speaker}: ${line.text}`),
    [
      '5 Ann: Hello',
      '65 bob@acme.test: Hi',
      '70 Carol (guest): Yes',
      '130 Zed Customer: No',
      '140 Ann: Bye',
    ],
  )
  const texts = async (args: object) =>
    (await ann.call('get_transcript', { meeting_id: id, ...args })).lines.map(
      (line: any) => line.text,
    )
  assert.deepEqual(await texts({ from_second: 60, to_second: 130 }), ['Hi', 'Yes', 'No'])
  assert.deepEqual(await texts({ speaker: 'me' }), ['Hello', 'Bye'])
  assert.deepEqual(await texts({ speaker: 'bob@acme.test' }), ['Hi'])
  assert.deepEqual(await texts({ speaker: 'zed' }), ['No'])
  assert.deepEqual(await texts({ speaker: 'nobody' }), [])
  const first = await ann.call('get_transcript', { meeting_id: id, limit: 3 })
  assert.deepEqual(
    [first.has_more, await texts({ limit: 3, cursor: first.next_cursor })],
    [true, ['No', 'Bye']],
  )
  assert.deepEqual((await ann.call('get_meeting', { meeting_id: id })).transcript, {
    exists: true,
    minutes: 59,
    language: 'en-US',
  })
})

test('a first name is matched only among participants, and only if it is unique', async () => {
  const { ann, person } = workspace
  const miller = await person('Miller')
  workspace.app.store.raw.write
    .prepare("UPDATE users SET display_name = 'Jo Miller' WHERE id = ?")
    .run(miller.id)
  const absent = await person('Absent')
  workspace.app.store.raw.write
    .prepare("UPDATE users SET display_name = 'Abe Absent' WHERE id = ?")
    .run(absent.id)
  const { id } = await createMeeting('First names', { participants: [miller.id] })
  const transcript = await ann.call('import_transcript', {
    meeting_id: id,
    content: 'Jo: one\nAbe: two\nAbé  Absent: three\n',
  })
  assert.deepEqual(
    transcript.speakers.map((speaker: any) => speaker.person?.id),
    [miller.id, undefined, absent.id],
  )
})

test('invalid content, format, speakers or language and missing permission are refused', async () => {
  const { ann, bob, carol, eve } = workspace
  const { id } = await createMeeting('Refused', { visibility: 'organization' })
  const code = async (args: object, who = ann) => {
    const { code, more } = await who.refused('import_transcript', { meeting_id: id, ...args })
    return [code, more.field]
  }
  assert.deepEqual(await code({}), ['invalid_argument', 'content'])
  assert.deepEqual(await code({ content: '   ' }), ['invalid_argument', 'content'])
  assert.deepEqual(await code({ content: 'x', file_id: 'fil_00000000000000000000000000' }), [
    'not_found',
    'file_id',
  ])
  assert.deepEqual(await code({ content: 'not a cue', format: 'srt' }), [
    'invalid_argument',
    'content',
  ])
  assert.deepEqual(await code({ content: 'Ann: x', speaker_map: { Nobody: 'me' } }), [
    'invalid_argument',
    'speaker_map.Nobody',
  ])
  assert.deepEqual(await code({ content: 'Ann: x', speaker_map: { Ann: eve.id } }), [
    'not_found',
    'speaker_map.Ann',
  ])
  assert.deepEqual(await code({ content: 'Ann: x', language: 'not a language' }), [
    'invalid_argument',
    'language',
  ])
  assert.deepEqual(await code({ content: 'Ann: x' }, carol), ['permission_denied', undefined])
  assert.equal((await carol.refused('get_transcript', { meeting_id: id })).code, 'not_found')
  await bob.call('import_transcript', { meeting_id: id, content: 'Ann: x\nBob: y' })
  assert.deepEqual(
    (await ann.refused('get_transcript', { meeting_id: id, from_second: 5 })).more.field,
    'from_second',
  )
  assert.deepEqual((await ann.call('get_transcript', { meeting_id: id })).lines[0], {
    speaker: 'Ann',
    text: 'x',
  })
})

test('a file visible to the caller is read in its encoding; an invisible one is not found', async () => {
  const { ann, eve } = workspace
  const task = await ann.call('create_task', { project_id: 'SAID', title: 'Recording' })
  const bytes = Buffer.concat([
    Buffer.from([0xff, 0xfe]),
    Buffer.from('1\r\n00:00:01,000 --> 00:00:02,000\r\nAnn: Größe\r\n', 'utf16le'),
  ])
  const { file } = await ann.call('add_task_attachment', {
    task_id: task.id,
    name: 'call.srt',
    content_base64: bytes.toString('base64'),
  })
  const { id } = await createMeeting('From a file')
  await ann.call('import_transcript', { meeting_id: id, file_id: file.id })
  assert.deepEqual((await ann.call('get_transcript', { meeting_id: id })).lines, [
    { at_second: 1, speaker: 'Ann', text: 'Größe' },
  ])
  const foreignMeeting = await eve.call('create_meeting', { title: 'Eve' })
  assert.equal(
    (await eve.refused('import_transcript', { meeting_id: foreignMeeting.id, file_id: file.id }))
      .code,
    'not_found',
  )
})

test('search finds lines with context in visible meetings only, filtered by meeting, project, speaker and time', async () => {
  const { ann, bob, carol, eve } = workspace
  const projectMeeting = await createMeeting('Search one', {
    project_id: project.id,
    visibility: 'project',
    starts_at: '2026-11-02T10:00',
    participants: [carol.id],
  })
  const otherMeeting = await createMeeting('Search two', { starts_at: '2026-11-09T10:00' })
  await ann.call('import_transcript', {
    meeting_id: projectMeeting.id,
    content: vtt([
      [1, 'Ann', 'We begin'],
      [2, 'Carol', 'The budget of the badger'],
      [3, 'Ann', 'is too high'],
      [4, 'Ann', 'I think'],
      [5, 'Carol', 'of course badgers eat a lot'],
    ]),
  })
  await ann.call('import_transcript', {
    meeting_id: otherMeeting.id,
    content: 'Bob: no badger here',
  })
  const hits = async (who = ann, args: object = {}) =>
    (await who.call('search_transcripts', { query: 'badger', ...args })).items
  const texts = async (who = ann, args: object = {}) =>
    (await hits(who, args)).map((hit: any) => hit.text).sort()
  const [budgetLine, noneLine, eatLine] = [
    'The budget of the badger',
    'no badger here',
    'of course badgers eat a lot',
  ]
  assert.deepEqual(await texts(), [budgetLine, noneLine, eatLine])
  assert.deepEqual(await texts(bob), [budgetLine, noneLine, eatLine])
  assert.deepEqual(await texts(carol), [budgetLine, eatLine])
  assert.deepEqual(await texts(eve), [])
  assert.deepEqual(await texts(ann, { meeting_id: otherMeeting.id }), [noneLine])
  assert.deepEqual(await texts(ann, { project_id: 'SAID' }), [budgetLine, eatLine])
  assert.deepEqual(await texts(ann, { after: '2026-11-05' }), [noneLine])
  assert.deepEqual(await texts(ann, { before: '2026-11-05' }), [budgetLine, eatLine])
  assert.deepEqual(await texts(ann, { speaker: 'bob' }), [noneLine])
  assert.deepEqual(await texts(ann, { speaker: carol.id }), [budgetLine, eatLine])
  assert.deepEqual(await texts(ann, { query: '"budget of the badger"' }), [budgetLine])
  const hit = (await hits(ann, { query: 'budget badger' }))[0]
  assert.deepEqual(
    [hit.meeting.title, hit.at_second, hit.speaker, hit.score, hit.trust],
    ['Search one', 2, 'Carol', 1, 'external'],
  )
  assert.deepEqual(
    [
      hit.context.before.map((line: any) => line.text),
      hit.context.after.map((line: any) => line.text),
    ],
    [['We begin'], ['is too high', 'I think']],
  )
  const page = await ann.call('search_transcripts', { query: 'badger', limit: 2 })
  assert.deepEqual(
    [...page.items, ...(await hits(ann, { limit: 2, cursor: page.next_cursor }))]
      .map((hit: any) => hit.text)
      .sort(),
    [budgetLine, noneLine, eatLine],
  )
  assert.match(
    (await ann.call('search_transcripts', { query: 'badger', mode: 'hybrid' })).searched.note,
    /semantic index is still being built/,
  )
  await workspace.app.searchEngine.maintain()
  const semantic = await ann.call('search_transcripts', {
    query: 'spending money',
    mode: 'semantic',
    limit: 3,
  })
  assert.equal(semantic.searched.mode, 'semantic')
  assert.match(semantic.items[0].text, /budget/)
  assert.deepEqual((await texts(ann, { mode: 'hybrid', speaker: 'bob' }))[0], noneLine)
  assert.deepEqual(
    (await texts(ann, { mode: 'hybrid', meeting_id: otherMeeting.id })).slice(0, 1),
    [noneLine],
  )
  assert.equal((await ann.refused('search_transcripts', { query: '...' })).more.field, 'query')
  await ann.call('update_meeting', { meeting_id: projectMeeting.id, participants: [] })
  assert.deepEqual(await texts(carol), [])
})

test('a second import replaces and deletes the first; cursors of the first become invalid', async () => {
  const { ann } = workspace
  const { id } = await createMeeting('Replaced')
  const first = await ann.call('import_transcript', {
    meeting_id: id,
    content: 'Ann: an ocelot\nBob: oh',
  })
  assert.equal(first.replaced_lines, undefined)
  const second = await ann.call('import_transcript', { meeting_id: id, content: 'Ann: a margay' })
  assert.equal(second.replaced_lines, 2)
  assert.deepEqual(
    (await ann.call('search_transcripts', { query: 'ocelot margay' })).items.map(
      (hit: any) => hit.text,
    ),
    ['a margay'],
  )
  assert.equal(
    (await ann.refused('get_transcript', { meeting_id: id, cursor: first.next_cursor })).code,
    'invalid_argument',
  )
  const undone = await ann.call('undo_api_call', { call_id: lastCall('import_transcript') })
  assert.deepEqual(
    [undone.undone, undone.refused.map((item: any) => item.reason)],
    [false, ['not_reversible']],
  )
  assert.deepEqual(
    (await ann.call('get_transcript', { meeting_id: id })).lines.map((line: any) => line.text),
    ['a margay'],
  )
})

test('undoing a first import erases it, and that undo cannot be undone', async () => {
  const { ann } = workspace
  const { id } = await createMeeting('Undone import')
  await ann.call('import_transcript', { meeting_id: id, content: 'Ann: an okapi' })
  assert.equal(
    (await ann.call('undo_api_call', { call_id: lastCall('import_transcript') })).undone,
    true,
  )
  assert.equal((await ann.refused('get_transcript', { meeting_id: id })).code, 'not_found')
  assert.deepEqual((await ann.call('search_transcripts', { query: 'okapi' })).items, [])
  const again = await ann.call('undo_api_call', { call_id: lastCall('undo_api_call') })
  assert.deepEqual(
    again.refused.map((item: any) => item.reason),
    ['not_reversible'],
  )
})

test('erasing a transcript leaves no trace: no rows, no search hits, no undo data, no stored result of the idempotency key', async () => {
  const { ann, bob } = workspace
  const { id } = await createMeeting('Erased')
  const word = 'quetzalcoatlus'
  await ann.call(
    'import_transcript',
    { meeting_id: id, content: `Ann: flying ${word}\nBob: a flying ${word}` },
    { idempotencyKey: 'erase-me' },
  )
  const dryRun = await bob.call('delete_meeting', {
    meeting_id: id,
    transcript_only: true,
    dry_run: true,
  })
  assert.deepEqual(
    [dryRun.dry_run, (await ann.call('search_transcripts', { query: 'flying' })).items.length],
    [true, 2],
  )
  const erasure = await bob.call('delete_meeting', { meeting_id: id, transcript_only: true })
  assert.deepEqual(
    [erasure.also_deleted, erasure.restorable_until, erasure.undo_call_id, erasure.item.title],
    [
      [
        { type: 'transcript', count: 1 },
        { type: 'transcript_line', count: 2 },
      ],
      undefined,
      undefined,
      'Erased',
    ],
  )
  assert.deepEqual((await ann.call('search_transcripts', { query: 'flying' })).items, [])
  assert.deepEqual((await ann.call('get_meeting', { meeting_id: id })).transcript, {
    exists: false,
  })
  const tables = read()
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_fts%'",
    )
    .pluck()
    .all() as string[]
  const tablesWithWord = tables.filter((name) =>
    JSON.stringify(read().prepare(`SELECT * FROM "${name}"`).all()).includes(word),
  )
  assert.deepEqual(tablesWithWord, [])
  assert.equal(
    read().prepare('SELECT count(*) FROM search_fts WHERE search_fts MATCH ?').pluck().get(word),
    0,
  )
  const undone = await bob.call('undo_api_call', { call_id: lastCall('delete_meeting') })
  assert.deepEqual(
    undone.refused.map((item: any) => item.reason),
    ['not_reversible'],
  )
  assert.deepEqual(
    (await bob.call('delete_meeting', { meeting_id: id, transcript_only: true })).also_deleted,
    [],
  )
})

test('5,000 lines are imported within a second, and deleted as fast', async () => {
  const { ann } = workspace
  const { id } = await createMeeting('Long one')
  const content = vtt(
    Array.from({ length: 5000 }, (_, i) => [
      Math.floor(i / 2),
      i % 2 ? 'Ann' : 'Bob',
      `sentence number ${i} about the roadmap and what follows from it`,
    ]),
  )
  const time = async (work: () => Promise<unknown>) => {
    const spent = cpuWatch()
    await work()
    return spent()
  }
  const durations = [
    await time(() => ann.call('import_transcript', { meeting_id: id, content })),
    await time(() => ann.call('update_meeting', { meeting_id: id, visibility: 'organization' })),
    await time(() => ann.call('delete_meeting', { meeting_id: id })),
    await time(() => ann.call('restore_item', { item_id: id })),
  ]
  assert.ok(
    durations.every((value) => value < 1000),
    durations.map(Math.round).join(' ms, '),
  )
  assert.equal(
    (await ann.call('search_transcripts', { query: '"number 4321"' })).items[0].at_second,
    2160,
  )
})

function lastCall(tool: string): string {
  return read()
    .prepare("SELECT id FROM calls WHERE tool = ? AND status = 'ok' ORDER BY seq DESC LIMIT 1")
    .pluck()
    .get(tool) as string
}

test('a word repeated thousands of times in a transcript does not hide other matches in the project', async () => {
  const { ann } = workspace
  const { id } = await createMeeting('Marmots', { project_id: project.id, visibility: 'project' })
  await ann.call('import_transcript', { meeting_id: id, content: 'Ann: marmot\n'.repeat(2100) })
  const rambling = `${'much else is told here before it comes to the point '.repeat(5)} marmot`
  await ann.call('create_task', {
    project_id: project.id,
    title: 'Feed them',
    description_markdown: rambling,
  })
  await ann.call('create_meeting', {
    title: 'Zoo',
    project_id: project.id,
    visibility: 'project',
    agenda: [rambling],
  })
  assert.deepEqual(
    (await ann.call('search_tasks', { query: 'marmot' })).items.map((item: any) => item.task.title),
    ['Feed them'],
  )
  assert.deepEqual(
    (await ann.call('list_meetings', { query: 'marmot' })).items.map((item: any) => item.title),
    ['Zoo', 'Marmots'],
  )
})
