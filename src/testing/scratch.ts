import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A data directory that is removed at the end. */
export function scratch(): { dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'workspace-process-'))
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
