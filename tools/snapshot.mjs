// Writes src/catalogue.snapshot, the public surface as text. Run it after a change of an operation, and read the diff.
import { writeFileSync } from 'node:fs'
import { modules } from '../src/modules/index.ts'
import { snapshotOf } from '../src/testing/snapshot.ts'

writeFileSync(new URL('../src/catalogue.snapshot', import.meta.url), snapshotOf(modules))
