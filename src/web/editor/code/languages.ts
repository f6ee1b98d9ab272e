import { StreamLanguage, type StringStream } from '@codemirror/language'

/** One word or operator of CEL. */
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
  /** Delimiter that closes the current part with names. */
  end: '}}' | '%}' | undefined
  /** True until the first word of a tag was read. */
  isAtTag: boolean
}

const signs = /^\{[{%]-?/

function templateToken(stream: StringStream, state: TemplateState): string | null {
  if (state.end === undefined) {
    const [sign] = (stream.match(signs) as RegExpMatchArray | null) ?? []
    if (sign === undefined) {
      stream.next()
      stream.eatWhile(/[^{]/)
      return null
    }
    state.end = sign.startsWith('{{') ? '}}' : '%}'
    state.isAtTag = state.end === '%}'
    return 'brace'
  }
  if (stream.match(`-${state.end}`) || stream.match(state.end)) {
    state.end = undefined
    return 'brace'
  }
  if (stream.match(/^\|\s*\w+/)) return 'variableName.function'
  if (state.isAtTag && stream.match(/^\w+/)) {
    state.isAtTag = false
    return 'keyword'
  }
  if (stream.match(/^(and|or|contains|in)\b/)) return 'keyword'
  return celToken(stream)
}

/** Texts with templates in Liquid. */
export const templateLanguage = StreamLanguage.define<TemplateState>({
  startState: () => ({ end: undefined, isAtTag: false }),
  token: templateToken,
})
