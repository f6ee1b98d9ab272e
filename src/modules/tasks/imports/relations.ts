import { truncate } from '../../../kernel/text/truncate.ts'
import type { TaskRecord } from './records.ts'

// References between records of a file: by key, by another id, by title, by outline number, or by indentation.

/** Identifiers of a record and its references to others, as written in the file. */
export interface Relations {
  /** Further identifiers of the record, besides its `ref`. */
  ids: string[]
  /** Names of its parent, most reliable first. */
  parents: string[]
  /** Cells that name its blockers. */
  blockers: string[]
  /** Its number in an outline: `1.2` is below `1`. */
  outline?: string
  /** Level of indentation. */
  level?: number
}

export interface RelatedRecord {
  record: TaskRecord
  relations: Relations
  warnings: string[]
}

/** Empty relations. */
export function emptyRelations(): Relations {
  return { ids: [], parents: [], blockers: [] }
}

/** True if a reference is valid only within its file, because the file has no identifier for the record. */
export function isLocalRef(ref: string): boolean {
  return /^line \d+ of the file$/.test(ref)
}

const refOf = (record: TaskRecord) => (record.ref ??= `line ${record.line} of the file`)
const titleKey = (text: string) => text.replaceAll(/\s+/g, ' ').trim().toLowerCase()

/** Replaces the parents and blockers of records by the `ref` of the records that they name. */
export function resolveRelations(items: readonly RelatedRecord[]): void {
  const index = new RecordIndex(items)
  for (const [i, item] of items.entries()) {
    const { record, relations } = item
    const parent = index.parentOf(item) ?? index.indentParentOf(item, i)
    if (parent) record.parent = refOf(parent)
    else if (relations.parents[0] !== undefined) record.parent = relations.parents[0]
    record.blockedBy = [...new Set(relations.blockers.flatMap((cell) => index.blockersIn(cell)))]
  }
}

class RecordIndex {
  readonly #byId = new Map<string, TaskRecord>()
  readonly #byTitle = new Map<string, TaskRecord[]>()
  readonly #byOutline = new Map<string, TaskRecord>()
  /** The parent of each indented record. */
  readonly #indentParents: (TaskRecord | undefined)[]

  constructor(items: readonly RelatedRecord[]) {
    for (const { record, relations } of items) {
      for (const id of relations.ids) if (!this.#byId.has(id)) this.#byId.set(id, record)
      const key = titleKey(record.title)
      this.#byTitle.set(key, [...(this.#byTitle.get(key) ?? []), record])
      if (relations.outline !== undefined) this.#byOutline.set(relations.outline, record)
    }
    for (const { record } of items) if (record.ref !== undefined) this.#byId.set(record.ref, record)
    this.#indentParents = parentsByIndent(items)
  }

  parentOf({ record, relations, warnings }: RelatedRecord): TaskRecord | undefined {
    const names = relations.parents.flatMap(spellingsOf)
    for (const name of names) {
      const parent = this.#byId.get(name)
      if (parent && parent !== record) return parent
    }
    const byTitle = names.map((name) => this.#recordsTitled(name, record))
    const single = byTitle.find((others) => others.length === 1)
    if (single) return single[0]
    const ambiguous = byTitle.find((others) => others.length > 1)
    if (ambiguous) {
      warnings.push(
        `Its parent ${JSON.stringify(truncate(relations.parents[0] ?? '', 100))} is the title of ${ambiguous.length} tasks in the file; it was imported without a parent.`,
      )
      relations.parents = []
    }
    const number = relations.outline?.replace(/\.?[^.]*$/, '')
    return number ? this.#byOutline.get(number) : undefined
  }

  #recordsTitled(name: string, except: TaskRecord): TaskRecord[] {
    return (this.#byTitle.get(titleKey(name)) ?? []).filter((other) => other !== except)
  }

  /** The parent of the indented record at an index. */
  indentParentOf({ relations }: RelatedRecord, i: number): TaskRecord | undefined {
    return relations.parents.length === 0 ? this.#indentParents[i] : undefined
  }

  /** The whole cell can be one name; otherwise it lists several. */
  blockersIn(cell: string): string[] {
    const whole = this.#refFor(cell)
    if (whole !== undefined) return [whole]
    return cell.split(/[,;|\n]+/).flatMap((part) => {
      const ref = this.#refFor(part.trim())
      return ref === undefined ? part.split(/\s+/).filter(Boolean) : [ref]
    })
  }

  #refFor(name: string): string | undefined {
    for (const spelling of spellingsOf(name)) {
      const titled = this.#byTitle.get(titleKey(spelling)) ?? []
      const record = this.#byId.get(spelling) ?? (titled.length === 1 ? titled[0] : undefined)
      if (record?.ref !== undefined) return record.ref
    }
    return undefined
  }
}

/** Handles `Title (https://…)` as Notion writes it and `Task #12: Title` as trackers do. */
function spellingsOf(name: string): string[] {
  const bare = name.replace(/\s*\((?:https?:\/\/|[^()]*\.md|[^()]*%20)[^()]*\)\s*$/, '')
  const number = /(?:^|\s)#(\d{1,15})\b/.exec(name)?.[1]
  return [...new Set([name, bare, ...(number === undefined ? [] : [number])])].filter(Boolean)
}

function parentsByIndent(items: readonly RelatedRecord[]): (TaskRecord | undefined)[] {
  const ancestors: { level: number; record: TaskRecord }[] = []
  return items.map(({ record, relations: { level } }) => {
    if (level === undefined) return undefined
    while ((ancestors.at(-1)?.level ?? -1) >= level) ancestors.pop()
    const above = ancestors.at(-1)?.record
    ancestors.push({ level, record })
    return above
  })
}
