import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from '../src/testing/properties.ts'
import type { OpenLook } from '../src/operations/public-pages.ts'
import { Refusal } from '../src/kernel/refusal.ts'
import { suiting } from '../src/testing/blackbox/arbitraries.ts'
import type { Schema } from '../src/testing/blackbox/surface.ts'
import { plantModules, plantOpenly } from '../src/testing/fixtures/index.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../src/testing/harness.ts'

// Whatever a key that holds outbound calls does, with any arguments: content visible to outsiders stays the same to the
// byte.

const dayAfter = '2026-12-24T12:00:00Z'

interface Planted {
  /** Addresses visited without an account. */
  addresses: string[]
  ids: Record<string, string[]>
}

async function plantVisible(who: Someone, workspace: TestWorkspace): Promise<Planted> {
  const call = (tool: string, args: Record<string, unknown> = {}) => who.call(tool, args)
  const folder = await call('create_folder', { name: 'For customers' })
  const inner = await call('create_folder', { name: 'Prices', parent_id: folder.id })
  const file = await call('upload_file', {
    name: 'prices.txt',
    content_text: 'one',
    folder_id: inner.id,
  })
  await call('update_file_content', { file_id: file.id, content_text: 'two' })
  const versions = (await call('list_file_versions', { file_id: file.id })).items.map(
    (item: { id: string }) => item.id,
  )
  const trashedFile = await call('upload_file', {
    name: 'old.txt',
    content_text: 'old',
    folder_id: folder.id,
  })
  await call('trash_file', { file_id: trashedFile.id })
  const label = await call('create_label', { name: 'Seen by us' })
  const links = [
    await call('create_share_link', { file_id: folder.id }),
    await call('create_share_link', { file_id: file.id }),
  ]
  const project = await call('create_project', { name: 'Customers', key: 'CUST' })
  const root = workspace.app.store.raw.read
    .prepare('SELECT id FROM files WHERE project_id = ? AND is_root = 1')
    .pluck()
    .get(project.id) as string
  const ofProject = await call('upload_file', {
    name: 'plan.txt',
    content_text: 'plan',
    folder_id: root,
  })
  links.push(await call('create_share_link', { file_id: ofProject.id }))
  const page = await call('create_page', {
    title: 'Handbook',
    body_markdown: '# Handbook\n\nfirst words here',
    visibility: 'organization',
  })
  const child = await call('create_page', {
    title: 'Chapter',
    body_markdown: 'a chapter',
    parent_id: page.id,
  })
  const second = await call('create_page', {
    title: 'Second chapter',
    body_markdown: 'another',
    parent_id: page.id,
  })
  await call('update_page', { page_id: page.id, body_markdown: '# Handbook\n\nlater words here' })
  const pageVersions = (await call('list_page_versions', { page_id: page.id })).items.map(
    (item: { id: string }) => item.id,
  )
  const published = await call('publish_page', { page_id: page.id, include_children: true })
  const form = await call('create_form', {
    title: 'Survey',
    description_markdown: 'about it',
    fields: [{ id: 'q', label: 'Question', type: 'short_text' }],
  })
  await call('publish_form', { form_id: form.id, audience: 'public' })
  const { public_url: formUrl } = (await call('get_form', { form_id: form.id })) as {
    public_url?: string
  }
  const service = await call('create_service', { name: 'Shop', description: 'sells', public: true })
  const incident = await call('create_incident', { title: 'Down', severity: 'sev2' })
  const update = await call('publish_status_update', {
    title: 'Shop is down',
    body_markdown: 'we look',
    state: 'investigating',
    service_states: { [service.id]: 'major_outage' },
    incident_id: incident.id,
  })
  const open = { key: await workspace.key(who) }
  await who.call('update_page', { page_id: child.id, body_markdown: 'as a key wrote it' }, open)
  await who.call(
    'update_file_content',
    { file_id: file.id, content_text: 'as a key wrote it' },
    open,
  )
  const calls = (await who.call('list_api_calls', { limit: 2 }, open)).items.map(
    (item: { id: string }) => item.id,
  )
  const slug = new URL(published.public_url).pathname
  const paths = links.map((link: { link_url: string }) => new URL(link.link_url).pathname)
  const formSlug = workspace.app.store.raw.read
    .prepare('SELECT slug FROM forms WHERE id = ?')
    .pluck()
    .get(form.id) as string
  assert.ok(formUrl === undefined || formUrl.endsWith(formSlug))
  const addresses = [
    slug,
    `${slug}/${child.id}`,
    `${slug}/${second.id}`,
    `/f/${formSlug}`,
    '/status',
    '/status/feed.atom',
    '/status/feed.rss',
    ...paths,
    `${paths[0]}/${file.id}`,
    `${paths[2]}/${ofProject.id}`,
  ]
  const ids: Record<string, string[]> = {
    file: [file.id, folder.id, inner.id, ofProject.id, trashedFile.id],
    folder: [folder.id, inner.id],
    version: versions,
    page_version: pageVersions,
    share: links.map((link: { id: string }) => link.id),
    page: [page.id, child.id, second.id],
    parent: [page.id, child.id],
    form: [form.id],
    service: [service.id],
    incident: [incident.id],
    status_update: [update.id],
    update: [update.id],
    item: [file.id, folder.id, page.id, child.id, form.id, service.id, trashedFile.id, project.id],
    project: [project.id],
    label: [label.id],
    trashed: [trashedFile.id],
    call: calls,
    person: [who.id],
  }
  const task = await call('create_task', { project_id: project.id, title: 'A task' })
  const opened = await plantOpenly(call, (what) => `other ${what}`)
  const others = await plantModules(
    call,
    (what) => `other ${what}`,
    { project: [project.id], person: [who.id], task: [task.id], label: [label.id], ...opened },
    workspace.app.store,
  )
  for (const [type, some] of Object.entries(others))
    ids[type] = [...new Set([...(ids[type] ?? []), ...some])]
  return { addresses, ids }
}

