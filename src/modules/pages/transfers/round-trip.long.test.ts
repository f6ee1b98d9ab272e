import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { cpuWatch } from '../../../testing/cost.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

// Exports and re-imports pages without loss: real texts compared character by character, and a large tree.

let workspace: ServedWorkspace
before(async () => {
  workspace = await serveWorkspace()
})
after(() => workspace.close())

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const zipBase64 = (files: Record<string, string>) =>
  base64(
    zipSync(
      Object.fromEntries(Object.entries(files).map(([path, content]) => [path, strToU8(content)])),
    ),
  )
const download = async (url: string) =>
  Buffer.from(
    await (
      await fetch(url.replace('http://workspace.test', workspace.url), {
        headers: { host: 'workspace.test' },
      })
    ).arrayBuffer(),
  )

/** Markdown texts from installed packages: READMEs, changelogs and the like. */
const corpus = globSync('node_modules/**/*.md')
  .sort()
  .map((path) => ({ path, bytes: readFileSync(path) }))
  .filter(({ bytes }) => bytes.length > 0 && bytes.length < 100_000 && isText(bytes))
  .slice(0, 300)
  .map(({ path, bytes }) => ({
    title: path.slice('node_modules/'.length).replace(/\.md$/i, ''),
    body: bytes.toString('utf8'),
  }))

function isText(bytes: Buffer): boolean {
  return (
    !bytes.includes(0) && bytes.equals(Buffer.from(bytes.toString('utf8'))) && bytes[0] !== 0xef
  )
}

test('300 real texts survive import, export and reimport unchanged', async () => {
  const { ann } = workspace
  assert.equal(corpus.length, 300)
  const root = await ann.call('create_page', { title: 'Library' })
  const ids: string[] = []
  for (const { title, body } of corpus)
    ids.push((await ann.call('create_page', { title, body_markdown: body, parent_id: root.id })).id)
  for (const [i, id] of ids.entries())
    assert.equal(
      (await ann.call('get_page', { page_id: id })).body_markdown,
      corpus[i]!.body,
      corpus[i]!.title,
    )
  const { download_url } = await ann.call('export_page', {
    page_id: root.id,
    include_children: true,
    format: 'zip',
  })
  const again = await ann.call('import_pages', { content: base64(await download(download_url)) })
  assert.deepEqual([again.created.length, again.skipped], [301, []])
  const reimported = again.created.slice(1) as { id: string; title: string }[]
  assert.deepEqual(
    reimported.map((item) => item.title),
    corpus.map((item) => item.title),
  )
  for (const [i, { id }] of reimported.entries())
    assert.equal(
      (await ann.call('get_page', { page_id: id })).body_markdown,
      corpus[i]!.body,
      corpus[i]!.title,
    )
})

test('a real text exported and reimported on its own loses at most its front matter', async () => {
  const { ann } = workspace
  const frontMatter = /^---\r?\n/
  for (const { title, body } of corpus.filter((_, i) => i % 6 === 0)) {
    const page = await ann.call('create_page', { title, body_markdown: body })
    const { inline } = await ann.call('export_page', { page_id: page.id })
    const { created } = await ann.call('import_pages', { content: inline })
    const reimported = (await ann.call('get_page', { page_id: created[0].id })).body_markdown
    if (frontMatter.test(body)) assert.ok(body.endsWith(reimported), title)
    else assert.equal(reimported, body, title)
  }
})

/** A tree's readable form: titles with depth, in order. */
async function outline(id: string, depth = 0): Promise<string[]> {
  const { nodes } = await workspace.ann.call('get_page_tree', { root_id: id, depth: 20 })
  const lines = (pages: { title: string; children: never[] }[], level: number): string[] =>
    pages.flatMap((item) => ['  '.repeat(level) + item.title, ...lines(item.children, level + 1)])
  return lines(nodes, depth)
}

test('500 pages are exported and reimported as the same tree', async () => {
  const { ann } = workspace
  const root = await workspace.ann.call('create_page', { title: 'Root of many' })
  const ids = [root.id]
  const content: Record<string, string> = {}
  for (let i = 1; i < 500; i++)
    content[
      `${Array.from({ length: (i % 4) + 1 }, (_, level) => `Branch ${(i * (level + 3)) % 5}`).join('/')}/Page ${i}.md`
    ] =
      `# Page ${i}\n\nText of ${i} with [[Page ${(i * 7) % 500}]] and a [link](../Page%20${i - 1}.md)\n\n- [ ] task\n`
  const first = await ann.call('import_pages', { content: zipBase64(content), parent_id: root.id })
  ids.push(...first.created.map((item: { id: string }) => item.id))
  const renamed = first.created.filter((_: unknown, i: number) => i % 9 === 0)
  for (const item of renamed)
    await ann.call('update_page', {
      page_id: item.id,
      body_markdown: `Odd: [x](/pages/${ids[3]}) [[${ids[5]}]]`,
      title: `A/B: "${item.title}"?`,
    })
  const exportTime = cpuWatch()
  const { download_url, item_count } = await ann.call('export_page', {
    page_id: root.id,
    include_children: true,
    format: 'zip',
  })
  const bytes = await download(download_url)
  const exportMs = exportTime()
  const importTime = cpuWatch()
  const again = await ann.call('import_pages', { content: base64(bytes) })
  const durations = [exportMs, importTime()]
  assert.equal(item_count, first.created.length + 1)
  assert.deepEqual(
    [
      again.created.length,
      again.skipped,
      again.warnings.filter((warning: string) => !warning.includes('not in the import')),
    ],
    [item_count, [], []],
  )
  assert.deepEqual(await outline(again.created[0].id), await outline(root.id))
  const original = (await ann.call('export_page', { page_id: root.id, include_children: true }))
    .inline
  const reimported = (
    await ann.call('export_page', { page_id: again.created[0].id, include_children: true })
  ).inline
  // Page ids differ, so links are compared by the titles of their targets.
  const title = new Map<string, string>([[root.id, root.title]])
  const collectTitles = (nodes: { id: string; title: string; children: never[] }[]) =>
    nodes.forEach((node) => {
      title.set(node.id, node.title)
      collectTitles(node.children)
    })
  collectTitles((await ann.call('get_page_tree', { root_id: root.id, depth: 20 })).nodes)
  for (const item of again.created) title.set(item.id, item.title)
  const withTitles = (text: string) =>
    text.replaceAll(
      /\[\[(pag_\w+)\]\]|\[([^\]]*)\]\(\/pages\/(pag_\w+)\)/g,
      (_, wiki, text, plain) => `[${text ?? title.get(wiki)}](to ${title.get(wiki ?? plain)})`,
    )
  assert.equal(withTitles(reimported), withTitles(original))
  assert.ok(
    durations[0]! < 5000 && durations[1]! < 10_000,
    `${durations.map(Math.round).join(' and ')} ms`,
  )
})
