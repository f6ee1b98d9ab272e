import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { projectMember } from '../../portfolio/access.ts'
import { task } from '../access.ts'
import { importedTasks, recordImportedTask } from './access.ts'
import { insertTask } from '../tasks/creation.ts'
import type { ImportFormat, TaskRecord } from './records.ts'
import { isLocalRef } from './relations.ts'
import { firstOfCategory, firstStatus, statusesOf } from '../tasks/workflow.ts'

/** Options of an import call that map names in the file to names in the workspace. */
export interface ImportOptions {
  format: ImportFormat
  /** Status in the file → status of the project. */
  statuses: Readonly<Record<string, string>>
  /** Person in the file → id or address of a member; null: no one. */
  people: Readonly<Record<string, string | null>>
}

const programNames: Record<ImportFormat, string> = {
  csv: 'CSV',
  jira: 'Jira',
  linear: 'Linear',
  trello: 'Trello',
  todoist: 'Todoist',
}

export interface TaskImportOutcome {
  line: number
  title: string
  action: 'created' | 'skipped'
  reason?: string
  row?: Row<'tasks'>
  warnings: string[]
}

const nameKey = (text: string) => text.trim().toLowerCase()

/** Resolves the names of a file in a project: looked up once for all records. */
export class NameMap {
  readonly statuses: readonly Row<'statuses'>[]
  readonly #options: ImportOptions
  readonly #members: readonly Row<'users'>[]
  readonly #people = new Map<string, Row<'users'> | undefined>()

  private constructor(
    options: ImportOptions,
    statuses: readonly Row<'statuses'>[],
    members: readonly Row<'users'>[],
    people: ReadonlyMap<string, Row<'users'>>,
  ) {
    this.#options = options
    this.statuses = statuses
    this.#members = members
    for (const [name, to] of Object.entries(options.people))
      this.#people.set(nameKey(name), to === null ? undefined : people.get(name))
  }

  /** @throws Refusal where the options name a status or a member that the project does not have */
  static async of(
    ctx: ReadContext,
    projectId: Id<'projects'>,
    options: ImportOptions,
  ): Promise<NameMap> {
    const statuses = await statusesOf(ctx, projectId)
    const names = statuses.map((status) => status.name)
    for (const to of Object.values(options.statuses)) {
      if (!names.some((name) => nameKey(name) === nameKey(to)))
        throw new Refusal(
          'invalid_argument',
          `statuses: this project has no status ${JSON.stringify(to)}.`,
          { field: 'statuses', hint: `Its statuses are ${names.join(', ')}.` },
        )
    }
    const ids = await projectMember
      .of(ctx, [projectId])
      .select('project_members.person_id')
      .execute()
    const members = [
      ...(
        await person.among(
          ctx,
          ids.map((row) => row.person_id),
        )
      ).values(),
    ].filter((row) => row.status !== 'deactivated')
    const people = new Map<string, Row<'users'>>()
    for (const [name, to] of Object.entries(options.people)) {
      if (to === null) continue
      const row = await person.demand(ctx, to, 'see', 'people')
      if (!members.some((member) => member.id === row.id))
        throw new Refusal(
          'invalid_argument',
          `people: ${row.display_name} is not a member of the project.`,
          { field: 'people', hint: 'Add them first with add_project_member, or map to null.' },
        )
      people.set(name, row)
    }
    return new NameMap(options, statuses, members, people)
  }

  /** Chosen by the mapping, by name, by its usual meaning, else the initial status. */
  status({ status, section, category }: TaskRecord): {
    row: Row<'statuses'>
    by: 'mapping' | 'name' | 'meaning' | 'default'
  } {
    const statusNamed = (name: string | undefined) =>
      name === undefined
        ? undefined
        : this.statuses.find((row) => nameKey(row.name) === nameKey(name))
    const mapped = Object.entries(this.#options.statuses).find(
      ([from]) => nameKey(from) === nameKey(status ?? section ?? ''),
    )
    if (mapped) return { row: statusNamed(mapped[1])!, by: 'mapping' }
    const row = statusNamed(status) ?? (status === undefined ? statusNamed(section) : undefined)
    if (row) return { row, by: 'name' }
    const inCategory = category && firstOfCategory(this.statuses, category)
    return inCategory
      ? { row: inCategory, by: 'meaning' }
      : { row: firstStatus(this.statuses), by: 'default' }
  }

