const maxNesting = 200

/** Markers that open a quotation or a list, and can be repeated on one line. */
const markers = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/
const marker = />|[-+*]|\d+[.)]/g
/** Elements with optional end tags do not count. */
const tag =
  /<(\/?)(?!(?:area|br|col|dd|dt|hr|img|input|li|link|meta|option|p|td|th|tr|wbr)\b)[a-z][^<>]*?(\/?)>/gi

/**
 * Whether a Markdown or HTML text nests quotations, lists, brackets or elements unreasonably deep. Parsers need
 * memory quadratic in the depth, and a thread that runs out of memory may crash the process.
 */
export function isNestedDeeply(text: string): boolean {
  return (
    hasDeepLine(text) ||
    maxDepthOf(text.matchAll(tag), depthChange) > 5 * maxNesting ||
    hasDeepBrackets(text)
  )
}

function depthChange([, endSlash, selfClosingSlash]: RegExpExecArray): number {
  if (endSlash) return -1
  return selfClosingSlash ? 0 : 1
}

function hasDeepLine(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end < 0 ? text.length : end)
    const prefix = markers.exec(line)?.[0]
    if (
      prefix !== undefined &&
      prefix.length > maxNesting &&
      (prefix.match(marker)?.length ?? 0) > maxNesting
    )
      return true
    if (line.length > 4 * maxNesting && /^[ \t]*/.exec(line)![0].length > 4 * maxNesting)
      return true
    start = start + line.length + 1
  }
  return false
}

function hasDeepBrackets(text: string): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 91) depth++
    else if (code === 93 && depth > 0) depth--
    else if (code === 10 && text.charCodeAt(i + 1) === 10) depth = 0 // brackets end with their paragraph
    if (depth > 5 * maxNesting) return true
  }
  return false
}

function maxDepthOf<T>(steps: Iterable<T>, changeOf: (step: T) => number): number {
  let depth = 0
  let maxDepth = 0
  for (const step of steps) {
    depth = Math.max(0, depth + changeOf(step))
    maxDepth = Math.max(maxDepth, depth)
  }
  return maxDepth
}
