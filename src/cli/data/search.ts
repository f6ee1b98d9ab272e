import type { Command } from 'commander'
import { checkEmbeddings } from '../../search/check.ts'
import { describeStatus, searchStatus } from '../../search/status.ts'
import { addCommand, addCommandGroup, print, type CommonOptions } from '../command.ts'
import { withApp, withStore } from '../open.ts'
import { runningServer } from '../server/running-server.ts'
import { quantity } from '../../kernel/text/quantity.ts'

export function registerSearchCommands(program: Command): void {
  const search = addCommandGroup(
    program,
    'search',
    'Show the state of the semantic search index, and rebuild it.',
    ['workspace search status', 'workspace search rebuild'],
  )
  addCommand(search, 'status', 'Show how many texts are indexed, and how many are waiting.', [
    'workspace search status --json',
  ]).action(status)
  addCommand(
    search,
    'rebuild',
    'Rebuild the semantic index from all texts; the current one keeps answering meanwhile. If a server is running, it does the work, and this command does not wait.',
    ['workspace search rebuild'],
  ).action(rebuild)
}

async function status(options: CommonOptions): Promise<void> {
  const value = await withStore(options, async ({ store: { index } }) => {
    const { raw } = index
    const spaces = raw.read
      .prepare(
        'select id, provider, model, dimensions, state, passages as made_from, made_at, active_at from search_spaces order by made_at',
      )
      .all() as {
      id: string
      provider: string
      model: string
      state: string
      made_from: number
      made_at: number
      active_at: number | null
    }[]
    return {
      ...checkEmbeddings(raw.read),
      ...searchStatus(raw.read),
      spaces: spaces.map((space) => ({
        ...space,
        made_at: isoTimestamp(space.made_at),
        active_at: space.active_at === null ? null : isoTimestamp(space.active_at),
      })),
    }
  })
  print(options.json, value, () => {
    const { texts, passages, due, missing, orphans, spaces } = value
    const faults =
      missing + orphans === 0
        ? ''
        : `\nWrong: ${quantity(missing, 'text has', 'texts have')} no vectors, ${quantity(orphans, 'deleted one still has', 'deleted ones still have')} some. workspace search rebuild`
    return [
      `${quantity(texts, 'text')} in ${quantity(passages, 'passage')}; ${due} ${due === 1 ? 'is' : 'are'} waiting for vectors.${faults}`,
      ...spaces.map(
        (space) =>
          `${space.id}  ${space.provider} ${space.model}  ${space.state}${space.active_at === null ? '' : `  since ${space.active_at}`}`,
      ),
      ...describeStatus(value).slice(1),
    ].join('\n')
  })
}

const isoTimestamp = (at: number) => new Date(at).toISOString()

async function rebuild(options: CommonOptions): Promise<void> {
  const result = await withApp(options, async (app) => {
    if (runningServer(app.settings.data)) return app.searchEngine.requestRebuild() // only one process may write vectors
    return app.searchEngine.rebuild()
  })
  print(options.json, result ?? { asked: true }, () =>
    result
      ? `Done: ${quantity(result.passages, 'passage')}, ${quantity(result.terms, 'word')}.`
      : 'The server rebuilds it; see workspace search status.',
  )
}
