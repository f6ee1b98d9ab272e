/** Escapes text for HTML, including attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * A complete HTML page without scripts. `body`: its parts, empty ones omitted; `isListed`: whether search engines may
 * index it.
 */
export function htmlDocument({
  title,
  styles,
  body,
  isListed = false,
}: {
  title: string
  styles: string
  body: readonly string[]
  isListed?: boolean
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${isListed ? '' : '<meta name="robots" content="noindex, nofollow">\n'}<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
<main>
${body.filter((part) => part !== '').join('\n')}
</main>
</body>
</html>
`
}
