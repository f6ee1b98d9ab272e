import { closeSync, existsSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { recordForEachOrg } from '../../audit/act.ts'
import {
  checkAnchor,
  forgedSealMessage,
  findUnsignedSeals,
  type AnchorReport,
} from '../../audit/anchor.ts'
import { exportCalls, type ExportRange } from '../../audit/export.ts'
import { chainEnds, headsPath } from '../../audit/heads.ts'
import { hasSigned, publicKeys, loadSigner } from '../../audit/signing.ts'
import { verifyCalls, type ChainReport } from '../../audit/verify.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Store } from '../../db/open.ts'
import { addCommand, addCommandGroup, print, formatMoment, type CommonOptions } from '../command.ts'
import { exitCodes } from '../exit.ts'
import { withStore, type CommandContext } from '../open.ts'
import { requireOrganization } from '../people/orgs.ts'
import { quantity } from '../../kernel/text/quantity.ts'

export function registerAuditCommands(program: Command): void {
  const audit = addCommandGroup(program, 'audit', 'Verify and export the call log.', [
    'workspace audit verify',
    'workspace audit export --from 2026-11-01 --out november.ndjson',
  ])
  addCommand(
    audit,
    'verify',
    'Recompute the hash chain of the call log and compare it with the signed heads. Names the first changed or missing entry. Exit code 0 or 1; works while the server runs.',
    [
      'workspace audit verify',
      'workspace audit verify --json',
      'workspace audit verify --anchor /mnt/elsewhere/heads.log --key 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    ],
  )
    .option('--anchor <file>', 'a copy of the signed heads kept elsewhere')
    .option(
      '--key <key>',
      'public key that signed them, as printed by `workspace audit key` (default: those in the data folder)',
    )
    .action(verify)
  addCommand(
    audit,
    'key',
    'Print the public key that signs the call log. Keep it where the server cannot change it.',
    ['workspace audit key'],
  ).action(printKey)
  addCommand(
    audit,
    'export',
    'Export the call log, one JSON object per line, with everything the hashes cover. The export is itself logged.',
    [
      'workspace audit export > calls.ndjson',
      'workspace audit export --org acme --from 2026-11-01 --to 2026-11-30 --out november.ndjson',
    ],
  )
    .option('--org <organization>', 'only this organization')
    .option('--from <when>', 'start: a date or time, UTC')
    .option('--to <when>', 'end: a date (inclusive) or time, UTC')
    .option('--out <file>', 'new file to write (default: standard output)')
    .action(exportAll)
}

type Chain = ChainReport & { name: string }

async function verify(options: CommonOptions & { anchor?: string; key?: string }): Promise<void> {
  const { chains, anchors } = await withStore(options, async (opened) => {
    const wasSigned = hasSigned(opened.settings.data) // before the heads, which a server may be about to sign for the first time
    const anchors = await anchorsOf(opened, options)
    return {
      chains: await chainsOf(opened.store),
      anchors: [
        ...anchors,
        ...(await missingHeads(opened, anchors, wasSigned)),
        ...(await forgedSeals(opened, anchors)),
      ],
    }
  })
  const ok =
    chains.every((chain) => !chain.broken) && anchors.every((anchor) => anchor.broken.length === 0)
  const name = (org_id: string) => chains.find((chain) => chain.org_id === org_id)?.name ?? org_id
  print(
    options.json,
    { ok, organizations: chains, anchors },
    () =>
      [...chains.map(chainLine), ...anchors.flatMap((anchor) => anchorLines(anchor, name))].join(
        '\n',
      ) || 'There is no organization yet.',
  )
  if (!ok) process.exitCode = exitCodes.refused
}

async function chainsOf(store: Store): Promise<Chain[]> {
  const names = new Map(
    (await store.read.selectFrom('orgs').select(['id', 'name']).execute()).map((org) => [
      org.id as string,
      org.name,
    ]),
  )
  return (await verifyCalls(store.read)).map((report) => ({
    ...report,
    name: names.get(report.org_id) ?? report.org_id,
  }))
}

/** The heads beside the database, in the copy named by the settings, and from the command line. */
async function anchorsOf(
  { store, settings }: CommandContext,
  options: { anchor?: string; key?: string },
): Promise<AnchorReport[]> {
  const readKeys = () => (options.key === undefined ? publicKeys(settings.data) : [options.key])
  if (options.anchor !== undefined && !existsSync(options.anchor))
    throw new Refusal('not_found', `There is no file ${options.anchor}.`)
  const ownFiles = [headsPath(settings.data), settings.audit_anchor].filter(
    (file) => file !== '' && existsSync(file),
  )
  const files = new Set([
    ...ownFiles,
    ...(options.anchor === undefined ? [] : [resolve(options.anchor)]),
  ])
  return Promise.all([...files].map((file) => checkAnchor(store.read, file, readKeys)))
}

/** Time after which a server must have signed heads, in milliseconds: it signs hourly and when it stops. */
const signingDueMs = 2 * 60 * 60_000

/** Reports entries without heads: the heads were removed, which would hide that the end of the log was cut off. */
async function missingHeads(
  { store, settings, clock }: CommandContext,
  anchors: readonly AnchorReport[],
  wasSigned: boolean,
): Promise<AnchorReport[]> {
  const file = headsPath(settings.data)
  if (anchors.some((report) => report.file === file && report.heads > 0)) return []
  const oldServerCall = await store.read.one(
    "SELECT 1 FROM calls WHERE transport <> 'cli' AND at < ? LIMIT 1",
    clock.now() - signingDueMs,
  )
  if (!wasSigned && !oldServerCall) return [] // no server has run here long enough to sign any
  const broken = (await chainEnds(store.read)).map(({ org_id }) => ({
    org_id,
    why: 'there are entries but no signed heads: the file was removed or emptied, or the data folder is new and no server has signed in it yet',
  }))
  return [{ file, heads: 0, unreadable: 0, restored: 0, broken }]
}

async function forgedSeals(
  { store, settings }: CommandContext,
  anchors: readonly AnchorReport[],
): Promise<AnchorReport[]> {
  const forged = await findUnsignedSeals(
    store.read,
    [headsPath(settings.data), ...anchors.map((report) => report.file)],
    () => publicKeys(settings.data),
  )
  if (forged.length === 0) return []
  const broken = forged.map(({ org_id, seq }) => ({
    org_id,
    why: forgedSealMessage(seq, settings.audit_keep_days),
  }))
  return [{ file: 'seals', heads: 0, unreadable: 0, restored: 0, broken }]
}

function chainLine({ name, entries, sealed, broken }: Chain): string {
  if (broken)
    return `${name}: BROKEN at entry ${broken.seq} (${broken.id}): ${broken.why}. ${entries === 2 ? 'The one before it is' : `The ${entries - 1} before it are`} intact.`
  return `${name}: ${quantity(entries, 'entry', 'entries')}, whole.${sealed > 0 ? ` Entries up to ${sealed} were sealed; the chain goes on from there.` : ''}`
}

function anchorLines(
  { file, heads, unreadable, newest, restored, broken }: AnchorReport,
  name: (org: string) => string,
): string[] {
  const skippedNote =
    unreadable > 0
      ? ` ${quantity(unreadable, 'unreadable line was', 'unreadable lines were')} skipped.`
      : ''
  const restoredNote = restored > 0 ? ' A backup was restored; later signatures are ignored.' : ''
  if (broken.length === 0)
    return [
      `${file}: ${heads} signed heads, all found${newest ? `; the newest of ${formatMoment(Date.parse(newest.at))}` : ''}.${restoredNote}${skippedNote}`,
    ]
  return broken.map(
    ({ org_id, why }) =>
      `${file}: BROKEN for ${name(org_id)}: ${why}.${restoredNote}${skippedNote}`,
  )
}

async function printKey(options: CommonOptions): Promise<void> {
  const publicKey = await withStore(options, async ({ settings }) => loadSigner(settings.data).key)
  print(options.json, { key: publicKey, algorithm: 'Ed25519' }, () => publicKey)
}

async function exportAll(
  cliOptions: CommonOptions & { org?: string; from?: string; to?: string; out?: string },
): Promise<void> {
  const { parseInstant: parseMoment } = await import('../../kernel/time/times.ts')
  await withStore(cliOptions, async ({ store, clock }) => {
    const org_id =
      cliOptions.org === undefined
        ? undefined
        : (await requireOrganization(store, cliOptions.org)).id
    const range: ExportRange = {
      org_id,
      from: cliOptions.from && parseMoment(cliOptions.from, 'UTC', 'start', 'from'),
      to: cliOptions.to && parseMoment(cliOptions.to, 'UTC', 'end', 'to'),
    } as ExportRange
    const out = cliOptions.out === undefined ? undefined : openNew(cliOptions.out)
    const loggedArguments = {
      from: cliOptions.from ?? null,
      to: cliOptions.to ?? null,
      out: cliOptions.out ?? null,
    }
    await store.writer.run(
      async () =>
        await recordForEachOrg(
          store,
          {
            tool: 'export_calls',
            route: 'workspace audit export',
            kind: 'write',
            via: 'cli',
            at: clock.now(),
            items: [],
            arguments: loggedArguments,
          },
          org_id,
        ),
    )
    const entries = await writeAuditLines(exportCalls(store.read, range), out)
    if (cliOptions.out === undefined) return
    const path = resolve(cliOptions.out)
    print(
      cliOptions.json,
      { path, entries },
      () => `${path}: ${quantity(entries, 'entry', 'entries')}.`,
    )
  })
}

/** Readable by its owner alone; fails if the file exists. */
function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST')
      throw new Refusal('conflict', `${path} already exists.`, 'Name a new file.')
    throw error
  }
}

async function writeAuditLines(
  entries: AsyncIterable<Record<string, unknown>>,
  file = 1,
): Promise<number> {
  let count = 0
  for await (const entry of entries) {
    writeAll(file, Buffer.from(`${JSON.stringify(entry)}\n`))
    count++
  }
  if (file !== 1) {
    fsyncSync(file)
    closeSync(file)
  }
  return count
}

/** A pipe accepts what fits and reports EAGAIN when full. */
function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(file, bytes, written)
    } catch (error) {
      if ((error as { code?: string }).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}