/** Returns the response at an address, without the parts that identify the visit. */
async function visit({ app }: TestWorkspace, address: string): Promise<string> {
  const steps = address.split('/').slice(1)
  for (const place of app.catalogue.modules.flatMap((module) => module.places ?? [])) {
    const names = place.path.split('/').slice(1)
    if (
      names.length !== steps.length ||
      names.some((name, i) => !name.startsWith(':') && name !== steps[i])
    )
      continue
    const params = Object.fromEntries(
      names.flatMap((name, i) => (name.startsWith(':') ? [[name.slice(1), steps[i]!]] : [])),
    )
    const look: OpenLook = {
      all: app.store.read,
      now: app.clock.now(),
      baseUrl: app.baseUrl,
      settings: app.settings,
      params,
      method: 'HEAD',
      network: '192.0.2.1',
      signedIn: async () => undefined,
      spend: () => 0,
      write: () => Promise.reject(new Error('a visit writes nothing')),
    }
    const page = await place.read(look)
    if (!page) continue
    return JSON.stringify({
      ...page,
      html: page.html.replace(/name="_token" value="[^"]*"/g, ''),
    })
  }
  return 'nothing here'
}

test('no call with a hold_outbound key changes a byte of what visitors see', async (t) => {
  const workspace = await makeWorkspace({ settings: { outbound: false } })
  t.after(() => workspace.close())
  const { ann, app } = workspace
  const { addresses, ids } = await plantVisible(ann, workspace)
  const look = async () =>
    Object.fromEntries(
      await Promise.all(
        addresses.map(async (address) => [address, await visit(workspace, address)] as const),
      ),
    )
  workspace.clock.pass(2000) // what stamps a row is seen by its time
  const before = await look()
  for (const [address, page] of Object.entries(before))
    assert.notEqual(page, 'nothing here', address)
  assert.deepEqual(changedIn(before, await look()), [], 'two visits see the same')
  const key = await workspace.key(ann, { hold_outbound: true, admin_grant: true })
  const counts = { done: 0, waiting: 0, refused: 0 }
  const reached = new Set<string>()
  for (const entry of app.catalogue.entries) {
    const { name, kind } = entry.operation
    if (kind === 'read') continue
    for (const args of [
      ...together(name, ids),
      ...argumentsOf(entry.schemas.inputJson as Schema, ids, name),
    ]) {
      app.store.raw.write.exec('DELETE FROM approvals')
      const outcome = await ann
        .call(name, { ...args, ...('dry_run' in args ? { dry_run: false } : {}) }, { key })
        .then(() => 'done' as const, outcomeOf)
      counts[outcome]++
      if (outcome !== 'refused') reached.add(name)
      if (outcome === 'done')
        assert.deepEqual(changedIn(before, await look()), [], `${name} ${JSON.stringify(args)}`)
    }
  }
  t.diagnostic(JSON.stringify({ ...counts, operations: reached.size }))
  for (const name of mustWait)
    assert.ok(reached.has(name), `${name} was tried in vain: every call of it was refused`)
  assert.ok(reached.size > 100, `only ${reached.size} operations did more than refuse`)
})

