/** A task of a template, with its subtasks. */
export interface OutlineNode {
  /** Path in the outline: `0.1.0`. */
  path: string
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
export function readOutline(value: unknown, path = '0'): OutlineNode {
  const { title, dueOffset, subtasks } = readOutlineTask(value)
  return {
    ...{ path, title, dueOffset },
    subtasks: subtasks.map((subtask, index) => readOutline(subtask, `${path}.${index}`)),
  }
}

export const countOutlineTasks = (node: OutlineNode): number =>
  node.subtasks.reduce((sum, below) => sum + countOutlineTasks(below), 1)

/** Replaces {{variables}} in a text; those without a value stay. */
export const fillTitle = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (braces, name: string) => values[name]?.trim() || braces)
