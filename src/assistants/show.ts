import type { ClientSetup, Command, ConfigFile, Platform, Way } from './client.ts'

/** The shortest way to connect a program: instructions and the text to use. */
export interface Brief {
  client: string
  how: string
  text: string
}

/** The first way of a program as a single step, for people who just received a key. */
export function brief({ title, ways }: ClientSetup, platform: Platform): Brief {
  const { steps, contents } = ways[0]!
  const fitting = contents.filter(
    (content) => content.kind !== 'command' || suits(content, platform),
  )
  const how = fitting.map((item) => howTo(item, platform, steps[0]!))
  return { client: title, how: how[0]!, text: fitting.map(contentText).join('\n') }
}

function howTo(item: Way['contents'][number], platform: Platform, firstStep: string): string {
  if (item.kind === 'file') return `Add this to ${item.paths[platform]}:`
  return item.kind === 'command' ? 'Run this:' : firstStep
}

/** Everything about a program, formatted for a terminal. */
export function inFull({ title, ways, notes }: ClientSetup, platform: Platform): string {
  const each = ways.map(
    (way, i) => `${ways.length > 1 ? `${i + 1}. ${way.title}\n\n` : ''}${wayText(way, platform)}`,
  )
  return [title, ...each, notes.map((note) => `- ${note}`).join('\n')].join('\n\n')
}

function wayText({ steps, contents, link }: Way, platform: Platform): string {
  const blocks = contents
    .filter((content) => content.kind !== 'command' || suits(content, platform))
    .map((content) =>
      content.kind === 'file'
        ? `${whereOf(content, platform)}\n\n${indented(contentText(content))}`
        : indented(contentText(content)),
    )
  const opened = link === undefined ? [] : [`Or open this link:\n\n${indented(link)}`]
  return [steps.join('\n'), ...blocks, ...opened].join('\n\n')
}

function whereOf({ paths, project }: ConfigFile, platform: Platform): string {
  return `File: ${paths[platform]}${project === undefined ? '' : `   (for one project: ${project})`}`
}

function suits({ shell }: Command, platform: Platform): boolean {
  return shell === 'any' || (shell === 'windows') === (platform === 'windows')
}

function contentText(content: Way['contents'][number]): string {
  if (content.kind !== 'values') return content.text
  const item = content.values.length === 1 ? content.values[0] : undefined
  return item
    ? item.text
    : content.values
        .map(({ label, text }) => (label === 'Header' ? text : `${label}: ${text}`))
        .join('\n')
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

export function platformHere(): Platform {
  if (process.platform === 'win32') return 'windows'
  return process.platform === 'darwin' ? 'macos' : 'linux'
}