  /** A member with this address, or the only one with this name. */
  person(text: string): Row<'users'> | undefined {
    const name = nameKey(text)
    if (this.#people.has(name)) return this.#people.get(name)
    const byEmail = this.#members.find((row) => nameKey(row.email) === name)
    const byName = this.#members.filter((row) => nameKey(row.display_name) === name)
    const match = byEmail ?? (byName.length === 1 ? byName[0] : undefined)
    this.#people.set(name, match)
    return match
  }
}

/** Writes records as tasks of a project, except those already imported. */
export class TaskImport {
  readonly #ctx: WriteContext
  readonly #project: Row<'projects'>
  readonly #options: ImportOptions
  readonly #names: NameMap
  readonly #labels = new Map<string, Row<'labels'>>()

  constructor(ctx: WriteContext, project: Row<'projects'>, options: ImportOptions, names: NameMap) {
    this.#ctx = ctx
    this.#project = project
    this.#options = options
    this.#names = names
  }

  /**
   * Expects parents before their subtasks (parentsFirst); `local` has the tasks of earlier batches that only the file
   * identifies.
   */
  async write(
    records: readonly TaskRecord[],
    local: Readonly<Record<string, Id<'tasks'>>> = {},
  ): Promise<TaskImportOutcome[]> {
    const refs = records
      .flatMap(({ ref, parent, blockedBy }) => [ref, parent, ...blockedBy])
      .filter((ref) => ref !== undefined)
    const idsByRef = await importedTasks(this.#ctx, this.#project.id, this.#options.format, [
      ...new Set(refs),
    ])
    for (const [ref, id] of Object.entries(local)) idsByRef.set(ref, id)
    const outcomes: TaskImportOutcome[] = []
    for (const record of records) outcomes.push(await this.#writeOne(record, idsByRef))
    return outcomes
  }

  async #writeOne(
    record: TaskRecord,
    idsByRef: Map<string, Id<'tasks'>>,
  ): Promise<TaskImportOutcome> {
    const { line, title, ref } = record
    const before = isPermanentRef(ref) ? idsByRef.get(ref) : undefined
    if (before)
      return {
        line,
        title,
        action: 'skipped',
        reason: `It was already imported (${ref}).`,
        warnings: [],
      }
    const warnings: string[] = []
    try {
      const row = await this.#ctx.attempt(() => this.#createTask(record, idsByRef, warnings))
      if (ref !== undefined) idsByRef.set(ref, row.id)
      return { line, title, action: 'created', row, warnings }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { line, title, action: 'skipped', reason: error.message, warnings: [] }
    }
  }

