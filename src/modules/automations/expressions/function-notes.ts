/** CEL functions and operators for conditions, as listed in the catalogue. */
export const functionNotes: readonly (readonly [name: string, about: string])[] = [
  ['operators', '== != < <= > >= && || ! + - * / % and a ? b : c; "x" in list; "key" in map'],
  ['has(item.field)', 'whether the field exists: using a missing field makes the condition fail'],
  [
    'list.exists(x, …)',
    'whether it is true for at least one entry; all(x, …): for every entry, exists_one(x, …): for exactly one',
  ],
  ['list.filter(x, …)', 'the entries for which it is true; map(x, …) transforms each entry'],
  ['size(x)', 'length of a text, list or map'],
  [
    'text.contains("…")',
    'also startsWith, endsWith, indexOf, lowerAscii, upperAscii, trim, replace, split, substring; list.join(", ")',
  ],
  ['text.matches("…")', 'whether it matches a regular expression (RE2)'],
  [
    'timestamp(text)',
    'a point in time, such as timestamp(now) or timestamp(item.created_at); subtract another to get a duration; getHours("Europe/Berlin"), getDayOfWeek(), getDate()',
  ],
  ['duration("24h")', 'a length of time, to compare or add'],
  [
    'changes.field',
    '{from, to} of each changed field: has(changes.status) && changes.status.to == "done"',
  ],
  ['int(x)', 'also double, string, bool, type'],
]
