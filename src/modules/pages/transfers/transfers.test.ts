import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { keyOf } from '../../../testing/harness.ts'
import { serveWorkspace, type ServedWorkspace } from '../../../testing/server.ts'

let workspace: ServedWorkspace
before(async () => {
  workspace = await serveWorkspace()
})
after(() => workspace.close())

const createPage = (title: string, fields: object = {}) =>
  workspace.ann.call('create_page', { title, ...fields })
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const zipBase64 = (files: Record<string, string | Uint8Array>) =>
  base64(
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([path, content]) => [
          path,
          typeof content === 'string' ? strToU8(content) : content,
        ]),
      ),
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
const read = (id: string, who = workspace.ann) => who.call('get_page', { page_id: id })
const undoLast = async (tool: string) =>
  workspace.ann.call('undo_api_call', {
    call_id: (
      await workspace.app.store.read
        .selectFrom('calls')
        .select('id')
        .where('tool', '=', tool)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
    ).id,
  })

test('a page is exported verbatim, or as a self-contained document', async () => {
  const body = '# Hello\r\n\r\nText  \n\n[[Nowhere]] and `code`'
  const page = await createPage('Leaving', { body_markdown: body })
  const markdown = await workspace.ann.call('export_page', { page_id: page.id })
  assert.deepEqual(markdown, {
    format: 'markdown',
    inline: body,
    item_count: 1,
    size_bytes: Buffer.byteLength(body),
  })
  const html = await workspace.ann.call('export_page', { page_id: page.id, format: 'html' })
  assert.match(
    html.inline,
    /^<!doctype html>[^]*<title>Leaving<\/title>[^]*<h1>Leaving<\/h1>[^]*<h1 id="hello">Hello<\/h1>[^]*Nowhere and <code>code<\/code>/,
  )
})

test('a tree is exported as one text, one document, or a zip of folders with its files', async () => {
  const { ann } = workspace
  const root = await createPage('Hand/book', { body_markdown: 'Start' })
  const second = await createPage('Second', {
    parent_id: root.id,
    body_markdown: `Up to [the book](/pages/${root.id}#start), [[Hand/book]], <http://workspace.test/pages/${root.id}>`,
  })
  const deep = await createPage('Deep (one)', { parent_id: second.id, body_markdown: 'end' })
  await createPage('Second', { parent_id: root.id })
  const task = await ann
    .call('create_project', { name: 'Files', key: 'FIL' })
    .then(() => ann.call('create_task', { project_id: 'FIL', title: 't' }))
  const { file } = await ann.call('add_task_attachment', {
    task_id: task.id,
    name: 'a picture.png',
    content_base64: base64(strToU8('picture')),
  })
  await ann.call('update_page', {
    page_id: root.id,
    body_markdown: `[[${deep.id}|down]] ![p](/files/${file.id}) [gone](/files/fil_${'0'.repeat(26)})`,
  })

  const text = await ann.call('export_page', { page_id: root.id, include_children: true })
  assert.match(
    text.inline,
    /^# Hand\/book\n\n\[\[[^]*\n\n## Second\n\nUp to [^]*\n\n### Deep \(one\)\n\nend\n\n## Second\n$/,
  )
  const html = await ann.call('export_page', {
    page_id: root.id,
    include_children: true,
    format: 'html',
  })
  assert.ok(
    html.inline.includes(`<a href="#${deep.id}">down</a>`) &&
      html.inline.includes(`<section id="${deep.id}">`) &&
      html.inline.includes(`href="#${root.id}-start"`),
  )

  const zip = await ann.call('export_page', {
    page_id: root.id,
    include_children: true,
    format: 'zip',
  })
  assert.deepEqual(
    [zip.item_count, zip.inline, zip.expires_at],
    [4, undefined, new Date(workspace.clock.at + 600_000).toISOString()],
  )
  const files = unzipSync(await download(zip.download_url))
  assert.deepEqual(Object.keys(files), [
    'workspace.json',
    'Hand-book.md',
    'Hand-book/Second.md',
    'Hand-book/Second/Deep (one).md',
    'Hand-book/Second 2.md',
    'assets/a picture.png',
  ])
  assert.equal(
    strFromU8(files['Hand-book.md']!),
    `[down](Hand-book/Second/Deep%20%28one%29.md) ![p](assets/a%20picture.png) [gone](/files/fil_${'0'.repeat(26)})`,
  )
  assert.equal(
    strFromU8(files['Hand-book/Second.md']!),
    'Up to [the book](../Hand-book.md#start), [[Hand/book]], [Hand/book](../Hand-book.md)',
  )
  assert.equal(strFromU8(files['assets/a picture.png']!), 'picture')
})

