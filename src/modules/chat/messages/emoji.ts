import { invalid } from '../../../kernel/refusal.ts'

/** Whether text is one RGI emoji (recommended for general interchange), including skin tones and joined ones. */
const isEmoji = (text: string) => /^\p{RGI_Emoji}$/v.test(text)
const variationSelector = /\u{FE0F}/gu
const skinTones = /[\u{1F3FB}-\u{1F3FF}]/gu

/** Emoji and their short names. */
export interface EmojiNames {
  /**
   * The emoji for a text: 👍, `+1` and `:thumbsup:` are the same.
   * @throws Refusal invalid_argument if it is not one
   */
  emojiOf(text: string, field?: string): string
  /** An emoji's short name, regardless of skin tone; undefined if it has none yet. */
  nameOf(emoji: string): string | undefined
}

let loading: Promise<EmojiNames> | undefined

/** The table of names, loaded at the first reaction. */
export function emojiNames(): Promise<EmojiNames> {
  return (loading ??= loadEmojiNames())
}

async function loadEmojiNames(): Promise<EmojiNames> {
  const { emojiToName, gemoji, nameToEmoji } = await import('gemoji')
  /** Emoji by their text without variation selectors, which some keyboards omit. */
  const emojiByBareText = new Map(
    gemoji.map(({ emoji }) => [emoji.replaceAll(variationSelector, ''), emoji]),
  )
  const emojiNamed = (text: string) => {
    const name = text.replace(/^:(.*):$/s, '$1').toLowerCase()
    return Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined
  }
  return {
    emojiOf(text, field = 'emoji') {
      const trimmed = text.trim()
      const resolved = isEmoji(trimmed)
        ? trimmed
        : (emojiByBareText.get(trimmed.replaceAll(variationSelector, '')) ?? emojiNamed(trimmed))
      if (resolved === undefined)
        throw invalid(
          field,
          `${JSON.stringify(trimmed.slice(0, 60))} is not an emoji.`,
          'Send one emoji such as 👍, or its short name, such as thumbsup.',
        )
      return resolved
    },
    nameOf: (emoji) =>
      emojiToName[emoji] ??
      emojiToName[
        emojiByBareText.get(emoji.replaceAll(skinTones, '').replaceAll(variationSelector, '')) ?? ''
      ],
  }
}
