import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { freeObject, secret, title } from '../../../kernel/fields.ts'
import { invalid } from '../../../kernel/refusal.ts'
import { minutes, storyPoints } from '../tasks/creation.ts'
import { priorityEnum } from '../shapes.ts'

const maxDepth = 5
const maxTasks = 200
const offset = () => z.int().min(-3660).max(3660)

/** One task of an outline. Its children are checked by readNode, which tracks the depth. */
const Node = z.strictObject({
  title: title(),
  description_markdown: z.string().max(50_000).optional(),
  priority: priorityEnum.optional(),
  estimate_minutes: minutes().optional(),
  points: storyPoints().optional(),
  labels: z.array(z.string().min(1).max(500)).max(50).optional(),
  assignees: z.array(z.string().min(1).max(320)).max(50).optional(),
  due_offset_days: offset().optional(),
  start_offset_days: offset().optional(),
  custom_fields: freeObject().optional(),
  subtasks: z.array(z.unknown()).max(maxTasks).optional(),
})

const outlineDescription = `{title, description_markdown?, priority?, estimate_minutes?, points?, labels?: names, assignees?: ids, emails or me, due_offset_days?, start_offset_days?: days after the start day, custom_fields?, subtasks?: the same}; at most ${maxDepth} levels, ${maxTasks} tasks`

/**
 * An outline as input, described in words: as a schema with five levels it would cost every session more than it is
 * worth in tokens.
 */
export const outlineInput = () => secret(freeObject().describe(outlineDescription))

export interface Outline extends Omit<z.infer<typeof Node>, 'subtasks'> {
  subtasks?: Outline[]
}

/**
 * An outline with every task checked.
 * @throws Refusal invalid_argument naming the place, `outline.subtasks.0.title`
 */
export function readOutline(value: unknown): Outline {
  const outline = readNode(value, 'outline', 1)
  const count = nodesOf(outline).length
  if (count > maxTasks)
    throw invalid('outline', `the outline has ${count} tasks; the maximum is ${maxTasks}.`)
  return outline
}

function readNode(value: unknown, path: string, depth: number): Outline {
  if (depth > maxDepth) throw invalid(path, `subtasks may be nested ${maxDepth} levels deep.`)
  const parsed = Node.safeParse(value)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    const unknown =
      issue.code === 'unrecognized_keys'
        ? `${issue.keys.slice(0, 5).join(', ')}: not a field of an outline. Fields are ${Object.keys(Node.shape).join(', ')}`
        : issue.message
    throw invalid([path, ...issue.path].join('.').slice(0, 200), `${unknown}.`)
  }
  const { subtasks, ...node } = parsed.data
  if ((node.start_offset_days ?? -Infinity) > (node.due_offset_days ?? Infinity))
    throw invalid(`${path}.start_offset_days`, 'the start must not be after the due date.')
  if (!subtasks?.length) return node
  return {
    ...node,
    subtasks: subtasks.map((subtask, i) => readNode(subtask, `${path}.subtasks.${i}`, depth + 1)),
  }
}

/** Every task of an outline, parents before their children. */
export function nodesOf(outline: Outline): Outline[] {
  return [outline, ...(outline.subtasks ?? []).flatMap(nodesOf)]
}

/** Applies a change to each task of an outline. */
export function mapOutline(outline: Outline, change: (node: Outline) => Outline): Outline {
  const { subtasks } = outline
  return omitNullish({
    ...change(outline),
    subtasks: subtasks ? subtasks.map((subtask) => mapOutline(subtask, change)) : undefined,
  })
}

export const variablePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/
const placeholderPattern = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g

/** Names of the variables in the texts of an outline, in order of first appearance. */
export function variablesOf(outline: Outline): string[] {
  const texts = nodesOf(outline).flatMap((node) => [node.title, node.description_markdown ?? ''])
  return [
    ...new Set(
      texts.flatMap((text) => [...text.matchAll(placeholderPattern)].map((match) => match[1]!)),
    ),
  ]
}

/** Fills the variables of a text once; variables inside values stay text. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(placeholderPattern, (slot, name: string) =>
    Object.hasOwn(values, name) ? values[name]! : slot,
  )
}

/** Formats variables as in an outline: `{{name}}, {{other}}`. */
export function braced(names: readonly string[]): string {
  return names.map((name) => `{{${name}}}`).join(', ')
}
