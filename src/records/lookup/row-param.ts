import { omitNullish } from '../../kernel/present.ts'
import type { ItemTable, Level, Row } from '../row.ts'
import type { Narrowing } from './names.ts'
import type { ResourceLookup } from './resource-lookup.ts'

export type Mode = 'one' | 'maybe' | 'clearable' | 'many' | 'manyMaybe'

interface RowParamOptions {
  wire?: string
  inside?: { of: string; by: string }
  about?: string
  trash?: boolean
  among?: Narrowing<ItemTable> | undefined
  outside?: string | undefined
}

/** A row that an operation's input refers to; the pipeline loads it or refuses the call. */
export class RowParam<T extends ItemTable, M extends Mode> {
  declare readonly mode: M
  declare readonly table: T
  readonly resource: ResourceLookup<T>
  readonly level: Level
  readonly modeName: Mode
  readonly wire: string | undefined
  readonly inside: { of: string; by: string } | undefined
  readonly about: string | undefined
  /** True if the row may be in the trash. */
  readonly trash: boolean
  /** Rows preferred for a name, as a query. */
  readonly among: Narrowing<T> | undefined
  /** Hint about people outside the organization, added to the refusal of an unknown email address. */
  readonly outside: string | undefined

  constructor(resource: ResourceLookup<T>, level: Level, mode: Mode, more: RowParamOptions = {}) {
    this.resource = resource
    this.level = level
    this.modeName = mode
    this.wire = more.wire
    this.inside = more.inside
    this.about = more.about
    this.trash = more.trash ?? false
    this.among = more.among as Narrowing<T> | undefined
    this.outside = more.outside
  }

  but<N extends Mode>(mode: Mode, more: RowParamOptions = {}): RowParam<T, N> {
    const {
      wire = this.wire,
      inside = this.inside,
      about = this.about,
      trash = this.trash,
      outside = this.outside,
      among = this.among as Narrowing<ItemTable> | undefined,
    } = more
    return new RowParam<T, N>(
      this.resource,
      this.level,
      mode,
      omitNullish({
        wire,
        inside,
        about,
        trash,
        among,
        outside,
      }),
    )
  }

  /** Makes the argument optional. */
  get maybe(): RowParam<T, M extends 'many' ? 'manyMaybe' : 'maybe'> {
    return this.but(this.modeName === 'many' ? 'manyMaybe' : 'maybe')
  }

  /** Makes the argument optional; null clears the field. */
  get clearable(): RowParam<T, 'clearable'> {
    return this.but('clearable')
  }

  /** A list of ids (at most 200), without duplicates. */
  get many(): RowParam<T, 'many'> {
    return this.but('many')
  }

  /** Sets the argument's name in requests if it is not `<name>_id` or `<name>_ids`. */
  named(wire: string): RowParam<T, M> {
    return this.but(this.modeName, { wire })
  }

  /** Requires that the row belongs to another row of the same call: `comment.see.of('task', 'task_id')`. */
  of(other: string, by: keyof Row<T> & string): RowParam<T, M> {
    return this.but(this.modeName, { inside: { of: other, by } })
  }

  /** Prefers these rows for names, such as accounts with mail. Does not apply to ids. */
  preferring(among: Narrowing<T>): RowParam<T, M> {
    return this.but(this.modeName, { among: among as Narrowing<ItemTable> })
  }

  /** Adds a hint about people outside the organization. */
  outsiders(hint: string): RowParam<T, M> {
    return this.but(this.modeName, { outside: hint })
  }

  /** Also accepts rows in the trash. */
  get anywhere(): RowParam<T, M> {
    return this.but(this.modeName, { trash: true })
  }

  /** Sets the description of the argument. */
  describe(about: string): RowParam<T, M> {
    return this.but(this.modeName, { about })
  }
}
