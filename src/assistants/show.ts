import type { ClientSetup, Command, ConfigFile, Platform, SetupMethod } from './client.ts'

/** The shortest way to connect a program: instructions and the text to use. */
export interface BriefSetup {
  client: string
  how: string
  text: string
}

/** The first setup method of a program as a single step, for people who have just received a key. */
export function briefSetup({ title, ways }: ClientSetup, platform: Platform): BriefSetup {
  const { steps, contents } = ways[0]!
  const applicable = contents.filter(
    (content) => content.kind !== 'command' || isForPlatform(content, platform),
  )
  const how = applicable.map((item) => howTo(item, platform, steps[0]!))
  return { client: title, how: how[0]!, text: applicable.map(contentText).join('\n') }
}

function howTo(
  item: SetupMethod['contents'][number],
  platform: Platform,
  firstStep: string,
): string {
  if (item.kind === 'file') return `Add this to ${item.paths[platform]}:`
  return item.kind === 'command' ? 'Run this:' : firstStep
}

/** Everything about a program, formatted for a terminal. */
export function fullSetupText({ title, ways, notes }: ClientSetup, platform: Platform): string {
  const methods = ways.map(
    (way, i) =>
      `${ways.length > 1 ? `${i + 1}. ${way.title}\n\n` : ''}${methodText(way, platform)}`,
  )
  return [title, ...methods, notes.map((note) => `- ${note}`).join('\n')].join('\n\n')
}

function methodText({ steps, contents, link }: SetupMethod, platform: Platform): string {
  const blocks = contents
    .filter((content) => content.kind !== 'command' || isForPlatform(content, platform))
    .map((content) =>
      content.kind === 'file'
        ? `${fileHeading(content, platform)}\n\n${indented(contentText(content))}`
        : indented(contentText(content)),
    )
  const linkBlock = link === undefined ? [] : [`Or open this link:\n\n${indented(link)}`]
  return [steps.join('\n'), ...blocks, ...linkBlock].join('\n\n')
}

function fileHeading({ paths, project }: ConfigFile, platform: Platform): string {
  return `File: ${paths[platform]}${project === undefined ? '' : `   (for one project: ${project})`}`
}

function isForPlatform({ shell }: Command, platform: Platform): boolean {
  return shell === 'any' || (shell === 'windows') === (platform === 'windows')
}

function contentText(content: SetupMethod['contents'][number]): string {
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

export function currentPlatform(): Platform {
  if (process.platform === 'win32') return 'windows'
  return process.platform === 'darwin' ? 'macos' : 'linux'
}
