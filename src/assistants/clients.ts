import { claudeCode, claudeDesktop } from './claude.ts'
import type { Client, ClientSetup } from './client.ts'
import { cursor, vsCode, windsurf, zed } from './editors.ts'
import { generic } from './generic.ts'
import {
  antigravity,
  chatGpt,
  claudeAi,
  copilotStudio,
  goose,
  grok,
  leChat,
  perplexity,
} from './hosted.ts'
import type { Target } from './target.ts'
import { codex, geminiCli } from './terminals.ts'

/** Known programs, the generic one last. */
export const clients: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vsCode,
  windsurf,
  codex,
  geminiCli,
  zed,
  claudeAi,
  chatGpt,
  leChat,
  copilotStudio,
  perplexity,
  grok,
  goose,
  antigravity,
  generic,
]

/** Finds a program by id or common name: `Claude Code`, `vs-code`, `gemini`. */
export function clientOf(text: string): Client | undefined {
  const normalized = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '')
  const query = normalized(text)
  return clients.find((client) =>
    [
      normalized(client.id),
      normalized(client.title),
      ...(client === geminiCli ? ['gemini'] : []),
    ].includes(query),
  )
}

export function setupOf(client: Client, target: Target): ClientSetup {
  return { id: client.id, title: client.title, ...client.setup(targetFor(client, target)) }
}

/** The target with the program's default preset if no tools were selected. */
export function targetFor({ preset }: Client, target: Target): Target {
  const { selection } = target
  const isSelected =
    selection.preset !== undefined ||
    selection.toolsets !== undefined ||
    /(^|&)tools=/.test(selection.others ?? '')
  return preset === undefined || isSelected
    ? target
    : { ...target, selection: { ...selection, preset } }
}