test('a download link works for ten minutes, acts as its requester, and reflects their access when fetched', async () => {
  const { ann, bob, clock } = workspace
  const root = await createPage('Shared tree', { visibility: 'organization' })
  const child = await createPage('Was open', { parent_id: root.id, visibility: 'organization' })
  const { id } = await workspace.keyFor(bob)
  const key = keyOf({ id })
  const { download_url } = await bob.call(
    'export_page',
    { page_id: root.id, include_children: true, format: 'zip' },
    { key, via: 'mcp' },
  )
  assert.equal(Object.keys(unzipSync(await download(download_url))).length, 3)
  await ann.call('update_page', { page_id: child.id, visibility: 'private' })
  assert.equal(Object.keys(unzipSync(await download(download_url))).length, 2)
  const exportPath = download_url.replace('http://workspace.test', '')
  const status = async (path: string, key?: string) =>
    (await workspace.ask('GET', path, { key, headers: { host: 'workspace.test' } })).status
  assert.deepEqual(
    [
      await status(exportPath),
      await status(`${exportPath}x`),
      await status(exportPath.replace(/\.[^.]*$/, '.AAAA')),
      await status('/exports/x'),
    ],
    [200, 404, 404, 404],
  )
  assert.equal(
    (await ann.refused('download_export', { token: exportPath.split('/').at(-1)! })).code,
    'not_found',
  )
  await workspace.app.store.write
    .updateTable('api_keys')
    .set({ revoked_at: clock.at })
    .where('id', '=', id)
    .execute()
  assert.equal(await status(exportPath), 404, 'the key that requested it is revoked')
  const later = await ann.call('export_page', { page_id: root.id, format: 'zip' })
  clock.pass(600_000)
  assert.equal(await status(later.download_url.replace('http://workspace.test', '')), 404)
})

test('only visible pages are exported, and a page of another organization is not found', async () => {
  const { ann, bob, eve } = workspace
  const root = await createPage('Half open', { visibility: 'organization' })
  const hidden = await createPage('Hidden middle', {
    parent_id: root.id,
    body_markdown: 'hidden words',
  })
  await createPage('Open below', { parent_id: hidden.id, visibility: 'organization' })
  const annsExport = await ann.call('export_page', { page_id: root.id, include_children: true })
  const bobsExport = await bob.call('export_page', { page_id: root.id, include_children: true })
  assert.deepEqual(
    [annsExport.item_count, bobsExport.item_count, bobsExport.inline],
    [3, 2, '# Half open\n\n## Open below\n'],
  )
  assert.equal((await eve.refused('export_page', { page_id: root.id })).code, 'not_found')
  assert.equal((await bob.refused('export_page', { page_id: hidden.id })).code, 'not_found')
})

