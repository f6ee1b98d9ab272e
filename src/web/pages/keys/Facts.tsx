import { Fragment, type ReactNode } from 'react'

export type Fact = [label: string, value: ReactNode]

/** Labels with what holds for each. */
export function Facts({ of }: { of: readonly Fact[] }) {
  return (
    <dl className="facts">
      {of.map(([label, value]) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
