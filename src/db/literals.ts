import {
  ColumnNode,
  ReferenceNode,
  ValueNode,
  type BinaryOperationNode,
  type LimitNode,
} from 'kysely'

/**
 * Constants in the conditions of partial indexes. The planner uses such an index only if the query contains the
 * constant literally.
 */
const partialIndexValues: Record<string, readonly (string | number)[]> = {
  awaiting: ['none'],
  body_state: ['pending'],
  content_base64: [''],
  destination_state: ['queued', 'waiting'],
  digest: ['off'],
  latest: [1],
  phase: ['planned', 'running'],
  role: ['lead'],
  shared: [1],
  starred: [1],
  state: ['queued', 'resolved'],
  status: ['active', 'open', 'pending', 'queued'],
  text_status: ['pending'],
  unread: [1],
  visibility: ['organization'],
}

/** The comparison with its value as a literal, if a partial index depends on that value. */
export function withIndexLiterals(node: BinaryOperationNode): BinaryOperationNode {
  const { leftOperand: left, rightOperand: right } = node
  const isIndexCondition =
    ReferenceNode.is(left) &&
    ColumnNode.is(left.column) &&
    ValueNode.is(right) &&
    partialIndexValues[left.column.column.name]?.includes(right.value as string)
  return isIndexCondition ? { ...node, rightOperand: ValueNode.createImmediate(right.value) } : node
}

/** A limit as a literal, because plans depend on it; undefined if it is not a plain number. */
export function limitText({ limit }: LimitNode): string | undefined {
  const value = ValueNode.is(limit) ? limit.value : undefined
  return typeof value === 'number' ? `limit ${Math.trunc(value)}` : undefined
}
