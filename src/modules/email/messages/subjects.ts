/** Prefixes that mail programs add to the subject of an answer or a forwarded message, in various languages. */
const answerPrefix =
  /^\s*(?:(?:re|aw|sv|vs|antw|r|rif|res|odp|vá|ynt|ang|bls|atb|回复|回覆|答复|답장|返信)|(?:fwd?|wg|vl|vb|tr|rv|enc|pd|i|továbbítás|doorst|i̇lt|ilt|转发|轉寄|전달|転送))\s*(?:[[(]\s*\d+\s*[\])]|\^\d+)?\s*[:：]\s*/iu
const listPrefix = /^\s*\[[^\]]{1,40}\]\s*/u
const maxPrefixes = 20

export interface BaseSubject {
  /** The subject without Re: and Fwd:. */
  subject: string
  /** The same, normalized for comparing subjects. */
  key: string
  /** Whether the message answers or forwards another. */
  isAnswer: boolean
}

/** A subject without the prefixes that mail programs add. */
export function baseSubject(text: string): BaseSubject {
  let rest = text
  let isAnswer = false
  for (let i = 0; i < maxPrefixes; i++) {
    const withoutList = rest.replace(listPrefix, '')
    const prefix =
      answerPrefix.exec(rest) ??
      (answerPrefix.test(withoutList) ? answerPrefix.exec(withoutList) : null)
    if (!prefix) break
    isAnswer = true
    rest = (answerPrefix.test(rest) ? rest : withoutList).slice(prefix[0].length)
  }
  const subject = rest.trim()
  return {
    subject,
    key: subject
      .replace(listPrefix, '')
      .toLowerCase()
      .normalize('NFKC')
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, 200),
    isAnswer,
  }
}
