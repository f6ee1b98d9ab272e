/** Text of a period such as `next_14_days`: “in the next 14 days”. Undefined for other words. */
const inDays = (period: string): string | undefined => {
  const [, direction, count, unit] = /^(next|last)_(\d+)_(day|hour)s?$/.exec(period) ?? []
  return count === undefined
    ? undefined
    : `in the ${direction} ${count === '1' ? unit : `${count} ${unit}s`}`
}

const due: Readonly<Record<string, string>> = {
  overdue: 'Overdue',
  none: 'No due date',
  today: 'Due today',
  tomorrow: 'Due tomorrow',
  yesterday: 'Due yesterday',
  this_week: 'Due this week',
  next_week: 'Due next week',
  last_week: 'Due last week',
  this_month: 'Due this month',
  next_month: 'Due next month',
  last_month: 'Due last month',
}
const since: Readonly<Record<string, string>> = {
  today: 'Today',
  this_week: 'This week',
  this_month: 'This month',
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Periods of task filters. */
export const periods = {
  due: (period: string): string => due[period] ?? `Due ${inDays(period) ?? period}`,
  since: (period: string): string => since[period] ?? capitalize(inDays(period) ?? period),
}
