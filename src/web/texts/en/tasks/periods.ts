/** A period by its word, `next_14_days`, after what it is of: “Due in the next 14 days”. */
const inDays = (word: string): string | undefined => {
  const [, way, count, unit] = /^(next|last)_(\d+)_(day|hour)s?$/.exec(word) ?? []
  return count === undefined
    ? undefined
    : `in the ${way} ${count === '1' ? unit : `${count} ${unit}s`}`
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

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Periods that tasks are filtered by. */
export const periods = {
  due: (word: string): string => due[word] ?? `Due ${inDays(word) ?? word}`,
  since: (word: string): string => since[word] ?? sentence(inDays(word) ?? word),
}