test('a text is imported as a page titled by its front matter or first heading', async () => {
  const { ann } = workspace
  const importText = async (content: string, more: object = {}) =>
    read((await ann.call('import_pages', { content, ...more })).created[0].id)
  const plain = await importText('Intro\n\n## The *first* `heading`\n\ntext')
  assert.deepEqual(
    [plain.title, plain.body_markdown, plain.visibility],
    ['The first heading', 'Intro\n\n## The *first* `heading`\n\ntext', 'private'],
  )
  await ann.call('create_label', { name: 'howto' })
  const head = await importText('---\ntitle: "Set up: Linux"\ntags: [howto]\n---\n\nBody\n', {
    visibility: 'organization',
  })
  assert.deepEqual(
    [head.title, head.body_markdown, head.labels[0].title, head.visibility],
    ['Set up: Linux', 'Body\n', 'howto', 'organization'],
  )
  const more = await importText('---\ntitle: Kept\nstatus: draft\n---\nBody')
  assert.deepEqual(
    [more.title, more.body_markdown],
    ['Kept', '---\ntitle: Kept\nstatus: draft\n---\nBody'],
  )
  const html = await importText(
    '<!DOCTYPE html><title>From the web</title><h2>Part</h2><p>Some <b>bold</b></p><script>x</script>',
  )
  assert.deepEqual([html.title, html.body_markdown], ['From the web', '## Part\n\nSome **bold**\n'])
})

test('an Obsidian vault keeps its folders, links and images', async () => {
  const { ann } = workspace
  const content = zipBase64({
    'Vault/.obsidian/app.json': '{}',
    'Vault/Welcome.md':
      '---\ntags: nothing\n---\nSee [[Deep note]], [[Area/Deep note|it]], [[Area/Deep note#Part]], [md](Area/Deep%20note.md#part), ![[photo.png|200]], [[Missing]] and [x](gone.md)',
    'Vault/Area/Deep note.md': 'Back to [[Welcome]] and [it](../Welcome.md)',
    'Vault/attachments/photo.png': new Uint8Array([1, 2, 3]),
    'Vault/attachments/unused.png': new Uint8Array([1]),
    'Vault/Area/Canvas.canvas': '{}',
  })
  const dryRun = await ann.call('import_pages', { content, dry_run: true })
  assert.deepEqual(
    [dryRun.dry_run, dryRun.created.length, dryRun.undo_call_id],
    [true, 3, undefined],
  )
  assert.equal(
    (await ann.call('list_pages', { limit: 100 })).items.some(
      (item: { title: string }) => item.title === 'Deep note',
    ),
    false,
  )
  const result = await ann.call('import_pages', { content })
  assert.deepEqual(
    result.created.map((item: { title: string }) => item.title),
    ['Area', 'Deep note', 'Welcome'],
  )
  assert.deepEqual(
    result.skipped.map((item: { line_or_path: string }) => item.line_or_path),
    ['Vault/.obsidian', 'attachments/unused.png', 'Area/Canvas.canvas'],
  )
  assert.deepEqual(
    result.left_out.map(({ count, lines }: { count: number; lines: string[] }) => [count, lines]),
    [
      [1, ['Vault/.obsidian']],
      [2, ['attachments/unused.png', 'Area/Canvas.canvas']],
    ],
  )
  assert.match(
    result.warnings.join('\n'),
    /folder Vault\/[^]*no label "nothing"[^]*Welcome\.md: gone\.md is not in the import/,
  )
  const [area, deep, welcome] = await Promise.all(
    result.created.map((item: { id: string }) => read(item.id)),
  )
  const file = /!\[photo\.png\]\(\/files\/(fil_\w+)\)/.exec(welcome.body_markdown)![1]!
  assert.equal(
    welcome.body_markdown,
    `See [[Deep note]], [[${deep.id}|it]], [[${deep.id}#Part|Area/Deep note]], [md](/pages/${deep.id}#part), ![photo.png](/files/${file}), [[Missing]] and [x](gone.md)`,
  )
  assert.equal(deep.parent.id, area.id)
  assert.deepEqual(
    [
      deep.backlinks.map((backlink: { id: string }) => backlink.id),
      welcome.backlinks.map((backlink: { id: string }) => backlink.id),
    ],
    [[welcome.id], [deep.id]],
  )
  const response = await workspace.ask('GET', `/files/${file}`)
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png'])
  const bobsKey = await workspace.keyFor(workspace.bob)
  assert.equal((await workspace.ask('GET', `/files/${file}`, { key: bobsKey.key })).status, 404)
  await ann.call('share_page', { page_id: welcome.id, person_id: workspace.bob.id, role: 'viewer' })
  assert.equal(
    (await workspace.ask('GET', `/files/${file}`, { key: bobsKey.key })).status,
    200,
    'readers of the page can see its images',
  )
})

