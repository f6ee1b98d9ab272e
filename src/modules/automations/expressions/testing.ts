/** Scope in which tests evaluate expressions and templates. */
export const exampleScope = {
  item: {
    id: 'tsk_1',
    title: 'Door',
    n: 5,
    half: 2.5,
    due: '2026-11-20T12:00:00Z',
    long: 'a'.repeat(60_000),
    list: Array.from({ length: 300 }, (_, i) => `x${i}`),
    many: Array.from({ length: 15_000 }, (_, i) => i),
    labels: [{ name: 'bug' }],
  },
  event: { name: 'task.updated', at: '2026-11-20T12:00:00Z', via: 'web' },
  actor: { id: 'usr_1', title: 'Ann' },
  changes: { status: { from: 'todo', to: 'done' } },
  now: '2026-11-21T12:00:00Z',
  trigger: {
    type: 'webhook',
    payload: JSON.parse(
      '{"constructor": "c", "__proto__": {"polluted": true}, "html": "<b>@ann</b>"}',
    ) as unknown,
  },
  input: {},
  automation: { id: 'aut_1', name: 'Rule' },
  steps: { made: { id: 'tsk_2' } },
  each: null,
  index: 3,
}
