import { localCount as count } from './count.ts'

/** Conflicts: two people changed the same lines of a text. */
export const conflicts = {
  title: (n: number) => `Others changed ${count(n, 'place', 'places')} that you changed, too`,
  text: 'Choose what is to stand there. Everything else is merged already.',
  line: (n: number) => `Line ${n}`,
  before: 'Before',
  theirs: 'Now',
  mine: 'Yours',
  none: 'removed',
  choices: { both: 'Keep both', mine: 'Keep yours', theirs: 'Keep what is there now' },
  apply: 'Use these lines',
}