test('a Notion export loses its ids and keeps its folder hierarchy', async () => {
  const [a, b, c] = [
    '0123456789abcdef0123456789abcdef',
    'fedcba9876543210fedcba9876543210',
    '00112233445566778899aabbccddeeff',
  ]
  const content = zipBase64({
    [`Export-1/Company Home ${a}.md`]: `# Company Home\n\nWelcome. [Team](Company%20Home%20${a}/Team%20and%20more%20${b}.md)\n\n![logo](Company%20Home%20${a}/logo.png)`,
    [`Export-1/Company Home ${a}/Team and more ${b}.md`]: '# Team and more, a long title\n\nPeople',
    [`Export-1/Company Home ${a}/Team and more ${b}/Ann ${c}.md`]: '# Ann\n',
    [`Export-1/Company Home ${a}/logo.png`]: new Uint8Array([9]),
  })
  const inner = zipSync({ 'Part-1.zip': Buffer.from(content, 'base64') })
  const done = await workspace.ann.call('import_pages', { content: base64(inner) })
  assert.deepEqual(
    [done.created.map((item: { title: string }) => item.title), done.skipped],
    [['Company Home', 'Team and more, a long title', 'Ann'], []],
  )
  const [home, team, ann] = await Promise.all(
    done.created.map((item: { id: string }) => read(item.id)),
  )
  assert.match(
    home.body_markdown,
    new RegExp(
      `^Welcome\\. \\[Team\\]\\(/pages/${team.id}\\)\n\n!\\[logo\\]\\(/files/fil_\\w+\\)$`,
    ),
  )
  assert.deepEqual(
    [team.body_markdown, team.parent.id, ann.parent.id],
    ['People', home.id, team.id],
  )
})

test('HTML in folders becomes pages with links between them', async () => {
  const done = await workspace.ann.call('import_pages', {
    content: zipBase64({
      'index.html':
        '<title>Site</title><p><a href="sub/a%20b.html">next</a> <img src="i.png" alt="i"></p>',
      'sub/a b.html': '<h1>Page</h1><a href="../index.html">home</a>',
      'i.png': new Uint8Array([1]),
    }),
  })
  const pages = await Promise.all(done.created.map((item: { id: string }) => read(item.id)))
  const pageTitled = (title: string) => pages.find((page) => page.title === title)
  assert.deepEqual(done.created.map((item: { title: string }) => item.title).sort(), [
    'Site',
    'a b',
    'sub',
  ])
  assert.match(
    pageTitled('Site').body_markdown,
    new RegExp(`\\[next\\]\\(/pages/${pageTitled('a b').id}\\) !\\[i\\]\\(/files/fil_`),
  )
  assert.equal(
    pageTitled('a b').body_markdown,
    `# Page\n\n[home](/pages/${pageTitled('Site').id})\n`,
  )
})

test('invalid import content is refused, and a malicious archive does no harm', async () => {
  const { ann } = workspace
  const codeOf = async (args: object) =>
    (await ann.refused('import_pages', args as Record<string, unknown>)).code
  assert.equal(await codeOf({}), 'invalid_argument')
  assert.equal(await codeOf({ content: 'not base64!', format: 'zip' }), 'invalid_argument')
  assert.equal(
    await codeOf({
      content: base64(strToU8('no zip at all, but long enough to be looked at')),
      format: 'zip',
    }),
    'invalid_argument',
  )
  const bomb = zipSync({ 'bomb.md': new Uint8Array(80 * 2 ** 20) }, { level: 9 })
  assert.equal(await codeOf({ content: base64(bomb) }), 'too_large')
  const manyPages = zipBase64(
    Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`${i}.md`, ''])),
  )
  assert.equal(await codeOf({ content: manyPages }), 'too_large')
  const mixed = await ann.call('import_pages', {
    content: zipBase64({
      '../../etc/passwd.md': 'x',
      '/absolute.md': 'x',
      'latin.md': new Uint8Array([0x66, 0xfc]),
      'nul.md': 'a\0b',
      [`${'d/'.repeat(95)}deep.md`]: 'x',
      'good.md': '[up](../../../../etc/passwd)',
    }),
  })
  assert.deepEqual(
    [mixed.created.map((item: { title: string }) => item.title), mixed.skipped.length],
    [['good'], 5],
  )
  assert.equal(
    (await workspace.eve.refused('import_pages', { content: 'x', parent_id: mixed.created[0].id }))
      .code,
    'not_found',
  )
})

