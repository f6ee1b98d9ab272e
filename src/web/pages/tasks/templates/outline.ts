/** A task of a template, with its subtasks. */
export interface OutlineNode {
  /** Path in the outline: `0.1.0`. */
  place: string
  title: string
  dueOffset: number | undefined
  subtasks: OutlineNode[]
}

/** The fields of one outline task from the server; `rest`: fields that are neither shown nor edited. */
export function readOutlineTask(value: unknown) {
  const node = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const { title, due_offset_days: offset, subtasks, ...rest } = node
  return {
    title: typeof title === 'string' ? title : '',
    dueOffset: typeof offset === 'number' ? offset : undefined,
    subtasks: Array.isArray(subtasks) ? (subtasks as unknown[]) : [],
    rest,
  }
}

/** The outline of a template from the server. */
export function readOutline(value: unknown, place = '0'): OutlineNode {
  const { title, dueOffset, subtasks } = readOutlineTask(value)
  return {
    ...{ place, title, dueOffset },
    subtasks: subtasks.map((below, n) => readOutline(below, `${place}.${n}`)),
  }
}

export const tasksIn = (node: OutlineNode): number =>
  node.subtasks.reduce((sum, below) => sum + tasksIn(below), 1)

/** A text with its {{words}} replaced, as far as values are given. */
export const filledTitle = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (braces, name: string) => values[name]?.trim() || braces)
