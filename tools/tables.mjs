// Writes src/db/tables.ts from schema.sql: a type for each table, ids branded with the table that they name.
import { writeFileSync } from 'node:fs'
import { tableTypes } from '../src/db/generate.ts'

writeFileSync(new URL('../src/db/tables.ts', import.meta.url), tableTypes())