/** Operations that this test must cover, because they affect what visitors see. */
const mustWait = [
  'update_file',
  'update_file_content',
  'move_file',
  'trash_file',
  'upload_file',
  'create_folder',
  'copy_file',
  'restore_file_version',
  'revoke_share',
  'update_page',
  'move_page',
  'delete_page',
  'create_page',
  'publish_page',
  'unpublish_page',
  'restore_page_version',
  'update_form',
  'close_form',
  'publish_form',
  'update_service',
  'publish_status_update',
  'restore_item',
  'undo_api_call',
]

function outcomeOf(error: unknown): 'waiting' | 'refused' {
  if (!(error instanceof Refusal)) throw error
  assert.notEqual(error.code, 'internal', error.message)
  return error.code === 'approval_required' ? 'waiting' : 'refused'
}

function changedIn(before: Record<string, string>, now: Record<string, string>): string[] {
  return Object.keys(before).flatMap((address) => {
    const [was, is] = [before[address]!, now[address]!]
    const at = [...was].findIndex((sign, i) => sign !== is[i])
    return was === is
      ? []
      : [
          `${address}: …${was.slice(Math.max(0, at - 40), at + 60)}… became …${is.slice(Math.max(0, at - 40), at + 60)}…`,
        ]
  })
}

/** Arguments that are only valid in combination. */
function together(
  name: string,
  { file, folder, page, label, trashed }: Record<string, string[]>,
): Record<string, unknown>[] {
  const [shown, , inner] = file!
  const table: Record<string, Record<string, unknown>[]> = {
    upload_file: [
      { folder_id: inner, name: 'new.txt', content_text: 'new' },
      { folder_id: inner, name: 'prices.txt', content_text: 'new', on_conflict: 'new_version' },
    ],
    update_file_content: [{ file_id: shown, content_text: 'new' }],
    create_folder: [{ parent_id: folder![0], name: 'New' }],
    move_file: [{ file_id: shown, folder_id: folder![0] }],
    copy_file: [{ file_id: shown, folder_id: folder![0] }],
    restore_item: [{ item_id: trashed![0] }],
    move_page: [
      { page_id: page![1], after_page_id: page![2] },
      { page_id: page![1], parent_id: null },
    ],
    create_page: [{ parent_id: page![0], title: 'New', body_markdown: 'new' }],
    update_page: [
      { page_id: page![0], body_markdown: 'new' },
      { page_id: page![0], add_label_ids: [label![0]] },
    ],
    add_page_comment: [{ page_id: page![0], body_markdown: 'a comment' }],
  }
  return table[name] ?? []
}

/** The minimal arguments of an operation, plus variants with each optional one. */
function argumentsOf(
  schema: Schema,
  ids: Record<string, string[]>,
  name: string,
): Record<string, unknown>[] {
  const properties = (schema.properties ?? {}) as Record<string, Schema>
  const required = (schema.required ?? []) as string[]
  const optional = Object.keys(properties).filter(
    (item) =>
      !required.includes(item) &&
      !['fields', 'idempotency_key', 'expected_revision', 'dry_run'].includes(item),
  )
  const seed = createHash('sha256').update(name).digest().readInt32BE()
  const value = (item: string, turn: number) =>
    valueOf(item, properties[item]!, ids, seed + turn, turn, properties)
  return [undefined, ...optional].flatMap((extra, i) =>
    Array.from({ length: 3 }, (_, turn) =>
      Object.fromEntries(
        [...required, ...(extra === undefined ? [] : [extra])].map((item) => [
          item,
          value(item, turn + i),
        ]),
      ),
    ),
  )
}

function valueOf(
  name: string,
  schema: Schema,
  ids: Record<string, string[]>,
  seed: number,
  turn: number,
  properties: object,
): unknown {
  const noun = name.replace(/_ids?$/, '')
  if (noun === 'version' && 'page_id' in properties)
    return ids.page_version![turn % ids.page_version!.length]
  const matchingIds = Object.entries(ids).find(
    ([type]) => noun === type || noun.endsWith(`_${type}`),
  )?.[1]
  if (matchingIds && name.endsWith('_id')) return matchingIds[turn % matchingIds.length]
  if (matchingIds && name.endsWith('_ids')) return [matchingIds[turn % matchingIds.length]]
  if (name === 'items' || name === 'files') return ids.file
  if (/_at$|_until$|^until$/.test(name) && schema.type === 'string') return dayAfter
  if (name === 'find') return 'words'
  return fc.sample(suiting(schema, ids, name), { numRuns: 1, seed })[0]
}
