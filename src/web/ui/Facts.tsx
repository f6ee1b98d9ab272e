import { Fragment, type ReactNode } from 'react'

export type Fact = readonly [label: string, value: ReactNode]

/** A list of named facts, without blank ones. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const presentFacts = facts.filter(
    ([, value]) => value !== undefined && value !== null && value !== false && value !== '',
  )
  if (presentFacts.length === 0) return null
  return (
    <dl className="facts">
      {presentFacts.map(([label, value]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
