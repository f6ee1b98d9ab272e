/** Nullable and optional fields become optional, without null and undefined. */
type Present<T> = {
  [K in keyof T as null extends T[K] ? never : undefined extends T[K] ? never : K]: T[K]
} & {
  [K in keyof T as null extends T[K] ? K : undefined extends T[K] ? K : never]?: NonNullable<T[K]>
}

/** Fields that may be undefined become optional. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** An answer without null and undefined fields. */
export function omitNullish<const T extends object>(fields: T): Present<T> {
  const result: Record<string, unknown> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value !== null && value !== undefined) result[name] = value
  }
  return result as Present<T>
}

/** A patch without undefined fields: those stay unchanged. */
export function omitUndefined<const T extends object>(fields: T): Defined<T> {
  const patch: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) patch[name] = value
  return patch as Defined<T>
}
