import { dayWords } from '../../../ui/work/days.ts'

/** A range of days. */
export function Days({
  of: { starts_on, ends_on },
}: {
  of: { starts_on: string; ends_on: string }
}) {
  return (
    <>
      <time dateTime={starts_on}>{dayWords(starts_on)}</time> –{' '}
      <time dateTime={ends_on}>{dayWords(ends_on)}</time>
    </>
  )
}
