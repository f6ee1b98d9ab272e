import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps'

const styleVariable = /^--(color|font|border|shadow)-[a-z0-9-]+$/

/** Applies the host's theme: light or dark, colours and sizes. */
export function applyTheme({ theme, styles }: McpUiHostContext): void {
  const { style } = document.documentElement
  if (theme) style.colorScheme = theme
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (styleVariable.test(name) && typeof value === 'string') style.setProperty(name, value)
}
