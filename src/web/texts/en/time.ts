export const timeTexts = {
  title: 'Time sheet',
  tabs: { label: 'Time', report: 'Report' },
  line: 'Task or project',
  total: 'Total',
  add: 'Add a task',
  choose: 'Log time on',
  repeat: 'Same rows as last week',
  empty: {
    title: 'No time is logged this week',
    text: 'Add a task and type 1:30 or 1.5 into a day, or start a timer on it.',
    prompt: 'Log the time I spent this week, from my calendar and the tasks I worked on.',
  },
  week: (from: string, to: string) => `${from} – ${to}`,
  thisWeek: 'This week',
  cell: (name: string, day: string) => `${name}, ${day}`,
  start: (name: string) => `Start a timer on ${name}`,
  stop: (name: string) => `Stop the timer on ${name}`,
  running: (name: string) => `Timer on ${name}`,
  started: (name: string) => `Timer started: ${name}`,
  stopped: (name: string) => `Timer stopped: ${name}`,
  set: (name: string, minutes: number) =>
    minutes === 0
      ? `${name}: time removed`
      : `${name}: ${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h logged`,
  several:
    'This cell has several entries, which together are longer than that. Change them one by one.',
  hint: 'Type 1:30, 1.5 or 90m. Arrow keys and Enter move between cells.',
}
