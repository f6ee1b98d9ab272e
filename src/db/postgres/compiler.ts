import {
  ColumnNode,
  PostgresQueryCompiler,
  ReferenceNode,
  PrimitiveValueListNode,
  ValueListNode,
  OperatorNode,
  type BinaryOperationNode,
  type LimitNode,
  type OperationNode,
  type OrderByItemNode,
  RawNode,
} from 'kysely'
import { limitText, withIndexLiterals } from '../literals.ts'
import { columns, nullable } from '../tables.ts'

/** Compiles the modules' queries for PostgreSQL with their SQLite semantics. */
export class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const emptyListCondition =
      isEmptyList(node.rightOperand) && emptyListConditions[operatorOf(node)]
    if (!emptyListCondition) return super.visitBinaryOperation(withIndexLiterals(node))
    this.visitNode(node.leftOperand)
    this.append(` ${emptyListCondition}`)
  }

  /** LIKE is case-insensitive on SQLite. */
  protected override visitOperator(node: OperatorNode): void {
    this.append(likeToIlike(node.operator))
  }

  protected override visitRaw(node: RawNode): void {
    super.visitRaw({ ...node, sqlFragments: node.sqlFragments.map(likeToIlike) })
  }

  /** NULL sorts first on SQLite. Added only where NULL is possible, because indexes sort it last. */
  protected override visitOrderByItem(node: OrderByItemNode): void {
    super.visitOrderByItem(node)
    if (node.nulls || !canBeNull(node.orderBy)) return
    const { direction } = node
    const isDescending =
      direction && RawNode.is(direction) && /desc/i.test(direction.sqlFragments.join(' '))
    this.append(isDescending ? ' nulls last' : ' nulls first')
  }

  protected override visitLimit(node: LimitNode): void {
    const text = limitText(node)
    if (text) this.append(text)
    else super.visitLimit(node)
  }
}

/** Columns that are not nullable in any table; any other column or expression may be NULL. */
const neverNullColumns = new Set(Object.values(columns).flat()).difference(
  new Set(Object.values(nullable).flat()),
)

function canBeNull(node: OperationNode): boolean {
  const column = ReferenceNode.is(node) ? node.column : node
  return !ColumnNode.is(column) || !neverNullColumns.has(column.column.name)
}

function likeToIlike(sql: string): string {
  return sql.replace(/\blike\b/g, 'ilike')
}

/** `IN ()` is a syntax error on PostgreSQL; an empty array adopts the type of the left side. */
const emptyListConditions: Record<string, string | undefined> = {
  in: "= any('{}')",
  'not in': "<> all('{}')",
}

function operatorOf({ operator }: BinaryOperationNode): string {
  return OperatorNode.is(operator) ? operator.operator : ''
}

function isEmptyList(node: OperationNode): boolean {
  return (PrimitiveValueListNode.is(node) || ValueListNode.is(node)) && node.values.length === 0
}