  async #createTask(
    record: TaskRecord,
    taskIdsByRef: ReadonlyMap<string, Id<'tasks'>>,
    warnings: string[],
  ): Promise<Row<'tasks'>> {
    const ctx = this.#ctx
    const assignees = record.assignees.flatMap((name) => {
      const person = this.#names.person(name)
      if (!person)
        warnings.push(`${name.slice(0, 100)} is not a member of the project and was not assigned.`)
      return person ?? []
    })
    const { row: status } = this.#names.status(record)
    const section =
      record.section !== undefined && nameKey(record.section) !== nameKey(status.name)
        ? [record.section]
        : []
    const startsAfterDue =
      record.start !== undefined &&
      record.due !== undefined &&
      record.start.slice(0, 10) > record.due.slice(0, 10)
    if (startsAfterDue) warnings.push('The start is after the due date; the start was omitted.')
    const row = await insertTask(ctx, this.#project, {
      title: record.title,
      description_markdown: this.#describe(record),
      status: status.name,
      priority: record.priority,
      due_at: record.due,
      start_at: startsAfterDue ? undefined : record.start,
      estimate_minutes: record.estimateMinutes,
      points: record.points,
      assignees: [...new Map(assignees.map((assignee) => [assignee.id, assignee])).values()],
      labels: await this.#labelsOf([...record.labels, ...section]),
      parent: await this.#parentOf(record, taskIdsByRef, warnings),
      incomplete: true,
      silent: true,
    })
    for (const { author, at, text } of record.comments) await this.#comment(row, author, at, text)
    if (isPermanentRef(record.ref))
      await recordImportedTask(ctx, this.#project.id, this.#options.format, record.ref, row.id)
    return row
  }

  #describe({ description = '', ref, url }: TaskRecord): string {
    if (this.#options.format === 'csv' || this.#options.format === 'todoist')
      return [description, url].filter(Boolean).join('\n\n')
    const key = isPermanentRef(ref) ? ref : undefined
    const name = this.#options.format === 'trello' ? 'card' : key
    const sourceText =
      name === undefined && !url
        ? ''
        : `Imported from ${programNames[this.#options.format]}: ${url ? `[${name ?? 'link'}](<${url.replaceAll(/[<>\s]/g, encodeURIComponent)}>)` : name}`
    return [description, sourceText].filter(Boolean).join('\n\n')
  }

  async #parentOf(
    { parent }: TaskRecord,
    idsByRef: ReadonlyMap<string, Id<'tasks'>>,
    warnings: string[],
  ): Promise<Row<'tasks'> | undefined> {
    const id = parent === undefined ? undefined : idsByRef.get(parent)
    const row = id && (await task.among(this.#ctx, [id])).get(id)
    if (parent !== undefined && !row)
      warnings.push(
        `Its parent ${parent.slice(0, 100)} is not in the file and has not been imported.`,
      )
    return row
  }

  /** A comment of a person who may have no account here: the name becomes part of the text. */
  async #comment(
    taskRow: Row<'tasks'>,
    author: string,
    at: string | undefined,
    text: string,
  ): Promise<void> {
    if (text.trim() === '') return
    const head = [
      author && `**${author.replaceAll(/[*\n\r]/g, ' ').trim()}**`,
      at?.replace('T', ' ').replace('Z', ' UTC'),
    ]
      .filter(Boolean)
      .join(', ')
    const body = `${head === '' ? '' : `${head}:\n\n`}${text}`.slice(0, 50_000).toWellFormed()
    await this.#ctx.add('task_comments', {
      task_id: taskRow.id,
      body_markdown: body,
      reply_to_id: null,
      mentions_json: '[]',
    })
  }

  async #labelsOf(names: readonly string[]): Promise<Row<'labels'>[]> {
    const rows = new Map<string, Row<'labels'>>()
    for (const name of names.slice(0, 50)) {
      const row = await this.#labelNamed(
        name.replaceAll(/\s+/g, ' ').slice(0, 200).toWellFormed().trim(),
      )
      if (row) rows.set(row.id, row)
    }
    return [...rows.values()]
  }

  async #labelNamed(name: string): Promise<Row<'labels'> | undefined> {
    if (name === '') return undefined
    const existing = this.#labels.get(nameKey(name))
    if (existing) return existing
    const { id } = await this.#ctx.call<{ id: string }>('create_label', { name })
    const row = await label.demand(this.#ctx, id, 'see', 'labels')
    this.#labels.set(nameKey(name), row)
    return row
  }

  /** Links tasks once all of them exist. Skips links that would create a cycle. */
  async link(links: readonly { task: Id<'tasks'>; blockedBy: Id<'tasks'> }[]): Promise<string[]> {
    const warnings: string[] = []
    for (const { task: id, blockedBy } of links) {
      try {
        await this.#ctx.attempt(() =>
          this.#ctx.call('add_task_dependency', {
            task_id: id,
            other_task_id: blockedBy,
            type: 'blocked_by',
          }),
        )
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        warnings.push(error.message)
      }
    }
    return warnings
  }
}

/** Line numbers identify tasks only within one file, not in the next export. */
function isPermanentRef(ref: string | undefined): ref is string {
  return ref !== undefined && !isLocalRef(ref)
}

function withoutParent({ parent: _, ...record }: TaskRecord): TaskRecord {
  return record
}

/** Records with parents before their subtasks; in a cycle of parents, one record loses its parent. */
export function parentsFirst(records: readonly TaskRecord[]): TaskRecord[] {
  const byRef = new Map(
    records.flatMap((record) => (record.ref === undefined ? [] : [[record.ref, record]])),
  )
  const placed = new Set<TaskRecord>()
  const ordered: TaskRecord[] = []
  for (const record of records) {
    const path: TaskRecord[] = []
    for (
      let at: TaskRecord | undefined = record;
      at && !placed.has(at) && !path.includes(at);
      at = at.parent === undefined ? undefined : byRef.get(at.parent)
    )
      path.push(at)
    for (const taskRecord of path.toReversed()) {
      const parent = taskRecord.parent === undefined ? undefined : byRef.get(taskRecord.parent)
      ordered.push(parent && !placed.has(parent) ? withoutParent(taskRecord) : taskRecord)
      placed.add(taskRecord)
    }
  }
  return ordered
}
