// Writes docs/reference from the catalogue, the settings and the commands, and the measured table of docs/permissions.md. Run it after a change of any of them.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { modules } from '../src/modules/index.ts'
import { permissionsTable, withTable } from './permissions.ts'
import { referencePages } from './reference.ts'

const folder = new URL('../docs/reference/', import.meta.url)
const pages = await referencePages(modules)
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(new URL(name, folder))
for (const [name, text] of pages) writeFileSync(new URL(name, folder), text)
const permissions = new URL('../docs/permissions.md', import.meta.url)
writeFileSync(permissions, withTable(readFileSync(permissions, 'utf8'), await permissionsTable()))