test('an uploaded file is imported, and its images are shared along with copies of its pages', async () => {
  const { ann, bob } = workspace
  const task = await ann.call('create_task', { project_id: 'FIL', title: 'carrier' })
  const { file } = await ann.call('add_task_attachment', {
    task_id: task.id,
    name: 'notes.zip',
    content_base64: zipBase64({ 'Note.md': '![i](i.png)', 'i.png': new Uint8Array([1]) }),
  })
  const { created } = await ann.call('import_pages', { file_id: file.id })
  const note = await read(created[0].id)
  const picture = /fil_\w+/.exec(note.body_markdown)![0]
  const copy = await ann.call('create_page_from_template', {
    page_id: note.id,
    visibility: 'organization',
  })
  const bobsKey = await workspace.keyFor(bob)
  assert.equal(
    (await workspace.ask('GET', `/files/${picture}`, { key: bobsKey.key })).status,
    200,
    copy.id,
  )
  assert.equal((await bob.refused('import_pages', { file_id: file.id })).code, 'not_found')
  const page = await ann.call('import_pages', {
    file_id: (
      await ann.call('add_task_attachment', {
        task_id: task.id,
        name: 'Plain words.md',
        content_base64: base64(strToU8('just words')),
      })
    ).file.id,
  })
  assert.equal(page.created[0].title, 'Plain words')
})

test('exporting with a hold_outbound key needs approval', async () => {
  const { ann } = workspace
  const page = await createPage('Held back')
  const { id } = await workspace.keyFor(ann, { holdOutbound: true })
  await assert.rejects(
    ann.call(
      'export_page',
      { page_id: page.id },
      { key: keyOf({ id, hold_outbound: true }), via: 'mcp' },
    ),
    { code: 'approval_required' },
  )
})

test('an import is undone as a whole', async () => {
  const { ann } = workspace
  const count = async () => (await ann.call('get_page_tree', {})).nodes.length
  const before = await count()
  const done = await ann.call('import_pages', {
    content: zipBase64({
      'A.md': '[[B]]',
      'A/B.md': '![i](i.png)',
      'A/i.png': new Uint8Array([1]),
    }),
  })
  assert.equal(await count(), before + 1)
  const undone = await undoLast('import_pages')
  assert.deepEqual([undone.undone, undone.refused], [true, []])
  assert.equal(await count(), before)
  assert.equal((await ann.refused('get_page', { page_id: done.created[1].id })).code, 'not_found')
})

test('long HTML, also from a file, is converted before the import begins', async () => {
  const { ann } = workspace
  const html = `<title>Long</title>${`<p>${'words '.repeat(2000)}</p>`.repeat(10)}`
  const { created, skipped } = await ann.call('import_pages', {
    content: zipBase64({ 'a.html': html, 'b.html': html }),
  })
  assert.deepEqual([created.length, skipped], [2, []])
  assert.match(
    (await ann.call('get_page', { page_id: created[1].id, max_chars: 100 })).body_markdown,
    /^words words/,
  )
  await ann.call('create_project', { name: 'Long', key: 'LONG' })
  const task = await ann.call('create_task', { project_id: 'LONG', title: 'x' })
  const { file } = await ann.call('add_task_attachment', {
    task_id: task.id,
    name: 'a.html',
    content_base64: Buffer.from(html).toString('base64'),
  })
  assert.equal((await ann.call('import_pages', { file_id: file.id })).created[0].title, 'Long')
})
