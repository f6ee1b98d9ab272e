// Validity of facts as pure functions, used for writing and showing them. A fact is true from valid_from until before
// valid_to.

export interface ValidityPeriod {
  valid_from: number
  valid_to: number | null
}

export function isTrueAt({ valid_from, valid_to }: ValidityPeriod, at: number): boolean {
  return valid_from <= at && (valid_to === null || at < valid_to)
}

/** Statement about one predicate of an entity; ids sort in the order in which statements were recorded. */
export interface StatedFact {
  id: string
  /** Key for comparing values. */
  value: string
  valid_from: number
  /** Stated end. */
  said_to: number | null
  confidence: number
}

export interface FactValidity {
  valid_to: number | null
  status: 'valid' | 'superseded' | 'invalidated'
  superseded_by: string | null
}

/** Below this confidence, a value does not replace a surer one. */
const sureConfidence = 0.5

/**
 * Validity of each value, regardless of the order of learning. For a single-valued predicate, a value ends when the
 * next different one begins; if two begin together, the later learned one counts. A value that was never true ends
 * nothing.
 */
export function resolveValidity(
  statedFacts: readonly StatedFact[],
  isSingleValued: boolean,
): Map<string, FactValidity> {
  const valid = statedFacts
    .filter(
      (statedFact) => statedFact.said_to === null || statedFact.said_to > statedFact.valid_from,
    )
    .sort((a, b) => a.valid_from - b.valid_from || (a.id < b.id ? -1 : 1))
  const validities = new Map<string, FactValidity>(
    statedFacts.map((statedFact) => [
      statedFact.id,
      { valid_to: statedFact.valid_from, status: 'invalidated', superseded_by: null },
    ]),
  )
  for (const [i, statement] of valid.entries()) {
    const next = isSingleValued
      ? valid
          .slice(i + 1)
          .find(
            (other) =>
              other.value !== statement.value &&
              (other.confidence >= sureConfidence || statement.confidence < sureConfidence),
          )
      : undefined
    validities.set(statement.id, validityOf(statement, next))
  }
  return validities
}

function validityOf({ said_to }: StatedFact, next: StatedFact | undefined): FactValidity {
  if (next && (said_to === null || next.valid_from < said_to))
    return { valid_to: next.valid_from, status: 'superseded', superseded_by: next.id }
  return {
    valid_to: said_to,
    status: said_to === null ? 'valid' : 'invalidated',
    superseded_by: null,
  }
}

/** Single-valued predicates of a thing or person: a new value replaces the previous one. */
const singleValuedPredicates: ReadonlySet<string> = new Set([
  'address',
  'age',
  'birthday',
  'born_on',
  'budget',
  'capital',
  'ceo',
  'chief_executive',
  'city',
  'contract_end',
  'contract_ends_on',
  'contract_value',
  'country',
  'cto',
  'cfo',
  'current_version',
  'customer_status',
  'deadline',
  'department',
  'domain',
  'due_on',
  'employee_count',
  'employer',
  'founded_in',
  'full_name',
  'headcount',
  'headquarters',
  'industry',
  'job_title',
  'launch_date',
  'lead',
  'led_by',
  'legal_name',
  'license',
  'lives_in',
  'located_in',
  'location',
  'manager',
  'managed_by',
  'name',
  'owned_by',
  'owner',
  'parent',
  'parent_company',
  'phase',
  'plan',
  'position',
  'price',
  'priority',
  'release_date',
  'reports_to',
  'renewal_date',
  'renews_on',
  'revenue',
  'role',
  'runs_on_version',
  'severity',
  'size',
  'stage',
  'state',
  'status',
  'successor',
  'tier',
  'timezone',
  'title',
  'url',
  'valuation',
  'version',
  'website',
  'works_at',
  'works_for',
])

export function isSingleValuedPredicate(predicate: string): boolean {
  return singleValuedPredicates.has(predicate) || predicate.startsWith('current_')
}

/** Minimum number of entities with a predicate, nearly all with one value, for it to be treated as single-valued. */
const minEntities = 5
const minShareWithOneValue = 0.9

/**
 * Whether an organization uses a predicate as single-valued. Such values are questioned, never replaced
 * automatically.
 */
export function isUsedAsSingle({
  entities,
  withOne,
}: {
  entities: number
  withOne: number
}): boolean {
  return entities >= minEntities && withOne / entities >= minShareWithOneValue
}
