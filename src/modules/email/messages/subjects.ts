/** Prefixes that mail programs add to the subject of an answer or a forwarded message, in various languages. */
const answers =
  /^\s*(?:(?:re|aw|sv|vs|antw|r|rif|res|odp|vá|ynt|ang|bls|atb|回复|回覆|答复|답장|返信)|(?:fwd?|wg|vl|vb|tr|rv|enc|pd|i|továbbítás|doorst|i̇lt|ilt|转发|轉寄|전달|転送))\s*(?:[[(]\s*\d+\s*[\])]|\^\d+)?\s*[:：]\s*/iu
const list = /^\s*\[[^\]]{1,40}\]\s*/u
const maxPrefixes = 20

export interface BaseSubject {
  /** Without Re: and Fwd:. */
  subject: string
  /** The same, folded: equal where two subjects are the same to a reader. */
  key: string
  /** It answers something, or forwards it. */
  isAnswer: boolean
}

/** A subject without what programs put before it. */
export function baseSubject(text: string): BaseSubject {
  let rest = text
  let isAnswer = false
  for (let i = 0; i < maxPrefixes; i++) {
    const behind = rest.replace(list, '')
    const prefix = answers.exec(rest) ?? (answers.test(behind) ? answers.exec(behind) : null)
    if (!prefix) break
    isAnswer = true
    rest = (answers.test(rest) ? rest : behind).slice(prefix[0].length)
  }
  const subject = rest.trim()
  return {
    subject,
    key: subject
      .replace(list, '')
      .toLowerCase()
      .normalize('NFKC')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, 200),
    isAnswer,
  }
}
