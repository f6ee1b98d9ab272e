import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { zipSync } from 'fflate'
import {
  calendarOf,
  cardsOf,
  longCsv,
  wideCsv,
  zipOfMany,
  zipOfOne,
} from '../bench/scenarios/hostile-inputs.ts'
import { threadCpuWatch } from '../src/testing/cost.ts'
import { makeWorkspace, type TestWorkspace } from '../src/testing/harness.ts'

// Inputs designed to block the server, one for each place that parses user input. Their cost on the shared thread is
// limited, in processor time, so that a busy machine makes no difference.

let workspace: TestWorkspace
before(async () => {
  workspace = await makeWorkspace()
})
after(() => workspace.close())

/** Milliseconds allowed for the main thread. The same inputs took seconds when they were parsed there. */
const bound = 400

async function refused(
  tool: string,
  args: Record<string, unknown>,
  code: string,
  message: RegExp,
): Promise<void> {
  const spent = threadCpuWatch()
  const refusal = await workspace.ann.refused(tool, args)
  const ms = spent()
  assert.equal(refusal.code, code, refusal.message)
  assert.match(refusal.message, message)
  assert.ok(ms < bound, `${tool} took ${Math.round(ms)} ms of the main thread`)
}

test('contact lists with too many columns, rows or cards are refused', async () => {
  await refused(
    'import_contacts',
    { content: wideCsv(200_000) },
    'too_large',
    /columns; an import reads 500|more than 1000000 characters/,
  )
  await refused(
    'import_contacts',
    { content: `name${',x'.repeat(600)}\nAnn\n` },
    'too_large',
    /601 columns; an import reads 500/,
  )
  await refused(
    'import_contacts',
    { content: longCsv(100_000) },
    'too_large',
    /more than 50000 records/,
  )
  await refused(
    'import_contacts',
    { content: cardsOf(51_000) },
    'too_large',
    /more than 50000 vCards/,
  )
  await refused(
    'import_contacts',
    { content: `name,email\n"${'x,'.repeat(2_000_000)}` },
    'too_large',
    /more than 1000000 characters/,
  )
})

test('archives are refused by their directory, or, if that is false, by their content', async () => {
  await refused(
    'import_pages',
    { content: zipOfMany(20_000).toString('base64') },
    'too_large',
    /more than 5000 files/,
  )
  const large = zipOfOne(100)
  await refused(
    'import_pages',
    { content: large.toString('base64') },
    'too_large',
    /more than 64 MB/,
  )
  const lying = Buffer.from(large)
  for (const signature of [0x02014b50, 0x04034b50]) {
    const at = lying.indexOf(Buffer.from(Uint32Array.of(signature).buffer))
    lying.writeUInt32LE(10, at + (signature === 0x02014b50 ? 24 : 22)) // the size that it claims to have once unpacked
  }
  await refused(
    'import_pages',
    { content: lying.toString('base64') },
    'too_large',
    /more than 64 MB/,
  )
})

test('HTML that takes too long to parse is left out of an import, but no other page is', async () => {
  const html = `<p>${'<b><i>'.repeat(50_000)}`
  const spent = threadCpuWatch()
  const { created, skipped } = await workspace.ann.call('import_pages', {
    content: Buffer.from(
      zipSync({ 'a.html': Buffer.from(html), 'b.md': Buffer.from('b') }),
    ).toString('base64'),
  })
  assert.ok(spent() < bound)
  assert.deepEqual(
    [
      created.map((item: { title: string }) => item.title),
      skipped.map((item: { line_or_path: string }) => item.line_or_path),
    ],
    [['b'], ['a.html']],
  )
})

test('a calendar with too many events is refused before it is parsed', async () => {
  const { items } = await workspace.ann.call('list_calendars', {})
  await refused(
    'import_calendar',
    { calendar_id: items[0].id, ics: calendarOf(60_000) },
    'too_large',
    /60000 events; an import takes 50000/,
  )
})

test('a text that would be too slow to render is refused when saved', async () => {
  const page = (body_markdown: string) =>
    workspace.ann.refused('create_page', { title: 'x', body_markdown })
  assert.match((await page(`${'> '.repeat(300)}x`)).message, /nested deeper than 200 levels/)
  const lines = await page('# a\n'.repeat(120_000))
  assert.deepEqual(
    [lines.code, lines.more.context],
    ['too_large', { limit_lines: 100_000, lines: 120_000 }],
  )
})

test('searching a page for a long passage that almost matches is fast', async () => {
  const { ann } = workspace
  const { id } = await ann.call('create_page', {
    title: 'Long',
    body_markdown: 'a'.repeat(500_000),
  })
  await refused(
    'edit_page_section',
    { page_id: id, find: `${'a'.repeat(20_000)} b`, new_markdown: 'x', dry_run: true },
    'invalid_argument',
    /not in the text/,
  )
  await refused(
    'edit_page_section',
    { page_id: id, find: `${'a'.repeat(60_000)} b`, new_markdown: 'x', dry_run: true },
    'invalid_argument',
    /not in the text/,
  )
})

test('templates with very many variables, and events with very many parameters, are refused before processing', async () => {
  await refused(
    'create_email_template',
    { name: 'x', subject: 'x', body_markdown: '{{a}}'.repeat(19_000) },
    'too_large',
    /more than 1000 variables and tags/,
  )
  const { items } = await workspace.ann.call('list_calendars', {})
  const spent = threadCpuWatch()
  const event = `BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20261120T090000Z\r\nX-A;${'A=b;'.repeat(240_000)}A=b:c\r\nEND:VEVENT\r\n`
  const { created, unreadable } = await workspace.ann.call('import_calendar', {
    calendar_id: items[0].id,
    ics: `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${event}END:VCALENDAR\r\n`,
  })
  assert.deepEqual([created, unreadable, spent() < bound], [0, 1, true])
})
