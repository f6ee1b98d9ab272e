// Writes docs/reference from the catalogue and the settings. Run it after a change of an operation or a setting.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { modules } from '../src/modules/index.ts'
import { referencePages } from './reference.ts'

const folder = new URL('../docs/reference/', import.meta.url)
const pages = referencePages(modules)
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(new URL(name, folder))
for (const [name, text] of pages) writeFileSync(new URL(name, folder), text)
