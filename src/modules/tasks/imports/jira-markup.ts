/** Converts the common part of Jira's wiki markup to Markdown. Unknown markup stays as it is. */
export function markdownOfJira(text: string): string {
  let inCode = false
  return text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => {
      if (/^\s*\{(code|noformat)(:[^}]{0,100})?\}\s*$/.test(line)) {
        const language = inCode ? '' : (/^\s*\{code:([a-z+#]{1,20})\}/i.exec(line)?.[1] ?? '')
        inCode = !inCode
        return `\`\`\`${language}`
      }
      return inCode ? line : markdownLine(line)
    })
    .join('\n')
}

function markdownLine(line: string): string {
  const heading = /^h([1-6])\.\s+(.*)$/.exec(line)
  if (heading) return `${'#'.repeat(Number(heading[1]))} ${inline(heading[2]!)}`
  const item = /^([*#-]{1,6})\s+(.*)$/.exec(line)
  if (item)
    return `${'  '.repeat(item[1]!.length - 1)}${item[1]!.endsWith('#') ? '1.' : '-'} ${inline(item[2]!)}`
  const quote = /^bq\.\s+(.*)$/.exec(line)
  return quote ? `> ${inline(quote[1]!)}` : inline(line)
}

function inline(text: string): string {
  return text
    .replaceAll(/\{\{([^{}]{1,500})\}\}/g, '`$1`')
    .replaceAll(/\[([^[\]|]{1,500})\|(https?:\/\/[^[\]|\s]{1,2000})\]/g, '[$1]($2)')
    .replaceAll(/\[(https?:\/\/[^[\]|\s]{1,2000})\]/g, '<$1>')
    .replaceAll(/(^|[\s(])\*(\S(?:[^*\n]{0,500}\S)?)\*(?=[\s).,;:!?]|$)/g, '$1**$2**')
}
