import type { ActingKey } from '../../kernel/actor.ts'
import { isForEveryKey, type Catalogue } from '../../operations/catalogue.ts'
import type { Entry } from '../../operations/entry.ts'
import { nearestNames } from '../../kernel/text/nearest.ts'
import { denied, type Refusal } from '../../kernel/refusal.ts'
import type { Toolset } from '../../kernel/toolsets.ts'
import { compactTools, toolsOfPreset, type Preset } from './presets.ts'
import { invalidSelection, type ToolSelection } from './selection.ts'

/** Tools and limits that one part of a selection resolves to. */
export interface ConnectionScope {
  preset: Preset | undefined
  /** The refusal if this place deliberately excludes an operation. */
  refusalFor(entry: Entry): Refusal | undefined
  /** Whether this place keeps an operation in the list. A preset only shortens the list. */
  lists(entry: Entry): boolean
  /** Whether this place requests an operation by name or by a preset that contains it. */
  requests(entry: Entry): boolean
}

/** @throws Refusal invalid_argument for unknown modules and tools */
export function connectionScope(
  catalogue: Catalogue,
  part: ToolSelection,
  key: ActingKey | undefined,
): ConnectionScope {
  const { preset, names, readOnly } = part
  const modules = part.toolsets && modulesOf(catalogue, part.toolsets, names.toolsets)
  const tools = toolsOf(catalogue, part.tools, names.tools)
  const excluded = toolsOf(catalogue, part.exclude, names.exclude)
  const presetTools = preset && toolsOfPreset(catalogue, preset)
  const presetExtras =
    preset === 'compact'
      ? toolsOf(
          catalogue,
          compactTools.filter((name) => catalogue.find(name)),
          '',
        )
      : undefined
  const isLimited = modules !== undefined || (tools.size > 0 && !preset)
  return {
    preset,
    lists: (entry) => !presetTools || presetTools.has(entry) || tools.has(entry),
    requests: (entry) => presetTools?.has(entry) === true || tools.has(entry),
    refusalFor(entry) {
      const { name, kind } = entry.operation
      if (excluded.has(entry))
        return excludedRefusal(`${name} is excluded from this connection`, names.exclude)
      if (readOnly && kind !== 'read')
        return excludedRefusal(
          `This connection is read-only, and ${name} makes changes`,
          names.readOnly,
        )
      if (!isLimited || isForEveryKey(entry, key) || tools.has(entry) || presetExtras?.has(entry))
        return undefined
      if (!modules)
        return excludedRefusal(
          `This connection allows only ${shortList([...tools].map((tool) => tool.operation.name))}, not ${name}`,
          names.tools,
        )
      const module = modules.get(entry.module)
      if (!module)
        return excludedRefusal(
          `This connection allows only ${[...modules.keys()].join(', ')}, and ${name} belongs to ${entry.module}`,
          names.toolsets,
        )
      return module.readOnly && kind !== 'read'
        ? excludedRefusal(
            `This connection is read-only in ${entry.module}, and ${name} makes changes`,
            names.toolsets,
          )
        : undefined
    },
  }
}

function excludedRefusal(reason: string, name: string): Refusal {
  return denied(
    `${reason} (set by ${name}).`,
    'Continue without it, or ask the user to change the settings of this connection.',
  )
}

function shortList(names: readonly string[]): string {
  return names.length > 8 ? `${names.length} tools` : names.join(', ')
}

/** All selected modules. A module listed besides `all` keeps its own access, and the narrower of two mentions counts. */
function modulesOf(
  catalogue: Catalogue,
  toolsets: readonly Toolset[],
  name: string,
): ReadonlyMap<string, Toolset> {
  const moduleNames = catalogue.toolsets
  const unknown = toolsets.find(({ module }) => module !== 'all' && !moduleNames.includes(module))
  if (unknown)
    throw invalidSelection(
      name,
      `unknown toolset ${JSON.stringify(unknown.module.slice(0, 60))}.`,
      didYouMean(unknown.module, moduleNames, `Available: ${moduleNames.join(', ')}, and all.`),
    )
  const opened = new Map<string, Toolset>()
  for (const module of moduleNames) {
    const requested = toolsets.filter((toolset) => toolset.module === module)
    const mentions =
      requested.length > 0 ? requested : toolsets.filter((toolset) => toolset.module === 'all')
    if (mentions.length > 0)
      opened.set(module, { module, readOnly: mentions.some((way) => way.readOnly) })
  }
  return opened
}

function toolsOf(catalogue: Catalogue, texts: readonly string[], name: string): ReadonlySet<Entry> {
  return new Set(
    texts.map((text) => {
      const entry = catalogue.find(text)
      if (entry && !entry.operation.unlisted) return entry
      const toolNames = catalogue.entries.map((item) => item.operation.name)
      throw invalidSelection(
        name,
        `unknown tool ${JSON.stringify(text.slice(0, 60))}.`,
        didYouMean(
          text,
          toolNames,
          'For all tools, list them on a connection without a selection, or use GET /api/tools.',
        ),
      )
    }),
  )
}

function didYouMean(text: string, names: readonly string[], otherwise: string): string {
  const candidates = nearestNames(text, names)
  return candidates.length > 0 ? `Did you mean ${candidates.join(', ')}? ${otherwise}` : otherwise
}
