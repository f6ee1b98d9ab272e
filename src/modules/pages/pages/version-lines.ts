import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { z } from 'zod'
import { omitNullish } from '../../../kernel/present.ts'
import { notFound } from '../../../kernel/refusal.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { endpoint } from '../../../operations/endpoints/endpoint.ts'
import type { Row } from '../../../records/resource.ts'
import { page, pageVersion } from '../access.ts'
import { bodyAt } from '../content/access-bodies.ts'
import { LineOrigins, type LineStretch } from '../content/line-origins.ts'
import { PageVersion } from '../shapes.ts'
import { presentVersions, versionHeadColumns, type VersionHead } from './versions.ts'

/** Maximum number of versions examined, and time for it; older lines have no version. */
const maxVersions = 200
const maxDurationMs = 1000

export const readVersionLines = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/pages/:id/versions/:version/lines',
  name: 'read_page_version_lines',
  about:
    'who last wrote each line of a version of a page: `stretches` of lines (`line` from 1, `count`) with the `version_id` that introduced them, and those `versions`. Examines at most 200 versions, for at most a second; older lines have no `version_id`',
  output: z.strictObject({
    stretches: z.array(
      z.strictObject({ line: z.int(), count: z.int(), version_id: z.string().optional() }),
    ),
    versions: z.array(PageVersion),
  }),
  handle: (_, request) =>
    request.read(async (ctx) => {
      const { id = '', version: versionId = '' } = request.params
      const row = await page.demand(ctx, id, 'see', 'page_id')
      const head = await versionOf(ctx, row, versionId)
      const stretches = await lineOrigins(ctx, row, head)
      const versions = [...new Set(stretches.flatMap(({ origin }) => origin ?? []))]
      return {
        stretches: stretches.map(({ line, count, origin }) =>
          omitNullish({ line, count, version_id: origin?.id }),
        ),
        versions: await presentVersions(ctx, row, versions),
      }
    }),
})

async function versionOf(ctx: ReadContext, row: Row<'pages'>, id: string): Promise<VersionHead> {
  const version = await pageVersion.demand(ctx, id, 'see', 'version_id')
  if (version.page_id !== row.id) throw notFound('page version', 'version_id')
  return version
}

/** Finds the versions that introduced the lines of one version. Yields to other requests between two versions. */
async function lineOrigins(
  ctx: ReadContext,
  row: Row<'pages'>,
  last: VersionHead,
): Promise<LineStretch<VersionHead>[]> {
  const deadline = performance.now() + maxDurationMs
  const versions = await pageVersion
    .of(ctx, [row.id])
    .select(versionHeadColumns)
    .where('page_versions.number', '<=', last.number)
    .orderBy('page_versions.number', 'desc')
    .limit(maxVersions)
    .execute()
  const textOf = async (version: VersionHead) => (await bodyAt(ctx, row.id, version.number)) ?? ''
  const origins = new LineOrigins<VersionHead>(await textOf(last))
  for (const [n, version] of versions.entries()) {
    if (origins.isDone || performance.now() > deadline) break
    const previous = versions[n + 1]
    if (previous) origins.goBack(await textOf(previous), version)
    else if (version.number === 1) origins.end(version)
    await yieldToEventLoop()
  }
  return origins.stretches()
}
