// Measures the permissions: one person creates one item of each kind, and the rules of every kind are evaluated for what
// others may see, change and delete.

import { sql } from 'kysely'
import { allResources, type ItemTable, type Level, type Resource } from '../src/records/resource.ts'
import { accessScope } from '../src/records/access-scope.ts'
import { anyRows } from '../src/records/row.ts'
import { runTick } from '../src/operations/jobs/system.ts'
import { issueKey } from '../src/keys/issue.ts'
import { keyOf, makeWorkspace, type Someone, type TestWorkspace } from '../src/testing/harness.ts'
import { plantModules, plantOpenly } from '../src/testing/fixtures/index.ts'

/** The table of docs/permissions.md: others' access to one member's items. */
export async function permissionsTable(): Promise<string> {
  const workspace = await makeWorkspace()
  try {
    const maker = await workspace.person('Mara')
    await plantEverything(workspace, maker)
    const people = [
      maker,
      workspace.bob,
      workspace.carol,
      await workspace.person('Gus', { role: 'guest' }),
      workspace.ann,
      workspace.eve,
    ]
    const rows = []
    for (const resource of sorted(allResources()))
      rows.push(...(await rowOf(workspace, resource, people)))
    return [
      '| kind | owner | in their project | colleague | guest | administrator | another organization |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n')
  } finally {
    await workspace.close()
  }
}

/** One item of every type, mostly private to its creator or their project, some visible to the organization. */
export async function plantEverything(workspace: TestWorkspace, maker: Someone): Promise<void> {
  const make = <T = any>(tool: string, args?: Record<string, unknown>) => maker.call<T>(tool, args)
  const say = (what: string) => `planted ${what}`
  const { project, task, second } = await plantTasks(make, say, workspace.bob)
  await make('create_saved_view', {
    name: say('view'),
    item_type: 'task',
    filter: { project_id: project.id },
  })
  await make('create_webhook', {
    url: 'https://93.184.216.34/planted',
    name: say('webhook'),
    events: ['task.*'],
  })
  await make('create_label', { name: say('label') })
  await make('create_time_off', { starts_on: '2026-12-24', ends_on: '2026-12-31', kind: 'sick' })
  await workspace.ann.call('create_team', { name: say('team'), lead_id: maker.id })
  const key = await issueKey(workspace.app.store, workspace.clock, {
    owner: maker.id,
    name: say('key'),
    via: 'cli',
  })
  await maker.call(
    'update_task',
    { task_id: task.id, title: say('renamed task') },
    { via: 'mcp', key: keyOf({ id: key.id }) },
  )
  await plantOpenly(make, (what) => `open ${what}`)
  await plantModules(
    make,
    say,
    {
      project: [project.id, 'PLANT'],
      task: [task.id, second.id, task.key],
      label: [say('label')],
      person: [maker.id],
    },
    workspace.app.store,
  )
  for (const tick of workspace.app.catalogue.modules
    .flatMap((module) => module.ticks ?? [])
    .filter((item) => item.due))
    while (await runTick(workspace.app, tick));
}

type Make = Someone['call']

/** A project of the creator with one member, and tasks in it. */
async function plantTasks(make: Make, say: (what: string) => string, member: Someone) {
  const project = await make('create_project', {
    name: say('project'),
    key: 'PLANT',
    member_ids: [member.id],
  })
  await make('create_custom_field', { project_id: project.id, name: say('field'), type: 'text' })
  await make('create_sprint', {
    project_id: project.id,
    name: say('sprint'),
    starts_on: '2026-11-16',
    ends_on: '2026-11-29',
  })
  await make('create_milestone', {
    project_id: project.id,
    name: say('milestone'),
    due_on: '2026-11-25',
  })
  await make('post_project_update', {
    project_id: project.id,
    health: 'at_risk',
    body_markdown: say('update'),
  })
  const task = await make('create_task', { project_id: project.id, title: say('task') })
  const second = await make('create_task', { project_id: project.id, title: say('second task') })
  await make('add_task_comment', { task_id: task.id, body_markdown: say('comment') })
  await make('add_task_attachment', {
    task_id: task.id,
    url: 'https://example.com/planted',
    name: say('link'),
  })
  await make('create_task_template', {
    name: say('template'),
    from_task_id: task.id,
    project_id: project.id,
  })
  await make('create_task_template', { name: say('open template'), from_task_id: task.id })
  return { project, task, second }
}

async function rowOf(
  workspace: TestWorkspace,
  resource: Resource<ItemTable>,
  [maker, ...others]: readonly Someone[],
): Promise<string[]> {
  const ownIds = await reach(workspace, resource, maker!, 'see')
  if (ownIds.size === 0) return []
  const cells = []
  for (const who of [maker!, ...others])
    cells.push(await lettersOf(workspace, resource, who, ownIds))
  return [`| ${resource.name} | ${cells.join(' | ')} |`]
}

/** R, C and D for access to all of the rows, in lower case for some of them. */
async function lettersOf(
  workspace: TestWorkspace,
  resource: Resource<ItemTable>,
  who: Someone,
  ownIds: ReadonlySet<string>,
): Promise<string> {
  const letters = []
  for (const [letter, level] of [
    ['R', 'see'],
    ['C', 'edit'],
    ['D', disposing(resource)],
  ] as const) {
    const reached = [...(await reach(workspace, resource, who, level))].filter((id) =>
      ownIds.has(id),
    ).length
    if (reached > 0) letters.push(reached === ownIds.size ? letter : letter.toLowerCase())
  }
  return letters.join(' ') || '–'
}

/** Level required to delete such an item: without a rule for that, the level required to change it. */
function disposing({ definition }: Resource<ItemTable>): Level {
  return definition.own ? 'own' : 'edit'
}

async function reach(
  { app, clock }: TestWorkspace,
  resource: Resource<ItemTable>,
  who: Someone,
  level: Level,
): Promise<Set<string>> {
  const look = accessScope({ all: app.store.read, actor: who.actor, now: clock.now() })
  const rows = await anyRows(resource.rows(level, look))
    .select(sql<string>`${sql.ref(`${resource.table}.id`)}`.as('id'))
    .execute()
  return new Set(rows.map((row) => row.id))
}

function sorted(resources: readonly Resource<ItemTable>[]): Resource<ItemTable>[] {
  return resources.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Inserts this table between a document's markers. */
export function withTable(text: string, table: string): string {
  const markers = /(<!-- measured[^>]*-->\n)[^]*(<!-- \/measured -->)/
  if (!markers.test(text))
    throw new Error(
      'The table of permissions has lost its markers, <!-- measured --> and <!-- /measured -->.',
    )
  return text.replace(markers, (_, before: string, after: string) => `${before}${table}\n${after}`)
}
