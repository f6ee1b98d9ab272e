/** What CEL offers to conditions, as the catalogue tells it. */
export const functionNotes: readonly (readonly [name: string, about: string])[] = [
  ['operators', '== != < <= > >= && || ! + - * / % and a ? b : c; "x" in list; "key" in map'],
  ['has(item.field)', 'whether there is such a field: what is asked of one that there is not makes the condition fail'],
  ['list.exists(x, …)', 'whether it holds for one entry; all(x, …) for every one, exists_one(x, …) for exactly one'],
  ['list.filter(x, …)', 'the entries for which it holds; map(x, …) makes each into something else'],
  ['size(x)', 'length of a text, list or map'],
  ['text.contains("…")', 'also startsWith, endsWith, indexOf, lowerAscii, upperAscii, trim, replace, split, substring; list.join(", ")'],
  ['text.matches("…")', 'whether a regular expression (RE2) is found in it'],
  ['timestamp(text)', 'a moment, such as timestamp(now) or timestamp(item.created_at); minus another it is a duration; getHours("Europe/Berlin"), getDayOfWeek(), getDate()'],
  ['duration("24h")', 'a length of time, to compare and to add'],
  ['changes.field', '{from, to} of what the event changed: has(changes.status) && changes.status.to == "done"'],
  ['int(x)', 'also double, string, bool, type'],
]
