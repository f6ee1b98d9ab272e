import { StreamLanguage, type StringStream } from '@codemirror/language'

/** Reads one token of CEL. */
function celToken(stream: StringStream): string | null {
  if (stream.eatSpace()) return null
  if (stream.match('//')) {
    stream.skipToEnd()
    return 'comment'
  }
  if (stream.match(/^[rRbB]{0,2}("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)/)) return 'string'
  if (stream.match(/^\d[\w.]*/)) return 'number'
  if (stream.match(/^(true|false|null)\b/)) return 'atom'
  if (stream.match(/^in\b/)) return 'keyword'
  if (stream.match(/^[A-Za-z_]\w*(?=\s*\()/)) return 'variableName.function'
  if (stream.match(/^[A-Za-z_]\w*/)) return 'variableName'
  if (stream.match(/^[=!<>&|+\-*/%?:]+/)) return 'operator'
  stream.next()
  return null
}

/** Expressions in CEL. */
export const celLanguage = StreamLanguage.define({ token: celToken })

interface TemplateState {
  /** Delimiter that closes the current output or tag. */
  end: '}}' | '%}' | undefined
  /** True until the name of a tag has been read. */
  isBeforeTagName: boolean
}

const openingDelimiter = /^\{[{%]-?/

function templateToken(stream: StringStream, state: TemplateState): string | null {
  if (state.end === undefined) {
    const [delimiter] = (stream.match(openingDelimiter) as RegExpMatchArray | null) ?? []
    if (delimiter === undefined) {
      stream.next()
      stream.eatWhile(/[^{]/)
      return null
    }
    state.end = delimiter.startsWith('{{') ? '}}' : '%}'
    state.isBeforeTagName = state.end === '%}'
    return 'brace'
  }
  if (stream.match(`-${state.end}`) || stream.match(state.end)) {
    state.end = undefined
    return 'brace'
  }
  if (stream.match(/^\|\s*\w+/)) return 'variableName.function'
  if (state.isBeforeTagName && stream.match(/^\w+/)) {
    state.isBeforeTagName = false
    return 'keyword'
  }
  if (stream.match(/^(and|or|contains|in)\b/)) return 'keyword'
  return celToken(stream)
}

/** Text with Liquid templates. */
export const templateLanguage = StreamLanguage.define<TemplateState>({
  startState: () => ({ end: undefined, isBeforeTagName: false }),
  token: templateToken,
})
