import { invalid } from '../../../kernel/refusal.ts'

/** Whether text is one emoji as Unicode recommends it for general interchange, skin tones and joined ones included. */
const isEmoji = (text: string) => /^\p{RGI_Emoji}$/v.test(text)
const selector = /\u{FE0F}/gu
const tones = /[\u{1F3FB}-\u{1F3FF}]/gu

/** Emoji and their short names. */
export interface EmojiNames {
  /**
   * The emoji that a text is or names: 👍, `+1` and `:thumbsup:` are one.
   * @throws Refusal invalid_argument where it is none
   */
  emojiOf(text: string, field?: string): string
  /** The short name of an emoji, whatever its skin tone; undefined where it has none yet. */
  nameOf(emoji: string): string | undefined
}

let loading: Promise<EmojiNames> | undefined

/** The table of names, loaded when someone first reacts to something. */
export function emojiNames(): Promise<EmojiNames> {
  return (loading ??= loadEmojiNames())
}

async function loadEmojiNames(): Promise<EmojiNames> {
  const { emojiToName, gemoji, nameToEmoji } = await import('gemoji')
  /** Emoji without their variation selector, as keyboards send some of them. */
  const bare = new Map(gemoji.map(({ emoji }) => [emoji.replaceAll(selector, ''), emoji]))
  const emojiNamed = (text: string) => {
    const name = text.replace(/^:(.*):$/s, '$1').toLowerCase()
    return Object.hasOwn(nameToEmoji, name) ? nameToEmoji[name] : undefined
  }
  return {
    emojiOf(text, field = 'emoji') {
      const trimmed = text.trim()
      const resolved = isEmoji(trimmed)
        ? trimmed
        : (bare.get(trimmed.replaceAll(selector, '')) ?? emojiNamed(trimmed))
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
      emojiToName[bare.get(emoji.replaceAll(tones, '').replaceAll(selector, '')) ?? ''],
  }
}
