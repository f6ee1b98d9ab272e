import { relativeDay } from '../../../ui/work/days.ts'

/** A range of days. */
export function Days({
  sprint: { starts_on, ends_on },
}: {
  sprint: { starts_on: string; ends_on: string }
}) {
  return (
    <>
      <time dateTime={starts_on}>{relativeDay(starts_on)}</time> –{' '}
      <time dateTime={ends_on}>{relativeDay(ends_on)}</time>
    </>
  )
}
