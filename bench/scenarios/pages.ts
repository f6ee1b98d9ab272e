// Pages: one of 10 MB, and a tree of 10,000. `node bench/scenarios/pages.ts <data directory> [pages]` prints the
// server's time for each operation as JSON.
import { BenchWorkspace } from '../place.ts'

const [dataDir = '', given = '10000'] = process.argv.slice(2)
const pages = Number(given)
const rounds = 9

const place = await BenchWorkspace.open(dataDir, ['ann', 'bob'])
const as = (who: string, tool: string, args: Record<string, unknown>) => place.as(who, tool, args)

const measured: { work: string; ms: number; goal: string }[] = []

/** Median milliseconds of one operation; `before` is not measured. */
async function measure(
  work: string,
  goal: string,
  run: (round: number) => Promise<unknown>,
): Promise<void> {
  const took: number[] = []
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    await run(i)
    took.push(performance.now() - start)
  }
  measured.push({ work, ms: took.sort((a, b) => a - b)[Math.floor(rounds / 2)]!, goal })
}

const section = (i: number) =>
  `## Section ${i}\n\n${`Words of section ${i} with a [link](https://example.com/${i}), \`code\` and more. `.repeat(14)}\n\n`
let body = '# A long page\n\n'
for (let i = 0; body.length < 10_000_000 - 20_000; i++) body += section(i)
const long = await as('ann', 'create_page', { title: 'Long', body_markdown: body })
await measure('get_page of 10 MB, a piece of 20,000 characters', '< 250', (i) =>
  as('ann', 'get_page', { page_id: long.id, offset: i * 1000, max_chars: 20_000 }),
)
await measure('get_page of 10 MB, one section', '< 250', (i) =>
  as('ann', 'get_page', { page_id: long.id, section: `Section ${i}` }),
)
await measure('edit_page_section of 10 MB', '< 2000', (i) =>
  as('ann', 'edit_page_section', {
    page_id: long.id,
    section: `Section ${100 + i}`,
    new_markdown: `## Section ${100 + i}\n\nRound ${i}\n\n`,
  }),
)
await measure('append_to_page of 10 MB', '< 2000', (i) =>
  as('ann', 'append_to_page', { page_id: long.id, body_markdown: `Round ${i}` }),
)

const root = await as('ann', 'create_page', { title: 'Root', visibility: 'private' })
const ids: string[] = [root.id]
for (let i = 1; i < pages; i++)
  ids.push(
    (
      await as('ann', 'create_page', {
        title: `Page ${i}`,
        body_markdown: `Text of ${i}, see [[Page ${i - 1}]].`,
        parent_id: ids[Math.floor((i - 1) / 8)],
      })
    ).id,
  )
await as('ann', 'share_page', {
  page_id: root.id,
  person_id: place.person('bob').id,
  role: 'viewer',
})
for (const who of ['ann', 'bob']) {
  const whose = who === 'ann' ? 'own' : 'shared by its root'
  await measure(`get_page_tree of ${pages} pages, ${whose}`, '< 300', () =>
    as(who, 'get_page_tree', { root_id: root.id, depth: 20 }),
  )
  await measure(`list_pages of ${pages} pages, ${whose}`, '< 150', () =>
    as(who, 'list_pages', { limit: 50 }),
  )
}
const branch = ids[1]!
await measure('move_page of a branch of that tree', '< 500', (i) =>
  as('ann', 'move_page', { page_id: branch, parent_id: i % 2 === 0 ? ids[2] : root.id }),
)
await measure('export_page of that tree as a zip', '< 10,000', () =>
  as('ann', 'export_page', { page_id: root.id, include_children: true, format: 'zip' }),
)
await place.close()
process.stdout.write(JSON.stringify(measured))
